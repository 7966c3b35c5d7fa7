package io.rockpool.internal.rocksdb.natives;

import io.rockpool.internal.bytes.Leb128;
import io.rockpool.internal.format.Generation;
import io.rockpool.internal.rocksdb.files.JournalFile;
import java.lang.invoke.VarHandle;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicLongArray;
import org.jspecify.annotations.Nullable;

/**
 * Half of the {@link WriteBuffer}, and of the journal: changes in {@link BatchFormat}, an index of
 * their keys, and a filter of their generations. Changed under the buffer's write lock, and cleared
 * by the thread that drains it. Any thread may look up keys meanwhile, without a lock: the {@link
 * #epoch} tells it if the part was cleared, and then RocksDB has all that it held.
 *
 * <p>It begins small and grows while it is empty, as it is filled again and again.
 */
final class BufferPart {
  /** What {@link #find} returns for a deleted key. */
  static final byte[] DELETED = {};

  /** What {@link #find} returns for a key whose newest change needs the stored record. */
  static final byte[] MERGED = {};

  /** What {@link #find} returns if newer changes have replaced what was to be found. */
  static final byte[] LOST = {};

  /** A part is written to RocksDB in batches of about this size. */
  static final int BATCH_BYTES = 256 << 10;

  private static final int FIRST_BYTES = 32 << 10;
  private static final int FILTER_SHIFT = 17;

  final JournalFile.Half journal;
  final AtomicLongArray generations =
      new AtomicLongArray((1 << (Integer.SIZE - FILTER_SHIFT)) / Long.SIZE);
  private final int maxCapacity;
  private volatile ChangeIndex index;

  /** Odd while the part is being cleared; another number after that. */
  private volatile long epoch;

  /** The end of the changes that are part of the buffer. */
  volatile int length = BatchFormat.HEADER_BYTES;

  /** The number of these changes. */
  volatile int count;

  /** The end of changes that are being added. */
  int end;

  /**
   * Whether an addition did not end. Its changes may be in the index, so nothing may be written in
   * their place.
   */
  boolean torn;

  /** Whether there are changes of other families than entries. */
  volatile boolean hasRows;

  long firstSequence;

  /** The number and the end of the changes that RocksDB has; changed while draining. */
  private int taken;

  private int takenEnd = BatchFormat.HEADER_BYTES;

  /** Where batches for RocksDB end, and how many changes are before. */
  private final int[] batchEnds;

  private final int[] batchCounts;
  private int batches;

  BufferPart(int maxCapacity, JournalFile.Half journal) {
    this.maxCapacity = maxCapacity;
    this.journal = journal;
    this.index = new ChangeIndex(Math.min(FIRST_BYTES, maxCapacity));
    this.batchEnds = new int[maxCapacity / BATCH_BYTES + 1];
    this.batchCounts = new int[batchEnds.length];
  }

  long lastSequence() {
    return firstSequence + count - 1;
  }

  boolean hasRoom(int changesBytes, int changes) {
    return !torn
        && index.bytes.length - length >= changesBytes
        && index.hasRoom(changes)
        && journal.hasRoom(changesBytes);
  }

  /** Makes an empty part ready for at least so many changes, twice as large if it was full. */
  void grow(int changesBytes, int changes, boolean wasFull) {
    int capacity = index.bytes.length - BatchFormat.HEADER_BYTES;
    int needed = wasFull ? Math.min(2 * capacity, maxCapacity) : capacity;
    while (needed < maxCapacity
        && (needed < changesBytes || ChangeIndex.maxChanges(needed) < changes)) {
      needed *= 2;
    }
    if (torn) {
      clear();
    }
    if (needed > capacity) {
      index = new ChangeIndex(needed);
    }
  }

  /** Begins to add changes. */
  void begin() {
    torn = true;
    end = length;
  }

  void add(
      byte what,
      int family,
      byte[] key,
      int keyLength,
      byte @Nullable [] record,
      int recordLength) {
    ChangeIndex changes = index;
    byte[] bytes = changes.bytes;
    int at = length;
    bytes[at] = what;
    at = append(bytes, Leb128.put(bytes, at + 1, family), key, keyLength);
    int keyEnd = at;
    if (record != null) {
      at = append(bytes, at, record, recordLength);
    }
    end = at;
    noteGeneration(family, key, 0, keyLength);
    changes.add(ChangeIndex.hash(family, key, 0, keyLength), length, keyEnd, length);
  }

  private static int append(byte[] bytes, int offset, byte[] part, int partLength) {
    int at = Leb128.put(bytes, offset, partLength);
    System.arraycopy(part, 0, bytes, at, partLength);
    return at + partLength;
  }

  void addAll(byte[] batch, int start, int limit) {
    ChangeIndex changes = index;
    byte[] bytes = changes.bytes;
    System.arraycopy(batch, start, bytes, length, limit - start);
    end = length + limit - start;
    int at = length;
    while (at < end) {
      int change = at;
      boolean hasValue = bytes[at++] != BatchFormat.DELETE;
      int family = Leb128.get(bytes, at, end);
      at += Leb128.length(family);
      int keyLength = Leb128.get(bytes, at, end);
      int key = at + Leb128.length(keyLength);
      at = key + keyLength;
      noteGeneration(family, bytes, key, keyLength);
      changes.add(ChangeIndex.hash(family, bytes, key, keyLength), change, at, length);
      if (hasValue) {
        int valueLength = Leb128.get(bytes, at, end);
        at += Leb128.length(valueLength) + valueLength;
      }
    }
  }

  /**
   * Appends what is being added to the journal. Only then it becomes part of the buffer, by
   * assignments alone: whatever is thrown before, nothing was added.
   */
  void commit(long sequence, int changes, boolean rows) {
    journal.append(sequence, changes, index.bytes, length, end - length);
    if (count == 0) {
      firstSequence = sequence;
    }
    if (rows) {
      hasRows = true;
    }
    int now = count + changes;
    if (end - (batches == 0 ? BatchFormat.HEADER_BYTES : batchEnds[batches - 1]) >= BATCH_BYTES) {
      batchEnds[batches] = end;
      batchCounts[batches] = now;
      batches++;
    }
    count = now;
    length = end;
    torn = false;
  }

  private void noteGeneration(int family, byte[] key, int from, int keyLength) {
    int hash = hashOfGeneration(family, key, from, keyLength);
    int word = hash >>> 6;
    long known = generations.getPlain(word);
    if ((known & 1L << hash) == 0) {
      generations.set(word, known | 1L << hash);
    }
  }

  boolean mayHoldGeneration(int hash) {
    return (generations.get(hash >>> 6) & 1L << hash) != 0;
  }

  /** The hash of the generation at the start of a key. */
  static int hashOfGeneration(int family, byte[] key, int from, int keyLength) {
    return ChangeIndex.hash(family, key, from, Math.min(keyLength, Generation.BYTES))
        >>> FILTER_SHIFT;
  }

  /** A number that changes when the part is cleared. */
  long epoch() {
    return epoch;
  }

  /**
   * The newest record of a key: null if it has no change here, or if RocksDB has it by now; {@link
   * #DELETED}, {@link #MERGED}.
   */
  byte @Nullable [] find(int hash, int family, byte[] key, int keyLength) {
    byte[] found;
    do {
      long now = epoch; // before the length, which may be that of an earlier use otherwise
      found = find(hash, family, key, keyLength, now, length);
    } while (found == LOST);
    return found;
  }

  /**
   * Like the other, of the changes that were there when {@code before} was the epoch and {@code
   * committed} the length; or {@link #LOST}.
   */
  byte @Nullable [] find(
      int hash, int family, byte[] key, int keyLength, long before, int committed) {
    if ((before & 1) != 0) {
      return null;
    }
    byte[] found;
    try {
      found = read(index, hash, family, key, keyLength, committed);
    } catch (RuntimeException e) {
      if (epoch == before) {
        throw e;
      }
      return null;
    }
    VarHandle.acquireFence();
    return epoch == before ? found : null;
  }

  private static byte @Nullable [] read(
      ChangeIndex index, int hash, int family, byte[] key, int keyLength, int committed) {
    int offset = index.find(hash, family, key, keyLength, committed);
    if (offset <= ChangeIndex.NONE) {
      return offset == ChangeIndex.NONE ? null : LOST;
    }
    byte[] bytes = index.bytes;
    switch (bytes[offset]) {
      case BatchFormat.PUT -> {
        int at = index.valueOffset(offset);
        int valueLength = Leb128.get(bytes, at, bytes.length);
        int from = at + Leb128.length(valueLength);
        return Arrays.copyOfRange(bytes, from, Math.min(from + valueLength, bytes.length));
      }
      case BatchFormat.DELETE -> {
        return DELETED;
      }
      default -> {
        return MERGED;
      }
    }
  }

  /** Whether RocksDB does not have all of its changes. */
  boolean hasMore() {
    return taken < count;
  }

  /** The number of changes that RocksDB does not have. */
  int moreCount() {
    return count - taken;
  }

  /** The sequence number of the last change that RocksDB has, if it has none after the part. */
  long takenSequence() {
    return firstSequence + taken - 1;
  }

  /** The sequence number of the last change of the next batch. */
  long nextSequence() {
    return firstSequence + batchCount(nextBatch()) - 1;
  }

  /**
   * The next changes for RocksDB.
   *
   * @param sorts whether they may have another order, if all are of entries
   */
  byte[] batch(boolean sorts) {
    int batch = nextBatch();
    int to = batch < batches ? batchEnds[batch] : length;
    int changes = batchCount(batch) - taken;
    return sorts && !hasRows
        ? SortedBatch.of(index.bytes, takenEnd, to, changes)
        : BatchFormat.encode(changes, Arrays.copyOfRange(index.bytes, takenEnd, to));
  }

  /** Notes that RocksDB has the next batch. */
  void take() {
    int batch = nextBatch();
    takenEnd = batch < batches ? batchEnds[batch] : length;
    taken = batchCount(batch);
  }

  private int nextBatch() {
    int batch = 0;
    while (batch < batches && batchCounts[batch] <= taken) {
      batch++;
    }
    return batch;
  }

  private int batchCount(int batch) {
    return batch < batches ? batchCounts[batch] : count;
  }

  /** The changes that RocksDB does not have, and those of another part after them. */
  byte[] changesBefore(BufferPart later) {
    int own = length - takenEnd;
    int others = later.length - later.takenEnd;
    byte[] changes = Arrays.copyOfRange(index.bytes, takenEnd, length + others);
    System.arraycopy(later.index.bytes, later.takenEnd, changes, own, others);
    return changes;
  }

  /** Forgets all changes, which RocksDB has. */
  void clear() {
    long cleared = epoch + 2;
    epoch = cleared - 1;
    VarHandle.fullFence();
    index.clear();
    for (int i = 0; i < generations.length(); i++) {
      generations.setPlain(i, 0);
    }
    taken = 0;
    takenEnd = BatchFormat.HEADER_BYTES;
    batches = 0;
    hasRows = false;
    torn = false;
    length = BatchFormat.HEADER_BYTES;
    count = 0;
    epoch = cleared;
  }
}
