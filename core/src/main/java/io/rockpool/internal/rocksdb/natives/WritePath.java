package io.rockpool.internal.rocksdb.natives;

import io.rockpool.error.RockpoolException;
import io.rockpool.error.StalledWriteException;
import io.rockpool.error.StoreFullException;
import io.rockpool.error.StoreIoException;
import io.rockpool.internal.concurrent.OrderedLock;
import io.rockpool.internal.concurrent.WaitGraph;
import io.rockpool.store.Durability;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLongArray;
import org.jspecify.annotations.Nullable;
import org.rocksdb.RocksDBException;

/**
 * The only path of writes. When a call returns, its change or batch has the requested durability.
 * Callers must assume nothing else about the implementation.
 *
 * <p>It also detects stalled writes. Writers are counted when they enter and leave. A thread that
 * calls {@link #watch} detects that some are inside and none has left for longer than the limit.
 * From then on every new write is rejected, and so is a wait for a lock that a stuck writer may
 * hold, until one writer leaves.
 */
public final class WritePath {
  private static final int COUNTS = 16;
  private static final int STRIDE = 16;

  /** How often a thread that waits for a lock checks for a stall. */
  private static final long LOOK_MILLIS = 100;

  /**
   * How many checks in a row must find the same writers inside: the four periods between five
   * checks make up the limit.
   */
  private static final int STUCK_LOOKS = 5;

  private final Database database;
  private final Path directory;
  private final Duration stallLimit;
  private final AtomicLongArray entered = new AtomicLongArray(COUNTS * STRIDE);
  private final AtomicLongArray left = new AtomicLongArray(COUNTS * STRIDE);
  private final long[] leftAtLastLook = new long[COUNTS];
  private final int[] stuckLooks = new int[COUNTS];
  private volatile boolean stalled;

  /** Why writes, or only inserts, are rejected; null if none are. */
  private volatile @Nullable Closed closed;

  private boolean gone;
  private @Nullable StoreIoException spent;
  private @Nullable StoreFullException full;
  private volatile String missing = "";
  private @Nullable Refusal refusal;
  private volatile boolean unsynced;

  /**
   * The conditions checked before each write.
   *
   * @param gone whether the directory is not where it was opened
   * @param spent why no write is possible until the store is opened again, or null
   * @param full the error of a write that found the disk full, or null
   * @param refusal why inserts are rejected, or null
   */
  private record Closed(
      boolean gone,
      @Nullable StoreIoException spent,
      @Nullable StoreFullException full,
      @Nullable Refusal refusal) {}

  public WritePath(Database database, Path directory, Duration stallLimit) {
    this.database = database;
    this.directory = directory;
    this.stallLimit = stallLimit;
  }

  /** Puts one record. One native call. */
  public void put(
      ColumnFamily family,
      byte[] key,
      int keyLength,
      byte[] record,
      int recordLength,
      Durability durability) {
    int place = begin(family == ColumnFamily.ROWS, family == ColumnFamily.ENTRIES);
    try {
      database.put(family, key, keyLength, record, recordLength, durability == Durability.SYNC);
    } catch (RocksDBException e) {
      throw failed(e, "write to");
    } finally {
      end(place, durability);
    }
  }

  /** Deletes one record. One native call. */
  public void delete(ColumnFamily family, byte[] key, int keyLength, Durability durability) {
    int place = begin(false, false);
    try {
      database.delete(family, key, keyLength, durability == Durability.SYNC);
    } catch (RocksDBException e) {
      throw failed(e, "write to");
    } finally {
      end(place, durability);
    }
  }

  /** Writes all changes of a batch, or none. Three native calls. */
  public void write(Batch batch, Durability durability) {
    byte[] bytes = batch.toBytes();
    int place = begin(batch.adds(ColumnFamily.ROWS), batch.adds(ColumnFamily.ENTRIES));
    try {
      database.write(bytes, durability == Durability.SYNC);
    } catch (RocksDBException e) {
      throw failed(e, "write to");
    } finally {
      end(place, durability);
    }
  }

  /**
   * Deletes the files whose keys are all from {@code from}, included, to {@code to}, excluded.
   * Immediately durable. Snapshots lose the records too.
   */
  public void deleteFiles(ColumnFamily family, byte[] from, byte[] to) {
    int place = begin(false, false);
    try {
      database.deleteFiles(family, from, to);
    } catch (RocksDBException e) {
      throw failed(e, "delete files of");
    } finally {
      end(place, Durability.BUFFERED);
    }
  }

  /**
   * Forces everything written before the call to disk; returns a sequence number up to which this
   * holds. If the system fails to do so, every later call fails too, because the system may have
   * discarded the data.
   */
  public long sync() {
    refuseIfStalled();
    Closed now = closed;
    if (now != null) {
      refuseForGood(now);
    }
    long sequence = database.latestSequence();
    int place = enter();
    try {
      forceLog();
    } catch (IOException e) {
      throw unforced(e);
    } finally {
      end(place, Durability.BUFFERED);
    }
    return sequence;
  }

  /** Without RocksDB if the disk was full: RocksDB does not sync a truncated log. */
  private void forceLog() throws IOException {
    if (!isFull()) {
      try {
        database.syncWal();
        return;
      } catch (RocksDBException e) {
        RockpoolException error = failed(e, "force to the disk");
        if (isSpent() || !isFull()) {
          throw error;
        }
      }
    }
    database.logs().force();
  }

  /** Returns and resets whether a write since the last call still needs to be forced to disk. */
  public boolean takeUnsynced() {
    boolean any = unsynced;
    unsynced = false;
    return any;
  }

  /** Records that a write still needs to be forced to disk. */
  public void noteUnsynced() {
    unsynced = true;
  }

  /**
   * Rejects every write, because it would be lost, or allows writes again.
   *
   * @param gone whether the directory is not where it was opened
   */
  public synchronized void setGone(boolean gone) {
    this.gone = gone;
    look();
  }

  /** Rejects every write with {@code why} until the store is opened again. */
  public synchronized void setSpent(StoreIoException why) {
    if (spent == null) {
      spent = why;
      look();
    }
  }

  /** Whether no write is possible until the store is opened again. */
  public synchronized boolean isSpent() {
    return spent != null;
  }

  /** Whether a write has found the disk full, and {@link #setRoom} was not called since. */
  public synchronized boolean isFull() {
    return full != null;
  }

  /** Rejects every write because the disk is full, as {@code error} says. */
  public synchronized void setFull(StoreFullException error) {
    if (full == null) {
      full = error;
      look();
    }
  }

  /** Sets a sentence for the message of writes that a full disk rejects. */
  public void setMissing(String missing) {
    this.missing = missing;
  }

  /** Allows writes again after a full disk. */
  public synchronized void setRoom() {
    full = null;
    missing = "";
    look();
  }

  /** The exception for {@code e}; if it says that the disk is full, later writes are rejected. */
  private RockpoolException failed(RocksDBException e, String action) {
    if (NativeFailures.isUnforced(e)) {
      return unforced(e);
    }
    RockpoolException error = isFull() ? fullError(e) : database.failed(e, action);
    if (error instanceof StoreFullException noRoom) {
      setFull(noRoom);
    }
    return error;
  }

  private StoreFullException fullError(Exception cause) {
    return new StoreFullException(
        "Could not write to the store at "
            + directory
            + ": its disk was full a moment ago. Make space; reads go on, and writes do by themselves within seconds of"
            + " that, once cursors and snapshots are closed and transactions have ended. "
            + missing,
        cause);
  }

  /** The exception if the system took a write but cannot say whether it is on disk. */
  private StoreIoException unforced(Exception e) {
    StoreIoException error =
        new StoreIoException(
            "What was written to the store at "
                + directory
                + " could not be forced to the disk: "
                + e.getMessage()
                + ". How much of it is there cannot be known while the store is open, so reads go on, but nothing is"
                + " written any more: a write that met this may be there when the store is opened again, or not. Look at"
                + " the disk under the directory, make space there, then close the store and open it again.",
            e);
    setSpent(error);
    return error;
  }

  /** Rejects inserts from now on; null allows them again. Deletes are always allowed. */
  public synchronized void refuse(@Nullable Refusal newRefusal) {
    refusal = newRefusal;
    look();
  }

  private void look() {
    boolean any = gone || spent != null || full != null || refusal != null;
    closed = any ? new Closed(gone, spent, full, refusal) : null;
  }

  /** Why inserts are rejected now, or null; one volatile read. */
  public @Nullable Refusal refusal() {
    Closed now = closed;
    return now == null ? null : now.refusal;
  }

  /** The time between two calls of {@link #watch}. */
  public Duration watchPeriod() {
    return stallLimit.dividedBy(STUCK_LOOKS - 1);
  }

  /** Whether a thread is writing now. */
  public boolean isAnyInside() {
    for (int i = 0; i < COUNTS; i++) {
      if (entered.get(i * STRIDE) != left.get(i * STRIDE)) {
        return true;
      }
    }
    return false;
  }

  /**
   * Checks whether writing has stalled. Always call it from the same thread, which must do nothing
   * else that can stall.
   */
  public void watch() {
    for (int i = 0; i < COUNTS; i++) {
      long leftNow = left.get(i * STRIDE);
      boolean stuck = leftNow == leftAtLastLook[i] && entered.get(i * STRIDE) != leftNow;
      leftAtLastLook[i] = leftNow;
      stuckLooks[i] = stuck ? stuckLooks[i] + 1 : 0;
      if (stuckLooks[i] >= STUCK_LOOKS) {
        stalled = true;
        if (left.get(i * STRIDE) != leftNow) {
          stalled = false; // a writer left just before, and did not see the flag
        }
      }
    }
  }

  /**
   * Acquires a lock that other threads hold while they write.
   *
   * @throws StalledWriteException if writing stalls before the lock is free
   * @throws IllegalStateException if its holder waits for a lock of another store that this thread
   *     holds
   */
  public void lock(OrderedLock lock) {
    lock.checkOrder();
    if (lock.tryLock()) {
      return;
    }
    boolean interrupted = false;
    boolean waits = false;
    try {
      while (true) {
        refuseIfStalled();
        try {
          if (lock.tryLock(LOOK_MILLIS, TimeUnit.MILLISECONDS)) {
            return;
          }
        } catch (InterruptedException e) {
          interrupted = true;
        }
        if (!waits) { // A short wait is not worth a look.
          refuseCycle(lock);
          waits = true;
        }
      }
    } finally {
      if (waits) {
        WaitGraph.end();
      }
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /** The wait of a thread for a row's lock. */
  private record RowWait(OrderedLock lock) implements WaitGraph.Awaited {
    @Override
    public @Nullable Thread holder() {
      return lock.owner();
    }

    @Override
    public String toString() {
      return "has changed rows in a transaction";
    }
  }

  /**
   * Records that this thread waits for a row. Within one store no cycle of waiting threads is
   * possible, see {@code RocksDbTransaction}. But a transaction of one store may use another store.
   */
  private static void refuseCycle(OrderedLock lock) {
    WaitGraph.Awaited held = WaitGraph.begin(new RowWait(lock));
    if (held instanceof RowWait) {
      throw new IllegalStateException(
          "Transactions of two stores wait for each other: each holds rows that the other wants. This one gave way."
              + " Use several stores in the same order in all transactions, or one after the other.");
    }
    if (held != null) {
      throw new IllegalStateException(
          "Deadlock: this thread "
              + held
              + " and wants a row, whose transaction waits for this thread. Load keys and change watched caches of"
              + " another store before or after the transaction.");
    }
  }

  private int begin(boolean addsRows, boolean addsEntries) {
    refuseIfStalled();
    Closed now = closed;
    if (now != null) {
      refuse(now, addsRows, addsEntries);
    }
    return enter();
  }

  private int enter() {
    int place = Stripes.ofCurrentThread(COUNTS) * STRIDE;
    entered.getAndIncrement(place);
    return place;
  }

  private void end(int place, Durability durability) {
    left.getAndIncrement(place);
    if (stalled) {
      stalled = false;
    }
    if (durability != Durability.BUFFERED && !unsynced) {
      unsynced = true;
    }
  }

  private void refuseForGood(Closed now) {
    if (now.gone) {
      throw gone();
    }
    if (now.spent != null) {
      throw NativeFailures.again(now.spent);
    }
  }

  private void refuse(Closed now, boolean addsRows, boolean addsEntries) {
    refuseForGood(now);
    if (now.full != null) {
      throw fullError(now.full);
    }
    Refusal why = now.refusal;
    if (why != null && (addsRows || (addsEntries && why.entriesToo()))) {
      throw new StoreFullException(
          "Could not write to the store at "
              + directory
              + ": there is no room, so this was refused before it began. "
              + why.reason(),
          null);
    }
  }

  private StoreIoException gone() {
    return new StoreIoException(
        "The directory of the store at "
            + directory
            + " was moved or removed while it was open, so this write was refused before it began: it would be"
            + " lost. Writes go on once the same directory is back in its place; else close the store, restore the"
            + " directory from a copy and open it again.",
        null);
  }

  private void refuseIfStalled() {
    if (stalled) {
      throw new StalledWriteException(
          "A write to the store at "
              + directory
              + " has been stuck for more than "
              + stallLimit
              + ", so this one was refused before it began. Look at the disk under the directory; writes go on by"
              + " themselves once the stuck one ends.");
    }
  }
}
