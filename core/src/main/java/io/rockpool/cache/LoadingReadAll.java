package io.rockpool.cache;

import io.rockpool.internal.access.LoadStoring;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.ToLongBiFunction;
import org.jspecify.annotations.Nullable;

/**
 * Gets the values of many keys that were just missed. It loads, together, the keys that no other
 * thread loads, and then waits for the others. A thread waits only after it has loaded its own
 * keys, so two threads that need the same keys never wait for each other.
 */
final class LoadingReadAll<K, V> {
  private final CacheEntries<K, V> entries;
  private final LoadStarts<K, V> loadStarts;
  private final List<? extends K> missed;
  private final List<EntryKey> missedKeys;
  private final LoadStoring<K, V> storing;
  private final ToLongBiFunction<K, V> plannedMillis;
  private final Tagging<K, V> tagging;
  private final Map<K, Mine> mine = new LinkedHashMap<>();
  private final Map<K, Loads.Load> others = new LinkedHashMap<>();
  private final Map<K, V> result = new LinkedHashMap<>();

  /** The tags of loaded values. */
  private final Map<K, @Nullable EntryTags> tags = new LinkedHashMap<>();

  /** What the loads of keys began with that need leases. */
  private final Map<K, LoadStarts.Start<V>> begunWith = new LinkedHashMap<>();

  /** The keys whose servers were away, so that nothing is known of what is there. */
  private final Set<K> unread = new HashSet<>();

  private record Mine(EntryKey key, Loads.Load load) {}

  /**
   * Reads keys that were just missed.
   *
   * @param plannedMillis returns the deadline of a new entry
   * @param tagging gives tags to loaded values
   */
  LoadingReadAll(
      CacheEntries<K, V> entries,
      Collection<? extends K> missed,
      LoadStoring<K, V> storing,
      ToLongBiFunction<K, V> plannedMillis,
      Tagging<K, V> tagging) {
    this.entries = entries;
    this.loadStarts = new LoadStarts<>(entries);
    this.missed = List.copyOf(missed);
    this.missedKeys = this.missed.stream().map(entries.format::key).toList();
    this.storing = storing;
    this.plannedMillis = plannedMillis;
    this.tagging = tagging;
  }

  Map<K, V> load(
      ValueLoader<? super Set<K>, ? extends Map<? extends K, ? extends @Nullable V>> loader) {
    try {
      join();
      if (!mine.isEmpty()) {
        loadMine(loader);
      }
    } catch (Throwable e) {
      mine.values().forEach(each -> each.load.fail(e));
      throw e;
    } finally {
      mine.values().forEach(each -> entries.loads.end(each.key, each.load));
    }
    List<K> ended = new ArrayList<>();
    others.forEach(
        (key, load) -> {
          HotEntry loaded = load.await();
          if (!tagging.accepts(loaded)) {
            entries.loads.end(entries.format.key(key), load); // no other thread joins it any more
            ended.add(key);
          } else if (loaded != null) {
            result.put(key, entries.writing.value(loaded));
          }
        });
    if (!ended.isEmpty()) {
      result.putAll(
          new LoadingReadAll<>(entries, ended, storing, plannedMillis, tagging).load(loader));
    }
    return result;
  }

  /** Begins the loads of the keys that no thread loads; a duplicate key is loaded once. */
  private void join() {
    Map<EntryKey, Loads.Load> joined = new HashMap<>();
    for (int i = 0; i < missedKeys.size(); i++) {
      EntryKey entryKey = missedKeys.get(i);
      Loads.Load running = joined.get(entryKey.byBytes());
      Loads.Load load = new Loads.Load(tagging.epoch());
      if (running == null) {
        running = entries.loads.join(entryKey, load);
      }
      if (running == null) {
        mine.put(missed.get(i), new Mine(entryKey, load));
        joined.put(entryKey.byBytes(), load);
      } else {
        others.put(missed.get(i), running);
      }
    }
  }

  private void loadMine(
      ValueLoader<? super Set<K>, ? extends Map<? extends K, ? extends @Nullable V>> loader) {
    begin();
    Map<K, V> loaded = callLoader(loader);
    if (!loaded.isEmpty()) {
      loaded.forEach((key, value) -> tags.put(key, tagging.of(key, value)));
      storeOrDrop(loaded);
      loaded.forEach(result::putIfAbsent);
    }
    mine.forEach(
        (key, each) ->
            each.load.complete(entries.writing.result(each.key, result.get(key), tags.get(key))));
  }

  private void storeOrDrop(Map<K, V> loaded) {
    List<K> keys = new ArrayList<>(loaded.keySet());
    if (!unread.isEmpty()) {
      entries.outages.drop(entryKeys(keys.stream().filter(unread::contains).toList()));
      keys.removeAll(unread);
    }
    for (List<Integer> part : entries.outages.parts(keys, key -> mine(key).key.bytes())) {
      Map<K, V> some = new LinkedHashMap<>();
      part.forEach(i -> some.put(keys.get(i), Objects.requireNonNull(loaded.get(keys.get(i)))));
      entries.outages.storeOrDrop(
          entryKeys(some.keySet()),
          () -> LoadingRead.unlessClosed(entries, () -> storing.store(some, () -> store(some))));
    }
  }

  private List<EntryKey> entryKeys(Collection<K> keys) {
    return keys.stream().map(key -> mine(key).key).toList();
  }

  /** Takes the leases; a key that has got an entry since the miss is not loaded. */
  private void begin() {
    List<K> leased = new ArrayList<>();
    List<EntryKey> leasedKeys = new ArrayList<>();
    mine.forEach(
        (key, each) -> {
          if (loadStarts.isLeased(each.key)) {
            leased.add(key);
            leasedKeys.add(each.key);
          }
        });
    if (leased.isEmpty()) {
      return;
    }
    List<? extends LoadStarts.@Nullable Start<V>> begun =
        entries.outages.<EntryKey, LoadStarts.Start<V>>readAllOrMiss(
            leasedKeys, EntryKey::bytes, loadStarts::readAll);
    for (int i = 0; i < begun.size(); i++) {
      LoadStarts.Start<V> start = begun.get(i);
      Found<V> found = start == null ? null : start.found();
      if (start == null) {
        unread.add(leased.get(i));
      } else if (found != null) {
        result.put(leased.get(i), found.value());
        tags.put(leased.get(i), found.entry().tags());
      } else if (start.lease() != null) {
        begunWith.put(leased.get(i), start);
      }
    }
  }

  /**
   * Stores loaded values for keys that have none; returns the keys of the stored ones. Puts the
   * values of all keys into the result.
   */
  private Set<K> store(Map<K, V> loaded) {
    List<K> keys = new ArrayList<>(loaded.keySet());
    Set<K> stored = new LinkedHashSet<>();
    if (!begunWith.isEmpty()) {
      storeLeased(keys.stream().filter(begunWith::containsKey).toList(), loaded, stored);
      keys.removeAll(begunWith.keySet());
    }
    List<EntryKey> entryKeys = entryKeys(keys);
    List<Change<V>> changes =
        new BulkUpdate<>(
                entries,
                entryKeys,
                (position, found) -> {
                  K key = keys.get(position);
                  V value = Objects.requireNonNull(loaded.get(key));
                  result.put(key, found == null ? value : found.value());
                  Change<V> creation =
                      Change.write(value, plannedMillis.applyAsLong(key, value), tags.get(key))
                          .unlessSuperseded(mine(key).load);
                  return found == null && creation.changes(null) ? creation : Change.keep();
                },
                position -> !mine(keys.get(position)).load.isSuperseded())
            .run();
    for (int i = 0; i < changes.size(); i++) {
      if (changes.get(i).kind() == Change.Kind.WRITE) {
        stored.add(keys.get(i));
      }
    }
    return stored;
  }

  /**
   * Stores the loaded values that live and that no handle has overtaken; adds their keys to {@code
   * stored}. For the others, what is there is the result.
   */
  private void storeLeased(List<K> keys, Map<K, V> loaded, Set<K> stored) {
    List<PlannedWrite<V>> plans = new ArrayList<>();
    List<K> planned = new ArrayList<>();
    List<K> others = new ArrayList<>();
    for (K key : keys) {
      V value = Objects.requireNonNull(loaded.get(key));
      result.put(key, value);
      LoadStarts.Start<V> start = Objects.requireNonNull(begunWith.get(key));
      Change<V> creation =
          Change.write(value, plannedMillis.applyAsLong(key, value), tags.get(key))
              .unlessSuperseded(mine(key).load);
      if (creation.changes(null)) {
        planned.add(key);
        plans.add(
            new PlannedWrite<>(mine(key).key, start.record(), creation, () -> true, start.lease()));
      } else {
        others.add(key);
      }
    }
    List<@Nullable Change<V>> made = entries.commits.commitLeased(plans);
    for (int i = 0; i < made.size(); i++) {
      Change<V> change = made.get(i);
      if (change == null) {
        others.add(planned.get(i));
      } else if (change.kind() == Change.Kind.WRITE) {
        stored.add(planned.get(i));
      }
    }
    new BulkUpdate<>(
            entries,
            entryKeys(others),
            (position, found) -> {
              if (found != null) {
                result.put(others.get(position), found.value());
              }
              return Change.<V>keep();
            },
            position -> false)
        .run();
  }

  private Mine mine(K key) {
    return Objects.requireNonNull(mine.get(key));
  }

  /** The loader's values for the requested keys; drops others. */
  private Map<K, V> callLoader(
      ValueLoader<? super Set<K>, ? extends Map<? extends K, ? extends @Nullable V>> loader) {
    Map<K, V> wanted = new LinkedHashMap<>();
    Set<K> absent = new LinkedHashSet<>();
    mine.forEach(
        (key, each) -> {
          if (!result.containsKey(key)) {
            addPending(key, each, wanted, absent);
          }
        });
    if (!absent.isEmpty()) {
      callLoader(loader, absent, wanted);
    }
    return wanted;
  }

  /** Adds the value of a pending change, which is newer than what the loader would return. */
  private void addPending(K key, Mine each, Map<K, V> wanted, Set<K> absent) {
    Change.Behind<V> pending = entries.pending(each.key);
    if (pending == null) {
      absent.add(key);
    } else if (pending.value() != null) {
      wanted.put(key, pending.value());
    }
  }

  private void callLoader(
      ValueLoader<? super Set<K>, ? extends Map<? extends K, ? extends @Nullable V>> loader,
      Set<K> absent,
      Map<K, V> wanted) {
    CacheCounters counters = entries.counters;
    long begun = System.nanoTime();
    boolean done = false;
    try {
      Map<? extends K, ? extends @Nullable V> loaded =
          Objects.requireNonNull(
              Loads.call(loader, Collections.unmodifiableSet(absent)),
              "The loader of many keys returned null; return an empty map if no key has a value.");
      for (K key : absent) {
        V value = loaded.get(key);
        if (value != null) {
          wanted.put(key, value);
        }
      }
      done = true;
    } finally {
      counters.loadNanos.add(System.nanoTime() - begun);
      (done ? counters.loads : counters.loadFailures).add(absent.size());
    }
  }
}
