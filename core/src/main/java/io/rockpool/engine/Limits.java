package io.rockpool.engine;

import io.rockpool.error.LimitExceededException;

/**
 * The limits of the contract; an engine may have lower ones, see {@link Engine#limits}. An argument
 * past a limit is rejected with a {@link LimitExceededException} that names it.
 */
public final class Limits {
  /**
   * The longest hash key, in bytes. Every index block contains keys, so a long one costs memory at
   * each level.
   */
  public static final int MAX_HASH_KEY_BYTES = 64 << 10;

  /** The longest sort key, in bytes; for the same reason. */
  public static final int MAX_SORT_KEY_BYTES = 64 << 10;

  /** The longest name, in bytes of UTF-8: names are listed and logged. */
  public static final int MAX_NAME_BYTES = 1 << 10;

  /**
   * The longest value in an embedded store, in bytes: writing it holds several whole copies in
   * memory.
   */
  public static final int MAX_VALUE_BYTES = 512 << 20;

  /**
   * The most records that an engine prefetches for a scan: limits what an abandoned cursor holds.
   */
  public static final int MAX_PAGE_RECORDS = 1_024;

  /** The most bytes in one batch of a bulk write: limits how long one write delays the others. */
  public static final int MAX_BATCH_BYTES = 4 << 20;

  private Limits() {}
}
