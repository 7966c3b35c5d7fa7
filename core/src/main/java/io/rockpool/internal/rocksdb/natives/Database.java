package io.rockpool.internal.rocksdb.natives;

import io.rockpool.error.RockpoolException;
import io.rockpool.internal.concurrent.EveryStep;
import io.rockpool.internal.logging.LoggerNames;
import io.rockpool.internal.rocksdb.files.LogFiles;
import io.rockpool.store.StoreStatistics;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.rocksdb.AbstractNativeReference;
import org.rocksdb.ColumnFamilyDescriptor;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.CompactRangeOptions;
import org.rocksdb.FlushOptions;
import org.rocksdb.LogFile;
import org.rocksdb.MutableColumnFamilyOptions;
import org.rocksdb.Options;
import org.rocksdb.PerfLevel;
import org.rocksdb.Range;
import org.rocksdb.ReadOptions;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.SizeApproximationFlag;
import org.rocksdb.Slice;
import org.rocksdb.SstFileReader;
import org.rocksdb.WriteBatch;
import org.rocksdb.WriteOptions;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The open RocksDB and all its native handles. Callers are inside the {@link CloseGuard}, and only
 * {@link WritePath} calls what changes records. Every error leaves as one of Rockpool's own.
 */
public final class Database implements AutoCloseable {
  /** What {@link #read} and {@link #peek} return where there is no record. */
  public static final int NOT_FOUND = RocksDB.NOT_FOUND;

  /** What {@link #oldestSnapshot} returns where there is none. */
  static final long NO_SNAPSHOT = Long.MAX_VALUE;

  private static final Logger LOG = LoggerFactory.getLogger(LoggerNames.STORE);

  /** A log of this length is read within a tenth of a second on opening. */
  private static final long MAX_LOG_BYTES_AFTER_CLOSE = 4 << 20;

  private static final ColumnFamily[] FAMILIES = ColumnFamily.values();

  private final Path directory;
  private final LogFiles logs;
  private final NativeOptions tuning;
  private final NativeDatabase opened;
  private final int[] familyIds;
  private final ReadPoint now = new ReadPoint(null);
  private final WriteOptions writes = new WriteOptions();
  private final WriteOptions syncWrites = new WriteOptions().setSync(true);

  private Database(Path directory, LogFiles logs, NativeOptions tuning, NativeDatabase opened) {
    this.directory = directory;
    this.logs = logs;
    this.tuning = tuning;
    this.opened = opened;
    this.familyIds = opened.handles().stream().mapToInt(ColumnFamilyHandle::getID).toArray();
  }

  /**
   * Opens the files in {@code files} for the store in {@code directory}, and makes them if {@code
   * create}.
   */
  public static Database open(Path directory, Path files, StoreLimits limits, boolean create) {
    NativeOptions tuning = new NativeOptions(limits);
    try {
      List<ColumnFamilyDescriptor> families =
          Arrays.stream(FAMILIES)
              .map(family -> new ColumnFamilyDescriptor(family.bytes(), tuning.family(family)))
              .toList();
      LogFiles logs = new LogFiles(directory, files);
      NativeDatabase opened = new NativeDatabase(logs, tuning.database(create), families);
      return new Database(directory, logs, tuning, opened);
    } catch (RocksDBException e) {
      RockpoolException failure = NativeFailures.of(e, "open", directory);
      new EveryStep().take(tuning::close).addTo(failure);
      throw failure;
    } catch (RuntimeException | Error e) {
      new EveryStep().take(tuning::close).addTo(e);
      throw e;
    }
  }

  /**
   * Has RocksDB not count what it does on this thread, where it counts by default; nobody reads it,
   * and it is a tenth of a read. Whoever asked for more than the default keeps it.
   */
  public void dropCounts() {
    RocksDB db = db();
    if (db.getPerfLevel() == PerfLevel.ENABLE_COUNT) {
      db.setPerfLevel(PerfLevel.DISABLE);
    }
  }

  /** Where reads see what was written last. */
  public ReadPoint now() {
    return now;
  }

  /** Where reads see what is written now, and nothing later; to be {@link #release}d. */
  ReadPoint snapshot() {
    ReadPoint point = new ReadPoint(db().getSnapshot());
    opened.hold();
    return point;
  }

  /** Lets go of a snapshot that no one reads any more. */
  void release(ReadPoint point) {
    point.close();
    db().releaseSnapshot(Objects.requireNonNull(point.snapshot()));
    opened.letGo();
  }

  /** What {@link Batch} calls column families by. */
  public int[] familyIds() {
    return familyIds;
  }

  /**
   * Reads a record into {@code buffers}, which grow as needed, and returns its length, or {@link
   * #NOT_FOUND}.
   */
  public int read(
      ReadPoint point, ColumnFamily family, byte[] key, int keyLength, Buffers buffers) {
    byte[] target = buffers.record();
    int length = get(point, family, key, keyLength, target);
    while (length > target.length) {
      target = buffers.record(length);
      length = get(point, family, key, keyLength, target);
    }
    return length;
  }

  /**
   * Reads as much of a record as {@code target} holds, and returns its whole length, or {@link
   * #NOT_FOUND}.
   */
  public int peek(ReadPoint point, ColumnFamily family, byte[] key, byte[] target) {
    return get(point, family, key, key.length, target);
  }

  private int get(ReadPoint point, ColumnFamily family, byte[] key, int keyLength, byte[] target) {
    try {
      return db().get(handle(family), point.options(), key, 0, keyLength, target, 0, target.length);
    } catch (RocksDBException e) {
      throw failed(e, "read from");
    }
  }

  /** The record at {@code key} now, or null. */
  public byte @Nullable [] get(ColumnFamily family, byte[] key) {
    try {
      return db().get(handle(family), now.options(), key);
    } catch (RocksDBException e) {
      throw failed(e, "read from");
    }
  }

  /** The records at {@code keys} now, each or null, in their order. */
  public List<byte @Nullable []> getAll(ColumnFamily family, List<byte[]> keys) {
    return getAll(now, family, keys);
  }

  /** The records at {@code keys}, each or null, in their order. */
  public List<byte @Nullable []> getAll(ReadPoint point, ColumnFamily family, List<byte[]> keys) {
    try {
      return db().multiGetAsList(
              point.options(), Collections.nCopies(keys.size(), handle(family)), keys);
    } catch (RocksDBException e) {
      throw failed(e, "read from");
    }
  }

  /** A walk over the keys from {@code lower} to below {@code upper}; see {@link NativeScan}. */
  public NativeScan scan(
      ReadPoint point,
      ColumnFamily family,
      byte[] lower,
      byte[] upper,
      boolean withinOneGeneration,
      boolean forward) {
    RocksDB db = db(); // before anything native is made that would be left where it is closed
    Slice lowerBound = new Slice(lower);
    Slice upperBound = new Slice(upper);
    ReadOptions options =
        point
            .newOptions()
            .setIterateLowerBound(lowerBound)
            .setIterateUpperBound(upperBound)
            .setTotalOrderSeek(!withinOneGeneration);
    NativeScan scan =
        new NativeScan(
            this,
            db.newIterator(handle(family), options),
            List.<AbstractNativeReference>of(options, lowerBound, upperBound),
            forward);
    opened.hold();
    return scan;
  }

  /** Notes that a scan is closed. */
  void endScan() {
    opened.letGo();
  }

  /** Whether any record lies from {@code lower} on and below {@code upper}. */
  public boolean hasRecords(ColumnFamily family, byte[] lower, byte[] upper) {
    try (NativeScan first = scan(now, family, lower, upper, false, true)) {
      return first.next();
    }
  }

  /** How many bytes lie between two keys, about: in files and in memory. */
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
      return db().getApproximateSizes(handle(family), List.of(new Range(from, to)), where)[0];
    }
  }

  /** As {@link #approximateFileBytes}, with what is in memory. */
  public long approximateAllBytes(ColumnFamily family, byte[] lower, byte[] upper) {
    return approximateFileBytes(family, lower, upper)
        + approximateBytes(family, lower, upper, SizeApproximationFlag.INCLUDE_MEMTABLES);
  }

  /**
   * How many bytes of files lie between two keys, about; with a share of the files that hold large
   * values by themselves, which RocksDB leaves out.
   */
  public long approximateFileBytes(ColumnFamily family, byte[] lower, byte[] upper) {
    long bytes = approximateBytes(family, lower, upper, SizeApproximationFlag.INCLUDE_FILES);
    long blobBytes = blobBytes(family);
    long tableBytes = Math.max(1, property(family, "rocksdb.live-sst-files-size"));
    // In floating point: the product may be too large for a long.
    return bytes + (long) ((double) bytes / tableBytes * blobBytes);
  }

  /** The bytes of the files that hold large values by themselves. */
  public long blobBytes(ColumnFamily family) {
    return property(family, "rocksdb.live-blob-file-size");
  }

  /** Of {@link #blobBytes}, what is known to be of no record any more: once its key was merged. */
  public long blobGarbageBytes(ColumnFamily family) {
    return property(family, "rocksdb.live-blob-file-garbage-size");
  }

  /**
   * From now on compactions write so large a part of the files of large values anew, the oldest.
   */
  void setBlobShare(ColumnFamily family, double share) {
    try {
      db().setOptions(
              handle(family),
              MutableColumnFamilyOptions.builder()
                  .setBlobGarbageCollectionAgeCutoff(share)
                  .build());
    } catch (RocksDBException e) {
      throw failed(e, "prepare a compaction of");
    }
  }

  /** Whether records wait in memory for files that hold them and nothing later. */
  public boolean isBeingWritten(ColumnFamily family) {
    return property(family, "rocksdb.num-immutable-mem-table") > 0;
  }

  /**
   * Of the bytes of a column family's files, the part that is not overwritten, about: the fewer
   * files were merged, the less that is.
   */
  public double liveShare(ColumnFamily family) {
    long all = property(family, "rocksdb.live-sst-files-size");
    return all == 0
        ? 0
        : Math.min(1, (double) property(family, "rocksdb.estimate-live-data-size") / all);
  }

  /** How many records a column family has, about. */
  public long approximateRecords(ColumnFamily family) {
    return property(family, "rocksdb.estimate-num-keys");
  }

  private long property(ColumnFamily family, String name) {
    try {
      return db().getLongProperty(handle(family), name);
    } catch (RocksDBException e) {
      throw failed(e, "measure");
    }
  }

  /** What the database takes, and how it copes. */
  public StoreStatistics statistics() {
    try {
      return new StoreMeasurement(db(), opened.handles()).take();
    } catch (RocksDBException e) {
      throw failed(e, "measure");
    }
  }

  /** The sequence number of the oldest snapshot, or {@link #NO_SNAPSHOT}. */
  public long oldestSnapshot() {
    try {
      return db().getLongProperty("rocksdb.num-snapshots") == 0
          ? NO_SNAPSHOT
          : db().getLongProperty("rocksdb.oldest-snapshot-sequence");
    } catch (RocksDBException e) {
      throw failed(e, "measure");
    }
  }

  /** Deletes the files all of whose keys lie from {@code from} on and below {@code to}. */
  void deleteFiles(ColumnFamily family, byte[] from, byte[] to) throws RocksDBException {
    db().deleteFilesInRanges(handle(family), List.of(from, to), false);
  }

  /** Begins to make files of what is in memory, and waits for nothing. */
  public void flush(List<ColumnFamily> families) {
    try (FlushOptions soon = new FlushOptions().setWaitForFlush(false)) {
      db().flush(soon, families.stream().map(this::handle).toList());
    } catch (RocksDBException e) {
      throw failed(e, "write files of");
    }
  }

  /** Writes the files anew that have keys from {@code from} on and below {@code to}. */
  public void compact(ColumnFamily family, byte[] from, byte[] to, CompactRangeOptions how)
      throws RocksDBException {
    db().compactRange(handle(family), from, to, how);
  }

  /** The names of the files that the database consists of now, its logs aside. */
  public Set<String> files() {
    try {
      Set<String> names = new TreeSet<>();
      // As they are given, they begin with a '/'.
      db().getLiveFiles(false).files.forEach(file -> names.add(file.substring(1)));
      return names;
    } catch (RocksDBException e) {
      throw failed(e, "list the files of");
    }
  }

  /** Compares every block of a file of sorted records with its checksum. */
  public void verifyChecksums(Path file) {
    try (Options options = new Options();
        SstFileReader reader = new SstFileReader(options)) {
      reader.open(file.toString());
      reader.verifyChecksum();
    } catch (RocksDBException e) {
      throw failed(e, "verify");
    }
  }

  void put(
      ColumnFamily family, byte[] key, int keyLength, byte[] record, int recordLength, boolean sync)
      throws RocksDBException {
    db().put(handle(family), writeOptions(sync), key, 0, keyLength, record, 0, recordLength);
  }

  void delete(ColumnFamily family, byte[] key, int keyLength, boolean sync)
      throws RocksDBException {
    db().delete(handle(family), writeOptions(sync), key, 0, keyLength);
  }

  void write(byte[] batch, boolean sync) throws RocksDBException {
    try (WriteBatch changes = new WriteBatch(batch)) {
      db().write(writeOptions(sync), changes);
    }
  }

  /** The log, for when RocksDB is not to be asked for anything. */
  public LogFiles logs() {
    return logs;
  }

  /** Whether work in the background has failed since it was opened. */
  public boolean hasFailed() {
    try {
      return db().getLongProperty("rocksdb.background-errors") > 0;
    } catch (RocksDBException e) {
      throw failed(e, "measure");
    }
  }

  /** Whether writes are to wait for work in the background, and nothing is done there. */
  public boolean waitsInVain() {
    try {
      RocksDB db = db();
      return db.getLongProperty("rocksdb.is-write-stopped") > 0
          && db.getLongProperty("rocksdb.num-running-flushes") == 0
          && db.getLongProperty("rocksdb.num-running-compactions") == 0;
    } catch (RocksDBException e) {
      throw failed(e, "measure");
    }
  }

  /** What can be closed and opened again. */
  public NativeDatabase opened() {
    return opened;
  }

  void syncWal() throws RocksDBException {
    db().syncWal();
  }

  /**
   * Puts what is only in the log into files if the log is long, so that the next open need not read
   * it. Where that fails, the next open reads it.
   */
  public void shortenLog() {
    try (FlushOptions flush = new FlushOptions()) {
      long bytes = db().getSortedWalFiles().stream().mapToLong(LogFile::sizeFileBytes).sum();
      if (bytes > MAX_LOG_BYTES_AFTER_CLOSE) {
        db().flush(flush, opened.handles());
      }
    } catch (RocksDBException e) {
      LOG.warn("{}", failed(e, "shorten the log of").getMessage());
    }
  }

  /** The number of the last change; each change of a record takes one. */
  public long latestSequence() {
    return db().getLatestSequenceNumber();
  }

  /** The error to throw for {@code e}, which came of {@code action} ("read from"). */
  RockpoolException failed(RocksDBException e, String action) {
    return NativeFailures.of(e, action, directory);
  }

  /** The native database itself, for tests that make it misbehave. */
  public RocksDB nativeDatabase() {
    return db();
  }

  /** Closes every native handle. No one is inside, and all scans are closed. */
  @Override
  public void close() {
    try {
      opened.close();
    } catch (RocksDBException e) {
      throw failed(e, "close");
    } finally {
      syncWrites.close();
      writes.close();
      now.close();
      tuning.close();
    }
  }

  public ColumnFamilyHandle handle(ColumnFamily family) {
    return opened.handle(family);
  }

  private RocksDB db() {
    return opened.db();
  }

  private WriteOptions writeOptions(boolean sync) {
    return sync ? syncWrites : writes;
  }
}
