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
 * @param aheadFactor the part of an entry's life after which its value is due; 0 for none
 * @param loader loads a value; null if each read brings its loader
 * @param executor runs refreshes; null for threads of the cache
 * @param retryPause how long a key is not refreshed after a failure
 */
record CacheRefresh<K, V>(
    @Nullable Duration softTtl,
    double aheadFactor,
    @Nullable ValueLoader<? super K, ? extends @Nullable V> loader,
    @Nullable Executor executor,
    Duration retryPause) {
  /** How many refreshes of a cache run at a time: enough for a slow source, few for a weak one. */
  static final int THREADS = 4;

  /** How many refreshes of a cache wait for a thread: some seconds' work. */
  static final int WAITING = 256;

  /** How many keys are being refreshed or in their pause at most: some 100 bytes each. */
  static final int MAX_KEYS = 8_192;

  static final Duration DEFAULT_RETRY_PAUSE = Duration.ofSeconds(1);

  /** When a value is due that is written now and expires at {@code deadlineMillis}. */
  long refreshMillis(InstantSource clock, long deadlineMillis) {
    long soft = softTtl == null ? Expiry.NEVER : Expiry.after(clock, softTtl);
    if (aheadFactor == 0 || deadlineMillis == Expiry.NEVER) {
      return soft;
    }
    long now = clock.millis();
    return Math.min(soft, now + Math.round((deadlineMillis - now) * aheadFactor));
  }
}
