package io.rockpool.spring.boot;

import io.rockpool.cache.PersistentCache;
import io.rockpool.internal.access.Decision;
import io.rockpool.internal.access.Internals;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * An entry of a cache, looked at in such a way that its life stays as it is, and nothing is
 * counted.
 *
 * @param ttl how much longer it lived then
 */
record FoundEntry(Object value, Duration ttl) {
  static @Nullable FoundEntry look(PersistentCache<Object, Object> cache, Object key) {
    Object[] seen = new Object[1];
    Internals.cache(cache)
        .decide(
            key,
            value -> {
              seen[0] = value;
              return Decision.keep();
            });
    Object value = seen[0];
    Duration ttl = value == null ? null : cache.ttl(key).orElse(null);
    return value == null || ttl == null ? null : new FoundEntry(value, ttl);
  }
}
