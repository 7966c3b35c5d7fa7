package io.rockpool.postgresql;

import io.rockpool.error.LimitExceededException;

/**
 * What this engine takes less of than {@link io.rockpool.engine.Limits} allows. An entry of
 * PostgreSQL's indexes holds about 2,690 bytes, and a record's key is one.
 */
final class PostgresLimits {
  /** The longest hash key, in bytes. */
  static final int MAX_HASH_KEY_BYTES = 1_000;

  /** The longest sort key, in bytes. */
  static final int MAX_SORT_KEY_BYTES = 1_500;

  /** The longest value, in bytes: driver and server hold several copies of it. */
  static final int MAX_VALUE_BYTES = 16 << 20;

  private PostgresLimits() {}

  static void checkHashKey(byte[] hashKey) {
    check("hash key", hashKey.length, MAX_HASH_KEY_BYTES);
  }

  static void checkSortKey(byte[] sortKey) {
    check("sort key", sortKey.length, MAX_SORT_KEY_BYTES);
  }

  static void checkValue(byte[] value) {
    check("value", value.length, MAX_VALUE_BYTES);
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
              + " bytes on PostgreSQL; make it shorter.",
          what,
          limit,
          length,
          null);
    }
  }
}
