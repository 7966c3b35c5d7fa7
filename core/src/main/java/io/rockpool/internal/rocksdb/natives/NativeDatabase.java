package io.rockpool.internal.rocksdb.natives;

import io.rockpool.error.StoreIoException;
import io.rockpool.internal.logging.LoggerNames;
import io.rockpool.internal.rocksdb.files.LogFiles;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;
import org.rocksdb.ColumnFamilyDescriptor;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.DBOptions;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * RocksDB and the handles of its column families. It can be closed and reopened while the store is
 * open, because RocksDB does not recover from some errors otherwise.
 */
public final class NativeDatabase implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(LoggerNames.STORE);

  private final LogFiles logs;
  private DBOptions options;
  private final List<ColumnFamilyDescriptor> families;

  /** The number of open scans and snapshots, which read the currently open database. */
  private final LongAdder held = new LongAdder();

  private @Nullable RocksDB db;
  private ColumnFamilyHandle[] handles = {};

  /** Whether background work was cancelled since it was opened; used by one thread. */
  private boolean woken;

  /** Why it is closed although the store is open. */
  private @Nullable StoreIoException failure;

  /** Opens the files beside {@code logs}. The caller closes the options. */
  NativeDatabase(LogFiles logs, DBOptions options, List<ColumnFamilyDescriptor> families)
      throws RocksDBException {
    this.logs = logs;
    this.options = options;
    this.families = families;
    open();
  }

  private void open() throws RocksDBException {
    List<ColumnFamilyHandle> opened = new ArrayList<>();
    db = RocksDB.open(options, logs.files().toString(), families, opened);
    handles = opened.toArray(ColumnFamilyHandle[]::new);
    woken = false;
  }

  /**
   * The open database. Get it again for each call, because it may be reopened in between.
   *
   * @throws StoreIoException if it is closed, see {@link #reopen} and {@link #giveUp}
   */
  RocksDB db() {
    RocksDB open = db;
    if (open == null) {
      StoreIoException why = failure;
      throw why == null
          ? new StoreIoException("The store at " + logs.store() + " is closed.", logs.store(), null)
          : NativeFailures.again(why);
    }
    return open;
  }

  /**
   * Sets whether RocksDB compacts a column family by itself: from the next opening on, and if it
   * does and is open, at once.
   */
  void setCompacting(ColumnFamily family, boolean compacts) throws RocksDBException {
    families.get(family.index()).getOptions().setDisableAutoCompactions(!compacts);
    if (compacts && db != null) {
      db.enableAutoCompaction(List.of(handle(family)));
    }
  }

  /** Sets the options of later openings. The caller closes them, after the database. */
  void setOptions(DBOptions options) {
    this.options = options;
  }

  /** Whether it is open: reopening it may have failed. */
  public boolean isOpen() {
    return db != null;
  }

  ColumnFamilyHandle handle(ColumnFamily family) {
    return handles[family.index()];
  }

  /** The handles of all column families, in their order. */
  List<ColumnFamilyHandle> handles() {
    return List.of(handles);
  }

  /** Records that a scan or a snapshot was opened. */
  void hold() {
    held.increment();
  }

  /** Records that a scan or a snapshot was closed. */
  void letGo() {
    held.decrement();
  }

  /** The number of open scans and snapshots; exact while no thread opens or closes one. */
  public long held() {
    return held.sum();
  }

  /**
   * Cancels background work: calls that wait for it return with an error, and none starts again.
   * Reads continue. Only {@link #reopen} undoes this.
   */
  public void wakeWhoWaits() {
    if (!woken && db != null) {
      woken = true;
      db.cancelAllBackgroundWork(false);
    }
  }

  /**
   * Deletes the files that are not needed any longer, and then none until the next call or {@link
   * #endKeepingFiles}. Reopening ends that too.
   */
  public void keepFiles() {
    try {
      db().enableFileDeletions();
      db().disableFileDeletions();
    } catch (RocksDBException e) {
      throw NativeFailures.of(e, "keep files of", logs.store());
    }
  }

  /** Ends what {@link #keepFiles} began. */
  public void endKeepingFiles() {
    try {
      db().enableFileDeletions();
    } catch (RocksDBException e) {
      throw NativeFailures.of(e, "delete old files of", logs.store());
    }
  }

  /**
   * Closes the database, if open, and opens its files again. The files and the log contain all
   * writes, and earlier errors are cleared. If it fails, no read or write is possible until another
   * call succeeds. The caller runs alone, see {@link CloseGuard#runAlone}, and nothing is {@link
   * #held}.
   */
  public void reopen() {
    closeOnce();
    try {
      options.setCreateIfMissing(false).setCreateMissingColumnFamilies(false);
      open();
    } catch (RocksDBException e) {
      failure =
          new StoreIoException(
              "The store at "
                  + logs.store()
                  + " could not be opened again: "
                  + e.getMessage()
                  + ". Look at the space and the files there; it is tried again by itself.",
              logs.store(),
              e);
      throw failure;
    }
  }

  /**
   * The sequence number of the last change in a copy of the database, which stays as it is. Opens
   * the copy, so it also shows that this is possible.
   */
  long latestSequenceOf(Path copy) throws RocksDBException {
    List<ColumnFamilyHandle> copied = new ArrayList<>();
    try (RocksDB there = RocksDB.openReadOnly(options, copy.toString(), families, copied)) {
      long sequence = there.getLatestSequenceNumber();
      copied.forEach(ColumnFamilyHandle::close);
      return sequence;
    }
  }

  /** Closes the database for good; later calls throw {@code why}. The caller runs alone. */
  public void giveUp(StoreIoException why) {
    closeOnce();
    failure = why;
  }

  /** Closes it if it is open; a failure is only logged. */
  void closeOnce() {
    if (db != null) {
      try {
        close();
      } catch (RocksDBException e) {
        // What could not be flushed to files is in the log.
        LOG.debug("{}", NativeFailures.of(e, "close", logs.store()).getMessage());
      }
    }
  }

  @Override
  public void close() throws RocksDBException {
    RocksDB open = db;
    db = null;
    for (ColumnFamilyHandle handle : handles) {
      handle.close();
    }
    handles = new ColumnFamilyHandle[0];
    if (open != null) {
      open.closeE();
    }
  }
}
