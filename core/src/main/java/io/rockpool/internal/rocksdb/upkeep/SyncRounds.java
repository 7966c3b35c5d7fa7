package io.rockpool.internal.rocksdb.upkeep;

import io.rockpool.internal.concurrent.Durations;
import java.time.Duration;

/**
 * Schedules syncs and directory checks. Writes are forced to disk once per sync period. The
 * directory and the disk are checked before and after a sync, and at least twice a second, even
 * with a long sync period. For one thread.
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
    this.rounds = 1 + (Durations.nanos(syncPeriod) - 1) / MAX_PERIOD_NANOS;
    this.period = Duration.ofNanos(Durations.nanos(syncPeriod) / rounds);
  }

  /** The time between two calls of {@link #next}. */
  public Duration period() {
    return period;
  }

  /** Runs what is due. If one part throws, the others still run. */
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
