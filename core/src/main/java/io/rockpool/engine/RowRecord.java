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

  /** A record; {@code expiryMillis} is {@link Expiry#NEVER} or milliseconds since the epoch. */
  public RowRecord(byte[] hashKey, byte[] sortKey, byte[] value, long expiryMillis) {
    this.hashKey = Objects.requireNonNull(hashKey, "hashKey");
    this.sortKey = Objects.requireNonNull(sortKey, "sortKey");
    this.value = Objects.requireNonNull(value, "value");
    this.expiryMillis = expiryMillis;
  }

  /** The row. */
  public byte[] hashKey() {
    return hashKey;
  }

  /** The place in the row. */
  public byte[] sortKey() {
    return sortKey;
  }

  /** The value. */
  public byte[] value() {
    return value;
  }

  /** When it ends, in milliseconds since the epoch, or {@link Expiry#NEVER}. */
  public long expiryMillis() {
    return expiryMillis;
  }
}
