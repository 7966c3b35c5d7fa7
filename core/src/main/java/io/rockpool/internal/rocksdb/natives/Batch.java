package io.rockpool.internal.rocksdb.natives;

import io.rockpool.engine.Expiry;
import io.rockpool.engine.Limits;
import io.rockpool.error.LimitExceededException;
import io.rockpool.internal.bytes.Leb128;
import io.rockpool.internal.format.CountFormat;
import io.rockpool.internal.format.ExpiryIndexFormat;
import java.util.Arrays;
import org.rocksdb.RocksDBException;

/**
 * Changes that are written atomically. They are collected in RocksDB's own format, see {@link
 * BatchFormat}, which its log uses too. So the whole batch reaches native code in one array, with
 * three native calls (create, write, free), whatever its size. Not thread-safe.
 */
public final class Batch {

  /** The largest Java array. */
  private static final int MAX_BYTES = Integer.MAX_VALUE - 8;

  /** The most bytes of two changes besides their keys and values, with an expiry in each. */
  public static final int FRAMES_OF_TWO = 2 * (BatchFormat.MAX_FRAME_BYTES + 2 * Long.BYTES);

  private static final byte[] EMPTY = {};

  private final int[] familyIds;
  private byte[] bytes;
  private int length = BatchFormat.HEADER_BYTES;
  private int count;

  /** The most bytes to allocate first: {@code expectedBytes} is an upper estimate. */
  private static final int MAX_FIRST_BYTES = Limits.MAX_BATCH_BYTES;

  /** A bit for each family with a put; {@code deletes} has one for each family with a delete. */
  private int puts;

  private int deletes;

  /** A bit for each family with a change. */
  private int families;

  private boolean deletesRanges;

  /** For each family, the bytes put less the bytes of the replaced records. */
  private final long[] growth;

  /** Creates an empty batch with room for about {@code expectedBytes}. */
  public Batch(int[] familyIds, long expectedBytes) {
    this.familyIds = familyIds;
    this.growth = new long[familyIds.length];
    this.bytes =
        new byte
            [BatchFormat.HEADER_BYTES
                + (int) Math.min(expectedBytes, MAX_FIRST_BYTES)
                + BatchFormat.MAX_FRAME_BYTES];
  }

  public void put(ColumnFamily family, byte[] key, byte[] value) {
    put(family, key, key.length, value, value.length);
  }

  /** Puts the beginnings of two arrays. */
  void put(ColumnFamily family, byte[] key, int keyLength, byte[] value, int valueLength) {
    begin(BatchFormat.PUT, family, keyLength + valueLength);
    notePut(family, keyLength + valueLength);
    append(key, keyLength);
    append(value, valueLength);
  }

  /** Puts a record, and its index record if it expires and its layout has an index. */
  public void putRecord(
      RecordLayout layout, byte[] key, byte[] value, long expiryMillis, boolean counted) {
    int recordLength = layout.recordLength(value.length, expiryMillis);
    begin(BatchFormat.PUT, layout.family(), key.length + recordLength);
    notePut(layout.family(), key.length + recordLength);
    append(key, key.length);
    appendLength(recordLength);
    layout.writeRecord(value, expiryMillis, counted, bytes, length);
    length += recordLength;
    if (layout.hasRows() && expiryMillis != Expiry.NEVER) {
      put(ColumnFamily.EXPIRIES, ExpiryIndexFormat.encode(expiryMillis, key), EMPTY);
    }
  }

  private void notePut(ColumnFamily family, int putBytes) {
    puts |= 1 << family.index();
    growth[family.index()] += putBytes;
  }

  /** Records that a change replaces a record of {@code replacedBytes}, key and value. */
  public void noteReplaced(ColumnFamily family, int replacedBytes) {
    growth[family.index()] -= replacedBytes;
  }

  public void delete(ColumnFamily family, byte[] key) {
    delete(family, key, key.length);
  }

  /** Deletes the record at the beginning of an array. */
  void delete(ColumnFamily family, byte[] key, int keyLength) {
    begin(BatchFormat.DELETE, family, keyLength);
    deletes |= 1 << family.index();
    append(key, keyLength);
  }

  /** Deletes the keys from {@code from}, included, to {@code to}, excluded. */
  public void deleteRange(ColumnFamily family, byte[] from, byte[] to) {
    begin(BatchFormat.DELETE_RANGE, family, from.length + to.length);
    deletesRanges = true;
    append(from, from.length);
    append(to, to.length);
  }

  /** Adds {@code delta}, which may be negative, to the count at {@code key}. */
  public void addToCount(byte[] key, long delta) {
    begin(BatchFormat.MERGE, ColumnFamily.COUNTS, key.length + Long.BYTES);
    append(key, key.length);
    append(CountFormat.encode(delta), Long.BYTES);
  }

  /** Whether it puts records there, and deletes none or fewer bytes than it puts. */
  boolean adds(ColumnFamily family) {
    int bit = 1 << family.index();
    return (puts & bit) != 0 && ((deletes & bit) == 0 || growth[family.index()] > 0);
  }

  /** Whether it adds records of collections or entries. */
  public boolean adds() {
    return adds(ColumnFamily.ROWS) || adds(ColumnFamily.ENTRIES);
  }

  public boolean isEmpty() {
    return count == 0;
  }

  public int length() {
    return length;
  }

  /** Adds the changes to a buffer; returns false if it does not take them. */
  boolean addTo(WriteBuffer buffer) throws RocksDBException {
    boolean rows = families != 1 << ColumnFamily.ENTRIES.index();
    return isEmpty()
        || (!deletesRanges && buffer.addAll(bytes, BatchFormat.HEADER_BYTES, length, count, rows));
  }

  /** The batch in RocksDB's format. */
  byte[] toBytes() {
    BatchFormat.putCount(bytes, count);
    return Arrays.copyOf(bytes, length);
  }

  private void begin(byte what, ColumnFamily family, int contentBytes) {
    long needed = (long) length + contentBytes + BatchFormat.MAX_FRAME_BYTES;
    if (needed > MAX_BYTES) {
      throw new LimitExceededException(
          "The changes that are to be made as one are past the limit of "
              + MAX_BYTES
              + " bytes; make fewer at once. Nothing was changed.",
          "changes of one write",
          MAX_BYTES,
          needed,
          null);
    }
    if (needed > bytes.length) {
      bytes = Arrays.copyOf(bytes, (int) Math.min(Math.max(needed, bytes.length * 2L), MAX_BYTES));
    }
    count++;
    families |= 1 << family.index();
    bytes[length++] = what;
    appendLength(familyIds[family.index()]);
  }

  private void append(byte[] part, int partLength) {
    appendLength(partLength);
    System.arraycopy(part, 0, bytes, length, partLength);
    length += partLength;
  }

  private void appendLength(int value) {
    length = Leb128.put(bytes, length, value);
  }
}
