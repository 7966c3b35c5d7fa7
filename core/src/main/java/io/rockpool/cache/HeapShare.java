package io.rockpool.cache;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/**
 * The share of one {@link HotTier.Room} in a {@link HeapBudget}. Each put reports its bytes first. Only
 * after puts of as many bytes as were free does the share measure the room and request more from
 * the budget. Reads never call this class. While the budget has free bytes, a share is twice the
 * size of its room, because Caffeine records no reads until it is half full.
 *
 * <p>The monitor is held while the room is resized, in steps of a mebibyte.
 */
final class HeapShare {
  /** So much is evicted in one step: threads that put wait for it. */
  private static final long STEP_BYTES = 1 << 20;

  /** A share that was refused asks again after so many bytes at least. */
  private static final long MIN_PAUSE_BYTES = 4 << 10;

  private static final int PAUSE_PARTS = 16;

  /** What is left of a rate after a second: half after five. */
  private static final double KEPT_RATE = 0.87;

  private static final double NANOS = TimeUnit.SECONDS.toNanos(1);

  private final HeapBudget budget;
  private final HotTier.Room room;
  private final LongSupplier uses;
  private final Runnable shortage;

  /** Bytes that may be put until the room is asked what it holds. */
  private final AtomicLong left = new AtomicLong();

  private volatile long granted;
  private volatile boolean hungry;
  private boolean closed;

  // Of the thread that divides.
  private double rate;
  private long lookedNanos = System.nanoTime();
  private long lookedUses;

  /**
   * The share of a room, without a byte.
   *
   * @param uses counts what the share is divided by
   * @param shortage run where the budget is to be divided anew
   */
  HeapShare(HeapBudget budget, HotTier.Room room, LongSupplier uses, Runnable shortage) {
    this.budget = budget;
    this.room = room;
    this.uses = uses;
    this.shortage = shortage;
    this.lookedUses = uses.getAsLong();
  }

  /** Starts with so many bytes, which were taken from the budget. */
  synchronized void begin(long bytes) {
    left.set(bytes / 2);
    resize(bytes);
  }

  /** Says that an entry is about to be put. */
  void willPut(int bytes) {
    if (left.addAndGet(-bytes) < 0) {
      askForMore(bytes);
    }
  }

  private synchronized void askForMore(int bytes) {
    if (closed || left.get() >= 0) {
      return;
    }
    long need = room.bytes() + bytes;
    if (need > granted / 2) {
      long credit = budget.takeCredit(granted, 2 * need - granted);
      if (credit > 0) {
        resize(granted + credit);
      }
    }
    // An entry that is hidden while it is written weighs nothing: a full room may seem to have
    // room.
    hungry = need > (hungry ? granted - granted / HeapBudget.SLACK_PARTS : granted);
    if (hungry) {
      left.set(Math.max(MIN_PAUSE_BYTES, granted / PAUSE_PARTS));
      budget.refused();
      shortage.run();
    } else {
      left.set(need > granted / 2 ? granted - need : granted / 2 - need);
    }
  }

  /** Has so many bytes more, which were taken from the budget. */
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
   * Gives back up to {@code most} bytes, but keeps {@code least}, and what it holds unless it is to
   * evict; returns how many.
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

  /** Gives back all, for good. */
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
    room.resize(bytes);
  }

  long grantedBytes() {
    return granted;
  }

  /** Whether it has less than it has use for. */
  boolean isHungry() {
    return hungry;
  }

  /** What it has use for: without bound where it is hungry, else what it holds and some room. */
  long needBytes() {
    long held = hungry ? Long.MAX_VALUE / 2 : room.bytes();
    return held + held / HeapBudget.SLACK_PARTS;
  }

  /** Notes how often it was used since it was looked at last. */
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

  /** Its uses in a second, the last seconds counting most. */
  double rate() {
    return rate;
  }
}
