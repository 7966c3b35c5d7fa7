package io.rockpool.engine;

import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** One record: its keys, value and expiry. The arrays are not copied and must not be changed. */
public final class RowRecord {
  private final byte[] hashKey;
  private final byte[] sortKey;
  private final byte[] value;
  private final long expiryMillis;

  /**
   * Creates a record.
   *
   * @param expiryMillis its expiry, in milliseconds since the epoch, or {@link Expiry#NEVER}
   */
  public RowRecord(byte[] hashKey, byte[] sortKey, byte[] value, long expiryMillis) {
    this.hashKey = Objects.requireNonNull(hashKey, "hashKey");
    this.sortKey = Objects.requireNonNull(sortKey, "sortKey");
    this.value = Objects.requireNonNull(value, "value");
    this.expiryMillis = expiryMillis;
  }

  /**
   * Returns a reader that copies the value.
   *
   * @param hashKey the hash key of the record to read
   * @return a reader whose result is the record
   */
  public static RecordReader<RowRecord> copier(byte[] hashKey, byte[] sortKey) {
    return (bytes, offset, length, expiryMillis) ->
        new RowRecord(
            hashKey, sortKey, Arrays.copyOfRange(bytes, offset, offset + length), expiryMillis);
  }

  /**
   * Compares two reads of a record.
   *
   * @param one the result of a read: a record, or null
   * @param other the result of another read of the same keys
   * @return whether value and expiry are equal, or both are null
   */
  public static boolean isSame(@Nullable RowRecord one, @Nullable RowRecord other) {
    if (one == null || other == null) {
      return one == other;
    }
    return one.expiryMillis == other.expiryMillis && Arrays.equals(one.value, other.value);
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
