package io.rockpool.cache;

import io.rockpool.internal.engine.Upkeep;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.LongPredicate;

/**
 * Meets the entries that have expired of the caches of a store where somebody is to be told of
 * them, so that they need not wait for a read. On a thread for all, as it is others' code that is
 * told, which may block; it rests four times as long as it works.
 */
final class ExpiryScans {
  /** How long after a scan of all such caches the next one begins. */
  static final Duration PERIOD = Duration.ofMinutes(1);

  private static final long REST_FACTOR = 4;

  /** No longer than that, whatever the code that is told does. */
  private static final long MAX_REST_NANOS = TimeUnit.SECONDS.toNanos(10);

  /** How often it looks whether a listener that is behind can be told of more, and how often. */
  private static final long READY_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

  private static final int READY_LOOKS = 500;

  private static final String THREAD = "rockpool-expired";

  private final Set<EndedEntries<?, ?>> watched = ConcurrentHashMap.newKeySet();
  private final Upkeep upkeep;
  private final BackgroundThread thread;

  /** Held by who scans at once. */
  private final ReentrantLock now = new ReentrantLock();

  ExpiryScans(Duration period, Upkeep upkeep) {
    this.thread = new BackgroundThread(THREAD, period, this::scan, upkeep);
    this.upkeep = upkeep;
  }

  /** From now on meets what has expired of a cache. */
  void add(EndedEntries<?, ?> cache) {
    watched.add(cache);
    thread.start();
  }

  /** Does so no longer. */
  void remove(EndedEntries<?, ?> cache) {
    watched.remove(cache);
  }

  /** All caches; throws what the last of those that failed has thrown. */
  private void scan() {
    Throwable[] failure = new Throwable[1];
    for (EndedEntries<?, ?> cache : watched) {
      scan(cache, worked -> rest(worked) && awaitReady(cache), e -> failure[0] = e);
    }
    Upkeep.rethrow(failure[0]);
  }

  private static void scan(
      EndedEntries<?, ?> cache, LongPredicate rest, Consumer<Throwable> failed) {
    try {
      cache.meetAll(rest, failed);
    } catch (Throwable e) { // an Error, too, ends no scan but this one
      if (!cache.isClosed()) {
        failed.accept(e);
      }
    }
  }

  private boolean rest(long worked) {
    return thread.rest(Math.min(REST_FACTOR * worked, MAX_REST_NANOS));
  }

  /** Waits a while for a listener that is behind; says whether to go on. */
  private boolean awaitReady(EndedEntries<?, ?> cache) {
    int looks = 0;
    while (!cache.isReady() && looks < READY_LOOKS && thread.rest(READY_NANOS)) {
      looks++;
    }
    return cache.isReady();
  }

  /**
   * Does so at once and without a rest, on the caller's thread; unless another thread does just
   * now, or the caller is told of an entry by this very call.
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

  /** Ends. Who is told just now may find everything closed. */
  void close() {
    thread.close();
  }
}
