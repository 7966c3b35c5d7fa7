package io.rockpool.postgresql;

import io.rockpool.engine.EngineLimits;
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

  /**
   * The most bytes that a transaction changes. The driver sends less than 1 GiB at once, and the
   * server may take longer for that than a connection waits for its answer.
   */
  static final int MAX_COMMIT_BYTES = 256 << 20;

  static final EngineLimits ALL =
      new EngineLimits(MAX_HASH_KEY_BYTES, MAX_SORT_KEY_BYTES, MAX_VALUE_BYTES);

  private PostgresLimits() {}

  static void checkHashKey(byte[] hashKey) {
    ALL.checkHashKey(hashKey);
  }

  static void checkSortKey(byte[] sortKey) {
    ALL.checkSortKey(sortKey);
  }

  static void checkValue(byte[] value) {
    ALL.checkValue(value);
  }

  /** Rejects the changes of a transaction before they are sent. */
  static void checkCommit(long bytes) {
    if (bytes > MAX_COMMIT_BYTES) {
      throw new LimitExceededException(
          "A transaction changes "
              + bytes
              + " bytes; the limit is "
              + MAX_COMMIT_BYTES
              + ". Nothing was changed. Divide it into several transactions.",
          "transaction",
          MAX_COMMIT_BYTES,
          bytes,
          null);
    }
  }
}
