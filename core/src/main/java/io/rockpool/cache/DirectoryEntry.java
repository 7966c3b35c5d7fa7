package io.rockpool.cache;

import io.rockpool.codec.KeyCodec;
import io.rockpool.engine.RowRecord;
import io.rockpool.error.CorruptStoreException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The keys with one hash, as an entry of an {@link EntryDirectory} has them: a version 1, and for
 * each key its number, when it was last chosen, in milliseconds since the epoch, the length of its
 * bytes, and these. Immutable.
 *
 * @param record the record as it was read; null if there was none
 */
record DirectoryEntry(@Nullable RowRecord record, List<Chosen> keys) {
  private static final byte VERSION = 1;

  /**
   * A key whose bytes were chosen.
   *
   * @param own its bytes without the number
   * @param number a random number, so that an entry which lost its key is never found again
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  record Chosen(byte[] own, long number, long chosenMillis) {
    /** The bytes of the key's entry. */
    byte[] entryKey() {
      return KeyCodec.numbered(own, number);
    }

    Chosen at(long millis) {
      return new Chosen(own, number, millis);
    }
  }

  static DirectoryEntry of(@Nullable RowRecord record) {
    if (record == null) {
      return new DirectoryEntry(null, List.of());
    }
    ByteBuffer bytes = ByteBuffer.wrap(record.value());
    List<Chosen> keys = new ArrayList<>();
    try {
      if (bytes.get() != VERSION) {
        throw corrupt(null);
      }
      while (bytes.hasRemaining()) {
        long number = bytes.getLong();
        long chosenMillis = bytes.getLong();
        byte[] own = new byte[Math.min(bytes.getInt(), bytes.remaining())];
        bytes.get(own);
        keys.add(new Chosen(own, number, chosenMillis));
      }
    } catch (BufferUnderflowException | NegativeArraySizeException e) {
      throw corrupt(e);
    }
    return new DirectoryEntry(record, List.copyOf(keys));
  }

  private static CorruptStoreException corrupt(@Nullable Throwable cause) {
    return new CorruptStoreException(
        "The keys with one hash cannot be read. Use the version of Rockpool that wrote them, or"
            + " clear the cache.",
        cause);
  }

  static byte[] bytes(List<Chosen> keys) {
    int length = keys.stream().mapToInt(key -> key.own.length).sum();
    ByteBuffer bytes = ByteBuffer.allocate(1 + length + keys.size() * (2 * Long.BYTES + 4));
    bytes.put(VERSION);
    keys.forEach(
        key ->
            bytes
                .putLong(key.number)
                .putLong(key.chosenMillis)
                .putInt(key.own.length)
                .put(key.own));
    return bytes.array();
  }
}
