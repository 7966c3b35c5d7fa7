package io.rockpool.redis;

import io.rockpool.engine.Expiry;
import io.rockpool.engine.RowRecord;
import io.rockpool.engine.Space;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The value of an entry in Redis: a format byte, the generation it was written in, the id of its
 * write, its expiry in milliseconds, and the record's value. The server compares the parts, so
 * {@link Scripts} knows the offsets too.
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record StoredEntry(byte[] bytes) {
  private static final byte FORMAT = 1;
  private static final int GENERATION = 1;
  static final int WRITE_ID = 9;
  private static final int EXPIRY = 17;
  static final int VALUE = 25;

  static StoredEntry of(long generation, long writeId, long expiryMillis, byte[] value) {
    return new StoredEntry(
        ByteBuffer.allocate(VALUE + value.length)
            .put(FORMAT)
            .putLong(generation)
            .putLong(writeId)
            .putLong(expiryMillis)
            .put(value)
            .array());
  }

  /** What the server compares: expiry and value. */
  static byte[] compared(RowRecord record) {
    return ByteBuffer.allocate(Long.BYTES + record.value().length)
        .putLong(record.expiryMillis())
        .put(record.value())
        .array();
  }

  /** The entry whose expiry and value were compared; its write is unknown. */
  static StoredEntry expected(byte[] compared) {
    return new StoredEntry(
        ByteBuffer.allocate(EXPIRY + compared.length).put(new byte[EXPIRY]).put(compared).array());
  }

  /** The entry, if it is of a generation and has not expired; else null. */
  static @Nullable StoredEntry live(byte @Nullable [] bytes, long generation, long nowMillis) {
    if (bytes == null || bytes.length < VALUE || bytes[0] != FORMAT) {
      return null;
    }
    StoredEntry entry = new StoredEntry(bytes);
    long expiryMillis = entry.expiryMillis();
    boolean ended = expiryMillis != Expiry.NEVER && expiryMillis <= nowMillis;
    return entry.generation() == generation && !ended ? entry : null;
  }

  long generation() {
    return at(GENERATION);
  }

  long writeId() {
    return at(WRITE_ID);
  }

  long expiryMillis() {
    return at(EXPIRY);
  }

  int valueBytes() {
    return bytes.length - VALUE;
  }

  RowRecord record(byte[] hashKey) {
    return new RowRecord(
        hashKey, Space.NO_SORT_KEY, Arrays.copyOfRange(bytes, VALUE, bytes.length), expiryMillis());
  }

  private long at(int offset) {
    return ByteBuffer.wrap(bytes).getLong(offset);
  }
}
