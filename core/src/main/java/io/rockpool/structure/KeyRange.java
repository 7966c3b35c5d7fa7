package io.rockpool.structure;

import io.rockpool.engine.Direction;
import io.rockpool.engine.EngineLimits;
import io.rockpool.engine.SortRange;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** The sort keys between two bounds, in one direction. Immutable. */
final class KeyRange {
  /** Every sort key, lowest first. */
  static final KeyRange ALL = new KeyRange(null, null, Direction.FORWARD);

  private final @Nullable Bound low;
  private final @Nullable Bound high;
  private final Direction direction;
  private final SortRange range;

  /** A bound of a range. */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  record Bound(byte[] key, boolean inclusive) {
    Bound {
      EngineLimits.OF_CONTRACT.checkSortKey(key);
    }

    /** Whether this bound includes its key and {@code other}, at the same key, does not. */
    private boolean exceeds(Bound other) {
      return inclusive && !other.inclusive;
    }
  }

  private KeyRange(@Nullable Bound low, @Nullable Bound high, Direction direction) {
    if (low != null && high != null && Arrays.compareUnsigned(low.key, high.key) > 0) {
      throw new IllegalArgumentException(
          "The range ends before it begins; give its bounds in the order of the view.");
    }
    this.low = low;
    this.high = high;
    this.direction = direction;
    SortRange fromLow =
        low == null ? SortRange.all() : SortRange.all().from(low.key, low.inclusive);
    this.range = high == null ? fromLow : fromLow.to(high.key, high.inclusive);
  }

  /** The range for the engine, lowest key first. */
  SortRange sortRange() {
    return range;
  }

  Direction direction() {
    return direction;
  }

  Direction backwards() {
    return isDescending() ? Direction.FORWARD : Direction.BACKWARD;
  }

  boolean isDescending() {
    return direction == Direction.BACKWARD;
  }

  /** Whether it has no bounds. */
  boolean isAll() {
    return low == null && high == null;
  }

  boolean contains(byte[] key) {
    return range.contains(key);
  }

  /** The same keys in the opposite direction. */
  KeyRange descending() {
    return new KeyRange(low, high, backwards());
  }

  /**
   * A part of this range.
   *
   * @param from the start in this range's direction; null for the start of this range
   * @param to the end; null for the end of this range
   * @throws IllegalArgumentException if a bound is outside this range, or the bounds are in the
   *     wrong order
   */
  KeyRange sub(@Nullable Bound from, @Nullable Bound to) {
    Bound newLow = isDescending() ? to : from;
    Bound newHigh = isDescending() ? from : to;
    if (newLow != null && low != null) {
      checkInside(Arrays.compareUnsigned(newLow.key, low.key), newLow, low);
    }
    if (newHigh != null && high != null) {
      checkInside(Arrays.compareUnsigned(high.key, newHigh.key), newHigh, high);
    }
    return new KeyRange(newLow == null ? low : newLow, newHigh == null ? high : newHigh, direction);
  }

  private static void checkInside(int order, Bound part, Bound whole) {
    if (order < 0 || (order == 0 && part.exceeds(whole))) {
      throw new IllegalArgumentException(
          "A bound lies outside of the range of the view; give one within it.");
    }
  }

  /** The part of this range after a key, in its direction. */
  SortRange behind(byte[] key, boolean inclusive) {
    return isDescending() ? range.to(key, inclusive) : range.from(key, inclusive);
  }

  /** The part of a range behind a key, which is not included, in a direction. */
  static SortRange behind(SortRange range, Direction direction, byte[] key) {
    return direction == Direction.FORWARD ? range.from(key, false) : range.to(key, false);
  }

  /** The part of this range before a key, in its direction. */
  SortRange before(byte[] key, boolean inclusive) {
    return isDescending() ? range.from(key, inclusive) : range.to(key, inclusive);
  }
}
