package io.rockpool.postgresql;

import io.rockpool.engine.RowRecord;

/** A record of a row, as it is stored. The arrays are not changed. */
final class KeptRecord {
  private final byte[] sortKey;
  private final byte[] value;
  private final long expiryMillis;

  KeptRecord(byte[] sortKey, byte[] value, long expiryMillis) {
    this.sortKey = sortKey;
    this.value = value;
    this.expiryMillis = expiryMillis;
  }

  /** Keeps the arrays of a record without a copy; no other code may have them. */
  static KeptRecord of(RowRecord record) {
    return new KeptRecord(record.sortKey(), record.value(), record.expiryMillis());
  }

  byte[] sortKey() {
    return sortKey;
  }

  byte[] value() {
    return value;
  }

  /** Its normalized expiry. */
  long expiryMillis() {
    return expiryMillis;
  }

  /** The record for a caller, which may change the arrays. */
  RowRecord at(byte[] hashKey) {
    return new RowRecord(hashKey.clone(), sortKey.clone(), value.clone(), expiryMillis);
  }
}
