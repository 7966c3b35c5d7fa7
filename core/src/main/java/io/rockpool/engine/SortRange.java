package io.rockpool.engine;

import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A range of sort keys, in unsigned byte order: from a lowest one, included, up to another,
 * excluded. A bound may be one byte longer than any sort key. The arrays are not copied; whoever
 * holds one must not change it.
 */
public final class SortRange {
  private static final byte[] LOWEST = {};
  private static final SortRange ALL = new SortRange(LOWEST, null);

  private final byte[] from;
  private final byte @Nullable [] to;

  private SortRange(byte[] from, byte @Nullable [] to) {
    this.from = from;
    this.to = to;
  }

  /** {@return every sort key} */
  public static SortRange all() {
    return ALL;
  }

  /**
   * Makes the range of all that begin alike.
   *
   * @param prefix how they begin
   * @return those that begin with it
   */
  public static SortRange prefix(byte[] prefix) {
    Objects.requireNonNull(prefix, "prefix");
    return new SortRange(prefix, successorOfPrefix(prefix));
  }

  /**
   * Takes the upper part of this range.
   *
   * @param sortKey where it begins
   * @param inclusive whether that is part of it
   * @return what of this range is not below {@code sortKey}
   */
  public SortRange from(byte[] sortKey, boolean inclusive) {
    Objects.requireNonNull(sortKey, "sortKey");
    byte[] bound = inclusive ? sortKey : successor(sortKey);
    return Arrays.compareUnsigned(bound, from) <= 0 ? this : new SortRange(bound, to);
  }

  /**
   * Takes the lower part of this range.
   *
   * @param sortKey where it ends
   * @param inclusive whether that is part of it
   * @return what of this range is not above {@code sortKey}
   */
  public SortRange to(byte[] sortKey, boolean inclusive) {
    Objects.requireNonNull(sortKey, "sortKey");
    byte[] bound = inclusive ? successor(sortKey) : sortKey;
    return to != null && Arrays.compareUnsigned(bound, to) >= 0 ? this : new SortRange(from, bound);
  }

  /** {@return the lowest sort key of the range; the empty one where it has no lower bound} */
  public byte[] from() {
    return from;
  }

  /** {@return the first sort key past the range, or null where it has no upper bound} */
  public byte @Nullable [] to() {
    return to;
  }

  /**
   * Tells whether a sort key lies in the range.
   *
   * @param sortKey the sort key
   * @return whether it does
   */
  public boolean contains(byte[] sortKey) {
    Objects.requireNonNull(sortKey, "sortKey");
    return Arrays.compareUnsigned(from, sortKey) <= 0
        && (to == null || Arrays.compareUnsigned(sortKey, to) < 0);
  }

  /** {@return whether no sort key can lie in the range} */
  public boolean isEmpty() {
    return to != null && Arrays.compareUnsigned(from, to) >= 0;
  }

  /**
   * Finds the end of a prefix.
   *
   * @param prefix how keys begin
   * @return the lowest key above all that begin with it, or null if there is none
   */
  public static byte @Nullable [] successorOfPrefix(byte[] prefix) {
    for (int i = prefix.length - 1; i >= 0; i--) {
      if (prefix[i] != (byte) 0xFF) {
        byte[] successor = Arrays.copyOf(prefix, i + 1);
        successor[i]++;
        return successor;
      }
    }
    return null;
  }

  private static byte[] successor(byte[] key) {
    return Arrays.copyOf(key, key.length + 1);
  }
}
