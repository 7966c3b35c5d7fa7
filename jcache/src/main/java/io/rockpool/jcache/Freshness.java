package io.rockpool.jcache;

import io.rockpool.cache.CacheExpiry;
import io.rockpool.cache.CacheRefresh;
import java.io.Serializable;
import java.time.Duration;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * What is said of how entries age, beside their expiry, and come back; each point null where nobody
 * said it.
 *
 * @param softTtl how old an entry may become before it is refreshed
 * @param refreshAhead the last part of an entry's life in which it is refreshed
 * @param jitter the most by which an entry's life is shortened, as a part of it
 * @param warmRestart whether what is in memory is brought back after a restart
 */
record Freshness(
    @Nullable Duration softTtl,
    @Nullable Double refreshAhead,
    @Nullable Double jitter,
    @Nullable Boolean warmRestart)
    implements Serializable {
  /** Nothing said. */
  static final Freshness UNSAID = new Freshness(null, null, null, null);

  Freshness {
    if (softTtl != null && (softTtl.isZero() || softTtl.isNegative())) {
      throw new IllegalArgumentException("softTtl is " + softTtl + "; give a positive duration.");
    }
    requireFraction("refreshAhead", refreshAhead);
    requireFraction("jitter", jitter);
  }

  static boolean isFraction(double number) {
    return number >= 0 && number < 1;
  }

  private static void requireFraction(String what, @Nullable Double number) {
    if (number != null && !isFraction(number)) {
      throw new IllegalArgumentException(
          what + " is " + number + "; give a fraction from 0 to below 1, such as 0.1.");
    }
  }

  /** This, and what {@code other} says where this says nothing. */
  Freshness orElse(Freshness other) {
    return new Freshness(
        softTtl == null ? other.softTtl : softTtl,
        refreshAhead == null ? other.refreshAhead : refreshAhead,
        jitter == null ? other.jitter : jitter,
        warmRestart == null ? other.warmRestart : warmRestart);
  }

  /** A policy with the jitter that is said. */
  <K, V> CacheExpiry<? super K, ? super V> applyTo(CacheExpiry<K, V> expiry) {
    return jitter == null || jitter == 0 ? expiry : expiry.withJitter(jitter);
  }

  /** The refresh that is said, by this loader; null if none is. */
  <K, V> @Nullable CacheRefresh<K, V> refresh(Function<K, @Nullable V> loader) {
    double ahead = refreshAhead == null ? 0 : refreshAhead;
    if (softTtl == null && ahead == 0) {
      return null;
    }
    return new CacheRefresh<>(softTtl, ahead, loader, null, CacheRefresh.DEFAULT_RETRY_PAUSE);
  }
}
