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
 * What a store knows about a name.
 *
 * @param name the name
 * @param levels the name's levels, outermost first
 * @param type what it holds: {@code cache}, {@code map}, {@code set}, {@code sorted map}, {@code
 *     sorted set}, {@code scored set}, {@code deque}, {@code table}, {@code value}, {@code counter}
 * @param keyType the type of its keys, elements or single value
 * @param keyCodec the id of their codec
 * @param valueType the type of its values, if it has values
 * @param valueCodec the id of their codec
 * @param count the number of elements, if it is known without reading them. That holds for open
 *     collections except tables, and not inside a transaction. May include expired elements
 * @param diskBytes an estimate of its compressed bytes on disk plus its bytes in memory that are
 *     not yet flushed; empty if the engine cannot estimate it
 * @param diskBudgetBytes its disk budget, for an open cache that has one
 * @param resets how often the name was reset to another type or codec
 * @param created when the name was created
 * @param expires when the whole content expires, if it does
 * @param lastAccess when it was last opened
 * @param options options of the layers above, kept with the name
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
