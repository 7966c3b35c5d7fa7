package io.rockpool;

import io.rockpool.engine.Expiry;
import io.rockpool.engine.SpaceInfo;
import io.rockpool.engine.SpaceName;
import io.rockpool.internal.catalog.Entry;
import io.rockpool.internal.catalog.Identity;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * What a store knows of a name.
 *
 * @param name the name
 * @param levels the name's levels, outermost first
 * @param type what it holds: {@code cache}, {@code map}, {@code set}, {@code sorted map}, {@code
 *     sorted set}, {@code scored set}, {@code deque}, {@code table}, {@code value}, {@code counter}
 * @param keyType the type of its keys, elements or only value
 * @param keyCodec the id of their codec
 * @param valueType the type of its values, if it has any
 * @param valueCodec the id of their codec
 * @param count how many elements it has, where that is known without reading them: of a collection
 *     that is open, but not of a table nor of a cache, and not inside a transaction. May include
 *     some that have expired
 * @param diskBytes how many bytes it takes on disk, as compressed there, and in memory that is
 *     about to be written there; about, and without reading them; empty where the engine cannot
 *     tell
 * @param diskBudgetBytes how many it may take, if it is a cache that is open and has a budget
 * @param resets how often the name was given to something of another type or codec
 * @param created when the name was first taken
 * @param expires when all of it expires, if ever
 * @param lastAccess when it was last opened
 * @param options what a layer above keeps with the name
 */
public record Description(
    String name,
    List<String> levels,
    String type,
    String keyType,
    String keyCodec,
    Optional<String> valueType,
    Optional<String> valueCodec,
    OptionalLong count,
    OptionalLong diskBytes,
    OptionalLong diskBudgetBytes,
    long resets,
    Instant created,
    Optional<Instant> expires,
    Instant lastAccess,
    Map<String, String> options) {

  static Description of(
      Entry entry, OptionalLong count, OptionalLong diskBytes, OptionalLong diskBudgetBytes) {
    Identity identity = entry.identity();
    SpaceInfo space = entry.space();
    return new Description(
        space.name(),
        SpaceName.levels(space.name()),
        identity.type(),
        identity.keyType(),
        identity.keyCodec(),
        Optional.ofNullable(identity.valueType()),
        Optional.ofNullable(identity.valueCodec()),
        count,
        diskBytes,
        diskBudgetBytes,
        space.resets(),
        Instant.ofEpochMilli(space.createdMillis()),
        space.expiresMillis() == Expiry.NEVER
            ? Optional.empty()
            : Optional.of(Instant.ofEpochMilli(space.expiresMillis())),
        Instant.ofEpochMilli(space.openedMillis()),
        entry.options());
  }
}
