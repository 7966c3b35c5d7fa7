package io.rockpool.internal.format;

import io.rockpool.error.CorruptStoreException;
import io.rockpool.internal.bytes.BigEndian;
import io.rockpool.internal.bytes.Leb128;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;

/**
 * The deliveries of a message so far: the value of a lease, of what waits until it is due, and of a
 * message on its way to the dead letters.
 *
 * <pre>
 * token        8 bytes    drawn by the receiver; 0 without a lease
 * flags        1 byte     1: the lease has a record of its end
 * due          LEB128     when the lease ends or the message is due, milliseconds since the epoch
 * deliveries   LEB128     how often the message was delivered
 * first        LEB128     when it was first delivered, milliseconds since the epoch; 0 for never
 * cause        length (LEB128) and UTF-8; why the last delivery failed
 * key          the rest   the sort key of the message
 * </pre>
 *
 * @param token proves that a receiver has the lease
 * @param outside whether the lease has a record of its end
 * @param dueMillis when the lease ends, or the message is due
 * @param deliveries how often the message was delivered
 * @param firstMillis when it was first delivered; 0 for never
 * @param cause why the last delivery failed; empty if not known
 * @param messageKey the sort key of the message
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record QueueAttempts(
    long token,
    boolean outside,
    long dueMillis,
    int deliveries,
    long firstMillis,
    String cause,
    byte[] messageKey) {
  private static final int FIXED_BYTES = Long.BYTES + 1;

  /** The attempts of a message that was never delivered. */
  public static QueueAttempts none(long dueMillis, byte[] messageKey) {
    return new QueueAttempts(0, false, dueMillis, 0, 0, "", messageKey);
  }

  /** The id of the message. */
  public long id() {
    return QueueKeyFormat.idOf(messageKey);
  }

  /** These attempts without a lease, due at a time. */
  public QueueAttempts waiting(long millis) {
    return new QueueAttempts(0, false, millis, deliveries, firstMillis, cause, messageKey);
  }

  /** These attempts with another cause. */
  public QueueAttempts because(String why) {
    return new QueueAttempts(token, outside, dueMillis, deliveries, firstMillis, why, messageKey);
  }

  /** These attempts with a lease that ends at a time. */
  public QueueAttempts until(long millis, boolean isOutside) {
    return new QueueAttempts(token, isOutside, millis, deliveries, firstMillis, cause, messageKey);
  }

  /** These attempts and one more. */
  public QueueAttempts delivered(long lease, long untilMillis, long nowMillis) {
    return new QueueAttempts(
        lease,
        false,
        untilMillis,
        deliveries + 1,
        deliveries == 0 ? nowMillis : firstMillis,
        cause,
        messageKey);
  }

  /** These attempts without the last one. */
  public QueueAttempts undelivered() {
    int left = deliveries - 1;
    return new QueueAttempts(
        token, outside, dueMillis, left, left == 0 ? 0 : firstMillis, cause, messageKey);
  }

  /** Encodes the record's value. */
  public byte[] encode() {
    int length =
        FIXED_BYTES
            + Leb128.length(dueMillis)
            + Leb128.length(deliveries)
            + Leb128.length(firstMillis)
            + Utf8Text.length(cause)
            + messageKey.length;
    byte[] value = new byte[length];
    BigEndian.putLong(value, 0, token);
    value[Long.BYTES] = (byte) (outside ? 1 : 0);
    int at = Leb128.put(value, FIXED_BYTES, dueMillis);
    at = Leb128.put(value, at, deliveries);
    at = Leb128.put(value, at, firstMillis);
    ByteBuffer record = ByteBuffer.wrap(value).position(at);
    Utf8Text.put(record, cause);
    record.put(messageKey);
    return value;
  }

  /**
   * Decodes the record's value.
   *
   * @throws CorruptStoreException if it is not of this format
   */
  public static QueueAttempts decode(byte[] value) {
    if (value.length < FIXED_BYTES) {
      throw new CorruptStoreException(
          "the attempts of a message have " + value.length + " bytes", null);
    }
    int at = FIXED_BYTES;
    long due = Leb128.getLong(value, at, value.length);
    at += Leb128.length(due);
    int deliveries = Leb128.get(value, at, value.length);
    at += Leb128.length(deliveries);
    long first = Leb128.getLong(value, at, value.length);
    at += Leb128.length(first);
    try {
      ByteBuffer record = ByteBuffer.wrap(value).position(at);
      String cause = Utf8Text.get(record);
      byte[] key = new byte[record.remaining()];
      record.get(key);
      QueueKeyFormat.idOf(key);
      return new QueueAttempts(
          BigEndian.getLong(value, 0), value[Long.BYTES] == 1, due, deliveries, first, cause, key);
    } catch (BufferUnderflowException | IllegalArgumentException e) {
      throw new CorruptStoreException("the attempts of a message end early", e);
    }
  }
}
