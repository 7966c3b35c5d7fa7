package io.rockpool.structure;

import io.rockpool.codec.Codecs;
import io.rockpool.store.Durability;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Options of a structure, the same type for all structures. Immutable: each method returns a copy
 * with one option changed, as in {@code
 * StructureOptions.defaults().entryTtl(Duration.ofHours(1)).durability(Durability.SYNC)}. Opening a
 * structure rejects options that do not apply to its type.
 *
 * @param durability the durability of writes; null for the store's default
 * @param codecs how objects become bytes; null for the store's codecs
 * @param entryTtl the default time to live of an element; null for no expiry
 * @param onConflict what opening does if the name holds something else
 * @param capacity the maximum number of elements of a deque; null for no limit. It belongs to the
 *     handle and is not stored: the next opening can use another one. A deque above its capacity
 *     rejects inserts until it is below. Only for deques.
 * @param ranked whether a new scored set keeps a rank index; null for yes, or for the choice made
 *     when the set was created. Only for scored sets.
 */
public record StructureOptions(
    @Nullable Durability durability,
    @Nullable Codecs codecs,
    @Nullable Duration entryTtl,
    OnConflict onConflict,
    @Nullable Integer capacity,
    @Nullable Boolean ranked) {
  private static final StructureOptions DEFAULTS =
      new StructureOptions(null, null, null, OnConflict.FAIL, null, null);

  /** What opening does if the name holds another type, element type or codec. */
  public enum OnConflict {
    /** Fails with a {@link io.rockpool.error.NameConflictException} and changes nothing. */
    FAIL,
    /** Removes the old content, counts a reset, and starts empty. */
    RESET
  }

  /** Checks the arguments. */
  public StructureOptions {
    Objects.requireNonNull(onConflict, "onConflict");
    if (entryTtl != null && (entryTtl.isNegative() || entryTtl.isZero())) {
      throw new IllegalArgumentException(
          "entryTtl is " + entryTtl + "; give a positive duration, or none for ever.");
    }
    if (capacity != null && capacity < 1) {
      throw new IllegalArgumentException(
          "capacity is " + capacity + "; give a positive number, or none for any number.");
    }
  }

  /** The defaults: the store's durability and codecs, no expiry, fail on a conflict. */
  public static StructureOptions defaults() {
    return DEFAULTS;
  }

  /**
   * Sets the durability of writes, instead of the store's. {@link
   * io.rockpool.Rockpool#withDurability} overrides it for single calls.
   */
  public StructureOptions durability(Durability newDurability) {
    return new StructureOptions(newDurability, codecs, entryTtl, onConflict, capacity, ranked);
  }

  /** Sets the codecs, instead of the store's. */
  public StructureOptions codecs(Codecs newCodecs) {
    return new StructureOptions(durability, newCodecs, entryTtl, onConflict, capacity, ranked);
  }

  /** Sets the default time to live of elements, counted from their put. */
  public StructureOptions entryTtl(Duration ttl) {
    return new StructureOptions(durability, codecs, ttl, onConflict, capacity, ranked);
  }

  /** Sets what opening does if the name holds something else. */
  public StructureOptions onConflict(OnConflict action) {
    return new StructureOptions(durability, codecs, entryTtl, action, capacity, ranked);
  }

  /** Sets the maximum number of elements of a deque. */
  public StructureOptions capacity(int elements) {
    return new StructureOptions(durability, codecs, entryTtl, onConflict, elements, ranked);
  }

  /**
   * Sets whether a new scored set keeps a rank index. With the index, ranks and counts cost O(log
   * n), and writes cost up to twice as much. An existing set keeps the choice made when it was
   * created; opening it with the other one is an error.
   */
  public StructureOptions ranked(boolean index) {
    return new StructureOptions(durability, codecs, entryTtl, onConflict, capacity, index);
  }
}
