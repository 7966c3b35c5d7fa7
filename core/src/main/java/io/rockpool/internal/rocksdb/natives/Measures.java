package io.rockpool.internal.rocksdb.natives;

import io.rockpool.store.StoreStatistics;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.rocksdb.LiveFileMetaData;
import org.rocksdb.Range;
import org.rocksdb.RocksDBException;
import org.rocksdb.SizeApproximationFlag;
import org.rocksdb.Slice;

/** Sizes and other properties of the open database. Call it inside the {@link CloseGuard}. */
public final class Measures {
  /** The result of {@link #oldestSnapshot} if there is none. */
  static final long NO_SNAPSHOT = Long.MAX_VALUE;

  private final NativeDatabase opened;
  private final Path directory;

  Measures(NativeDatabase opened, Path directory) {
    this.opened = opened;
    this.directory = directory;
  }

  /** About how many bytes are between two keys, in files and in memory. */
  public long approximateBytes(ColumnFamily family, byte[] lower, byte[] upper) {
    return approximateBytes(
        family,
        lower,
        upper,
        SizeApproximationFlag.INCLUDE_FILES,
        SizeApproximationFlag.INCLUDE_MEMTABLES);
  }

  private long approximateBytes(
      ColumnFamily family, byte[] lower, byte[] upper, SizeApproximationFlag... where) {
    try (Slice from = new Slice(lower);
        Slice to = new Slice(upper)) {
      return opened.db()
          .getApproximateSizes(opened.handle(family), List.of(new Range(from, to)), where)[0];
    }
  }

  /** Like {@link #approximateFileBytes}, plus the bytes in memory. */
  public long approximateAllBytes(ColumnFamily family, byte[] lower, byte[] upper) {
    return approximateFileBytes(family, lower, upper)
        + approximateBytes(family, lower, upper, SizeApproximationFlag.INCLUDE_MEMTABLES);
  }

  /**
   * About how many bytes of files are between two keys. Includes a proportional share of the files
   * of large values, which RocksDB's estimate omits.
   */
  public long approximateFileBytes(ColumnFamily family, byte[] lower, byte[] upper) {
    long bytes = approximateBytes(family, lower, upper, SizeApproximationFlag.INCLUDE_FILES);
    long blobBytes = blobBytes(family);
    long tableBytes = Math.max(1, property(family, "rocksdb.live-sst-files-size"));
    // Floating point, because the product may overflow a long.
    return bytes + (long) ((double) bytes / tableBytes * blobBytes);
  }

  /** The size of the files of large values. */
  public long blobBytes(ColumnFamily family) {
    return property(family, "rocksdb.live-blob-file-size");
  }

  /**
   * The part of {@link #blobBytes} that is known to be garbage. RocksDB knows once it has compacted
   * the key.
   */
  public long blobGarbageBytes(ColumnFamily family) {
    return property(family, "rocksdb.live-blob-file-garbage-size");
  }

  /** Whether immutable memtables wait to be flushed. */
  public boolean isBeingWritten(ColumnFamily family) {
    return property(family, "rocksdb.num-immutable-mem-table") > 0;
  }

  /**
   * About what share of a column family's file bytes is not overwritten; less exact if few files
   * were compacted.
   */
  public double liveShare(ColumnFamily family) {
    long all = property(family, "rocksdb.live-sst-files-size");
    return all == 0
        ? 0
        : Math.min(1, (double) property(family, "rocksdb.estimate-live-data-size") / all);
  }

  /** About how many records a column family has. */
  public long approximateRecords(ColumnFamily family) {
    return property(family, "rocksdb.estimate-num-keys");
  }

  /** About how many records the database has, those of its own included. */
  public long approximateRecords() {
    return sum("rocksdb.estimate-num-keys");
  }

  /** The size of the files that hold records, without the write-ahead log. */
  public long fileBytes() {
    return sum("rocksdb.live-sst-files-size") + sum("rocksdb.live-blob-file-size");
  }

  private long sum(String property) {
    try {
      return opened.db().getAggregatedLongProperty(property);
    } catch (RocksDBException e) {
      throw NativeFailures.of(e, "measure", directory);
    }
  }

  /** Memory, disk and background work of the database. */
  public StoreStatistics.Builder statistics() {
    try {
      return new StoreMeasurement(opened.db(), opened.handles()).take();
    } catch (RocksDBException e) {
      throw NativeFailures.of(e, "measure", directory);
    }
  }

  /** The sequence number of the oldest snapshot, or {@link #NO_SNAPSHOT}. */
  public long oldestSnapshot() {
    return property("rocksdb.num-snapshots") == 0
        ? NO_SNAPSHOT
        : property("rocksdb.oldest-snapshot-sequence");
  }

  /** Whether a background job has failed since the database was opened. */
  public boolean hasFailed() {
    return failures() > 0;
  }

  /** The size of all tables. */
  public long tableBytes() {
    long bytes = 0;
    for (ColumnFamily family : ColumnFamily.values()) {
      bytes += property(family, "rocksdb.live-sst-files-size");
    }
    return bytes;
  }

  /** The number of removals in the memtable. */
  public long removalsInMemory(ColumnFamily family) {
    return property(family, "rocksdb.num-deletes-active-mem-table");
  }

  /**
   * Whether the files with keys between two have at least {@code many} removals, and these are at
   * least the {@code share}th part of their records.
   */
  public boolean hasRemovals(
      ColumnFamily family, byte[] lower, byte[] upper, long many, long share) {
    byte[] name = family.bytes();
    long removals = 0;
    long records = 0;
    for (LiveFileMetaData file : opened.db().getLiveFilesMetaData()) {
      if (Arrays.equals(file.columnFamilyName(), name)
          && Arrays.compareUnsigned(file.smallestKey(), upper) < 0
          && Arrays.compareUnsigned(file.largestKey(), lower) >= 0) {
        removals += file.numDeletions();
        records += file.numEntries();
      }
    }
    return removals >= many && removals >= records / share;
  }

  /** How many background jobs have failed since the database was opened. */
  public long failures() {
    return property("rocksdb.background-errors");
  }

  /**
   * Whether writes are stopped until background work is done, but no background work is running.
   */
  public boolean waitsInVain() {
    return property("rocksdb.is-write-stopped") > 0
        && property("rocksdb.num-running-flushes") == 0
        && property("rocksdb.num-running-compactions") == 0;
  }

  private long property(String name) {
    return property(ColumnFamily.DEFAULT, name);
  }

  private long property(ColumnFamily family, String name) {
    try {
      return opened.db().getLongProperty(opened.handle(family), name);
    } catch (RocksDBException e) {
      throw NativeFailures.of(e, "measure", directory);
    }
  }
}
