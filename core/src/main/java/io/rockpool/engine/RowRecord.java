package io.rockpool.engine;

import java.util.Objects;

/**
 * One record: where it lies, its value and its expiry. The arrays are not copied; whoever holds one
 * must not change it.
 */
public final class RowRecord {
  private final byte[] hashKey;
  private final byte[] sortKey;
  private final byte[] value;
  private final long expiryMillis;

  /**
   * A record.
   *
   * @param hashKey the row
   * @param sortKey the place in the row
   * @param value the value
   * @param expiryMillis when it ends, in milliseconds since the epoch, or {@link Expiry#NEVER}
   */
  public RowRecord(byte[] hashKey, byte[] sortKey, byte[] value, long expiryMillis) {
    this.hashKey = Objects.requireNonNull(hashKey, "hashKey");
    this.sortKey = Objects.requireNonNull(sortKey, "sortKey");
    this.value = Objects.requireNonNull(value, "value");
    this.expiryMillis = expiryMillis;
  }

  /** {@return the row} */
  public byte[] hashKey() {
    return hashKey;
  }

  /** {@return the place in the row} */
  public byte[] sortKey() {
    return sortKey;
  }

  /** {@return the value} */
  public byte[] value() {
    return value;
  }

  /** {@return when it ends, in milliseconds since the epoch, or {@link Expiry#NEVER}} */
  public long expiryMillis() {
    return expiryMillis;
  }
}
