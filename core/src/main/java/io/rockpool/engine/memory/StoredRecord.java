package io.rockpool.engine.memory;

import io.rockpool.engine.Expiry;
import io.rockpool.engine.RowRecord;
import java.util.Arrays;

/** A stored record. Compared by identity: each write creates a new one. */
final class StoredRecord {
  private final byte[] value;
  private final long expiryMillis;
  private final boolean counted;

  /** When the lease ends that this is; 0 for a record. */
  private final long leasedUntilMillis;

  StoredRecord(byte[] value, long expiryMillis, boolean counted) {
    this(value, Expiry.normalize(expiryMillis), counted, 0);
  }

  private StoredRecord(byte[] value, long expiryMillis, boolean counted, long leasedUntilMillis) {
    this.value = value.clone();
    this.expiryMillis = expiryMillis;
    this.counted = counted;
    this.leasedUntilMillis = leasedUntilMillis;
  }

  /** A lease: in the place of a record, and invisible like an expired one. */
  static StoredRecord lease(long untilMillis) {
    return new StoredRecord(new byte[0], 0, false, untilMillis);
  }

  /** When the lease ends that this is; 0 for a record. */
  long leasedUntilMillis() {
    return leasedUntilMillis;
  }

  /** Whether a sweep removes it: it has expired, and the lease that it may be has ended. */
  boolean isOver(long nowMillis) {
    return !isLive(nowMillis) && leasedUntilMillis <= nowMillis;
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
