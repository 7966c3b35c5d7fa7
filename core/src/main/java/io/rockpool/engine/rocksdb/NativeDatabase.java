package io.rockpool.engine.rocksdb;

import io.rockpool.error.RockpoolException;
import io.rockpool.error.StoreIoException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
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
final class NativeDatabase implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(RocksDbEngine.class);

  private final LogFiles logs;
  private final DBOptions options;
  private final List<ColumnFamilyDescriptor> families;

  /** How many scans and snapshots are open, which read what is open now. */
  private final AtomicInteger held = new AtomicInteger();

  private @Nullable RocksDB db;
  private ColumnFamilyHandle[] handles = {};

  /** Whether nothing was done yet to have it opened again; of the thread that does that. */
  private boolean fresh;

  /** Why it is closed though the store is open. */
  private @Nullable RockpoolException failure;

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
    fresh = true;
  }

  /**
   * The open database. To be asked for anew in each call: it may be another one then.
   *
   * @throws StoreIoException if it could not be opened again
   */
  RocksDB db() {
    RocksDB open = db;
    if (open == null) {
      throw new StoreIoException(
          "The store at "
              + logs.store()
              + " could not be opened again after its disk was full. Make space; it is tried twice a second.",
          failure);
    }
    return open;
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
    held.getAndIncrement();
  }

  /** Notes that one was closed. */
  void letGo() {
    held.getAndDecrement();
  }

  /**
   * Lets calls return that wait for what is done in the background, with an error, and lets nothing
   * more be done there; reads go on. To be followed by {@link #reopenUnlessHeld}.
   */
  void wakeWhoWaits() {
    if (fresh && db != null) {
      db.cancelAllBackgroundWork(false);
    }
    fresh = false;
  }

  /** Whether it was opened, or opened again, since the last {@link #wakeWhoWaits}. */
  boolean isFresh() {
    return fresh;
  }

  /**
   * Closes it and opens its files again: these and the log have all that was written, and what had
   * failed is forgotten. Does nothing while scans or snapshots are open. The caller is alone, see
   * {@link CloseGuard#runAlone}. Where it fails, nothing can be read or written until another call
   * succeeds.
   */
  void reopenUnlessHeld() {
    if (held.get() == 0) {
      closeOnce();
      try {
        options.setCreateIfMissing(false).setCreateMissingColumnFamilies(false);
        open();
      } catch (RocksDBException e) {
        failure = Failures.of(e, "open again", logs.store());
        throw failure;
      }
    }
  }

  private void closeOnce() {
    if (db != null) {
      try {
        close();
      } catch (RocksDBException e) {
        // What it could not write to files lies in the log.
        LOG.debug("{}", Failures.of(e, "close", logs.store()).getMessage());
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
