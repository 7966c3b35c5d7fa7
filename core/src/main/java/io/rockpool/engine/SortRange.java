package io.rockpool.engine;

import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A range of sort keys, in unsigned byte order: from a lowest one, included, up to another,
 * excluded.
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

  /** Every sort key. */
  public static SortRange all() {
    return ALL;
  }

  /** Those that begin with {@code prefix}. */
  public static SortRange prefix(byte[] prefix) {
    Objects.requireNonNull(prefix, "prefix");
    return new SortRange(prefix, successorOfPrefix(prefix));
  }

  /**
   * Of this range, what is not below {@code sortKey}, or not at it either if it is not {@code
   * inclusive}.
   */
  public SortRange from(byte[] sortKey, boolean inclusive) {
    Objects.requireNonNull(sortKey, "sortKey");
    byte[] bound = inclusive ? sortKey : successor(sortKey);
    return Arrays.compareUnsigned(bound, from) <= 0 ? this : new SortRange(bound, to);
  }

  /**
   * Of this range, what is not above {@code sortKey}, or not at it either if it is not {@code
   * inclusive}.
   */
  public SortRange to(byte[] sortKey, boolean inclusive) {
    Objects.requireNonNull(sortKey, "sortKey");
    byte[] bound = inclusive ? successor(sortKey) : sortKey;
    return to != null && Arrays.compareUnsigned(bound, to) >= 0 ? this : new SortRange(from, bound);
  }

  /** The lowest sort key of the range; the empty one where it has no lower bound. */
  public byte[] from() {
    return from;
  }

  /** The first sort key past the range, or null where it has no upper bound. */
  public byte @Nullable [] to() {
    return to;
  }

  /** Whether {@code sortKey} lies in the range. */
  public boolean contains(byte[] sortKey) {
    Objects.requireNonNull(sortKey, "sortKey");
    return Arrays.compareUnsigned(from, sortKey) <= 0
        && (to == null || Arrays.compareUnsigned(sortKey, to) < 0);
  }

  /** Whether no sort key can lie in the range. */
  public boolean isEmpty() {
    return to != null && Arrays.compareUnsigned(from, to) >= 0;
  }

  /** The lowest key above all that begin with {@code prefix}, or null if there is none. */
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
