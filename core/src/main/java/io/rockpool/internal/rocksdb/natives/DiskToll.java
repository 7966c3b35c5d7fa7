package io.rockpool.internal.rocksdb.natives;

import io.rockpool.engine.Limits;
import io.rockpool.error.RockpoolException;
import io.rockpool.internal.concurrent.AfterLocks;
import io.rockpool.internal.concurrent.HeldLocks;
import io.rockpool.internal.logging.LoggerNames;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lets writers wait for evictions while a disk budget is exceeded by more than a quarter, so that
 * eviction keeps up with any number of writers. A writer waits after its write, for at most a
 * second; it never fails because of a budget.
 *
 * <p>The written bytes are counted, batch by batch. If they may have taken a space beyond its
 * limit, the evictions look at once, and until then each writer measures its own space. So a write
 * within the budget costs one volatile read.
 */
public final class DiskToll {
  /** The wait at one and a half times the budget; below, it is proportionally shorter. */
  private static final long MAX_WAIT_NANOS = TimeUnit.SECONDS.toNanos(1);

  /** How often a writer that waits measures. */
  private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(2);

  /** A bulk write pays after each part of its bytes, one of so many of the smallest budget. */
  private static final int BULK_SHARE = 64;

  private static final int MIN_PART_BYTES = 64 << 10;

  private static final Logger LOG = LoggerFactory.getLogger(LoggerNames.STORE);

  private final AtomicLong allowedBytes = new AtomicLong();

  /** Whether writers measure, and wait if their space is too large. */
  volatile boolean due;

  private volatile boolean stopped;
  private volatile int partBytes = Limits.MAX_BATCH_BYTES;
  private volatile @Nullable Collector collector;

  /** What makes room. */
  public interface Collector {
    /** Looks soon, and then calls {@link DiskToll#allow}. */
    void lookSoon();

    /**
     * How far a space, or the whole store, is beyond what its writers may use before they wait.
     *
     * @return at most 0 if they do not wait, 1 at one and a half times the budget
     */
    double excess(String space);
  }

  /** Sets what makes room; without it, writers never wait. */
  public void payTo(Collector newCollector) {
    collector = newCollector;
  }

  /** Counts bytes that the database was given. */
  void wrote(long bytes) {
    Collector asked = collector;
    if (asked != null && allowedBytes.addAndGet(-bytes) < 0 && !due && !stopped) {
      due = true;
      asked.lookSoon();
    }
  }

  /**
   * Sets how much may be written until the next look.
   *
   * @param bytes the bytes; 0 if writers wait now
   * @param smallestBudget the smallest budget in bytes
   */
  public void allow(long bytes, long smallestBudget) {
    partBytes =
        (int)
            Math.max(MIN_PART_BYTES, Math.min(Limits.MAX_BATCH_BYTES, smallestBudget / BULK_SHARE));
    allowedBytes.set(bytes);
    due = bytes <= 0;
  }

  /** The most bytes that a bulk write may write before it pays. */
  public int partBytes() {
    return due ? MIN_PART_BYTES : partBytes;
  }

  /**
   * Waits until there is room for what this thread wrote to spaces, if it must: outside of
   * transactions, row locks and the {@link CloseGuard}. If the thread holds a lock of another
   * layer, it waits when it has released that, for all spaces that it wrote to meanwhile.
   */
  public void pay(String... spaces) {
    if (due) {
      AfterLocks.pay(Arrays.stream(spaces).map(space -> new Payment(this, space)).toList());
    }
  }

  /** The payment for what a thread wrote to a space. */
  private record Payment(DiskToll toll, String space) implements AfterLocks.Payment {
    @Override
    public long pay(long waitedNanos) {
      return toll.await(space, waitedNanos);
    }
  }

  private long await(String space, long waitedNanos) {
    HeldLocks.checkNone("waiting for evictions");
    long start = System.nanoTime() - waitedNanos;
    while (due
        && !stopped
        && !Thread.currentThread().isInterrupted()
        && System.nanoTime() - start < share(space) * MAX_WAIT_NANOS) {
      LockSupport.parkNanos(this, LOOK_NANOS);
    }
    return System.nanoTime() - start;
  }

  /** Which part of the longest wait is due; 0 if it cannot be known: the write was made. */
  private double share(String space) {
    Collector asked = collector;
    try {
      return asked == null ? 0 : Math.max(0, Math.min(1, asked.excess(space)));
    } catch (RockpoolException e) {
      LOG.debug("A writer does not wait for evictions.", e);
      return 0;
    }
  }

  /** Ends all waits, because the store is being closed. */
  public void stop() {
    stopped = true;
  }
}
