package io.rockpool.engine;

import java.util.Objects;

/** One record: its keys, value and expiry. The arrays are not copied and must not be changed. */
public final class RowRecord {
  private final byte[] hashKey;
  private final byte[] sortKey;
  private final byte[] value;
  private final long expiryMillis;

  /**
   * Creates a record.
   *
   * @param hashKey the hash key
   * @param sortKey the sort key
   * @param value the value
   * @param expiryMillis its expiry, in milliseconds since the epoch, or {@link Expiry#NEVER}
   */
  public RowRecord(byte[] hashKey, byte[] sortKey, byte[] value, long expiryMillis) {
    this.hashKey = Objects.requireNonNull(hashKey, "hashKey");
    this.sortKey = Objects.requireNonNull(sortKey, "sortKey");
    this.value = Objects.requireNonNull(value, "value");
    this.expiryMillis = expiryMillis;
  }

  /** {@return the hash key} */
  public byte[] hashKey() {
    return hashKey;
  }

  /** {@return the sort key} */
  public byte[] sortKey() {
    return sortKey;
  }

  /** {@return the value} */
  public byte[] value() {
    return value;
  }

  /** {@return its expiry, in milliseconds since the epoch, or {@link Expiry#NEVER}} */
  public long expiryMillis() {
    return expiryMillis;
  }
}
