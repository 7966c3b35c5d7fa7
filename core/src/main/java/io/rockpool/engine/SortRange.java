package io.rockpool.engine;

import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A range of sort keys in unsigned byte order, lower bound included, upper bound excluded. A bound
 * may be one byte longer than any sort key. The arrays are not copied and must not be changed.
 */
public final class SortRange {
  private static final byte[] LOWEST = {};
  private static final SortRange ALL = new SortRange(LOWEST, null, null);

  private final byte[] from;
  private final byte @Nullable [] to;
  private final byte @Nullable [] after;

  private SortRange(byte[] from, byte @Nullable [] to, byte @Nullable [] after) {
    this.from = from;
    this.to = to;
    this.after = after;
  }

  /** {@return every sort key} */
  public static SortRange all() {
    return ALL;
  }

  /**
   * Returns the range of all sort keys with a prefix.
   *
   * @return the range of keys that begin with it
   */
  public static SortRange prefix(byte[] prefix) {
    Objects.requireNonNull(prefix, "prefix");
    return new SortRange(prefix, successorOfPrefix(prefix), null);
  }

  /**
   * Returns the upper part of this range.
   *
   * @param sortKey the new lower bound
   * @param inclusive whether the bound is part of it
   * @return the part of this range that is not below {@code sortKey}
   */
  public SortRange from(byte[] sortKey, boolean inclusive) {
    Objects.requireNonNull(sortKey, "sortKey");
    byte[] bound = inclusive ? sortKey : successor(sortKey);
    return Arrays.compareUnsigned(bound, from) <= 0
        ? this
        : new SortRange(bound, to, inclusive ? null : sortKey);
  }

  /**
   * Returns the lower part of this range.
   *
   * @param sortKey the new upper bound
   * @param inclusive whether the bound is part of it
   * @return the part of this range that is not above {@code sortKey}
   */
  public SortRange to(byte[] sortKey, boolean inclusive) {
    Objects.requireNonNull(sortKey, "sortKey");
    byte[] bound = inclusive ? successor(sortKey) : sortKey;
    return to != null && Arrays.compareUnsigned(bound, to) >= 0
        ? this
        : new SortRange(from, bound, after);
  }

  /** {@return the lowest sort key of the range; the empty one if it has no lower bound} */
  public byte[] from() {
    return from;
  }

  /**
   * {@return the sort key just below the range, if its lower bound was given as an excluded one;
   * else null}
   */
  public byte @Nullable [] after() {
    return after;
  }

  /** {@return the first sort key past the range, or null if it has no upper bound} */
  public byte @Nullable [] to() {
    return to;
  }

  /**
   * Returns whether the range contains a sort key.
   *
   * @return whether it does
   */
  public boolean contains(byte[] sortKey) {
    Objects.requireNonNull(sortKey, "sortKey");
    return Arrays.compareUnsigned(from, sortKey) <= 0
        && (to == null || Arrays.compareUnsigned(sortKey, to) < 0);
  }

  /** {@return whether the range contains no sort key} */
  public boolean isEmpty() {
    return to != null && Arrays.compareUnsigned(from, to) >= 0;
  }

  /**
   * Returns the exclusive upper bound of a prefix.
   *
   * @return the lowest key above all keys with the prefix, or null if there is none
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
