package io.rockpool.internal.rocksdb.upkeep;

import java.time.Duration;

/**
 * How often what is done: what was written is forced to the disk once a sync period; the disk is
 * looked at before and after, and at least twice a second, so that also with a long sync period it
 * is noticed soon what became of it. For one thread.
 */
public final class SyncRounds {
  private static final long MAX_PERIOD_NANOS = Duration.ofMillis(500).toNanos();

  private final Runnable before;
  private final Runnable sync;
  private final Runnable after;
  private final long rounds;
  private final Duration period;
  private long round;

  public SyncRounds(Duration syncPeriod, Runnable before, Runnable sync, Runnable after) {
    this.before = before;
    this.sync = sync;
    this.after = after;
    this.rounds = 1 + (syncPeriod.toNanos() - 1) / MAX_PERIOD_NANOS;
    this.period = syncPeriod.dividedBy(rounds);
  }

  /** How long to wait between two calls of {@link #next}. */
  public Duration period() {
    return period;
  }

  /** Does what is due. A part that throws keeps none of the others from being done. */
  public void next() {
    round = (round + 1) % rounds;
    try {
      before.run();
    } finally {
      syncIfDue();
    }
  }

  private void syncIfDue() {
    try {
      if (round == 0) {
        sync.run();
      }
    } finally {
      after.run();
    }
  }
}
