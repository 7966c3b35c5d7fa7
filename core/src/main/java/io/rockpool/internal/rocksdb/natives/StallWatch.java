package io.rockpool.internal.rocksdb.natives;

import io.rockpool.error.StalledWriteException;
import io.rockpool.internal.concurrent.OrderedLock;
import io.rockpool.internal.concurrent.Stripes;
import io.rockpool.internal.concurrent.WaitGraph;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLongArray;
import org.jspecify.annotations.Nullable;

/**
 * Detects stalled writes. Writers are counted when they enter and leave. A thread that calls {@link
 * #watch} detects that some are inside and none has left for longer than the limit. From then on
 * every new write is rejected, and so is a wait for a lock that a stuck writer may hold, until one
 * writer leaves.
 */
public final class StallWatch {
  private static final int COUNTS = 16;
  private static final int STRIDE = 16;

  /** How often a thread that waits for a lock checks for a stall. */
  private static final long LOOK_MILLIS = 100;

  /**
   * How many checks in a row must find the same writers inside: the four periods between five
   * checks make up the limit.
   */
  private static final int STUCK_LOOKS = 5;

  private final Path directory;
  private final Duration limit;
  private final AtomicLongArray entered = new AtomicLongArray(COUNTS * STRIDE);
  private final AtomicLongArray left = new AtomicLongArray(COUNTS * STRIDE);
  private final long[] leftAtLastLook = new long[COUNTS];
  private final int[] stuckLooks = new int[COUNTS];
  private volatile boolean stalled;
  private Runnable meanwhile = () -> {};

  StallWatch(Path directory, Duration limit) {
    this.directory = directory;
    this.limit = limit;
  }

  /**
   * Counts a writer that begins.
   *
   * @return its place, for {@link #leave}
   */
  int enter() {
    int place = Stripes.ofCurrentThread(COUNTS) * STRIDE;
    entered.getAndIncrement(place);
    return place;
  }

  /** Counts a writer that ends, with whatever result. */
  void leave(int place) {
    left.getAndIncrement(place);
    if (stalled) {
      stalled = false;
    }
  }

  /** Throws if writing has stalled. */
  void check() {
    if (stalled) {
      throw new StalledWriteException(
          "A write to the store at "
              + directory
              + " has been stuck for more than "
              + limit
              + ", so this one was refused before it began. Look at the disk under the directory; writes go on by"
              + " themselves once the stuck one ends.");
    }
  }

  /** Sets what a thread runs now and then while it waits for a {@link #lock}. */
  void meanwhile(Runnable action) {
    meanwhile = action;
  }

  /** The time between two calls of {@link #watch}. */
  public Duration period() {
    return limit.dividedBy(STUCK_LOOKS - 1);
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
   * Acquires a lock that other threads hold while they write. Call it inside the {@link
   * CloseGuard}.
   *
   * @throws StalledWriteException if writing stalls before the lock is free
   * @throws IllegalStateException if its holder waits for this thread: for a lock of another store,
   *     or for a load
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
        check();
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
        meanwhile.run();
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
}
