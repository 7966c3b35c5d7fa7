package io.rockpool.cache;

import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Meets the entries that have expired of the caches of a store where somebody is to be told of
 * them, so that they need not wait for a read. On a thread for all, as it is others' code that is
 * told, which may block; it rests four times as long as it works.
 */
final class ExpiryScans {
  /** How long after a scan of all such caches the next one begins. */
  static final Duration PERIOD = Duration.ofMinutes(1);

  private static final long REST_FACTOR = 4;
  private static final long MAX_REST_NANOS = TimeUnit.SECONDS.toNanos(1);
  private static final Logger LOG = LoggerFactory.getLogger(PersistentCache.class);

  private final Set<EndedEntries<?, ?>> watched = ConcurrentHashMap.newKeySet();
  private final BackgroundThread thread;
  private boolean failing;

  ExpiryScans(Duration period) {
    this.thread = new BackgroundThread("rockpool-expired", period, this::scan);
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

  private void scan() {
    boolean failed = false;
    for (EndedEntries<?, ?> cache : watched) {
      try {
        cache.meetAll(this::rest);
      } catch (IllegalStateException e) {
        LOG.debug("A scan for expired entries ends, as what it scanned was closed.", e);
      } catch (RuntimeException e) {
        failed = true;
        if (!failing) {
          LOG.warn("A scan for expired entries failed; another one begins soon.", e);
        }
      }
    }
    failing = failed;
  }

  private boolean rest(long worked) {
    return thread.rest(Math.min(REST_FACTOR * worked, MAX_REST_NANOS));
  }

  /** Does so at once and without a rest, on the caller's thread. */
  void scanNow() {
    watched.forEach(cache -> cache.meetAll(worked -> true));
  }

  /** Ends. Who is told just now may find everything closed. */
  void close() {
    thread.close();
  }
}
