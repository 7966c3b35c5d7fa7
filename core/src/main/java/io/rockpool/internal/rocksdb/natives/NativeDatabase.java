package io.rockpool.internal.rocksdb.natives;

import io.rockpool.error.StoreIoException;
import io.rockpool.internal.logging.LoggerNames;
import io.rockpool.internal.rocksdb.files.LogFiles;
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
 * RocksDB and the handles of its column families. It can be closed and opened again while the store
 * is open, for those errors from which RocksDB does not recover by itself.
 */
public final class NativeDatabase implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(LoggerNames.STORE);

  private final LogFiles logs;
  private final DBOptions options;
  private final List<ColumnFamilyDescriptor> families;

  /** How many scans and snapshots are open, which read what is open now. */
  private final LongAdder held = new LongAdder();

  private @Nullable RocksDB db;
  private ColumnFamilyHandle[] handles = {};

  /** Whether its work in the background was ended since it was opened; of one thread. */
  private boolean woken;

  /** Why it is closed though the store is open. */
  private @Nullable StoreIoException failure;

  /** Opens the files beside {@code logs}. Whoever gave the options closes them. */
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
   * The open database. To be asked for anew in each call: it may be another one then.
   *
   * @throws StoreIoException if it is closed, see {@link #reopen} and {@link #giveUp}
   */
  RocksDB db() {
    RocksDB open = db;
    if (open == null) {
      StoreIoException why = failure;
      throw why == null
          ? new StoreIoException("The store at " + logs.store() + " is closed.", null)
          : NativeFailures.again(why);
    }
    return open;
  }

  /** Whether there is a database: opening it again may have failed. */
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

  /** Notes that a scan or a snapshot was opened. */
  void hold() {
    held.increment();
  }

  /** Notes that one was closed. */
  void letGo() {
    held.decrement();
  }

  /** How many scans and snapshots are open; exactly, while nobody opens or closes one. */
  public long held() {
    return held.sum();
  }

  /**
   * Lets calls return that wait for what is done in the background, with an error, and lets nothing
   * more be done there; reads go on. Only {@link #reopen} undoes that.
   */
  public void wakeWhoWaits() {
    if (!woken && db != null) {
      woken = true;
      db.cancelAllBackgroundWork(false);
    }
  }

  /**
   * Closes it, if it is open, and opens its files again: these and the log have all that was
   * written, and what had failed is forgotten. Where that fails, nothing can be read or written
   * until another call succeeds. The caller is alone, see {@link CloseGuard#runAlone}, and nothing
   * is {@link #held}.
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
                  + " could not be opened again after its disk was full: "
                  + e.getMessage()
                  + ". Look at the space and the files there; it is tried again by itself.",
              e);
      throw failure;
    }
  }

  /** Closes it for good: whoever reads is told {@code why}. The caller is alone. */
  public void giveUp(StoreIoException why) {
    closeOnce();
    failure = why;
  }

  private void closeOnce() {
    if (db != null) {
      try {
        close();
      } catch (RocksDBException e) {
        // What it could not write to files lies in the log.
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
