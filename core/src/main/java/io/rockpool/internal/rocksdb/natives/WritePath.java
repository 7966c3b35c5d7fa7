package io.rockpool.internal.rocksdb.natives;

import io.rockpool.engine.Durability;
import io.rockpool.error.RockpoolException;
import io.rockpool.error.StalledWriteException;
import io.rockpool.error.StoreFullException;
import io.rockpool.error.StoreIoException;
import io.rockpool.internal.concurrent.OrderedLock;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLongArray;
import org.jspecify.annotations.Nullable;
import org.rocksdb.RocksDBException;

/**
 * The one way by which anything is written: a change or a batch goes in, and when the call returns
 * it is as durable as was asked. What happens behind, callers must not assume.
 *
 * <p>It also knows when writing has stalled. Writers count themselves in and out; whoever {@link
 * #watch}es sees that some are inside and none came out for longer than the limit. From then on
 * everyone is refused at the writePath, or while waiting for a lock that a stuck one holds, until
 * the first comes out.
 */
public final class WritePath {
  private static final int COUNTS = 16;
  private static final int STRIDE = 16;

  /** How often one who waits for a lock looks whether writing has stalled. */
  private static final long LOOK_MILLIS = 100;

  /**
   * How many looks in a row must find the same writers inside: four periods between five looks make
   * up the limit.
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

  /** Why nobody, or nobody who adds something, may write; null if all may. */
  private volatile @Nullable Closed closed;

  private boolean gone;
  private @Nullable StoreIoException spent;
  private @Nullable StoreFullException full;
  private volatile String missing = "";
  private @Nullable Refusal refusal;
  private volatile boolean unsynced;

  /**
   * What is looked at before each write.
   *
   * @param gone whether the directory is not where it was opened
   * @param spent why nobody may write until the store is opened again, or null
   * @param full what a write met that found the disk full, or null
   * @param refusal why nothing may be added, or null
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

  /** Makes all changes of a batch, or none. Three native calls. */
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
   * Deletes the files all of whose keys lie from {@code from} on and below {@code to}, from under
   * whoever reads them through a snapshot, and durably at once.
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
   * Forces to the disk whatever was written before the call, and returns a sequence number up to
   * which that holds. Where the system cannot, neither can a later call: by then it may have
   * forgotten what it was to write.
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

  /** By itself where the disk was full: RocksDB forces no log that was cut short. */
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

  /** Whether something was written since the last call that is to be forced to the disk. */
  public boolean takeUnsynced() {
    boolean any = unsynced;
    unsynced = false;
    return any;
  }

  /** Notes that what was written is still to be forced to the disk. */
  public void noteUnsynced() {
    unsynced = true;
  }

  /**
   * From now on refuses everyone, as nothing that is written would be found again; or lets them
   * write again.
   *
   * @param gone whether the directory is not where it was opened
   */
  public synchronized void setGone(boolean gone) {
    this.gone = gone;
    look();
  }

  /** From now on, and until the store is opened again, refuses everyone, as {@code why} says. */
  public synchronized void setSpent(StoreIoException why) {
    if (spent == null) {
      spent = why;
      look();
    }
  }

  /** Whether nobody may write until the store is opened again. */
  public synchronized boolean isSpent() {
    return spent != null;
  }

  /** Whether a write has found the disk full, and {@link #setRoom} was not called since. */
  public synchronized boolean isFull() {
    return full != null;
  }

  /** From now on refuses everyone, as {@code error} says that the disk is full. */
  public synchronized void setFull(StoreFullException error) {
    if (full == null) {
      full = error;
      look();
    }
  }

  /** What those are told whom a full disk keeps from writing: a sentence. */
  public void setMissing(String missing) {
    this.missing = missing;
  }

  /** From now on lets those write whom a full disk has kept from it. */
  public synchronized void setRoom() {
    full = null;
    missing = "";
    look();
  }

  /** The error to throw for {@code e}; once it is that the disk is full, nobody else may try. */
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

  /** The error where the system took what was written and does not know whether it is there. */
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

  /** From now on refuses who adds something, or nobody. Whoever deletes may go on. */
  public synchronized void refuse(@Nullable Refusal newRefusal) {
    refusal = newRefusal;
    look();
  }

  private void look() {
    boolean any = gone || spent != null || full != null || refusal != null;
    closed = any ? new Closed(gone, spent, full, refusal) : null;
  }

  /** Why nothing may be added now, or null; one volatile read. */
  public @Nullable Refusal refusal() {
    Closed now = closed;
    return now == null ? null : now.refusal;
  }

  /** How long to wait between two calls of {@link #watch}. */
  public Duration watchPeriod() {
    return stallLimit.dividedBy(STUCK_LOOKS - 1);
  }

  /** Whether anybody is writing now. */
  public boolean isAnyInside() {
    for (int i = 0; i < COUNTS; i++) {
      if (entered.get(i * STRIDE) != left.get(i * STRIDE)) {
        return true;
      }
    }
    return false;
  }

  /**
   * Looks whether writing has stalled; always called by the same thread, which must do nothing else
   * that can.
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
          stalled = false; // one came out just before, and did not see it
        }
      }
    }
  }

  /**
   * Takes a lock that others hold while they write.
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
        LongWaits.refuseIfCircular(lock);
      }
    } finally {
      LongWaits.end();
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
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
