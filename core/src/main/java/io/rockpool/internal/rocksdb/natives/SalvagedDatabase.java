package io.rockpool.internal.rocksdb.natives;

import io.rockpool.internal.rocksdb.files.JournalFile;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;
import org.rocksdb.AbstractWalFilter;
import org.rocksdb.ColumnFamilyDescriptor;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.DBOptions;
import org.rocksdb.ReadOptions;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;
import org.rocksdb.Slice;
import org.rocksdb.WALRecoveryMode;
import org.rocksdb.WriteBatch;
import org.rocksdb.WriteOptions;

/**
 * A database of some of a store's files, whose log is recovered past its damage. It compacts
 * nothing, and is read only by scans.
 */
public final class SalvagedDatabase implements AutoCloseable {
  private static final int MANY_FILES = 1 << 20;

  private final NativeOptions tuning;
  private final RecoveredLog log;
  private final RocksDB db;
  private long journaled;
  private final List<ColumnFamilyHandle> handles = new ArrayList<>();

  /** Notes the last change in the log, without those that were refused. */
  private static final class RecoveredLog extends AbstractWalFilter {
    private static final int COUNT_OFFSET = 8;
    private final long refusedFrom;
    private long last;

    RecoveredLog(List<JournalFile.Frame> frames) {
      this.refusedFrom =
          frames.size() == 1 && frames.get(0).count() == 0
              ? frames.get(0).sequence()
              : Long.MAX_VALUE;
    }

    @Override
    public LogRecordFoundResult logRecordFound(
        long logNumber, String logFileName, WriteBatch batch, WriteBatch newBatch) {
      try {
        ByteBuffer head = ByteBuffer.wrap(batch.data()).order(ByteOrder.LITTLE_ENDIAN);
        long sequence = head.getLong(0);
        if (sequence >= refusedFrom) {
          return new LogRecordFoundResult(
              org.rocksdb.WalProcessingOption.IGNORE_CURRENT_RECORD, false);
        }
        last = Math.max(last, sequence + head.getInt(COUNT_OFFSET) - 1);
        return LogRecordFoundResult.CONTINUE_UNCHANGED;
      } catch (RocksDBException e) {
        return new LogRecordFoundResult(
            org.rocksdb.WalProcessingOption.IGNORE_CURRENT_RECORD, false);
      }
    }

    @Override
    public void columnFamilyLogNumberMap(Map<Integer, Long> numbers, Map<String, Integer> ids) {}

    @Override
    public String name() {
      return "salvaged log";
    }
  }

  /**
   * Opens the database in {@code files}, and adds what the journal of {@code store} has beyond it.
   *
   * @param lastSequence the sequence number of the last change in its tables
   */
  public SalvagedDatabase(Path store, Path files, long lastSequence, StoreLimits limits) {
    this.tuning = new NativeOptions(limits);
    List<JournalFile.Frame> frames = JournalFile.read(store);
    this.log = new RecoveredLog(frames);
    try {
      List<ColumnFamilyDescriptor> families =
          Arrays.stream(ColumnFamily.values())
              .map(
                  family ->
                      new ColumnFamilyDescriptor(
                          family.bytes(),
                          tuning
                              .family(family)
                              .setDisableAutoCompactions(true)
                              .setLevel0SlowdownWritesTrigger(MANY_FILES)
                              .setLevel0StopWritesTrigger(MANY_FILES)))
              .toList();
      DBOptions options =
          tuning
              .database(false, null, /* hasMended= */ true)
              .setParanoidChecks(false)
              .setWalRecoveryMode(WALRecoveryMode.SkipAnyCorruptedRecords);
      options.setWalFilter(log);
      this.db = RocksDB.open(options, files.toString(), families, handles);
      replay(frames, Math.max(lastSequence, log.last));
    } catch (RocksDBException e) {
      close();
      throw NativeFailures.of(e, "salvage", store);
    }
  }

  private void replay(List<JournalFile.Frame> frames, long lastInFiles) throws RocksDBException {
    long last = lastInFiles;
    try (WriteOptions options = new WriteOptions()) {
      for (JournalFile.Frame frame : frames) {
        long end = frame.sequence() + frame.count() - 1;
        // Behind a gap in the log, later changes may build on lost ones; opening leaves them out,
        // too.
        if (frame.count() > 0 && frame.sequence() == last + 1) {
          try (WriteBatch changes =
              new WriteBatch(BatchFormat.encode(frame.count(), frame.changes()))) {
            db.write(options, changes);
          }
          last = end;
          log.last = end;
        }
        journaled = Math.max(journaled, end);
      }
    }
  }

  /** The sequence number of the last change in the journal, which may be behind a gap. */
  public long journaled() {
    return journaled;
  }

  /** The sequence number of the last change that was found in the log or the journal. */
  public long lastInLog() {
    return log.last;
  }

  /**
   * Shows all readable records of a stretch.
   *
   * @param isChecked whether to leave out blocks with a wrong checksum
   * @return the keys that could not be read
   */
  public List<KeyStretch> scan(
      ColumnFamily family,
      KeyStretch within,
      boolean isChecked,
      BiConsumer<byte[], byte[]> records) {
    List<KeyStretch> lost = new ArrayList<>();
    byte[] to = within.to();
    try (Slice bound = to == null ? null : new Slice(to);
        ReadOptions reads =
            new ReadOptions()
                .setTotalOrderSeek(true)
                .setFillCache(false)
                .setVerifyChecksums(isChecked);
        RocksIterator found = iterator(family, reads, bound)) {
      byte[] from = within.from();
      found.seek(from);
      while (true) {
        while (found.isValid()) {
          records.accept(found.key(), found.value());
          from = KeyStretch.after(found.key());
          found.next();
        }
        if (isFine(found) || (to != null && Arrays.compareUnsigned(from, to) >= 0)) {
          return lost;
        }
        KeyStretch stretch = KeyStretch.from(from, to, key -> isReadable(found, key));
        lost.add(stretch);
        if (stretch.to() == null || Arrays.equals(stretch.to(), to)) {
          return lost;
        }
        from = stretch.to();
        found.seek(from);
      }
    }
  }

  private RocksIterator iterator(ColumnFamily family, ReadOptions reads, @Nullable Slice bound) {
    if (bound != null) {
      reads.setIterateUpperBound(bound);
    }
    return db.newIterator(handles.get(family.index()), reads);
  }

  private static boolean isReadable(RocksIterator found, byte[] key) {
    found.seek(key);
    return found.isValid() || isFine(found);
  }

  private static boolean isFine(RocksIterator found) {
    try {
      found.status();
      return true;
    } catch (RocksDBException e) {
      return false;
    }
  }

  @Override
  public void close() {
    handles.forEach(ColumnFamilyHandle::close);
    if (db != null) {
      db.close();
    }
    log.close();
    tuning.close();
  }
}
