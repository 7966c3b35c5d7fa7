package io.rockpool.postgresql;

import io.rockpool.error.OutcomeUnknownException;
import io.rockpool.error.RockpoolException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Finds out what became of a write whose connection was lost. The revision or version that the
 * write sets is a random number, so it is a token: a reader that finds it knows that the write was
 * made. A fence replaces the revision that the write expects, so it can no longer be made.
 */
final class Settlement {
  /** For how long the server may be away; after that the outcome stays unknown. */
  private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(10);

  private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

  private final PostgresDatabase database;

  /** The fences so far: the answer about one may have been lost, too. */
  private final List<Long> fences = new ArrayList<>();

  Settlement(PostgresDatabase database) {
    this.database = database;
  }

  /** Asks until there is an answer. */
  boolean isApplied(OutcomeUnknownException unknown, SqlWork<WriteOutcome> question) {
    long end = System.nanoTime() + PATIENCE_NANOS;
    while (System.nanoTime() < end) {
      try {
        WriteOutcome outcome = database.write("Settling", question);
        if (outcome == WriteOutcome.UNKNOWN) {
          break;
        }
        if (outcome != WriteOutcome.RUNNING) {
          return outcome == WriteOutcome.APPLIED;
        }
      } catch (RockpoolException e) {
        unknown.addSuppressed(e);
      }
      LockSupport.parkNanos(PAUSE_NANOS);
    }
    throw unknown;
  }

  /** Asks for a transaction by its mark until it has ended; returns whether it was committed. */
  boolean isCommitted(OutcomeUnknownException unknown, CommitMark mark) {
    return isApplied(unknown, connection -> mark.outcome(connection, database));
  }

  /** A new fence. */
  long fence() {
    long fence = PostgresDatabase.token();
    fences.add(fence);
    return fence;
  }

  /** The outcome, by the revision that the row has after a fence was tried. */
  WriteOutcome of(long found, long token) {
    if (found == token) {
      return WriteOutcome.APPLIED;
    }
    return fences.contains(found) ? WriteOutcome.NOT_APPLIED : WriteOutcome.UNKNOWN;
  }
}
