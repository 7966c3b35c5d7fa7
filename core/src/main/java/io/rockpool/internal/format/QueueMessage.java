package io.rockpool.internal.format;

import io.rockpool.error.CorruptStoreException;
import io.rockpool.internal.bytes.Leb128;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A message of a queue, or the turn of a group. It never changes between the sending and the
 * removal.
 *
 * <pre>
 * flags        1 byte     1: headers, 2: a dead letter, 4: a turn, 8: a dead letter of the group ""
 * turn: the id of the first message (LEB128), the name of the group in UTF-8, and nothing else
 * sent         LEB128     milliseconds since the epoch
 * headers      their number (LEB128); for each, key and value: length (LEB128) and UTF-8
 * death        see {@link QueueDeath}
 * content      the rest, by the codec of the queue
 * </pre>
 *
 * @param sentMillis when it was sent
 * @param headers its headers
 * @param death why it is a dead letter, or null
 * @param value an array whose end is the content
 * @param contentAt where the content starts in {@code value}
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record QueueMessage(
    long sentMillis,
    Map<String, String> headers,
    @Nullable QueueDeath death,
    byte[] value,
    int contentAt) {
  private static final int HEADERS = 1;
  private static final int DEATH = 2;
  private static final int TURN = 4;
  private static final int EMPTY_GROUP = 8;

  /**
   * The turn of a group.
   *
   * @param firstId the id of its first message; all with lower ids are gone or given up
   * @param group its name in UTF-8
   */
  public record Turn(long firstId, byte[] group) {
    /** Encodes the record's value. */
    public byte[] encode() {
      byte[] value = new byte[1 + Leb128.length(firstId) + group.length];
      value[0] = TURN;
      int at = Leb128.put(value, 1, firstId);
      System.arraycopy(group, 0, value, at, group.length);
      return value;
    }
  }

  /** The turn that a value is, or null if it is a message. */
  public static @Nullable Turn turnOf(byte[] value) {
    if (value.length == 0 || value[0] != TURN) {
      return null;
    }
    long firstId = Leb128.getLong(value, 1, value.length);
    return new Turn(firstId, Arrays.copyOfRange(value, 1 + Leb128.length(firstId), value.length));
  }

  /** Encodes the record's value. */
  public byte[] encode() {
    int length = 1 + Leb128.length(sentMillis) + value.length - contentAt;
    if (!headers.isEmpty()) {
      length += Leb128.length(headers.size());
      for (Map.Entry<String, String> header : headers.entrySet()) {
        length += Utf8Text.length(header.getKey()) + Utf8Text.length(header.getValue());
      }
    }
    length += death == null ? 0 : death.length();
    ByteBuffer record = ByteBuffer.allocate(length);
    int ofDeath = death == null ? 0 : death.isOfEmptyGroup() ? DEATH | EMPTY_GROUP : DEATH;
    record.put((byte) ((headers.isEmpty() ? 0 : HEADERS) | ofDeath));
    RecordNumber.put(record, sentMillis);
    if (!headers.isEmpty()) {
      RecordNumber.put(record, headers.size());
      headers.forEach(
          (key, text) -> {
            Utf8Text.put(record, key);
            Utf8Text.put(record, text);
          });
    }
    if (death != null) {
      death.put(record);
    }
    record.put(value, contentAt, value.length - contentAt);
    return bytes(record);
  }

  /**
   * Decodes the record's value.
   *
   * @throws CorruptStoreException if it is not of this format
   */
  public static QueueMessage decode(byte[] value) {
    try {
      ByteBuffer record = ByteBuffer.wrap(value);
      int flags = record.get();
      if ((flags & ~(HEADERS | DEATH | EMPTY_GROUP)) != 0
          || (flags & (DEATH | EMPTY_GROUP)) == EMPTY_GROUP) {
        throw new CorruptStoreException("a message has the flags " + flags, null);
      }
      long sent = RecordNumber.get(record);
      Map<String, String> headers = (flags & HEADERS) == 0 ? Map.of() : headers(record);
      QueueDeath death =
          (flags & DEATH) == 0 ? null : QueueDeath.get(record, (flags & EMPTY_GROUP) != 0);
      return new QueueMessage(sent, headers, death, value, record.position());
    } catch (BufferUnderflowException | IllegalArgumentException e) {
      throw new CorruptStoreException("a message ends early, after " + value.length + " bytes", e);
    }
  }

  private static Map<String, String> headers(ByteBuffer record) {
    long count = RecordNumber.get(record);
    Map<String, String> headers = new LinkedHashMap<>();
    for (long i = 0; i < count; i++) {
      headers.put(Utf8Text.get(record), Utf8Text.get(record));
    }
    return headers;
  }

  @SuppressWarnings("ByteBufferBackingArray") // every record is one array, wrapped whole
  private static byte[] bytes(ByteBuffer record) {
    return record.array();
  }
}
