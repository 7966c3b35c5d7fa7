package io.rockpool.internal.rocksdb.natives;

import io.rockpool.internal.bytes.Leb128;
import io.rockpool.internal.format.Generation;
import io.rockpool.internal.rocksdb.files.JournalFile;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicLongArray;
import org.jspecify.annotations.Nullable;

/**
 * Half of the {@link WriteBuffer}, and of the journal: changes in {@link BatchFormat}, and a filter
 * of their keys and generations. Changed under the buffer's write lock, and cleared by the thread
 * that drains it; the count and the filter may be read by any thread.
 */
final class BufferPart {
  static final int SHIFT = 17;

  /** What {@link #find} returns for a deleted key. */
  static final byte[] DELETED = {};

  /** What {@link #find} returns for a key whose newest change needs the stored record. */
  static final byte[] MERGED = {};

  final byte[] bytes;
  final JournalFile.Half journal;
  final AtomicLongArray keys = new AtomicLongArray((1 << (Integer.SIZE - SHIFT)) / Long.SIZE);
  int length = BatchFormat.HEADER_BYTES;

  /** The end of changes that are being added. */
  int end;

  volatile int count;
  long firstSequence;

  BufferPart(int capacity, JournalFile.Half journal) {
    this.bytes = new byte[BatchFormat.HEADER_BYTES + capacity];
    this.journal = journal;
  }

  long lastSequence() {
    return firstSequence + count - 1;
  }

  boolean hasRoom(int changesBytes) {
    return bytes.length - length >= changesBytes && journal.hasRoom(changesBytes);
  }

  void begin(byte what, int family, byte[] key, int keyLength) {
    bytes[end++] = what;
    end = Leb128.put(bytes, end, family);
    append(key, keyLength);
    note(family, key, 0, keyLength);
  }

  void append(byte[] part, int partLength) {
    end = Leb128.put(bytes, end, partLength);
    System.arraycopy(part, 0, bytes, end, partLength);
    end += partLength;
  }

  void appendAll(byte[] batch, int start, int limit) {
    System.arraycopy(batch, start, bytes, end, limit - start);
    int at = end;
    end += limit - start;
    while (at < end) {
      boolean hasValue = bytes[at++] != BatchFormat.DELETE;
      int family = Leb128.get(bytes, at, end);
      at += Leb128.length(family);
      int keyLength = Leb128.get(bytes, at, end);
      at += Leb128.length(keyLength);
      note(family, bytes, at, keyLength);
      at += keyLength;
      if (hasValue) {
        int valueLength = Leb128.get(bytes, at, end);
        at += Leb128.length(valueLength) + valueLength;
      }
    }
  }

  private void note(int family, byte[] key, int from, int keyLength) {
    note(hash(family, key, from, keyLength));
    note(hashOfGeneration(family, key, from, keyLength));
  }

  private void note(int hash) {
    int word = hash >>> 6;
    keys.set(word, keys.getPlain(word) | 1L << hash);
  }

  boolean mayHold(int hash) {
    return (keys.get(hash >>> 6) & 1L << hash) != 0;
  }

  /**
   * The newest record of a key: null if it has no change here, {@link #DELETED}, or {@link
   * #MERGED}. The caller holds the buffer's read lock, and this part is active.
   */
  byte @Nullable [] find(int family, byte[] key, int keyLength) {
    byte[] found = null;
    int foundFrom = 0;
    int foundTo = 0;
    int at = BatchFormat.HEADER_BYTES;
    while (at < length) {
      byte what = bytes[at++];
      int changed = Leb128.get(bytes, at, length);
      at += Leb128.length(changed);
      int changedLength = Leb128.get(bytes, at, length);
      at += Leb128.length(changedLength);
      boolean isIt =
          changed == family
              && changedLength == keyLength
              && Arrays.equals(bytes, at, at + keyLength, key, 0, keyLength);
      at += changedLength;
      int from = at;
      if (what != BatchFormat.DELETE) {
        int valueLength = Leb128.get(bytes, at, length);
        from = at + Leb128.length(valueLength);
        at = from + valueLength;
      }
      if (isIt) {
        found = what == BatchFormat.PUT ? bytes : what == BatchFormat.DELETE ? DELETED : MERGED;
        foundFrom = from;
        foundTo = at;
      }
    }
    return found == bytes ? Arrays.copyOfRange(bytes, foundFrom, foundTo) : found;
  }

  /** Its changes, and those of another part after them. */
  byte[] changesBefore(BufferPart later) {
    byte[] changes =
        Arrays.copyOfRange(
            bytes, BatchFormat.HEADER_BYTES, length + later.length - BatchFormat.HEADER_BYTES);
    int own = length - BatchFormat.HEADER_BYTES;
    System.arraycopy(
        later.bytes,
        BatchFormat.HEADER_BYTES,
        changes,
        own,
        later.length - BatchFormat.HEADER_BYTES);
    return changes;
  }

  byte[] toBatch() {
    BatchFormat.putCount(bytes, count);
    return Arrays.copyOf(bytes, length);
  }

  void clear() {
    for (int i = 0; i < keys.length(); i++) {
      keys.setPlain(i, 0);
    }
    length = BatchFormat.HEADER_BYTES;
    count = 0;
  }

  static int hash(int family, byte[] bytes, int from, int length) {
    int hash = family;
    for (int i = from; i < from + length; i++) {
      hash = hash * 31 + bytes[i];
    }
    return (hash * 0x9E3779B9) >>> SHIFT;
  }

  /** The hash of the generation at the start of a key. */
  static int hashOfGeneration(int family, byte[] key, int from, int keyLength) {
    return hash(family, key, from, Math.min(keyLength, Generation.BYTES));
  }
}
