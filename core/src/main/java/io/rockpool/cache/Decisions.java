package io.rockpool.cache;

import io.rockpool.internal.access.Decision;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Converts decisions of modules into changes, with the deadlines that the expiry policy gives. */
final class Decisions<K, V> {
  private final CacheEntries<K, V> entries;
  private final CacheReads<K, V> reads;
  private final Deadlines<K, V> deadlines;

  Decisions(CacheEntries<K, V> entries, CacheReads<K, V> reads, Deadlines<K, V> deadlines) {
    this.entries = entries;
    this.reads = reads;
    this.deadlines = deadlines;
  }

  /** See {@link CacheHooks#decide}. */
  boolean decide(
      K key, Function<? super @Nullable V, Decision<V>> decision, Consumer<? super K> skipped) {
    EntryKey entryKey = entries.format.key(key);
    Tagging<K, V> tagging = entries.beginTagging();
    Runnable[] touch = {() -> {}};
    boolean[] writes = new boolean[1];
    Change<V> change =
        entries.updates.update(
            entryKey,
            tagging,
            found -> {
              Decision<V> decided = decided(decision.apply(found == null ? null : found.value()));
              touch[0] =
                  found == null || decided.kind() != Decision.Kind.ACCESS
                      ? () -> {}
                      : () -> reads.touch(key, entryKey, found);
              Change<V> planned = change(key, decided, found, tagging);
              writes[0] = planned.kind() == Change.Kind.WRITE;
              return planned;
            });
    touch[0].run();
    if (writes[0] && change.kind() == Change.Kind.REMOVE) {
      skipped.accept(key);
    }
    return count(change);
  }

  /** See {@link CacheHooks#decideAll}. */
  Set<K> decideAll(
      List<? extends K> keys,
      BiFunction<? super K, ? super @Nullable V, Decision<V>> decision,
      Consumer<? super K> skipped) {
    List<EntryKey> entryKeys = new ArrayList<>(keys.size());
    keys.forEach(key -> entryKeys.add(entries.format.key(key)));
    Tagging<K, V> tagging = entries.beginTagging();
    List<Runnable> touches = new ArrayList<>();
    boolean[] writes = new boolean[keys.size()];
    BulkUpdate.Rule<V> rule =
        (position, found) -> {
          K key = keys.get(position);
          Decision<V> decided = decided(decision.apply(key, found == null ? null : found.value()));
          if (found != null && decided.kind() == Decision.Kind.ACCESS) {
            touches.add(() -> reads.touch(key, entryKeys.get(position), found));
          }
          Change<V> planned = change(key, decided, found, tagging);
          writes[position] = planned.kind() == Change.Kind.WRITE;
          return planned;
        };
    List<Change<V>> changes =
        new BulkUpdate<>(entries, entryKeys, tagging, rule, position -> true).run();
    touches.forEach(Runnable::run);
    Set<K> changed = new LinkedHashSet<>();
    for (int i = 0; i < changes.size(); i++) {
      if (count(changes.get(i))) {
        changed.add(keys.get(i));
      }
      if (writes[i] && changes.get(i).kind() == Change.Kind.REMOVE) {
        skipped.accept(keys.get(i));
      }
    }
    return changed;
  }

  private static <V> Decision<V> decided(@Nullable Decision<V> decision) {
    return Objects.requireNonNull(
        decision, "The decision is null; return Decision.keep() to change nothing.");
  }

  private Change<V> change(
      K key, Decision<V> decision, @Nullable Found<V> found, @Nullable Tagging<K, V> tagging) {
    Change<V> change = writtenChange(key, decision, found, tagging);
    return decision.isWritten() ? change : change.unwritten();
  }

  private Change<V> writtenChange(
      K key, Decision<V> decision, @Nullable Found<V> found, @Nullable Tagging<K, V> tagging) {
    return switch (decision.kind()) {
      case KEEP, ACCESS -> Change.keep();
      case REMOVE -> Change.remove();
      case PUT -> {
        V value = Objects.requireNonNull(decision.value(), "value");
        Duration ttl = decision.ttl();
        long deadline = ttl == null ? deadlines.of(key, value, found) : Deadlines.lasting(ttl);
        Loads.Load load = CacheHooks.load(decision.load());
        EntryTags tags =
            CacheEntries.tags(
                load == null ? tagging : entries.tagging.since(load, decision.tags()), key, value);
        yield Change.write(value, deadline, tags).unlessSuperseded(load);
      }
    };
  }

  /** Counts a change, if one was made; returns whether it was. */
  boolean count(Change<V> change) {
    if (change.kind() == Change.Kind.REMOVE) {
      entries.counters.removals.increment();
    }
    return change.kind() != Change.Kind.KEEP;
  }

  /**
   * See {@link PersistentCache#compute}.
   *
   * @param ifAbsent whether the function is also called if there is no entry
   */
  @Nullable V compute(
      K key,
      EntryKey entryKey,
      boolean ifAbsent,
      BiFunction<? super K, ? super @Nullable V, ? extends @Nullable V> function) {
    Object[] after = new Object[1];
    Tagging<K, V> tagging = entries.beginTagging();
    entries.updates.update(
        entryKey,
        tagging,
        found -> {
          if (found == null && !ifAbsent) {
            after[0] = null;
            return Change.keep();
          }
          V value = function.apply(key, found == null ? null : found.value());
          after[0] = value;
          if (value == null && found == null) {
            return Change.<V>remove().unwritten(); // there was nothing to change
          }
          return value == null
              ? Change.remove()
              : Change.write(
                  value, deadlines.of(key, value, found), CacheEntries.tags(tagging, key, value));
        });
    @SuppressWarnings("unchecked") // set by the function above
    V result = (V) after[0];
    return result;
  }
}
