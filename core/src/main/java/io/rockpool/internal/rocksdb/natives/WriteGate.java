package io.rockpool.internal.rocksdb.natives;

import io.rockpool.error.CorruptStoreException;
import io.rockpool.error.ReadOnlyStoreException;
import io.rockpool.error.RockpoolException;
import io.rockpool.error.StoreFullException;
import io.rockpool.error.StoreIoException;
import io.rockpool.internal.concurrent.Durations;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.rocksdb.RocksDBException;

/**
 * Decides whether writes are possible: rejects them while the disk is full, after the directory has
 * moved, and after an error that leaves the stored data uncertain. Checking it costs one volatile
 * read while writes are possible.
 */
public final class WriteGate {
  /** The longest wait for the database to be opened again; it takes less than a second. */
  private static final Duration MAX_WAIT = Duration.ofSeconds(10);

  /** How long a thread that waits for a lock lets the database be opened again. */
  private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

  private final Database database;
  private final Path directory;
  private final long waitNanos;

  /** Why writes, or only inserts, are rejected; null if none are. */
  volatile @Nullable Closed closed;

  private @Nullable String readOnly;
  private boolean gone;
  private @Nullable StoreIoException spent;
  private @Nullable StoreFullException full;
  private volatile String missing = "";
  private @Nullable Refusal refusal;

  /** The error of a write after a background job had read a damaged file, or null. */
  private volatile @Nullable CorruptStoreException damage;

  private volatile Runnable onDamage = () -> {};
  private volatile @Nullable CloseGuard guard;
  private volatile @Nullable Thread mender;

  /**
   * The conditions checked before each write.
   *
   * @param readOnly why nothing is ever written, or null
   * @param gone whether the directory is not where it was opened
   * @param spent why no write is possible until the store is opened again, or null
   * @param full the error of a write that found the disk full, or null
   * @param refusal why inserts are rejected, or null
   */
  private record Closed(
      @Nullable String readOnly,
      boolean gone,
      @Nullable StoreIoException spent,
      @Nullable StoreFullException full,
      @Nullable Refusal refusal) {}

  WriteGate(Database database, Path directory, Duration stallLimit) {
    this.database = database;
    this.directory = directory;
    this.waitNanos = Durations.nanos(stallLimit.compareTo(MAX_WAIT) < 0 ? stallLimit : MAX_WAIT);
  }

  /** Throws if a write is not possible that adds such records. */
  void check(boolean addsRows, boolean addsEntries) {
    Closed now = closed;
    if (now != null) {
      refuse(now, addsRows, addsEntries);
    }
  }

  /** Throws if nothing can be written, not even with more space on the disk. */
  void checkForGood() {
    Closed now = closed;
    if (now != null) {
      refuseForGood(now);
    }
  }

  /** Rejects every change for good with {@code why}. */
  public synchronized void setReadOnly(String why) {
    readOnly = why;
    look();
  }

  /** Whether {@link #setReadOnly} was called. */
  public boolean isReadOnly() {
    Closed now = closed;
    return now != null && now.readOnly != null;
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
  RockpoolException failed(RocksDBException e, String action) {
    if (NativeFailures.isUnforced(e)) {
      return unforced(e);
    }
    RockpoolException error = isFull() ? fullError(e) : database.failed(e, action);
    if (error instanceof StoreFullException noRoom) {
      setFull(noRoom);
    }
    if (error instanceof CorruptStoreException found) {
      boolean isFirst = damage == null;
      damage = found;
      if (isFirst) {
        onDamage.run();
      }
      return NativeFailures.stopped(found, directory);
    }
    return error;
  }

  /**
   * Sets what runs, on any thread, when a write fails because of a damaged file: it lets the
   * database be opened again while all threads inside {@code guard} are idle.
   */
  public void onDamage(CloseGuard guard, Runnable action) {
    this.guard = guard;
    onDamage = action;
  }

  /** Records that the calling thread opens the database again, so it does not wait for that. */
  public void setMender() {
    mender = Thread.currentThread();
  }

  /**
   * Returns once a call that has failed can be repeated, because the database was opened again.
   * Waits for that, idle inside the guard.
   *
   * @throws RockpoolException {@code error}, if it has another cause or that takes too long
   */
  void awaitMended(RockpoolException error) {
    if (!(error instanceof CorruptStoreException) || !isMended(waitNanos)) {
      throw error;
    }
  }

  /** Lets the database be opened again while a thread waits for a lock, inside the guard. */
  void letMend() {
    if (damage != null) {
      boolean unused = isMended(LOOK_NANOS);
    }
  }

  private boolean isMended(long limitNanos) {
    CloseGuard entered = guard;
    if (entered == null || Thread.currentThread() == mender) {
      return false;
    }
    boolean isMended = entered.idle(() -> damage == null || isSpent(), limitNanos);
    entered.check();
    return isMended;
  }

  /** The error of a write after a background job had read a damaged file, or null. */
  public @Nullable CorruptStoreException damage() {
    return damage;
  }

  /** Records that the database was opened again since {@link #damage}. */
  public void setMended() {
    damage = null;
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
  StoreIoException unforced(Exception e) {
    StoreIoException error =
        new StoreIoException(
            "What was written to the store at "
                + directory
                + " could not be forced to the disk: "
                + e.getMessage()
                + ". How much of it is there cannot be known while the store is open, so reads go on, but nothing is"
                + " written any more: a write that met this may be there when the store is opened again, or not. Look at"
                + " the disk under the directory, make space there, then close the store and open it again.",
            directory,
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
    boolean any = readOnly != null || gone || spent != null || full != null || refusal != null;
    closed = any ? new Closed(readOnly, gone, spent, full, refusal) : null;
  }

  /** Why inserts are rejected now, or null; one volatile read. */
  public @Nullable Refusal refusal() {
    Closed now = closed;
    return now == null ? null : now.refusal;
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
    if (now.readOnly != null) {
      throw new ReadOnlyStoreException(now.readOnly);
    }
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
        directory,
        null);
  }
}
