package io.rockpool.cache;

import io.rockpool.internal.engine.BackgroundThread;
import io.rockpool.internal.engine.Upkeep;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.LongPredicate;

/**
 * Finds expired entries of which no read has found the expiry, in the caches of a store that notify
 * listeners. All caches share one thread, which rests four times as long as it works. Listeners are
 * the application's code and may block it.
 */
final class ExpiryScans {
  /** The time between the end of a scan of all such caches and the start of the next one. */
  static final Duration PERIOD = Duration.ofMinutes(1);

  private static final long REST_FACTOR = 4;

  /** The longest rest, however long the listeners take. */
  private static final long MAX_REST_NANOS = TimeUnit.SECONDS.toNanos(10);

  /** The interval and the number of checks whether a busy listener can accept another event. */
  private static final long READY_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

  private static final int READY_LOOKS = 500;

  private static final String THREAD = "rockpool-expired";

  private final Set<Scanned> watched = ConcurrentHashMap.newKeySet();
  private final Upkeep upkeep;
  private final BackgroundThread thread;

  /** Held during {@link #scanNow}. */
  private final ReentrantLock now = new ReentrantLock();

  /** A cache that notifies listeners of expired entries. */
  interface Scanned {
    boolean isClosed();

    /** Whether the listener can accept another event. */
    boolean isReady();

    /**
     * Notifies the listener of all expired entries, one page at a time, while there is a listener.
     *
     * @param rest called after each page with the nanoseconds it took; returns whether to continue
     * @param failed receives what the notification of an entry has thrown; the next ones follow
     */
    void scan(LongPredicate rest, Consumer<Throwable> failed);
  }

  ExpiryScans(Duration period, Upkeep upkeep) {
    this.thread = new BackgroundThread(THREAD, period, this::scan, upkeep);
    this.upkeep = upkeep;
  }

  /** Starts to scan a cache. */
  void add(Scanned cache) {
    watched.add(cache);
    thread.start();
  }

  /** Stops to scan a cache. */
  void remove(Scanned cache) {
    watched.remove(cache);
  }

  /** Scans all caches; throws the failure of the last one that failed. */
  private void scan() {
    Throwable[] failure = new Throwable[1];
    for (Scanned cache : watched) {
      scan(cache, worked -> rest(worked) && awaitReady(cache), e -> failure[0] = e);
    }
    Upkeep.rethrow(failure[0]);
  }

  private static void scan(Scanned cache, LongPredicate rest, Consumer<Throwable> failed) {
    try {
      cache.scan(rest, failed);
    } catch (Throwable e) { // not even an Error ends the scans of the other caches
      if (!cache.isClosed()) {
        failed.accept(e);
      }
    }
  }

  private boolean rest(long worked) {
    return thread.rest(Math.min(REST_FACTOR * worked, MAX_REST_NANOS));
  }

  /** Waits up to ten seconds for a busy listener; returns whether to continue. */
  private boolean awaitReady(Scanned cache) {
    int looks = 0;
    while (!cache.isReady() && looks < READY_LOOKS && thread.rest(READY_NANOS)) {
      looks++;
    }
    return cache.isReady();
  }

  /**
   * Scans all caches in the calling thread, without a rest. Does nothing if another thread is doing
   * this, or if a listener calls this during such a scan.
   */
  void scanNow() {
    if (now.isHeldByCurrentThread() || !now.tryLock()) {
      return;
    }
    try {
      watched.forEach(
          cache -> scan(cache, worked -> cache.isReady(), e -> upkeep.failed(THREAD, e)));
    } finally {
      now.unlock();
    }
  }

  /** Stops the thread without waiting. A running listener may find the store closed. */
  void close() {
    thread.stop();
  }
}
