package io.rockpool.jcache;

import io.rockpool.error.StoreClosedException;
import io.rockpool.internal.access.Decision;
import io.rockpool.internal.access.RunningLoad;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import java.util.function.LongConsumer;

/**
 * Changes many entries, as {@link EntryChanges} changes one: in batches, with one call of the cache
 * writer. Listeners are called after the last batch.
 */
final class BulkChanges<K, V> {
  /**
   * Keys whose processors run before the first of their changes is made: what one read of the store
   * brings, and few enough locks held at once.
   */
  private static final int PROCESSOR_BATCH = 128;

  private final StoreChanges<K, V> store;
  private final ObservedChanges<K, V> watching;
  private final RunningProcessors<K> processors;
  private final ProcessorLocks<K> processed;

  BulkChanges(
      StoreChanges<K, V> store,
      ObservedChanges<K, V> watching,
      RunningProcessors<K> processors,
      ProcessorLocks<K> processed) {
    this.store = store;
    this.watching = watching;
    this.processors = processors;
    this.processed = processed;
  }

  /**
   * Puts all; the number of puts is counted before anything is thrown.
   *
   * @param blindly whether the old values are not needed
   */
  void putAll(Map<? extends K, ? extends V> given, boolean blindly, LongConsumer count) {
    // Other threads may be changing the map; what is put blindly is looked at once anyway.
    Map<? extends K, ? extends V> map =
        blindly && watching.writing() == null ? given : new LinkedHashMap<>(given);
    processors.check(map.keySet());
    try (KeyLocks.Held lock = lockAll(map.keySet())) {
      WriterCalls<K, V> writing = watching.writing();
      Failures failures = new Failures();
      Map<? extends K, ? extends V> left =
          writing == null || map.isEmpty() ? map : writing.writeAll(map, failures);
      failures.tryTo(
          () -> {
            if (blindly) {
              StoreChanges.run(() -> store.kernel().putAll(left));
              count.accept(left.size());
            } else {
              put(left, count);
            }
          });
      failures.throwFirst();
    }
  }

  private void put(Map<? extends K, ? extends V> map, LongConsumer count) {
    Map<K, Outcome<V>> outcomes =
        store.storeAll(
            map.keySet(),
            (key, there) ->
                AttributedDecision.of(Decision.put(Objects.requireNonNull(map.get(key)))));
    count.accept(outcomes.values().stream().mapToLong(Outcome::puts).sum());
    watching.tellAll(outcomes);
  }

  /**
   * Removes all; the number of those that were there is counted before anything is thrown.
   *
   * @param blindly whether the old values are not needed; then nothing is counted
   */
  void removeAll(Set<? extends K> keys, boolean blindly, LongConsumer count) {
    processors.check(keys);
    try (KeyLocks.Held lock = lockAll(keys)) {
      WriterCalls<K, V> writing = watching.writing();
      Failures failures = new Failures();
      Set<? extends K> left =
          writing == null || keys.isEmpty() ? keys : writing.deleteAll(keys, failures);
      failures.tryTo(
          () -> {
            if (blindly) {
              StoreChanges.run(() -> store.kernel().invalidateAll(left));
            } else {
              remove(left, count);
            }
          });
      failures.throwFirst();
    }
  }

  private void remove(Set<? extends K> keys, LongConsumer count) {
    Map<K, Outcome<V>> outcomes =
        store.storeAll(keys, (key, there) -> AttributedDecision.of(Decision.remove()));
    count.accept(outcomes.values().stream().mapToLong(Outcome::removals).sum());
    watching.tellAll(outcomes);
  }

  /**
   * What {@code loading} has for keys that were just missed, which becomes entries; loaded with no
   * lock held.
   */
  Map<K, V> load(Set<K> missed, Loading<K, V> loading) {
    return StoreChanges.call(
        () -> store.access().loadAll(missed, loading::loadAll, watching::storeLoaded));
  }

  /** Loads entries for {@code loadAll}: those that are missing, or all. */
  void reload(Set<K> keys, boolean replace, Loading<K, V> loading) {
    Set<K> wanted = replace ? keys : missing(keys);
    if (wanted.isEmpty()) {
      return;
    }
    if (!replace) {
      load(wanted, loading);
      if (store.kernel().isClosed()) { // then the loaded values were dropped
        throw new StoreClosedException(
            "The cache \""
                + store.kernel().name()
                + "\" was closed while its loader ran, so what was loaded is not stored. Open it"
                + " and load again.");
      }
      return;
    }
    Map<K, RunningLoad> running = StoreChanges.call(() -> store.access().beginLoads(wanted));
    try {
      Map<K, V> loaded = store.access().pendingOrLoaded(wanted, loading::loadAll);
      try (KeyLocks.Held lock = lockAll(loaded.keySet())) {
        watching.tellAll(
            store.storeAll(
                loaded.keySet(),
                (key, there) ->
                    new AttributedDecision<>(
                        Decision.put(Objects.requireNonNull(loaded.get(key)))
                            .unlessSuperseded(Objects.requireNonNull(running.get(key))),
                        Origin.LOADER)));
      }
    } finally {
      running.values().forEach(RunningLoad::close);
    }
  }

  private Set<K> missing(Set<K> keys) {
    Set<K> missing = new LinkedHashSet<>();
    store
        .storeAll(keys, (key, there) -> AttributedDecision.of(Decision.keep()))
        .forEach(
            (key, outcome) -> {
              if (!outcome.wasThere()) {
                missing.add(key);
              }
            });
    return missing;
  }

  /**
   * Runs processors, a batch of keys at a time, and does what they say. A processor must note its
   * own failure and leave its entry alone; a failure of the writer or a listener is noted with it.
   */
  void process(Collection<? extends K> keys, Function<K, ? extends ProcessorRun<K, V, ?>> runs) {
    processors.check(keys);
    List<K> all = new ArrayList<>(keys);
    for (int from = 0; from < all.size(); from += PROCESSOR_BATCH) {
      List<K> batch = all.subList(from, Math.min(from + PROCESSOR_BATCH, all.size()));
      try {
        processBatch(batch, runs);
      } finally {
        batch.forEach(key -> runs.apply(key).close());
      }
    }
  }

  private void processBatch(List<K> keys, Function<K, ? extends ProcessorRun<K, V, ?>> runs) {
    try (KeyLocks.Held lock = processed.lockAll(keys);
        KeyLocks.Held observed = lockAll(keys)) {
      if (watching.writing() == null) {
        finish(store.storeAll(keys, (key, there) -> runs.apply(key).tryRun(there)), runs);
        return;
      }
      Map<K, AttributedDecision<V>> rulings = new LinkedHashMap<>();
      store
          .storeAll(keys, (key, there) -> AttributedDecision.of(Decision.keep()))
          .forEach(
              (key, outcome) -> {
                ProcessorRun<K, V, ?> run = runs.apply(key);
                AttributedDecision<V> ruling = run.tryRun(outcome.before());
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
