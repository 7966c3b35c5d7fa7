package io.rockpool.internal.engine;

import io.rockpool.internal.logging.LoggerNames;
import io.rockpool.internal.logging.OutageLog;
import io.rockpool.store.UpkeepState;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs the work of a store's background threads so that no failure ends a thread. Counts each
 * failure. Logs the first failure of a thread, and later ones at most every five minutes. Of
 * servers that are away it logs the beginning and the end, a line each. Thread-safe.
 */
public final class Upkeep {
  private static final Logger LOG = LoggerFactory.getLogger(LoggerNames.ENGINE);
  private static final long LOG_NANOS = TimeUnit.MINUTES.toNanos(5);

  private final LongSupplier nanoTime;
  private final AtomicLong failures = new AtomicLong();
  private final Map<String, Failing> threads = new ConcurrentHashMap<>();

  /** The failures of one thread. */
  private static final class Failing {
    private boolean isLogged;
    private long loggedNanos;
    private long unlogged;
    private @Nullable String last;
    private final OutageLog outage;

    private Failing(String thread) {
      outage = new OutageLog(LOG, thread);
    }
  }

  /** Starts with no failures. */
  public Upkeep() {
    this(System::nanoTime);
  }

  Upkeep(LongSupplier nanoTime) {
    this.nanoTime = nanoTime;
  }

  /** Runs {@code work}; never throws, even if the work does. */
  public void run(String thread, Runnable work) {
    try {
      work.run();
      succeeded(thread);
    } catch (Throwable e) {
      failed(thread, e);
    }
  }

  /** Records that the last work of a thread succeeded. */
  public void succeeded(String thread) {
    Failing known = threads.get(thread);
    if (known != null) {
      synchronized (known) {
        known.last = null;
        known.outage.succeeded();
      }
    }
  }

  /** Records that work of a thread failed; never throws. */
  public void failed(String thread, Throwable e) {
    failures.incrementAndGet();
    try {
      note(thread, e);
    } catch (Throwable another) {
      // For example, heap is short, so nothing can be recorded. The failure is already counted.
    }
  }

  private void note(String thread, Throwable e) {
    Failing known = threads.computeIfAbsent(thread, Failing::new);
    long nowNanos = nanoTime.getAsLong();
    long silent;
    synchronized (known) {
      known.last = e.toString();
      if (known.outage.failed(e)) {
        return;
      }
      if (known.isLogged && nowNanos - known.loggedNanos < LOG_NANOS) {
        known.unlogged++;
        return;
      }
      silent = known.unlogged;
      known.isLogged = true;
      known.unlogged = 0;
      known.loggedNanos = nowNanos;
    }
    LOG.error(
        "{} failed and goes on trying; {} failures before were not logged.", thread, silent, e);
  }

  /**
   * Throws {@code failure}, an unchecked exception kept until other work was done; does nothing for
   * null.
   */
  public static void rethrow(@Nullable Throwable failure) {
    if (failure instanceof Error error) {
      throw error;
    }
    if (failure instanceof RuntimeException exception) {
      throw exception;
    }
  }

  /** The failures so far, and the threads that fail now. */
  public UpkeepState state() {
    Map<String, String> failing = new HashMap<>();
    threads.forEach(
        (thread, known) -> {
          synchronized (known) {
            if (known.last != null) {
              failing.put(thread, known.last);
            }
          }
        });
    return new UpkeepState(failures.get(), failing);
  }
}
