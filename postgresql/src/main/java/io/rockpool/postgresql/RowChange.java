package io.rockpool.postgresql;

import org.jspecify.annotations.Nullable;

/** What a run of a transaction does with one record. The arrays are not changed. */
final class RowChange {
  private final byte[] sortKey;
  private final byte @Nullable [] value;
  private final long expiryMillis;
  private final boolean counted;

  /**
   * Creates a change.
   *
   * @param value the value to put, or null to delete the record
   */
  RowChange(byte[] sortKey, byte @Nullable [] value, long expiryMillis, boolean counted) {
    this.sortKey = sortKey;
    this.value = value;
    this.expiryMillis = expiryMillis;
    this.counted = counted;
  }

  byte[] sortKey() {
    return sortKey;
  }

  byte @Nullable [] value() {
    return value;
  }

  /** The normalized expiry of the record to put. */
  long expiryMillis() {
    return expiryMillis;
  }

  /** Whether the record to put is counted. */
  boolean isCounted() {
    return counted;
  }
}
