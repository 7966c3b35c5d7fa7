package io.rockpool.internal.rocksdb.upkeep;

import io.rockpool.error.StoreFullException;
import io.rockpool.error.StoreIoException;
import io.rockpool.internal.logging.LoggerNames;
import io.rockpool.internal.rocksdb.files.StoreDirectory;
import io.rockpool.internal.rocksdb.natives.ColumnFamily;
import io.rockpool.internal.rocksdb.natives.Database;
import io.rockpool.internal.rocksdb.natives.NativeDatabase;
import io.rockpool.internal.rocksdb.natives.WritePath;
import io.rockpool.internal.rocksdb.rows.StoreParts;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongConsumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Has a store write again whose disk was full: once there is space, the native database is closed
 * and opened again, under a store that stays open.
 *
 * <p>RocksDB would recover by itself, but not from all that happens: each write that is tried
 * meanwhile ends its attempt; a log that was cut short before anything was in memory is gone on
 * with and found broken; and where a write waits for memory to be written to files, the attempt
 * waits for that write, and the write for the attempt.
 *
 * <p>What is on the heap outlives this, so it is done only where the files have exactly what was
 * acknowledged: not after the system could not force something to the disk, of which more may be
 * there, or less. Should they have anything else nevertheless, the store ends.
 */
public final class FullDisk {
  private static final Logger LOG = LoggerFactory.getLogger(LoggerNames.STORE);

  /** To look does cost something, so it is not done more often, however short sync periods are. */
  private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

  /**
   * So many looks in a row must find writes waiting for work that nobody does: for a moment, that
   * is so in any store whose threads are busy. Each time it takes twice as many, up to a minute.
   */
  private static final int STUCK_LOOKS = 10;

  private static final int MAX_STUCK_LOOKS = 120;

  /** Where opening fails, it is tried half as often each time, up to that. */
  private static final long MAX_RETRY_NANOS = TimeUnit.SECONDS.toNanos(8);

  /** Those inside are waited for so long, and longer each time that they were not gone by then. */
  private static final long ALONE_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

  /** How long to sleep between two looks at what is held. */
  private static final long HELD_NANOS = TimeUnit.MICROSECONDS.toNanos(100);

  private static final long MAX_ALONE_NANOS = TimeUnit.SECONDS.toNanos(1);

  /** How many times as long as those inside were waited for in vain it is not tried again. */
  private static final int ALONE_REST = 4;

  /** Beside what is in the log, opening writes a MANIFEST, a log and options, of some kilobytes. */
  private static final long ROOM_BYTES = 4 << 20;

  /** What is in the log is written to files, and may be merged while it is still there. */
  private static final int ROOM_TO_LOG = 2;

  /** Opening makes one file of each column family at most, and four of its own. */
  private static final int ROOM_FILES = ColumnFamily.values().length + 4;

  private final StoreParts store;
  private final StoreDirectory directory;
  private final LongConsumer forced;
  private long lookedNanos = System.nanoTime();
  private boolean failing;

  private int stuckLooks;
  private int maxStuckLooks = STUCK_LOOKS;
  private long aloneNanos = ALONE_NANOS;
  private long retryNanos = LOOK_NANOS;
  private long retryAtNanos = lookedNanos;

  /** The last change of the database, or of the one that was closed and is to be opened again. */
  private long sequence;

  private boolean reopened;

  /**
   * Looks at the disk of {@code store} with each call of {@link #look}.
   *
   * @param forced is told the last change of the database before it is closed, once that is on the
   *     disk
   */
  public FullDisk(StoreParts store, StoreDirectory directory, LongConsumer forced) {
    this.store = store;
    this.directory = directory;
    this.forced = forced;
  }

  /** Looks whether writes can go on; always called by the same thread, inside of nothing. */
  public void look() {
    long nowNanos = System.nanoTime();
    if (nowNanos - lookedNanos < LOOK_NANOS) {
      return;
    }
    lookedNanos = nowNanos;
    try {
      lookNow();
      failing &= store.writePath().isFull();
    } catch (RuntimeException e) {
      if (!failing) {
        failing = true;
        LOG.error("The store at {} cannot take writes again yet.", directory.path(), e);
      }
    }
  }

  private void lookNow() {
    WritePath writePath = store.writePath();
    NativeDatabase opened = store.database().opened();
    boolean stuck = areWritesStuck(writePath, opened);
    if (stuck && !writePath.isFull()) {
      maxStuckLooks = Math.min(2 * maxStuckLooks, MAX_STUCK_LOOKS);
      writePath.setFull(stuck());
    }
    if (!writePath.isFull()) {
      return;
    }
    if (stuck || store.guard().isClosed()) {
      opened.wakeWhoWaits();
    }
    if (!writePath.isSpent() && !directory.isGone() && canOpenAgain(opened)) {
      opened.wakeWhoWaits();
      goOn();
    }
  }

  /** Whether writes wait for what failed in the background and is not tried again. */
  private boolean areWritesStuck(WritePath writePath, NativeDatabase opened) {
    Database database = store.database();
    boolean wait =
        writePath.isAnyInside()
            && opened.isOpen()
            && (writePath.isFull() || database.hasFailed())
            && database.waitsInVain();
    stuckLooks = wait ? stuckLooks + 1 : 0;
    return stuckLooks >= (writePath.isFull() ? STUCK_LOOKS : maxStuckLooks);
  }

  private StoreFullException stuck() {
    return new StoreFullException(
        "The store at "
            + directory.path()
            + " could not write what is in memory to files, so its disk was full at least for a moment.",
        null);
  }

  /**
   * Whether opening would succeed, as far as can be told: where it does not, reads end as well. Who
   * is refused is told what is missing.
   */
  private boolean canOpenAgain(NativeDatabase opened) {
    long needed = ROOM_BYTES + ROOM_TO_LOG * store.database().logs().bytes();
    long usable = directory.usableBytes();
    store.writePath().setMissing(missing(needed, usable, opened.held()));
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

  /** Where many read, there are but moments in which nobody does. */
  private static boolean awaitNothingHeld(NativeDatabase opened) {
    long start = System.nanoTime();
    while (opened.held() > 0 && System.nanoTime() - start < ALONE_NANOS) {
      LockSupport.parkNanos(HELD_NANOS);
    }
    return opened.held() == 0;
  }

  private void goOn() {
    reopened = false;
    if (!store.guard().runAlone(this::reopen, aloneNanos)) {
      // Who came meanwhile was kept waiting, and is not to be most of the time.
      retryAtNanos = System.nanoTime() + ALONE_REST * aloneNanos;
      aloneNanos = Math.min(aloneNanos + aloneNanos / 2, MAX_ALONE_NANOS);
    }
    if (reopened) {
      stuckLooks = 0;
      aloneNanos = ALONE_NANOS;
      retryNanos = LOOK_NANOS;
      store.writePath().setRoom();
      LOG.info("The disk under {} has space again; the store takes writes.", directory.path());
    }
  }

  /** Nobody is inside, and nobody writes any more, as the disk is full. */
  private void reopen() {
    NativeDatabase opened = store.database().opened();
    if (opened.held() > 0) {
      return;
    }
    if (opened.isOpen()) {
      sequence = store.writePath().sync();
      forced.accept(sequence);
    }
    try {
      opened.reopen();
    } catch (StoreIoException e) {
      retryNanos = Math.min(2 * retryNanos, MAX_RETRY_NANOS);
      retryAtNanos = System.nanoTime() + retryNanos;
      throw e;
    }
    long found = store.database().latestSequence();
    reopened = found == sequence;
    if (!reopened) {
      StoreIoException why = differs(found);
      opened.giveUp(why);
      store.writePath().setSpent(why);
      LOG.error("{}", why.getMessage());
    }
  }

  /** What memory knows is not what the files have, so nothing may be read either. */
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
        null);
  }
}
