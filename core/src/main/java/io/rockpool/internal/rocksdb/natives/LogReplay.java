package io.rockpool.internal.rocksdb.natives;

import io.rockpool.internal.concurrent.EveryStep;
import io.rockpool.internal.rocksdb.files.DamagedTables;
import io.rockpool.internal.rocksdb.files.LogFiles;
import io.rockpool.internal.rocksdb.files.LogRecord;
import io.rockpool.internal.rocksdb.files.StoreDirectory;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import org.rocksdb.ColumnFamilyDescriptor;
import org.rocksdb.FlushOptions;
import org.rocksdb.RocksDBException;
import org.rocksdb.WriteBatch;
import org.rocksdb.WriteOptions;

/**
 * Adds the changes of a log to the database of a closed store, each once and with the sequence
 * number that it had. Not thread-safe.
 */
public final class LogReplay implements AutoCloseable {
  /** Nothing is removed that was there at the time of the last change. */
  private static final StoreLimits LIMITS =
      new StoreLimits(64L << 20, 0, Duration.ofDays(1), Duration.ofDays(1), false);

  private final Path directory;
  private final NativeOptions tuning;
  private final NativeDatabase opened;
  private final WriteOptions writes = new WriteOptions();
  private long sequence;

  private LogReplay(Path directory, NativeOptions tuning, NativeDatabase opened) {
    this.directory = directory;
    this.tuning = tuning;
    this.opened = opened;
    this.sequence = opened.db().getLatestSequenceNumber();
  }

  /**
   * Opens the database of a store that no process has open.
   *
   * @param directory of the store
   * @param files the directory of the database
   */
  public static LogReplay open(Path directory, Path files) {
    NativeLibrary.load(StoreDirectory.nativeCode(directory));
    NativeOptions tuning = new NativeOptions(LIMITS);
    try {
      List<ColumnFamilyDescriptor> families =
          Arrays.stream(ColumnFamily.values())
              .map(family -> new ColumnFamilyDescriptor(family.bytes(), tuning.family(family)))
              .toList();
      return new LogReplay(
          directory,
          tuning,
          new NativeDatabase(
              new LogFiles(directory, files),
              tuning.database(false, null, DamagedTables.read(directory).hasMended()),
              families));
    } catch (RocksDBException e) {
      new EveryStep().take(tuning::close).addTo(e);
      throw NativeFailures.of(e, "open", directory);
    } catch (RuntimeException | Error e) {
      new EveryStep().take(tuning::close).addTo(e);
      throw e;
    }
  }

  /** The sequence number of the last change. */
  public long sequence() {
    return sequence;
  }

  /**
   * Adds the changes of a record that the database does not have yet.
   *
   * @param last the sequence number of the last change to add
   * @throws IllegalArgumentException if changes are missing before the record
   */
  public void add(LogRecord record, long last) {
    long first = record.first();
    if (first > sequence + 1) {
      throw new IllegalArgumentException(
          "after change " + sequence + " comes " + first + " in the log");
    }
    int skip = (int) Math.min(Integer.MAX_VALUE, sequence + 1 - first);
    int count = (int) (Math.min(last, record.last()) - sequence);
    if (count > 0) {
      try (WriteBatch changes = new WriteBatch(BatchFormat.part(record.batch(), skip, count))) {
        opened.db().write(writes, changes);
      } catch (RocksDBException e) {
        throw NativeFailures.of(e, "write to", directory);
      }
      sequence += count;
    }
  }

  /** Writes all changes to files and forces them to disk. */
  public void finish() {
    try (FlushOptions flush = new FlushOptions()) {
      opened.db().flush(flush, opened.handles());
      opened.db().syncWal();
      long reached = opened.db().getLatestSequenceNumber();
      if (reached != sequence) {
        throw new IllegalStateException(
            "The last change is " + reached + " instead of " + sequence + ".");
      }
    } catch (RocksDBException e) {
      throw NativeFailures.of(e, "write files of", directory);
    }
  }

  @Override
  public void close() {
    try (tuning;
        writes) {
      opened.close();
    } catch (RocksDBException e) {
      throw NativeFailures.of(e, "close", directory);
    }
  }
}
