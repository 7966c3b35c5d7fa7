package io.rockpool.engine;

import io.rockpool.error.LimitExceededException;
import java.util.Objects;

/**
 * The longest keys and values that an engine takes. It rejects longer ones before it sends or
 * changes anything. None is past those of {@link Limits}.
 *
 * @param maxHashKeyBytes the longest hash key, in bytes
 * @param maxSortKeyBytes the longest sort key, in bytes
 * @param maxValueBytes the longest value, in bytes
 */
public record EngineLimits(int maxHashKeyBytes, int maxSortKeyBytes, int maxValueBytes) {
  /** The limits of the contract, which embedded stores have. */
  public static final EngineLimits OF_CONTRACT =
      new EngineLimits(
          Limits.MAX_HASH_KEY_BYTES, Limits.MAX_SORT_KEY_BYTES, Limits.MAX_VALUE_BYTES);

  /**
   * Creates the limits of an engine.
   *
   * @throws IllegalArgumentException if one is not positive, or past the contract's
   */
  public EngineLimits {
    if (maxHashKeyBytes < 1
        || maxSortKeyBytes < 1
        || maxValueBytes < 1
        || maxHashKeyBytes > Limits.MAX_HASH_KEY_BYTES
        || maxSortKeyBytes > Limits.MAX_SORT_KEY_BYTES
        || maxValueBytes > Limits.MAX_VALUE_BYTES) {
      throw new IllegalArgumentException(
          "An engine's limits must be from 1 to those of the contract; they are "
              + maxHashKeyBytes
              + ", "
              + maxSortKeyBytes
              + " and "
              + maxValueBytes
              + " bytes.");
    }
  }

  /** Rejects a hash key longer than {@link #maxHashKeyBytes}. */
  public void checkHashKey(byte[] hashKey) {
    check("hash key", Objects.requireNonNull(hashKey, "hashKey").length, maxHashKeyBytes);
  }

  /** Rejects a sort key longer than {@link #maxSortKeyBytes}. */
  public void checkSortKey(byte[] sortKey) {
    check("sort key", Objects.requireNonNull(sortKey, "sortKey").length, maxSortKeyBytes);
  }

  /** Rejects a value longer than {@link #maxValueBytes}. */
  public void checkValue(byte[] value) {
    check("value", Objects.requireNonNull(value, "value").length, maxValueBytes);
  }

  private static void check(String what, int length, int limit) {
    if (length > limit) {
      throw new LimitExceededException(
          "A "
              + what
              + " of "
              + length
              + " bytes is past the limit of "
              + limit
              + " bytes; make it shorter.",
          what,
          limit,
          length,
          null);
    }
  }
}
