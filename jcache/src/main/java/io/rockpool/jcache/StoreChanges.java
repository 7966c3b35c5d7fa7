package io.rockpool.jcache;

import io.rockpool.cache.PersistentCache;
import io.rockpool.error.RockpoolException;
import io.rockpool.internal.access.CacheAccess;
import io.rockpool.internal.access.Decision;
import io.rockpool.internal.access.Internals;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Changes of the store, and what became of the entries. Errors come as the specification wants. */
record StoreChanges<K, V>(PersistentCache<K, V> kernel) {
  /** What the last run of a rule saw and said. */
  private record Seen<V>(@Nullable V before, AttributedDecision<V> ruling) {}

  /** What is hidden of the kernel. */
  CacheAccess<K, V> access() {
    return Internals.cache(kernel);
  }

  /** Does to an entry what {@code rule} says of its value, or of null. */
  Outcome<V> store(K key, Function<? super @Nullable V, AttributedDecision<V>> rule) {
    Seen<?>[] last = new Seen<?>[1];
    boolean[] skipped = new boolean[1];
    boolean changed =
        call(
            () ->
                access()
                    .decide(
                        key,
                        value -> {
                          Seen<V> seen = new Seen<>(value, rule.apply(value));
                          last[0] = seen;
                          return written(seen.ruling);
                        },
                        it -> skipped[0] = true));
    @SuppressWarnings("unchecked") // set by the function above
    Seen<V> seen = (Seen<V>) Objects.requireNonNull(last[0]);
    return new Outcome<>(seen.before, seen.ruling, changed, skipped[0]);
  }

  /** As {@link #store}, for many entries; what became of them, in the order of the keys. */
  Map<K, Outcome<V>> storeAll(
      Collection<? extends K> keys,
      BiFunction<? super K, ? super @Nullable V, AttributedDecision<V>> rule) {
    Map<K, Seen<V>> last = new LinkedHashMap<>();
    Set<K> skipped = new HashSet<>();
    Set<K> changed =
        call(
            () ->
                access()
                    .decideAll(
                        keys,
                        (key, value) -> {
                          AttributedDecision<V> ruling = rule.apply(key, value);
                          last.put(key, new Seen<>(value, ruling));
                          return written(ruling);
                        },
                        skipped::add));
    Map<K, Outcome<V>> outcomes = new LinkedHashMap<>();
    last.forEach(
        (key, seen) ->
            outcomes.put(
                key,
                new Outcome<>(
                    seen.before, seen.ruling, changed.contains(key), skipped.contains(key))));
    return outcomes;
  }

  private static <V> Decision<V> written(AttributedDecision<V> ruling) {
    return ruling.isWrittenThrough() ? ruling.decision() : ruling.decision().unwritten();
  }

  /** Calls the store. */
  static void run(Runnable call) {
    try {
      call.run();
    } catch (RockpoolException e) {
      throw OwnedResources.wrapped(e);
    }
  }

  /** Calls the store for something. */
  static <R extends @Nullable Object> R call(Supplier<R> call) {
    try {
      return call.get();
    } catch (RockpoolException e) {
      throw OwnedResources.wrapped(e);
    }
  }
}
