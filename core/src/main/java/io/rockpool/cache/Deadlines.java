package io.rockpool.cache;

import io.rockpool.engine.Expiry;
import io.rockpool.internal.access.LoadedValues;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.function.BiFunction;
import java.util.function.ToLongBiFunction;
import org.jspecify.annotations.Nullable;

/**
 * The planned deadlines of entries that are about to be written, by the cache's expiry policy: a
 * time to live in milliseconds as a negative number, else a deadline; 0 removes the entry.
 *
 * <p>A time to live counts from the write, and encoding the first value of a class takes long. So
 * {@link CacheEntryFormat} makes it a deadline after the value is encoded.
 */
final class Deadlines<K, V> {
  private final CacheEntries<K, V> entries;
  private final CacheExpiry<? super K, ? super V> expiry;
  private final InstantSource clock;

  /** Whether all new entries have the planned deadline {@link #ofEachNew}. */
  private final boolean isFixed;

  private final long ofEachNew;

  Deadlines(CacheEntries<K, V> entries, CacheExpiry<? super K, ? super V> expiry) {
    this.entries = entries;
    this.expiry = expiry;
    this.clock = entries.clock();
    this.isFixed = expiry instanceof FixedExpiry<?, ?>;
    this.ofEachNew = expiry instanceof FixedExpiry<?, ?> fixed ? lasting(fixed.creation()) : 0;
  }

  /** The planned deadline of an entry that lives for {@code ttl}. */
  static long lasting(Duration ttl) {
    long millis = Expiry.after(0, ttl);
    return millis == Expiry.NEVER ? millis : -millis;
  }

  /** The deadline of an entry that expires at an instant; 0 if that is past. */
  long at(Instant when) {
    if (when.getEpochSecond() > Expiry.MAX_MILLIS / 1000) {
      return Expiry.NEVER;
    }
    return when.isAfter(clock.instant()) ? when.toEpochMilli() : 0;
  }

  /** The planned deadline of an entry that is put where there is none. */
  long ofNew(K key, V value) {
    if (isFixed) {
      return ofEachNew;
    }
    Duration ttl = expiry.afterCreation(key, value);
    if (ttl == null) {
      throw new NullPointerException(
          "The expiry policy of the cache \""
              + entries.shared.space.name()
              + "\" returns null for a new entry. Return CacheExpiry.FOREVER for no expiry.");
    }
    return lasting(ttl);
  }

  /** The planned deadlines of loaded entries where there were none. */
  ToLongBiFunction<K, V> ofNew(LoadedValues<K, V> values) {
    BiFunction<? super K, ? super V, @Nullable Duration> ttls = values.ttl();
    return ttls == null
        ? this::ofNew
        : (key, value) -> {
          Duration ttl = ttls.apply(key, value);
          return ttl == null ? ofNew(key, value) : lasting(ttl);
        };
  }

  /** The planned deadline of an entry that is put over {@code found}. */
  long of(K key, V value, @Nullable Found<V> found) {
    if (found == null) {
      return ofNew(key, value);
    }
    Duration ttl = expiry.afterUpdate(key, value);
    if (ttl == null) {
      return entries.reader.deadline(entries.format.key(key), found.entry());
    }
    long deadline = lasting(ttl);
    // It has expired, but it is written, so that listeners of expired entries are notified of it.
    return deadline == 0 && entries.isWatched() ? clock.millis() : deadline;
  }
}
