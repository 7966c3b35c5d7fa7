package io.rockpool.cache;

import io.rockpool.engine.Expiry;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import java.util.function.ToLongBiFunction;
import org.jspecify.annotations.Nullable;

/**
 * One caller's way to the values of many keys that were not there: by loading, together, those that
 * nobody loads yet, and then waiting for the others. Nobody waits before having loaded what is his,
 * so that two who want the same keys never wait for each other.
 */
final class LoadingReadAll<K, V> {
  private final CacheEntries<K, V> entries;
  private final LoadStoring<K, V> storing;
  private final ToLongBiFunction<K, V> deadlineMillis;
  private final Map<K, Loads.Load> mine = new LinkedHashMap<>();
  private final Map<K, Loads.Load> others = new LinkedHashMap<>();
  private final Map<K, V> result = new LinkedHashMap<>();

  /** A read of keys that were just missed; the last argument tells until when a new entry lives. */
  LoadingReadAll(
      CacheEntries<K, V> entries,
      Collection<? extends K> missed,
      LoadStoring<K, V> storing,
      ToLongBiFunction<K, V> deadlineMillis) {
    this.entries = entries;
    this.storing = storing;
    this.deadlineMillis = deadlineMillis;
    for (K key : missed) {
      Loads.Load load = new Loads.Load();
      // In a transaction every load is its own, see LoadingRead.
      Loads.Load running =
          entries.inTransaction() ? null : entries.loads.join(entries.format.key(key), load);
      if (running == null) {
        mine.put(key, load);
      } else {
        others.put(key, running);
      }
    }
  }

  Map<K, V> load(
      Function<? super Set<K>, ? extends Map<? extends K, ? extends @Nullable V>> loader) {
    if (!mine.isEmpty()) {
      loadMine(loader);
    }
    others.forEach(
        (key, load) -> {
          HotEntry loaded = load.await();
          if (loaded != null) {
            result.put(key, entries.format.value(loaded));
          }
        });
    return result;
  }

  private void loadMine(
      Function<? super Set<K>, ? extends Map<? extends K, ? extends @Nullable V>> loader) {
    try {
      Map<K, V> loaded = callLoader(loader);
      if (!loaded.isEmpty()) {
        storing.store(loaded, () -> store(loaded));
      }
      mine.forEach((key, load) -> load.complete(entry(key)));
    } catch (Throwable e) {
      mine.values().forEach(load -> load.fail(e));
      throw e;
    } finally {
      mine.forEach((key, load) -> entries.loads.end(entries.format.key(key), load));
    }
  }

  private @Nullable HotEntry entry(K key) {
    V value = result.get(key);
    return value == null
        ? null
        : entries.format.write(entries.format.key(key), value, Expiry.NEVER).entry();
  }

  /**
   * Stores what was loaded where there is nothing yet; returns the keys of what it stored. The
   * result has what is there then.
   */
  private Set<K> store(Map<K, V> loaded) {
    List<K> keys = new ArrayList<>(loaded.keySet());
    List<EntryKey> entryKeys = keys.stream().map(entries.format::key).toList();
    List<Change<V>> changes =
        new BulkUpdate<>(
                entries,
                entryKeys,
                (position, found) -> {
                  K key = keys.get(position);
                  V value = Objects.requireNonNull(loaded.get(key));
                  result.put(key, found == null ? value : found.value());
                  return found == null
                      ? Change.write(value, deadlineMillis.applyAsLong(key, value))
                      : Change.keep();
                },
                position -> !Objects.requireNonNull(mine.get(keys.get(position))).isSuperseded())
            .run();
    Set<K> stored = new LinkedHashSet<>();
    for (int i = 0; i < changes.size(); i++) {
      if (changes.get(i).kind() == Change.Kind.WRITE) {
        stored.add(keys.get(i));
      }
    }
    return stored;
  }

  /** What the loader has for the keys it was asked for, and nothing else. */
  private Map<K, V> callLoader(
      Function<? super Set<K>, ? extends Map<? extends K, ? extends @Nullable V>> loader) {
    CacheCounters counters = entries.counters;
    long begun = System.nanoTime();
    boolean done = false;
    try {
      Map<? extends K, ? extends @Nullable V> loaded =
          loader.apply(Collections.unmodifiableSet(mine.keySet()));
      Map<K, V> wanted = new LinkedHashMap<>();
      for (K key : mine.keySet()) {
        V value = loaded.get(key);
        if (value != null) {
          wanted.put(key, value);
        }
      }
      done = true;
      return wanted;
    } finally {
      counters.loadNanos.add(System.nanoTime() - begun);
      (done ? counters.loads : counters.loadFailures).add(mine.size());
    }
  }
}
