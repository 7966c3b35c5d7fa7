package io.rockpool.cache;

import io.rockpool.engine.Expiry;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import org.jspecify.annotations.Nullable;

/** Until when entries live that are written now, by the cache's expiry policy. */
final class Deadlines<K, V> {
  private final CacheEntries<K, V> entries;
  private final CacheExpiry<? super K, ? super V> expiry;
  private final InstantSource clock;

  Deadlines(CacheEntries<K, V> entries, CacheExpiry<? super K, ? super V> expiry) {
    this.entries = entries;
    this.expiry = expiry;
    this.clock = entries.clock();
  }

  /** Until when an entry lives that ends at an instant; 0 if that is past. */
  long at(Instant when) {
    if (when.getEpochSecond() > Expiry.MAX_MILLIS / 1000) {
      return Expiry.NEVER;
    }
    return when.isAfter(clock.instant()) ? when.toEpochMilli() : 0;
  }

  /** Until when an entry lives that is put where there is none. */
  long ofNew(K key, V value) {
    return Expiry.after(clock, expiry.afterCreation(key, value));
  }

  /** Until when an entry lives that is put over {@code found}. */
  long of(K key, V value, CacheEntries.@Nullable Found<V> found) {
    if (found == null) {
      return ofNew(key, value);
    }
    Duration ttl = expiry.afterUpdate(key, value);
    if (ttl == null) {
      return entries.deadline(entries.format.key(key), found.entry());
    }
    long deadline = Expiry.after(clock, ttl);
    // Who wants to be told of expired entries is told of this one: it is written, past its end.
    return deadline == 0 && entries.ended.isWatched() ? clock.millis() : deadline;
  }
}
