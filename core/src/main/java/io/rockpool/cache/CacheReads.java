package io.rockpool.cache;

import io.rockpool.engine.Expiry;
import io.rockpool.engine.RecordKey;
import io.rockpool.engine.RowRecord;
import io.rockpool.engine.Space;
import io.rockpool.error.UndecodableValueException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Reads that are counted, and that may move the expiry of an entry or refresh it. They read the hot
 * tier first, then the disk.
 */
final class CacheReads<K, V> {
  /** Keys per native call in {@link #getAll}. It bounds the values in memory. */
  private static final int READ_BATCH = 512;

  private final CacheEntries<K, V> entries;
  private final EntryReader<K, V> reader;
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
    this.reader = entries.reader;
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
      Object payload = reader.hotPayload(key);
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
    ensureOpen();
    if (!plainHotKeys) {
      long now = now();
      Found<V> hot = hot(entryKey, now);
      if (hot != null) {
        attend(key, entryKey, hot, now, loader);
        return hot.value();
      }
    }
    Found<V> found = reader.readOrMiss(entryKey);
    if (found == null) {
      counters.misses.increment();
      return null;
    }
    counters.diskHits.increment();
    attend(key, entryKey, found, now(), loader);
    return found.value();
  }

  /** Costs a hit in memory one volatile read. */
  private void ensureOpen() {
    if (entries.closed != null) {
      entries.ensureOpen(); // throws
    }
  }

  /** The current time, read only if reads move deadlines. */
  private long now() {
    return idle ? clock.millis() : 0;
  }

  private @Nullable Found<V> hot(EntryKey key, long now) {
    HotEntry entry = idle ? reader.hotIdle(key, now) : reader.hotIdle(key);
    V value = entry == null ? null : hotValue(entry.payload());
    return entry == null || value == null ? null : new Found<>(entry, value);
  }

  /**
   * The value of an entry in the hot tier, counted as a hit; null if it cannot be decoded. Then the
   * read of the disk reports that.
   */
  private @Nullable V hotValue(Object payload) {
    ensureOpen();
    try {
      V value = format.value(payload);
      counters.hotHits.increment();
      return value;
    } catch (UndecodableValueException e) {
      return null;
    }
  }

  /** Moves the deadline of an entry that was read, if the expiry policy wants that. */
  void touch(K key, EntryKey entryKey, Found<V> found) {
    touch(key, entryKey, found, now());
  }

  private void touch(K key, EntryKey entryKey, Found<V> found, long now) {
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
      Found<V> found,
      long now,
      @Nullable ValueLoader<? super K, ? extends @Nullable V> loader) {
    if (attentive) {
      touch(key, entryKey, found, now);
      if (refreshes != null) {
        refreshes.served(key, entryKey, found.entry(), loader);
      }
    }
  }

  /** See {@link PersistentCache#tags}. */
  Set<String> tags(EntryKey entryKey) {
    HotEntry entry = header(entryKey);
    EntryTags tags = entry == null ? null : entry.tags();
    Set<String> names = new LinkedHashSet<>();
    if (tags != null) {
      tags.names().forEach(name -> names.add(new String(name.bytes(), StandardCharsets.UTF_8)));
    }
    return names;
  }

  private @Nullable HotEntry header(EntryKey entryKey) {
    HotEntry entry = reader.hotIdle(entryKey);
    return entry == null ? reader.header(entryKey) : entry;
  }

  /** See {@link PersistentCache#ttl}. */
  Optional<Duration> ttl(EntryKey entryKey) {
    HotEntry entry = header(entryKey);
    if (entry == null) {
      return Optional.empty();
    }
    long deadline = reader.deadline(entryKey, entry);
    if (deadline == Expiry.NEVER) {
      return Optional.of(CacheExpiry.FOREVER);
    }
    long millis = deadline - clock.millis(); // it may have passed since the entry was read
    return millis > 0 ? Optional.of(Duration.ofMillis(millis)) : Optional.empty();
  }

  /** A key of {@link #getAll}. */
  private static final class Wanted<K, V> {
    private final K key;
    private final EntryKey entryKey;
    private @Nullable V value;

    Wanted(K key, EntryKey entryKey) {
      this.key = key;
      this.entryKey = entryKey;
    }
  }

  Map<K, V> getAll(Collection<? extends K> keys) {
    keys.forEach(key -> Objects.requireNonNull(key, "key"));
    ensureOpen();
    Collection<? extends K> distinct = keys instanceof Set ? keys : new LinkedHashSet<>(keys);
    List<Wanted<K, V>> all = new ArrayList<>(distinct.size());
    List<Wanted<K, V>> cold = new ArrayList<>();
    for (K key : distinct) {
      Wanted<K, V> wanted = new Wanted<>(key, format.keyToRead(key));
      all.add(wanted);
      long now = now();
      Found<V> hot = hot(wanted.entryKey, now);
      if (hot == null) {
        cold.add(wanted);
      } else {
        wanted.value = hot.value();
        attend(key, wanted.entryKey, hot, now, null);
      }
    }
    for (int from = 0; from < cold.size(); from += READ_BATCH) {
      readAll(cold.subList(from, Math.min(from + READ_BATCH, cold.size())));
    }
    Map<K, V> found = new LinkedHashMap<>(2 * all.size());
    for (Wanted<K, V> wanted : all) {
      if (wanted.value != null) {
        found.put(wanted.key, wanted.value);
      }
    }
    return found;
  }

  private void readAll(List<Wanted<K, V>> cold) {
    List<RecordKey> recordKeys = new ArrayList<>(cold.size());
    long[] tickets = new long[cold.size()];
    for (Wanted<K, V> wanted : cold) {
      tickets[recordKeys.size()] = entries.writes.ticket(wanted.entryKey);
      recordKeys.add(new RecordKey(wanted.entryKey.bytes(), Space.NO_SORT_KEY));
    }
    List<? extends @Nullable RowRecord> records = reader.readOrMiss(recordKeys);
    for (int i = 0; i < cold.size(); i++) {
      Wanted<K, V> wanted = cold.get(i);
      RowRecord record = records.get(i);
      Found<V> entry = null;
      if (record == null) {
        entries.writes.passed(wanted.entryKey);
      } else if (format.sharesChangeableValues()) {
        entry = reader.readOrMiss(wanted.entryKey); // the instance that others get
      } else {
        entry = reader.read(wanted.entryKey, record, tickets[i]);
      }
      if (entry == null) {
        entries.ended.tell(wanted.entryKey, record);
        counters.misses.increment();
      } else {
        counters.diskHits.increment();
        wanted.value = entry.value();
        attend(wanted.key, wanted.entryKey, entry, now(), null);
      }
    }
  }
}
