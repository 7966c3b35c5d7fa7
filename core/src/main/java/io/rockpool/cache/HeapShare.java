package io.rockpool.cache;

import io.rockpool.internal.engine.HeapUser;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/**
 * The share of one {@link HeapUser} in a {@link HeapBudget}: the hot tier of a cache, or a store's
 * recently read records of collections. Each put reports its bytes first. Only after puts of as
 * many bytes as were free does the share measure its user and request more from the budget. Reads
 * never call this class. While the budget has free bytes, a share is twice the size of what is in
 * it, because Caffeine records no reads until it is half full.
 *
 * <p>The monitor is held while the user is resized, in steps of a mebibyte.
 */
final class HeapShare {
  /** Bytes that one step evicts. Threads that put wait for the step. */
  private static final long STEP_BYTES = 1 << 20;

  /** Bytes to put, at least, between a rejected request and the next one. */
  private static final long MIN_PAUSE_BYTES = 4 << 10;

  private static final int PAUSE_PARTS = 16;

  /** The part of a rate that remains after a second; half remains after five. */
  private static final double KEPT_RATE = 0.87;

  private static final double NANOS = TimeUnit.SECONDS.toNanos(1);

  private final HeapBudget budget;
  private final HeapUser user;
  private final LongSupplier uses;
  private final Runnable shortage;

  /** Bytes that may be put until the share measures the room. */
  private final AtomicLong left = new AtomicLong();

  private volatile long granted;
  private volatile boolean hungry;
  private boolean closed;

  // Only the thread that divides uses these.
  private double rate;
  private long lookedNanos = System.nanoTime();
  private long lookedUses;

  /**
   * The share of a user, with no bytes.
   *
   * @param uses counts the uses by which the budget is divided
   * @param shortage called when the budget must be divided again
   */
  HeapShare(HeapBudget budget, HeapUser user, LongSupplier uses, Runnable shortage) {
    this.budget = budget;
    this.user = user;
    this.uses = uses;
    this.shortage = shortage;
    this.lookedUses = uses.getAsLong();
  }

  /** Sets the first bytes, which were taken from the budget. */
  synchronized void begin(long bytes) {
    left.set(bytes / 2);
    resize(bytes);
  }

  /** Reports an entry that is about to be put. */
  void willPut(int bytes) {
    if (left.addAndGet(-bytes) < 0) {
      askForMore(bytes);
    }
  }

  private synchronized void askForMore(int bytes) {
    if (closed || left.get() >= 0) {
      return;
    }
    long need = user.bytes() + bytes;
    if (need > granted / 2) {
      long credit = budget.takeCredit(granted, 2 * need - granted);
      if (credit > 0) {
        resize(granted + credit);
      }
    }
    // A hidden entry has no weight while it is written, so a full tier may seem to have free bytes.
    hungry = need > (hungry ? granted - granted / HeapBudget.SLACK_PARTS : granted);
    if (hungry) {
      left.set(Math.max(MIN_PAUSE_BYTES, granted / PAUSE_PARTS));
      budget.refused();
      shortage.run();
    } else {
      left.set(need > granted / 2 ? granted - need : granted / 2 - need);
    }
  }

  /** Adds bytes, which were taken from the budget. */
  synchronized void grow(long bytes) {
    if (closed) {
      budget.give(bytes);
    } else if (bytes > 0) {
      hungry = false;
      resize(granted + bytes);
      left.addAndGet(bytes);
    }
  }

  /**
   * Returns up to {@code most} bytes to the budget, but keeps {@code least}, and the bytes of its
   * entries unless {@code evicts}. Returns how many.
   */
  long giveBack(long most, long least, boolean evicts) {
    long given = 0;
    for (long step = 1; step > 0 && given < most; given += step) {
      step = giveStep(Math.min(STEP_BYTES, most - given), least, evicts);
    }
    return given;
  }

  private synchronized long giveStep(long most, long least, boolean evicts) {
    long kept = evicts ? least : Math.max(least, needBytes());
    long step = closed ? 0 : Math.min(most, granted - kept);
    if (step <= 0) {
      return 0;
    }
    resize(granted - step);
    left.addAndGet(-step);
    budget.give(step);
    return step;
  }

  /** Returns all bytes to the budget, permanently. */
  synchronized void close() {
    if (!closed) {
      closed = true;
      budget.remove(this);
      budget.give(granted);
      granted = 0;
    }
  }

  private void resize(long bytes) {
    granted = bytes;
    user.resize(bytes);
  }

  long grantedBytes() {
    return granted;
  }

  /** Whether it needs more bytes than it has. */
  boolean isHungry() {
    return hungry;
  }

  /**
   * The bytes that it can use: unlimited if it is hungry, otherwise those of its entries and some
   * more.
   */
  long needBytes() {
    long held = hungry ? Long.MAX_VALUE / 2 : user.bytes();
    return held + held / HeapBudget.SLACK_PARTS;
  }

  /** Updates the rate from the uses since the last call. */
  void look(long nanos) {
    double seconds = (nanos - lookedNanos) / NANOS;
    if (seconds > 0) {
      long now = uses.getAsLong();
      double kept = Math.pow(KEPT_RATE, seconds);
      rate = kept * rate + (1 - kept) * (now - lookedUses) / seconds;
      lookedNanos = nanos;
      lookedUses = now;
    }
  }

  /** Uses per second; recent seconds have a higher weight. */
  double rate() {
    return rate;
  }
}
