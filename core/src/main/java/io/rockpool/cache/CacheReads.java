package io.rockpool.cache;

import io.rockpool.engine.Expiry;
import io.rockpool.engine.RecordKey;
import io.rockpool.engine.RowRecord;
import io.rockpool.engine.Space;
import io.rockpool.error.UndecodableValueException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Reads that are counted, and that may move the expiry of an entry or refresh it. They read the hot
 * tier first, then the disk.
 */
final class CacheReads<K, V> {
  /** Keys per native call in {@link #getAll}. It bounds the values in memory. */
  private static final int READ_BATCH = 512;

  private final CacheEntries<K, V> entries;
  private final CacheEntryFormat<K, V> format;
  private final CacheCounters counters;
  private final CacheExpiry<? super K, ? super V> expiry;
  private final InstantSource clock;
  private final boolean idle;
  private final @Nullable Refreshes<K, V> refreshes;

  /** Whether a read may have to do more than return a value. */
  private final boolean attentive;

  /** Whether the hot tier can be read with the caller's key: no other step needs its bytes. */
  private final boolean plainHotKeys;

  CacheReads(
      CacheEntries<K, V> entries,
      CacheExpiry<? super K, ? super V> expiry,
      @Nullable Refreshes<K, V> refreshes) {
    this.entries = entries;
    this.format = entries.format;
    this.counters = entries.counters;
    this.expiry = expiry;
    this.clock = entries.clock();
    this.idle = expiry.usesAccess();
    this.refreshes = refreshes;
    this.attentive = idle || refreshes != null;
    this.plainHotKeys = format.knowsKeysByThemselves() && !attentive;
  }

  /**
   * The value of a key, or null.
   *
   * @param loader refreshes the value if it is due; null for the cache's own loader
   */
  @Nullable V get(K key, @Nullable ValueLoader<? super K, ? extends @Nullable V> loader) {
    Objects.requireNonNull(key, "key");
    if (plainHotKeys) {
      Object payload = entries.hotPayload(key);
      if (payload != null) {
        V value = hotValue(payload);
        if (value != null) {
          return value;
        }
      }
    }
    return get(key, format.keyToRead(key), loader);
  }

  private @Nullable V get(
      K key, EntryKey entryKey, @Nullable ValueLoader<? super K, ? extends @Nullable V> loader) {
    entries.ensureOpen();
    if (!plainHotKeys) {
      long now = now();
      CacheEntries.Found<V> hot = hot(entryKey, now);
      if (hot != null) {
        attend(key, entryKey, hot, now, loader);
        return hot.value();
      }
    }
    CacheEntries.Found<V> found = entries.read(entryKey);
    if (found == null) {
      counters.misses.increment();
      return null;
    }
    counters.diskHits.increment();
    attend(key, entryKey, found, now(), loader);
    return found.value();
  }

  /** The current time, read only if reads move deadlines. */
  private long now() {
    return idle ? clock.millis() : 0;
  }

  private CacheEntries.@Nullable Found<V> hot(EntryKey key, long now) {
    HotEntry entry = idle ? entries.hotIdle(key, now) : entries.hotIdle(key);
    V value = entry == null ? null : hotValue(entry.payload());
    return entry == null || value == null ? null : new CacheEntries.Found<>(entry, value);
  }

  /**
   * The value of an entry in the hot tier, counted as a hit; null if it cannot be decoded. Then the
   * read of the disk reports that.
   */
  private @Nullable V hotValue(Object payload) {
    entries.ensureOpen();
    try {
      V value = format.value(payload);
      counters.hotHits.increment();
      return value;
    } catch (UndecodableValueException e) {
      return null;
    }
  }

  /** Moves the deadline of an entry that was read, if the expiry policy wants that. */
  void touch(K key, EntryKey entryKey, CacheEntries.Found<V> found) {
    touch(key, entryKey, found, now());
  }

  private void touch(K key, EntryKey entryKey, CacheEntries.Found<V> found, long now) {
    if (idle) {
      Duration ttl = expiry.afterAccess(key, found.value());
      if (ttl != null) {
        boolean limited = expiry.limit(found.value()) != null;
        entries.idle.move(entryKey, found.entry(), Expiry.after(now, ttl), limited);
      }
    }
  }

  /** The work after a read that found a value. */
  private void attend(
      K key,
      EntryKey entryKey,
      CacheEntries.Found<V> found,
      long now,
      @Nullable ValueLoader<? super K, ? extends @Nullable V> loader) {
    if (attentive) {
      touch(key, entryKey, found, now);
      if (refreshes != null) {
        refreshes.served(key, entryKey, found.entry(), loader);
      }
    }
  }

  /** See {@link PersistentCache#ttl}. */
  Optional<Duration> ttl(EntryKey entryKey) {
    HotEntry entry = entries.hotIdle(entryKey);
    if (entry == null) {
      entry = entries.header(entryKey);
    }
    if (entry == null) {
      return Optional.empty();
    }
    long deadline = entries.deadline(entryKey, entry);
    return Optional.of(
        deadline == Expiry.NEVER
            ? CacheExpiry.FOREVER
            : Duration.ofMillis(Math.max(0, deadline - clock.millis())));
  }

  Map<K, V> getAll(Collection<? extends K> keys) {
    keys.forEach(key -> Objects.requireNonNull(key, "key"));
    entries.ensureOpen();
    Map<K, @Nullable V> found = new LinkedHashMap<>();
    Map<K, EntryKey> cold = new LinkedHashMap<>();
    for (K key : keys) {
      EntryKey entryKey = format.keyToRead(key);
      long now = now();
      CacheEntries.Found<V> hot = hot(entryKey, now);
      found.put(key, hot == null ? null : hot.value());
      if (hot == null) {
        cold.put(key, entryKey);
      } else {
        attend(key, entryKey, hot, now, null);
      }
    }
    List<K> coldKeys = new ArrayList<>(cold.keySet());
    for (int from = 0; from < coldKeys.size(); from += READ_BATCH) {
      readAll(coldKeys.subList(from, Math.min(from + READ_BATCH, coldKeys.size())), cold, found);
    }
    Map<K, V> result = new LinkedHashMap<>();
    found.forEach(
        (key, value) -> {
          if (value != null) {
            result.put(key, value);
          }
        });
    return result;
  }

  private void readAll(List<K> keys, Map<K, EntryKey> entryKeys, Map<K, @Nullable V> found) {
    List<RecordKey> recordKeys = new ArrayList<>(keys.size());
    for (K key : keys) {
      recordKeys.add(new RecordKey(entryKey(entryKeys, key).bytes(), Space.NO_SORT_KEY));
    }
    List<@Nullable RowRecord> records = entries.space().getAll(recordKeys);
    for (int i = 0; i < keys.size(); i++) {
      K key = keys.get(i);
      EntryKey entryKey = entryKey(entryKeys, key);
      RowRecord record = records.get(i);
      CacheEntries.Found<V> entry =
          record == null
              ? null
              : format.sharesChangeableValues()
                  ? entries.read(entryKey) // the instance that others get
                  : entries.read(entryKey, record);
      entries.writes.passed(entryKey);
      if (entry == null) {
        entries.ended.tell(entryKey, record);
        counters.misses.increment();
      } else {
        counters.diskHits.increment();
        found.put(key, entry.value());
        attend(key, entryKey, entry, now(), null);
      }
    }
  }

  private static <K> EntryKey entryKey(Map<K, EntryKey> keys, K key) {
    return Objects.requireNonNull(keys.get(key));
  }
}
