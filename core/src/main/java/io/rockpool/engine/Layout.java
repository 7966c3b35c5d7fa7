package io.rockpool.engine;

/** How a space keeps its records; chosen when the space is created. */
public enum Layout {
  /** Rows of many records, with exact counts and an expiry index: for collections. */
  ROWS,
  /**
   * Rows of exactly one record, whose sort key is {@link Space#NO_SORT_KEY}: for caches. Expired
   * records are dropped without an index, and nothing is counted.
   */
  ENTRIES
}
