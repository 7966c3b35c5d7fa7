package io.rockpool.internal.rocksdb.upkeep;

import io.rockpool.error.StoreFullException;
import io.rockpool.error.StoreIoException;
import io.rockpool.internal.logging.LoggerNames;
import io.rockpool.internal.rocksdb.files.StoreDirectory;
import io.rockpool.internal.rocksdb.natives.CloseGuard;
import io.rockpool.internal.rocksdb.natives.ColumnFamily;
import io.rockpool.internal.rocksdb.natives.Database;
import io.rockpool.internal.rocksdb.natives.NativeDatabase;
import io.rockpool.internal.rocksdb.natives.WriteGate;
import io.rockpool.internal.rocksdb.natives.WritePath;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongConsumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes a store writable again after its disk was full. Once there is space, it closes and reopens
 * the native database; the store stays open.
 *
 * <p>RocksDB's own recovery fails in three cases. A write during its attempt ends the attempt. A
 * log that was truncated before its record was in memory is continued, and is then found broken. If
 * a write waits for a flush, the attempt waits for that write, and the write for the attempt.
 *
 * <p>State on the heap survives the reopening, so the files must contain exactly the acknowledged
 * writes. After a failed fsync they may contain more or less, so then it does not reopen. If the
 * reopened database nevertheless differs, the store stops.
 */
public final class FullDisk {
  private static final Logger LOG = LoggerFactory.getLogger(LoggerNames.STORE);

  /** The shortest time between two checks, whatever the sync period, because a check has a cost. */
  private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

  /**
   * How many checks in a row must find writes that wait for background work, but none running: for
   * a moment this is normal in a busy store. The number doubles each time, up to a minute.
   */
  private static final int STUCK_LOOKS = 10;

  private static final int MAX_STUCK_LOOKS = 120;

  /** After a failed reopening the delay doubles, up to this. */
  private static final long MAX_RETRY_NANOS = TimeUnit.SECONDS.toNanos(8);

  /** How long to wait for the threads inside the guard; it grows each time they do not leave. */
  private static final long ALONE_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

  /** The sleep between two checks for open scans and snapshots. */
  private static final long HELD_NANOS = TimeUnit.MICROSECONDS.toNanos(100);

  private static final long MAX_ALONE_NANOS = TimeUnit.SECONDS.toNanos(1);

  /** After such a failed wait, the next one starts after this many times its length. */
  private static final int ALONE_REST = 4;

  /**
   * Besides the content of the log, opening writes a MANIFEST, a log and options, of some
   * kilobytes.
   */
  private static final long ROOM_BYTES = 4 << 20;

  /**
   * The content of the log is flushed to files, and may be compacted while the log still exists.
   */
  private static final int ROOM_TO_LOG = 2;

  /** Opening creates at most one file of each column family, and four others. */
  private static final int ROOM_FILES = ColumnFamily.values().length + 4;

  private final Database database;
  private final WritePath writePath;
  private final WriteGate gate;
  private final CloseGuard guard;
  private final StoreDirectory directory;
  private final LongConsumer forced;
  private long lookedNanos = System.nanoTime();
  private boolean failing;

  private int stuckLooks;
  private int maxStuckLooks = STUCK_LOOKS;
  private long aloneNanos = ALONE_NANOS;
  private long retryNanos = LOOK_NANOS;
  private long retryAtNanos = lookedNanos;

  /** The last change of the database, or of the closed one that is to be reopened. */
  private long sequence;

  private boolean reopened;

  /**
   * Watches the disk of a store; call {@link #look} regularly.
   *
   * @param forced receives the last sequence number of the database before it is closed, once that
   *     is on disk
   */
  public FullDisk(
      Database database,
      WritePath writePath,
      CloseGuard guard,
      StoreDirectory directory,
      LongConsumer forced) {
    this.database = database;
    this.writePath = writePath;
    this.gate = writePath.gate();
    this.guard = guard;
    this.directory = directory;
    this.forced = forced;
  }

  /**
   * Checks whether writes are possible again. Always call it from the same thread, outside the
   * guard.
   */
  public void look() {
    long nowNanos = System.nanoTime();
    if (nowNanos - lookedNanos < LOOK_NANOS) {
      return;
    }
    lookedNanos = nowNanos;
    try {
      lookNow();
      failing &= gate.isFull();
    } catch (RuntimeException e) {
      if (!failing) {
        failing = true;
        LOG.error("The store at {} cannot take writes again yet.", directory.path(), e);
      }
    }
  }

  private void lookNow() {
    NativeDatabase opened = database.opened();
    boolean stuck = areWritesStuck(opened);
    if (stuck && !gate.isFull()) {
      maxStuckLooks = Math.min(2 * maxStuckLooks, MAX_STUCK_LOOKS);
      gate.setFull(stuck());
    }
    if (!gate.isFull()) {
      return;
    }
    if (stuck || guard.isClosed()) {
      opened.wakeWhoWaits();
    }
    if (!gate.isSpent() && !directory.isGone() && canOpenAgain(opened)) {
      opened.wakeWhoWaits();
      goOn();
    }
  }

  /** Whether writes wait for background work that has failed and is not retried. */
  private boolean areWritesStuck(NativeDatabase opened) {
    boolean wait =
        writePath.stalls().isAnyInside()
            && opened.isOpen()
            && (gate.isFull() || database.measures().hasFailed())
            && database.measures().waitsInVain();
    stuckLooks = wait ? stuckLooks + 1 : 0;
    return stuckLooks >= (gate.isFull() ? STUCK_LOOKS : maxStuckLooks);
  }

  private StoreFullException stuck() {
    return new StoreFullException(
        "The store at "
            + directory.path()
            + " could not write what is in memory to files, so its disk was full at least for a moment.",
        null);
  }

  /**
   * Whether reopening will probably succeed: if it fails, reads fail too. Adds what is missing to
   * the message of rejected writes.
   */
  private boolean canOpenAgain(NativeDatabase opened) {
    long needed = ROOM_BYTES + ROOM_TO_LOG * database.logs().bytes();
    long usable = directory.usableBytes();
    gate.setMissing(missing(needed, usable, opened.held()));
    return usable >= needed
        && System.nanoTime() - retryAtNanos >= 0
        && awaitNothingHeld(opened)
        && directory.canMakeFiles(ROOM_FILES);
  }

  private static String missing(long needed, long usable, long held) {
    return "For that it needs "
        + needed
        + " bytes and "
        + ROOM_FILES
        + " files; when last looked at, there were "
        + usable
        + " bytes, and cursors and snapshots that are open: "
        + held
        + ".";
  }

  /** With many readers there are only short moments without an open scan. */
  private static boolean awaitNothingHeld(NativeDatabase opened) {
    long start = System.nanoTime();
    while (opened.held() > 0 && System.nanoTime() - start < ALONE_NANOS) {
      LockSupport.parkNanos(HELD_NANOS);
    }
    return opened.held() == 0;
  }

  private void goOn() {
    reopened = false;
    if (!guard.runAlone(this::reopen, aloneNanos)) {
      // Operations had to wait during the attempt; they must not do so most of the time.
      retryAtNanos = System.nanoTime() + ALONE_REST * aloneNanos;
      aloneNanos = Math.min(aloneNanos + aloneNanos / 2, MAX_ALONE_NANOS);
    }
    if (reopened) {
      stuckLooks = 0;
      aloneNanos = ALONE_NANOS;
      retryNanos = LOOK_NANOS;
      gate.setRoom();
      LOG.info("The disk under {} has space again; the store takes writes.", directory.path());
    }
  }

  /** Runs while no thread is inside the guard. No thread writes, because the disk is full. */
  private void reopen() {
    NativeDatabase opened = database.opened();
    if (opened.held() > 0) {
      return;
    }
    if (opened.isOpen()) {
      sequence = writePath.sync();
      forced.accept(sequence);
    }
    long found;
    try {
      found = database.reopen();
    } catch (StoreIoException | StoreFullException e) {
      retryNanos = Math.min(2 * retryNanos, MAX_RETRY_NANOS);
      retryAtNanos = System.nanoTime() + retryNanos;
      throw e;
    }
    reopened = found == sequence;
    if (!reopened) {
      StoreIoException why = differs(found);
      opened.giveUp(why);
      gate.setSpent(why);
      LOG.error("{}", why.getMessage());
    }
  }

  /** The state on the heap does not match the files, so reads are not possible either. */
  private StoreIoException differs(long found) {
    String what =
        found < sequence
            ? "of the changes that it had, " + (sequence - found) + " are lost"
            : (found - sequence) + " changes are there that had been refused";
    return new StoreIoException(
        "The store at "
            + directory.path()
            + " was opened again after its disk was full, and "
            + what
            + ". So it can be neither read nor written. Close it and open it again; its recovery report says what is"
            + " known to be lost.",
        directory.path(),
        null);
  }
}
