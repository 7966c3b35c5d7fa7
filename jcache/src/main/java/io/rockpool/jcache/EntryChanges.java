package io.rockpool.jcache;

import io.rockpool.cache.Decision;
import io.rockpool.cache.PersistentCache;
import io.rockpool.error.RockpoolException;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import javax.cache.event.EventType;
import org.jspecify.annotations.Nullable;

/**
 * Changes entries: in the store, and before that through the cache's writer, and after that for its
 * listeners.
 *
 * <p>A cache that nobody watches takes no lock: a change is the kernel's optimistic update. Of a
 * watched cache, each key's changes are made one after the other, so that writer and listeners see
 * them in their order. With a writer, what was decided is what is done, even if another manager on
 * the same store changed the entry in between.
 */
final class EntryChanges<K, V> {
  private final PersistentCache<K, V> kernel;
  private final KeyLocks<K> locks;
  private final @Nullable Writing<K, V> writing;
  private final Listeners<K, V> listeners;

  /**
   * What became of an entry.
   *
   * @param before the value it had
   * @param decision what was decided
   * @param changed whether the store was changed
   */
  record Outcome<V>(@Nullable V before, Decision<V> decision, boolean changed) {
    boolean wasThere() {
      return before != null;
    }

    /** Whether the change counts as a put: not where a new entry expired at once. */
    boolean isPut() {
      return decision.kind() == Decision.Kind.PUT && (changed || before != null);
    }

    boolean isRemoval() {
      return decision.kind() == Decision.Kind.REMOVE && changed;
    }
  }

  EntryChanges(
      PersistentCache<K, V> kernel,
      KeyLocks<K> locks,
      @Nullable Writing<K, V> writing,
      Listeners<K, V> listeners) {
    this.kernel = kernel;
    this.locks = locks;
    this.writing = writing;
    this.listeners = listeners;
  }

  /** Whether a writer or a listener wants to know of every single change. */
  boolean areWatched() {
    return writing != null || !listeners.isEmpty();
  }

  /** Does to an entry what {@code rule} decides from its value, or null. */
  Outcome<V> change(K key, Function<? super @Nullable V, Decision<V>> rule) {
    return change(key, rule, () -> true);
  }

  /**
   * As above, where {@code writesThrough}, asked after the rule, says whether the writer is to be
   * told.
   */
  Outcome<V> change(
      K key, Function<? super @Nullable V, Decision<V>> rule, BooleanSupplier writesThrough) {
    if (!areWatched()) {
      return store(key, rule);
    }
    try (KeyLocks.Held lock = locks.lock(key)) {
      Outcome<V> outcome;
      if (writing == null) {
        outcome = store(key, rule);
      } else {
        Decision<V> decision = rule.apply(store(key, value -> Decision.keep()).before);
        if (writesThrough.getAsBoolean()) {
          writing.write(key, decision);
        }
        outcome = store(key, value -> decision);
      }
      raise(key, outcome);
      return outcome;
    }
  }

  /** Puts all; returns how many count as puts. */
  long putAll(Map<? extends K, ? extends V> map) {
    try (KeyLocks.Held lock = locks.lockAll(map.keySet())) {
      Writing.Failure<K> failure = writing == null ? null : writing.writeAll(map);
      long puts = 0;
      for (Map.Entry<? extends K, ? extends V> entry : map.entrySet()) {
        if (failure == null || !failure.keys().contains(entry.getKey())) {
          V value = entry.getValue();
          Outcome<V> outcome = storeAndRaise(entry.getKey(), there -> Decision.put(value));
          puts += outcome.isPut() ? 1 : 0;
        }
      }
      if (failure != null) {
        throw failure.cause();
      }
      return puts;
    }
  }

  /** Removes all; returns how many were there. */
  long removeAll(Set<? extends K> keys) {
    try (KeyLocks.Held lock = locks.lockAll(keys)) {
      Writing.Failure<K> failure =
          writing == null || keys.isEmpty() ? null : writing.deleteAll(keys);
      long removals = 0;
      for (K key : keys) {
        if (failure == null || !failure.keys().contains(key)) {
          removals += storeAndRaise(key, there -> Decision.remove()).isRemoval() ? 1 : 0;
        }
      }
      if (failure != null) {
        throw failure.cause();
      }
      return removals;
    }
  }

  /**
   * What {@code loading} has for a key without an entry, which becomes one; single-flight, and not
   * written through.
   */
  @Nullable V load(K key, Loading<K, V> loading) {
    if (!areWatched()) {
      return loadIntoStore(key, loading::load);
    }
    try (KeyLocks.Held lock = locks.lock(key)) {
      boolean[] loaded = new boolean[1];
      V value =
          loadIntoStore(
              key,
              missing -> {
                V made = loading.load(missing);
                loaded[0] = made != null;
                return made;
              });
      if (loaded[0] && kernel.containsKey(key)) {
        listeners.raise(EventType.CREATED, key, value, null);
      }
      return value;
    }
  }

  private @Nullable V loadIntoStore(K key, Function<K, @Nullable V> loader) {
    try {
      return kernel.get(key, loader);
    } catch (RockpoolException e) {
      throw Closing.wrapped(e);
    }
  }

  private Outcome<V> storeAndRaise(K key, Function<? super @Nullable V, Decision<V>> rule) {
    Outcome<V> outcome = store(key, rule);
    raise(key, outcome);
    return outcome;
  }

  private Outcome<V> store(K key, Function<? super @Nullable V, Decision<V>> rule) {
    Seen<V> seen = new Seen<>();
    try {
      boolean changed =
          kernel.decide(
              key,
              value -> {
                seen.before = value;
                seen.decision = rule.apply(value);
                return seen.decision;
              });
      return new Outcome<>(seen.before, Objects.requireNonNull(seen.decision), changed);
    } catch (RockpoolException e) {
      throw Closing.wrapped(e);
    }
  }

  /** What the last run of a rule saw and said. */
  private static final class Seen<V> {
    private @Nullable V before;
    private @Nullable Decision<V> decision;
  }

  private void raise(K key, Outcome<V> outcome) {
    if (!listeners.isEmpty()) {
      if (outcome.isPut()) {
        EventType type = outcome.wasThere() ? EventType.UPDATED : EventType.CREATED;
        listeners.raise(type, key, outcome.decision.value(), outcome.before);
      } else if (outcome.isRemoval()) {
        listeners.raise(EventType.REMOVED, key, null, outcome.before);
      }
    }
  }
}
