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

/** What a store knows about a name. */
public final class Description {
  private final String name;
  private final List<String> levels;
  private final String type;
  private final String keyType;
  private final String keyCodec;
  private final Optional<String> valueType;
  private final Optional<String> valueCodec;
  private final OptionalLong count;
  private final OptionalLong diskBytes;
  private final OptionalLong diskBudgetBytes;
  private final long resets;
  private final Instant created;
  private final Optional<Instant> expires;
  private final Instant lastAccess;
  private final Map<String, String> options;

  Description(
      Entry entry,
      OptionalLong count,
      OptionalLong diskBytes,
      OptionalLong diskBudgetBytes,
      long expiryMillis) {
    Identity identity = entry.identity();
    SpaceInfo space = entry.space();
    this.name = space.name();
    this.levels = SpaceName.levels(space.name());
    this.type = identity.type();
    this.keyType = identity.keyType();
    this.keyCodec = identity.keyCodec();
    this.valueType = Optional.ofNullable(identity.valueType());
    this.valueCodec = Optional.ofNullable(identity.valueCodec());
    this.count = count;
    this.diskBytes = diskBytes;
    this.diskBudgetBytes = diskBudgetBytes;
    this.resets = space.resets();
    this.created = Instant.ofEpochMilli(space.createdMillis());
    this.expires =
        expiryMillis == Expiry.NEVER
            ? Optional.empty()
            : Optional.of(Instant.ofEpochMilli(expiryMillis));
    this.lastAccess = Instant.ofEpochMilli(space.openedMillis());
    this.options = entry.options();
  }

  /** The name. */
  public String name() {
    return name;
  }

  /** The name's levels, outermost first. */
  public List<String> levels() {
    return levels;
  }

  /**
   * What it holds: {@code cache}, {@code map}, {@code set}, {@code sorted map}, {@code sorted set},
   * {@code scored set}, {@code deque}, {@code table}, {@code value}, {@code counter}, {@code
   * queue}, {@code timer}.
   */
  public String type() {
    return type;
  }

  /** The type of its keys, elements or single value. */
  public String keyType() {
    return keyType;
  }

  /** The id of the codec of its keys, elements or single value. */
  public String keyCodec() {
    return keyCodec;
  }

  /** The type of its values, if it has values. */
  public Optional<String> valueType() {
    return valueType;
  }

  /** The id of the codec of its values, if it has values. */
  public Optional<String> valueCodec() {
    return valueCodec;
  }

  /**
   * The number of elements, if it is known without reading them. That holds for open collections
   * except tables, and not inside a transaction. May include expired elements, except of a value or
   * counter.
   */
  public OptionalLong count() {
    return count;
  }

  /**
   * An estimate of its compressed bytes on disk plus its bytes in memory that are not yet flushed;
   * empty if the engine cannot estimate it.
   */
  public OptionalLong diskBytes() {
    return diskBytes;
  }

  /** Its disk budget, for an open cache that has one. */
  public OptionalLong diskBudgetBytes() {
    return diskBudgetBytes;
  }

  /** How often the name was reset to another type or codec. */
  public long resets() {
    return resets;
  }

  /** When the name was created. */
  public Instant created() {
    return created;
  }

  /**
   * When the whole content expires, if it does: of a collection by {@code clearAfter} or {@code
   * clearAt}, of a value or counter also by its time to live. For a value or counter it is empty
   * inside a transaction.
   */
  public Optional<Instant> expires() {
    return expires;
  }

  /** When it was last opened. */
  public Instant lastAccess() {
    return lastAccess;
  }

  /** Options of the layers above, kept with the name. */
  public Map<String, String> options() {
    return options;
  }

  @Override
  public String toString() {
    return "Description[name="
        + name
        + ", levels="
        + levels
        + ", type="
        + type
        + ", keyType="
        + keyType
        + ", keyCodec="
        + keyCodec
        + ", valueType="
        + valueType
        + ", valueCodec="
        + valueCodec
        + ", count="
        + count
        + ", diskBytes="
        + diskBytes
        + ", diskBudgetBytes="
        + diskBudgetBytes
        + ", resets="
        + resets
        + ", created="
        + created
        + ", expires="
        + expires
        + ", lastAccess="
        + lastAccess
        + ", options="
        + options
        + ']';
  }
}
