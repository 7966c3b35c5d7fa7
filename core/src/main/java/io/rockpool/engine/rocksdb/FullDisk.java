package io.rockpool.engine.rocksdb;

import io.rockpool.error.StoreFullException;
import java.util.concurrent.TimeUnit;
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
 */
final class FullDisk {
  private static final Logger LOG = LoggerFactory.getLogger(RocksDbEngine.class);

  /** To look does cost something, so it is not done more often, however short sync periods are. */
  private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

  /**
   * So many looks in a row must find writes waiting for work that nobody does: for a moment, that
   * is so in any store whose threads are busy.
   */
  private static final int STUCK_LOOKS = 10;

  /** Beside what is in the log, opening writes a MANIFEST, a log and options, of some kilobytes. */
  private static final long ROOM_BYTES = 4 << 20;

  /** What is in the log is written to files, and may be merged while it is still there. */
  private static final int ROOM_TO_LOG = 2;

  /** Opening makes one file of each column family at most, and four of its own. */
  private static final int ROOM_FILES = ColumnFamily.values().length + 4;

  private final Store store;
  private final StoreDirectory directory;
  private long lookedNanos = System.nanoTime();
  private int stuckLooks;

  FullDisk(Store store, StoreDirectory directory) {
    this.store = store;
    this.directory = directory;
  }

  /** Looks whether writes can go on; always called by the same thread, inside of nothing. */
  void look() {
    long nowNanos = System.nanoTime();
    if (nowNanos - lookedNanos < LOOK_NANOS) {
      return;
    }
    lookedNanos = nowNanos;
    if (!store.door().isFull()) {
      if (!areWritesStuck()) {
        return;
      }
      store.door().setFull(stuck());
    }
    NativeDatabase opened = store.database().opened();
    opened.wakeWhoWaits();
    if (hasRoom() && store.guard().runAlone(opened::reopenUnlessHeld) && opened.isFresh()) {
      stuckLooks = 0;
      store.door().setRoom();
      LOG.info("The disk under {} has space again; the store takes writes.", directory.path());
    }
  }

  /** Whether writes wait for what failed in the background and is not tried again. */
  private boolean areWritesStuck() {
    stuckLooks = store.database().waitsInVain() ? stuckLooks + 1 : 0;
    return stuckLooks >= STUCK_LOOKS;
  }

  private StoreFullException stuck() {
    return new StoreFullException(
        "The store at "
            + directory.path()
            + " could not write what is in memory to files, so its disk was full at least for a moment.",
        null);
  }

  /** Whether opening would succeed, as far as can be told: where it does not, reads end as well. */
  private boolean hasRoom() {
    long bytes = ROOM_BYTES + ROOM_TO_LOG * store.database().logs().bytes();
    return !directory.isGone()
        && directory.usableBytes() >= bytes
        && directory.canMakeFiles(ROOM_FILES);
  }
}
