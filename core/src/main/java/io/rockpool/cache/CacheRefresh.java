package io.rockpool.cache;

import io.rockpool.engine.Expiry;
import java.time.Duration;
import java.time.InstantSource;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * When and how a cache refreshes values; see {@link CacheSettings#softTtl(Duration)}.
 *
 * @param softTtl the age from which a value is due; null for none
 * @param aheadFactor the fraction of an entry's life after which its value is due; 0 for none
 * @param loader loads values for reads without a loader; null for none
 * @param executor runs refreshes; null for threads of the cache
 * @param retryPause the pause between a failed refresh of a key and its next one
 */
record CacheRefresh<K, V>(
    @Nullable Duration softTtl,
    double aheadFactor,
    @Nullable ValueLoader<? super K, ? extends @Nullable V> loader,
    @Nullable Executor executor,
    Duration retryPause) {
  /**
   * Maximum number of concurrent refreshes of a cache. More would overload a weak source; fewer
   * would be too slow for a source with long response times.
   */
  static final int THREADS = 4;

  /** Maximum number of refreshes that wait for a thread. They are a few seconds of work. */
  static final int WAITING = 256;

  /**
   * Maximum number of keys that are being refreshed or in the pause after a failure. Each uses
   * about 100 bytes of heap.
   */
  static final int MAX_KEYS = 8_192;

  static final Duration DEFAULT_RETRY_PAUSE = Duration.ofSeconds(1);

  /** When a value is due if it is written now and expires at {@code deadlineMillis}. */
  long refreshMillis(InstantSource clock, long deadlineMillis) {
    long soft = softTtl == null ? Expiry.NEVER : Expiry.after(clock, softTtl);
    if (aheadFactor == 0 || deadlineMillis == Expiry.NEVER) {
      return soft;
    }
    long now = clock.millis();
    return Math.min(soft, now + Math.round((deadlineMillis - now) * aheadFactor));
  }
}
