package io.rockpool.cache;

import io.rockpool.engine.Expiry;
import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/**
 * Shortens the durations of another policy at random when an entry is written.
 *
 * @param fraction the largest part by which a duration is shortened
 */
record JitteredExpiry<K, V>(CacheExpiry<? super K, ? super V> expiry, double fraction)
    implements CacheExpiry<K, V> {
  JitteredExpiry {
    if (!(fraction >= 0 && fraction < 1)) {
      throw new IllegalArgumentException(
          "The jitter is " + fraction + "; give a fraction from 0 to below 1, such as 0.1.");
    }
  }

  @Override
  @SuppressWarnings("NullAway") // the cache rejects null with its name
  public Duration afterCreation(K key, V value) {
    Duration ttl = expiry.afterCreation(key, value);
    return ttl == null ? ttl : shortened(ttl);
  }

  @Override
  public @Nullable Duration afterUpdate(K key, V value) {
    Duration ttl = expiry.afterUpdate(key, value);
    return ttl == null ? null : shortened(ttl);
  }

  @Override
  public @Nullable Duration afterAccess(K key, V value) {
    return expiry.afterAccess(key, value);
  }

  @Override
  public @Nullable Duration limit(V value) {
    Duration limit = expiry.limit(value);
    return limit == null ? null : shortened(limit);
  }

  @Override
  public boolean updatesAsCreation() {
    return expiry.updatesAsCreation();
  }

  @Override
  public boolean usesAccess() {
    return expiry.usesAccess();
  }

  private Duration shortened(Duration ttl) {
    if (ttl.isNegative() || ttl.toSeconds() > Expiry.MAX_MILLIS / 1000) {
      return ttl; // zero or less, or forever, is not changed
    }
    double part = fraction * ThreadLocalRandom.current().nextDouble();
    return ttl.minusMillis((long) (ttl.toMillis() * part));
  }
}
