package io.rockpool.queue;

import java.time.Instant;
import java.util.Optional;

/**
 * A durable timer: messages of a queue that become ready by a {@link Schedule}. Thread-safe.
 *
 * <pre>{@code
 * PersistentTimer<String> reports =
 *     pool.timer("reports", Schedule.cron("30 3 * * *", zone), String.class);
 * reports.start("daily"); // does nothing if it is started already
 * QueueListener.on(reports.firings(), firing -> report(firing.message())).start();
 * }</pre>
 *
 * <p>There is one firing for each due time, whatever crashes: the transaction that delivers a
 * firing for the first time also sends the next. A firing is redelivered until it is acknowledged,
 * as any message. Times that pass while the store is closed, or while no consumer receives, become
 * one firing. A firing that is still handled does not delay the next.
 *
 * <p>The schedule is that of the last opening. If it is another one than before, the opening gives
 * the firing that waits the first time of the new schedule. One that is due already fires.
 *
 * @param <T> the type of what each firing carries
 */
public interface PersistentTimer<T> {
  /** The header of a firing with its due time, in milliseconds since the epoch. */
  String DUE = "rockpool.due";

  /** The name of the timer. Never throws. */
  String name();

  /**
   * Starts the timer, unless a firing waits, is ready or is handled. Then it keeps its payload, and
   * a warning is logged if this one is another: {@link #cancel} and start it again. One
   * transaction.
   *
   * @param payload the message of each firing
   * @return whether it was started
   */
  boolean start(T payload);

  /** When the next firing is due; empty if none waits. */
  Optional<Instant> next();

  /** Removes all firings; {@link #start} starts again. Rejected inside a transaction. */
  void cancel();

  /** The queue of the firings. */
  PersistentQueue<T> firings();
}
