package io.rockpool.jcache;

import io.rockpool.cache.Decision;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Changes many entries, as {@link EntryChanges} does one: in batches, one call of the writer for
 * all. Listeners are told when all is done.
 */
final class BulkChanges<K, V> {
  /**
   * Keys whose processors run before the first of their changes is made: what one read of the store
   * brings, and few enough locks held at once.
   */
  private static final int PROCESSOR_BATCH = 128;

  private final Storing<K, V> store;
  private final Watching<K, V> watching;

  BulkChanges(Storing<K, V> store, Watching<K, V> watching) {
    this.store = store;
    this.watching = watching;
  }

  /**
   * Puts all; returns how many count as puts.
   *
   * @param blindly whether nobody needs to know what was there
   */
  long putAll(Map<? extends K, ? extends V> map, boolean blindly) {
    Writing<K, V> writing = watching.writing();
    Writing.Failure<K> failure = null;
    long puts;
    try (KeyLocks.Held lock = lockAll(map.keySet())) {
      Map<K, V> left = new LinkedHashMap<>(map);
      if (writing != null) {
        failure = writing.writeAll(map);
        left.keySet().removeAll(failure == null ? Set.of() : failure.keys());
      }
      puts = blindly ? putBlind(left) : put(left);
    }
    return countUnless(failure, puts);
  }

  private long putBlind(Map<K, V> map) {
    Storing.run(() -> store.kernel().putAll(map));
    return map.size();
  }

  private long put(Map<K, V> map) {
    Map<K, Outcome<V>> outcomes =
        store.storeAll(
            map.keySet(),
            (key, there) -> Ruling.of(Decision.put(Objects.requireNonNull(map.get(key)))));
    watching.tellAll(outcomes);
    return outcomes.values().stream().mapToLong(Outcome::puts).sum();
  }

  /** Removes all; returns how many were there. */
  long removeAll(Set<? extends K> keys) {
    Writing<K, V> writing = watching.writing();
    Writing.Failure<K> failure = null;
    long removals;
    try (KeyLocks.Held lock = lockAll(keys)) {
      Set<K> left = new LinkedHashSet<>(keys);
      if (writing != null && !left.isEmpty()) {
        failure = writing.deleteAll(keys);
        left.removeAll(failure == null ? Set.of() : failure.keys());
      }
      Map<K, Outcome<V>> outcomes =
          store.storeAll(left, (key, there) -> Ruling.of(Decision.remove()));
      watching.tellAll(outcomes);
      removals = outcomes.values().stream().mapToLong(Outcome::removals).sum();
    }
    return countUnless(failure, removals);
  }

  private static <K> long countUnless(Writing.@Nullable Failure<K> failure, long number) {
    if (failure != null) {
      throw failure.cause();
    }
    return number;
  }

  /** What {@code loading} has for keys that were just missed, which becomes entries. */
  Map<K, V> load(Set<K> missed, Loading<K, V> loading) {
    if (!watching.isOn()) {
      return Storing.call(() -> store.kernel().loadAll(missed, loading::loadAll));
    }
    try (KeyLocks.Held lock = watching.lockAll(missed)) {
      Map<K, V> loaded = loading.loadAll(missed);
      Map<K, V> result = new HashMap<>();
      Map<K, Outcome<V>> outcomes =
          store.storeAll(
              withValue(missed, loaded),
              (key, there) -> {
                V value = Objects.requireNonNull(loaded.get(key));
                result.put(key, there == null ? value : there);
                return ofLoader(there == null ? Decision.put(value) : Decision.keep());
              });
      watching.tellAll(outcomes);
      return result;
    }
  }

  /** Loads entries for {@code loadAll}: those that are missing, or all. */
  void reload(Set<K> keys, boolean replace, Loading<K, V> loading) {
    try (KeyLocks.Held lock = lockAll(keys)) {
      Set<K> wanted = replace ? keys : missing(keys);
      if (wanted.isEmpty()) {
        return;
      }
      if (!replace) {
        load(wanted, loading);
        return;
      }
      Map<K, V> loaded = loading.loadAll(wanted);
      watching.tellAll(
          store.storeAll(
              withValue(wanted, loaded),
              (key, there) -> ofLoader(Decision.put(Objects.requireNonNull(loaded.get(key))))));
    }
  }

  private Set<K> missing(Set<K> keys) {
    Set<K> missing = new LinkedHashSet<>();
    store
        .storeAll(keys, (key, there) -> Ruling.of(Decision.keep()))
        .forEach(
            (key, outcome) -> {
              if (!outcome.wasThere()) {
                missing.add(key);
              }
            });
    return missing;
  }

  private static <V> Ruling<V> ofLoader(Decision<V> decision) {
    return new Ruling<>(decision, Origin.LOADER);
  }

  private List<K> withValue(Set<K> keys, Map<K, V> loaded) {
    return keys.stream().filter(key -> loaded.get(key) != null).toList();
  }

  /**
   * Runs processors, a batch of keys at a time, and does what they say. A processor must note its
   * own failure and leave its entry alone; a failure of the writer or a listener is noted with it.
   */
  void process(Collection<? extends K> keys, Function<K, ? extends ProcessorRun<K, V, ?>> runs) {
    List<K> all = new ArrayList<>(keys);
    for (int from = 0; from < all.size(); from += PROCESSOR_BATCH) {
      processBatch(all.subList(from, Math.min(from + PROCESSOR_BATCH, all.size())), runs);
    }
  }

  private void processBatch(List<K> keys, Function<K, ? extends ProcessorRun<K, V, ?>> runs) {
    try (KeyLocks.Held lock = lockAll(keys)) {
      if (watching.writing() == null) {
        finish(store.storeAll(keys, (key, there) -> runs.apply(key).tryRun(there)), runs);
        return;
      }
      Map<K, Ruling<V>> rulings = new LinkedHashMap<>();
      store
          .storeAll(keys, (key, there) -> Ruling.of(Decision.keep()))
          .forEach(
              (key, outcome) -> {
                ProcessorRun<K, V, ?> run = runs.apply(key);
                Ruling<V> ruling = run.tryRun(outcome.before());
                if (run.tryTo(() -> watching.write(key, ruling))) {
                  rulings.put(key, ruling);
                }
              });
      finish(
          store.storeAll(
              rulings.keySet(), (key, there) -> Objects.requireNonNull(rulings.get(key))),
          runs);
    }
  }

  private void finish(
      Map<K, Outcome<V>> outcomes, Function<K, ? extends ProcessorRun<K, V, ?>> runs) {
    outcomes.forEach(
        (key, outcome) -> {
          ProcessorRun<K, V, ?> run = runs.apply(key);
          run.tryTo(() -> watching.told(key, outcome));
          run.done(outcome);
        });
  }

  private KeyLocks.Held lockAll(Collection<? extends K> keys) {
    return watching.isOn() ? watching.lockAll(keys) : () -> {};
  }
}
