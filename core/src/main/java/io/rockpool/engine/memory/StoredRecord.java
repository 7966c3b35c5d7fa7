package io.rockpool.engine.memory;

import io.rockpool.engine.Expiry;
import io.rockpool.engine.RowRecord;
import java.util.Arrays;

/** A stored record. Compared by identity: each write creates a new one. */
final class StoredRecord {
  private final byte[] value;
  private final long expiryMillis;
  private final boolean counted;

  StoredRecord(byte[] value, long expiryMillis, boolean counted) {
    this.value = value.clone();
    this.expiryMillis = Expiry.normalize(expiryMillis);
    this.counted = counted;
  }

  /** The value itself, not a copy. Read-only. */
  byte[] value() {
    return value;
  }

  long expiryMillis() {
    return expiryMillis;
  }

  boolean isCounted() {
    return counted;
  }

  boolean canExpire() {
    return expiryMillis != Expiry.NEVER;
  }

  boolean isLive(long nowMillis) {
    return expiryMillis > nowMillis;
  }

  boolean hasSameContentAs(StoredRecord other) {
    return counted == other.counted
        && expiryMillis == other.expiryMillis
        && Arrays.equals(value, other.value);
  }

  /** A copy of the record, whose arrays the caller may change. */
  RowRecord at(byte[] hashKey, byte[] sortKey) {
    return new RowRecord(hashKey.clone(), sortKey.clone(), value.clone(), expiryMillis);
  }
}
