package io.rockpool.internal.format;

import io.rockpool.error.CorruptStoreException;
import io.rockpool.internal.bytes.BigEndian;
import java.nio.charset.StandardCharsets;

/**
 * The newest firing of a timer.
 *
 * <pre>
 * id           8 bytes    the id of its message
 * schedule     the rest   the text of the schedule by which it is due, in UTF-8
 * </pre>
 *
 * @param id the id of its message
 * @param schedule the text of the schedule by which it is due
 */
public record NewestFiring(long id, String schedule) {
  /** The key of its message while it waits until it is due. */
  public byte[] waitingMessageKey() {
    return QueueKeyFormat.message(QueueKeyFormat.DELAYED, QueueKeyFormat.lane(0), id);
  }

  /** Encodes the record's value. */
  public byte[] encode() {
    byte[] text = schedule.getBytes(StandardCharsets.UTF_8);
    byte[] value = new byte[Long.BYTES + text.length];
    BigEndian.putLong(value, 0, id);
    System.arraycopy(text, 0, value, Long.BYTES, text.length);
    return value;
  }

  /**
   * Decodes the record's value.
   *
   * @throws CorruptStoreException if it is not of this format
   */
  public static NewestFiring decode(byte[] value) {
    if (value.length < Long.BYTES) {
      throw new CorruptStoreException(
          "the newest firing of a timer has " + value.length + " bytes", null);
    }
    return new NewestFiring(
        BigEndian.getLong(value, 0),
        new String(value, Long.BYTES, value.length - Long.BYTES, StandardCharsets.UTF_8));
  }
}
