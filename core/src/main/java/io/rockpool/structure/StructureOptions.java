package io.rockpool.structure;

import io.rockpool.codec.Codecs;
import io.rockpool.engine.Durability;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * How a structure behaves; one set of options for all of them. Immutable: each method returns
 * options that differ in one point, as in {@code
 * StructureOptions.defaults().entryTtl(Duration.ofHours(1)).durability(Durability.SYNC)}. What does
 * not apply to a type of structure is refused when one is opened with it.
 *
 * @param durability what writes survive; null for the store's default
 * @param codecs how objects become bytes; null for the store's choice
 * @param entryTtl how long an element lives that is put without saying it; null for ever
 * @param onConflict what opening does where the name is held by something else
 * @param capacity how many elements a deque holds at most; null for any number. It belongs to the
 *     handle and is not kept: a deque may be opened with another one the next time, and holds no
 *     more until it is below that. Other structures are refused with it.
 * @param ranked whether a scored set that is created keeps an index of ranks; null for yes, and for
 *     what it was created with. Other structures are refused with it.
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

  /** What opening does where the name is held by another type, element type, or codec. */
  public enum OnConflict {
    /** Fail with a {@link io.rockpool.error.NameConflictException} and change nothing. */
    FAIL,
    /** Remove what is there, count a reset, and start empty. */
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

  /** The store's durability and codecs, elements that live for ever, a conflict fails. */
  public static StructureOptions defaults() {
    return DEFAULTS;
  }

  /**
   * With writes of this durability instead of the store's; single ones may have yet another, see
   * {@link io.rockpool.Rockpool#withDurability}.
   */
  public StructureOptions durability(Durability newDurability) {
    return new StructureOptions(newDurability, codecs, entryTtl, onConflict, capacity, ranked);
  }

  /** With these codecs instead of the store's. */
  public StructureOptions codecs(Codecs newCodecs) {
    return new StructureOptions(durability, newCodecs, entryTtl, onConflict, capacity, ranked);
  }

  /** With elements that live for this long from when they are put, unless that says otherwise. */
  public StructureOptions entryTtl(Duration ttl) {
    return new StructureOptions(durability, codecs, ttl, onConflict, capacity, ranked);
  }

  /** With this answer to a name that is held by something else. */
  public StructureOptions onConflict(OnConflict action) {
    return new StructureOptions(durability, codecs, entryTtl, action, capacity, ranked);
  }

  /** With room for so many elements in a deque. */
  public StructureOptions capacity(int elements) {
    return new StructureOptions(durability, codecs, entryTtl, onConflict, elements, ranked);
  }

  /**
   * With or without an index of ranks, for a scored set that is created: with it, ranks and counts
   * cost O(log n), and writes up to twice as much. One that is there keeps what it was created
   * with, and to open it with the other is an error.
   */
  public StructureOptions ranked(boolean index) {
    return new StructureOptions(durability, codecs, entryTtl, onConflict, capacity, index);
  }
}
