package io.rockpool.internal.logging;

import io.rockpool.error.OutcomeUnknownException;
import io.rockpool.error.ServerUnavailableException;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;

/**
 * Logs that one kind of background work waits for servers that are away: one warning without a
 * trace for an outage, and one line at its end. Thread-safe.
 */
public final class OutageLog {
  private final Logger log;
  private final String work;
  private final AtomicLong failures = new AtomicLong();

  /**
   * Starts outside of an outage.
   *
   * @param work the beginning of a sentence: {@code The listener of the queue "orders"}
   */
  public OutageLog(Logger log, String work) {
    this.log = log;
    this.work = work;
  }

  /**
   * Whether {@code e} says that servers are away: expected, and where it was thrown says nothing.
   */
  public static boolean isOutage(Throwable e) {
    return e instanceof ServerUnavailableException || e instanceof OutcomeUnknownException;
  }

  /**
   * Notes a failure, and logs it if an outage begins with it.
   *
   * @return false if it is no outage; nothing is logged then
   */
  public boolean failed(Throwable e) {
    if (!isOutage(e)) {
      return false;
    }
    if (failures.getAndIncrement() == 0) {
      log.warn("{} waits for the server. {}", work, e.getMessage());
    }
    return true;
  }

  /** Notes a success, and logs it if an outage ends with it. */
  public void succeeded() {
    long before = failures.get() == 0 ? 0 : failures.getAndSet(0);
    if (before > 0) {
      log.info("{} has its server again. Failed attempts: {}.", work, before);
    }
  }
}
