package io.rockpool.cache;

import io.rockpool.engine.Expiry;
import io.rockpool.internal.access.Decision;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The methods of {@link PersistentCache} that change entries.
 *
 * @param <K> the type of keys
 * @param <V> the type of values
 */
abstract class CacheWrites<K, V> {
  final CacheEntries<K, V> entries;
  final CacheReads<K, V> reads;
  final Deadlines<K, V> deadlines;
  final Decisions<K, V> decisions;
  final @Nullable Refreshes<K, V> refreshes;
  private final InstantSource clock;
  private final boolean blindPuts;

  CacheWrites(CacheEntries<K, V> entries, CacheOptions<K, V> options) {
    this.entries = entries;
    this.clock = entries.clock();
    CacheExpiry<? super K, ? super V> expiry = options.expiry();
    CacheRefresh<K, V> refresh = options.refresh();
    this.deadlines = new Deadlines<>(entries, expiry);
    this.refreshes = refresh == null ? null : new Refreshes<>(entries, refresh, deadlines);
    this.reads = new CacheReads<>(entries, expiry, options.refreshes() ? refreshes : null);
    this.decisions = new Decisions<>(entries, reads, deadlines);
    this.blindPuts = expiry.updatesAsCreation();
  }

  /** Puts a value. The cache's policy decides its expiry. */
  public void put(K key, V value) {
    EntryKey entryKey = key(key);
    Objects.requireNonNull(value, "value");
    if (isBlind()) {
      EntryTags tags = CacheEntries.tags(entries.beginTagging(), key, value);
      entries.updates.write(entryKey, value, deadlines.ofNew(key, value), tags);
    } else {
      getAndPut(key, value);
    }
  }

  /**
   * Puts a value with tags: {@link #invalidateTag} with one of them removes the entry. The cache's
   * policy decides its expiry. Tags from {@link CacheOptions#tags} are added.
   *
   * <p>If a tag is invalidated after the value was read somewhere and before this call, the entry
   * stays. {@link PersistentCache#get(Object, ValueLoader, BiFunction)} has no such gap.
   *
   * @param tags up to 128 tags of up to 1,024 bytes in UTF-8; an empty set for none
   * @throws io.rockpool.error.LimitExceededException if there are more, or longer ones
   * @throws UnsupportedOperationException if the engine keeps caches only, such as Redis
   */
  public void put(K key, V value, Set<String> tags) {
    EntryKey entryKey = key(key);
    Objects.requireNonNull(value, "value");
    Tagging<K, V> tagging = tagging(tags);
    if (isBlind()) {
      entries.updates.write(
          entryKey, value, deadlines.ofNew(key, value), CacheEntries.tags(tagging, key, value));
    } else {
      update(
          entryKey,
          tagging,
          found ->
              Change.write(
                  value, deadlines.of(key, value, found), CacheEntries.tags(tagging, key, value)));
    }
  }

  /** As {@link #put(Object, Object, Set)} and {@link #put(Object, Object, Duration)} together. */
  public void put(K key, V value, Duration ttl, Set<String> tags) {
    EntryKey entryKey = key(key);
    Objects.requireNonNull(value, "value");
    Objects.requireNonNull(ttl, "ttl");
    Tagging<K, V> tagging = tagging(tags);
    long deadline = Deadlines.lasting(ttl);
    if (readsFirst()) {
      update(
          entryKey,
          tagging,
          found -> Change.write(value, deadline, CacheEntries.tags(tagging, key, value)));
    } else {
      entries.updates.write(entryKey, value, deadline, CacheEntries.tags(tagging, key, value));
    }
  }

  private @Nullable Tagging<K, V> tagging(Set<String> tags) {
    Set<String> copy = Set.copyOf(tags);
    return copy.isEmpty() ? entries.beginTagging() : entries.tagging.begin((key, value) -> copy);
  }

  /**
   * Puts a value that expires after {@code ttl}, whatever the policy says; zero or less removes the
   * entry. If the policy has an {@linkplain CacheExpiry#afterAccess(Duration) access} time, the
   * first read replaces the expiry by that.
   */
  public void put(K key, V value, Duration ttl) {
    EntryKey entryKey = key(key);
    Objects.requireNonNull(value, "value");
    Objects.requireNonNull(ttl, "ttl");
    if (readsFirst()) {
      decisions.decide(key, there -> Decision.put(value, ttl), skipped -> {});
    } else {
      EntryTags tags = CacheEntries.tags(entries.beginTagging(), key, value);
      entries.updates.write(entryKey, value, Deadlines.lasting(ttl), tags);
    }
  }

  /**
   * Puts every entry of {@code map}, in batches. Each entry is put atomically, in no particular
   * order.
   */
  public void putAll(Map<? extends K, ? extends V> map) {
    checkAll(map);
    if (isBlind()) {
      new PutBatch<>(entries, deadlines::ofNew).putAll(map);
    } else {
      decideAll(map, Decision::put);
    }
  }

  /**
   * As {@link #put(Object, Object, Duration)} for every entry of {@code map}, in batches; each by
   * itself, in no particular order.
   */
  public void putAll(Map<? extends K, ? extends V> map, Duration ttl) {
    Objects.requireNonNull(ttl, "ttl");
    checkAll(map);
    if (readsFirst()) {
      decideAll(map, value -> Decision.put(value, ttl));
    } else {
      new PutBatch<K, V>(entries, (key, value) -> Deadlines.lasting(ttl)).putAll(map);
    }
  }

  private void checkAll(Map<? extends K, ? extends V> map) {
    map.forEach(
        (key, value) -> {
          Objects.requireNonNull(key, "key");
          Objects.requireNonNull(value, "value");
        });
    ensureOpen();
  }

  private void decideAll(Map<? extends K, ? extends V> map, Function<V, Decision<V>> decision) {
    Map<K, V> all = new LinkedHashMap<>(map); // which other threads may be changing
    decisions.decideAll(
        List.copyOf(all.keySet()),
        (key, there) -> decision.apply(Objects.requireNonNull(all.get(key))),
        skipped -> {});
  }

  /** Puts a value if there is none; returns the existing value, or null if it was put. */
  public @Nullable V putIfAbsent(K key, V value) {
    Objects.requireNonNull(value, "value");
    EntryKey entryKey = key(key);
    Tagging<K, V> tagging = entries.beginTagging();
    return updateAssumed(
        entryKey,
        tagging,
        found ->
            found == null
                ? Change.write(
                    value, deadlines.ofNew(key, value), CacheEntries.tags(tagging, key, value))
                : Change.keep(),
        EntryUpdates.Assumed.absent());
  }

  /**
   * Like {@link #putIfAbsent(Object, Object)}, with an entry that expires after {@code ttl},
   * whatever the policy says; zero or less puts nothing.
   */
  public @Nullable V putIfAbsent(K key, V value, Duration ttl) {
    Objects.requireNonNull(value, "value");
    Objects.requireNonNull(ttl, "ttl");
    EntryKey entryKey = key(key);
    Tagging<K, V> tagging = entries.beginTagging();
    return updateAssumed(
        entryKey,
        tagging,
        found ->
            found == null
                ? Change.write(
                    value, Deadlines.lasting(ttl), CacheEntries.tags(tagging, key, value))
                : Change.keep(),
        EntryUpdates.Assumed.absent());
  }

  /** Puts a value; returns the old one, or null. */
  public @Nullable V getAndPut(K key, V value) {
    Objects.requireNonNull(value, "value");
    EntryKey entryKey = key(key);
    Tagging<K, V> tagging = entries.beginTagging();
    if (blindPuts && entries.updates.isDecidedByEngine(entryKey)) {
      return value(
          entries.updates.exchange(
              entryKey,
              value,
              deadlines.ofNew(key, value),
              CacheEntries.tags(tagging, key, value)));
    }
    return update(
        entryKey,
        tagging,
        found ->
            Change.write(
                value, deadlines.of(key, value, found), CacheEntries.tags(tagging, key, value)));
  }

  /** Puts a value if there is one; returns the old one, or null. */
  public @Nullable V replace(K key, V value) {
    Objects.requireNonNull(value, "value");
    EntryKey entryKey = key(key);
    Tagging<K, V> tagging = entries.beginTagging();
    return updateAssumed(
        entryKey,
        tagging,
        found ->
            found == null
                ? Change.keep()
                : Change.write(
                    value, deadlines.of(key, value, found), CacheEntries.tags(tagging, key, value)),
        entries.updates.assumed(entryKey, null));
  }

  /** Puts {@code newValue} if the current value equals {@code oldValue}; returns whether it did. */
  public boolean replace(K key, V oldValue, V newValue) {
    Objects.requireNonNull(oldValue, "oldValue");
    Objects.requireNonNull(newValue, "newValue");
    EntryKey entryKey = key(key);
    Tagging<K, V> tagging = entries.beginTagging();
    Change<V> change =
        entries.updates.updateAssumed(
            entryKey,
            tagging,
            found ->
                found == null || !Objects.deepEquals(found.value(), oldValue)
                    ? Change.keep()
                    : Change.write(
                        newValue,
                        deadlines.of(key, newValue, found),
                        CacheEntries.tags(tagging, key, newValue)),
            entries.updates.assumed(entryKey, oldValue));
    return change.kind() != Change.Kind.KEEP;
  }

  /**
   * Removes an entry; returns whether there was one. If you do not need that, {@link #invalidate}
   * is cheaper.
   */
  public boolean remove(K key) {
    EntryKey entryKey = key(key);
    if (entries.updates.isDecidedByEngine(entryKey)) {
      return taken(entryKey) != null;
    }
    return decisions.count(entries.updates.update(entryKey, found -> Change.remove()));
  }

  /** Removes an entry if its value equals {@code value}; returns whether it did. */
  public boolean remove(K key, V value) {
    Objects.requireNonNull(value, "value");
    EntryKey entryKey = key(key);
    return decisions.count(
        entries.updates.updateAssumed(
            entryKey,
            null,
            found ->
                found == null
                    ? Change.<V>remove().unwritten() // ends the loads of the key
                    : Objects.deepEquals(found.value(), value) ? Change.remove() : Change.keep(),
            entries.updates.assumed(entryKey, value)));
  }

  /** Removes an entry; returns its value, or null. */
  public @Nullable V getAndRemove(K key) {
    EntryKey entryKey = key(key);
    if (entries.updates.isDecidedByEngine(entryKey)) {
      return value(taken(entryKey));
    }
    V before = update(entryKey, null, found -> Change.remove());
    if (before != null) {
      entries.counters.removals.increment();
    }
    return before;
  }

  /** Removes an entry by the engine's decision, and counts it. */
  private @Nullable Found<V> taken(EntryKey key) {
    Found<V> before = entries.updates.take(key);
    if (before != null) {
      entries.counters.removals.increment();
    }
    return before;
  }

  private static <V> @Nullable V value(@Nullable Found<V> found) {
    return found == null ? null : found.value();
  }

  /**
   * Removes an entry, if there is one, without a read: one write. Not counted. If the cache is
   * {@linkplain CacheOptions#writeBehind written behind}, this is a removal like any other.
   */
  public void invalidate(K key) {
    EntryKey entryKey = key(key);
    if (entries.writesBehind()) {
      entries.updates.update(entryKey, found -> Change.remove());
    } else {
      entries.updates.delete(entryKey);
    }
  }

  /** Like {@link #invalidate} for each key, in batches. */
  public void invalidateAll(Collection<? extends K> keys) {
    keys.forEach(key -> Objects.requireNonNull(key, "key"));
    ensureOpen();
    List<EntryKey> entryKeys = new ArrayList<>(keys.size());
    keys.forEach(key -> entryKeys.add(entries.format.key(key)));
    if (entries.writesBehind()) {
      new BulkUpdate<>(entries, entryKeys, (position, found) -> Change.remove(), position -> true)
          .run();
    } else {
      entries.updates.deleteAll(entryKeys);
    }
  }

  /**
   * Removes all entries with a tag, see {@link #put(Object, Object, Set)} and {@link
   * CacheOptions#tags}. O(1), one write, however many there are. No later read through this store
   * returns one of them; in another process, none does after the invalidation was reported there.
   * An entry that is being loaded or computed meanwhile is removed, too, if it gets the tag; so is
   * one that a transaction has put and not yet committed. In a transaction, the entries are removed
   * at the commit. Neither listeners nor a writer are notified, and pending changes stay pending.
   * The disk space is reclaimed later.
   *
   * @throws UnsupportedOperationException if the engine keeps caches only, such as Redis
   */
  public void invalidateTag(String tag) {
    invalidateTags(List.of(tag));
  }

  /** As {@link #invalidateTag} for each tag, all at once. */
  public void invalidateTags(Collection<String> tags) {
    ensureOpen();
    entries.tagging.invalidate(List.copyOf(tags));
  }

  /**
   * Sets the value of a key to the result of {@code function}; null means no value, as argument and
   * as result. The function may run again if another thread changed the entry during the call. If
   * it throws, nothing is changed.
   *
   * @throws IllegalStateException if the function changes the same key each time it runs
   */
  public @Nullable V compute(
      K key, BiFunction<? super K, ? super @Nullable V, ? extends @Nullable V> function) {
    Objects.requireNonNull(function, "function");
    return decisions.compute(key, key(key), true, function);
  }

  /** Like {@link #compute}, but only if there is an entry. */
  public @Nullable V computeIfPresent(
      K key, BiFunction<? super K, ? super V, ? extends @Nullable V> function) {
    Objects.requireNonNull(function, "function");
    return decisions.compute(
        key, key(key), false, (k, value) -> function.apply(k, Objects.requireNonNull(value)));
  }

  /**
   * Puts {@code value} if there is none, or else the result of {@code function} for the current
   * value and {@code value}; see {@link #compute}.
   */
  public @Nullable V merge(
      K key, V value, BiFunction<? super V, ? super V, ? extends @Nullable V> function) {
    Objects.requireNonNull(value, "value");
    Objects.requireNonNull(function, "function");
    return compute(key, (k, old) -> old == null ? value : function.apply(old, value));
  }

  /**
   * Makes an entry expire after {@code ttl}; zero or less removes it. Returns whether there was
   * one. If the policy has an {@linkplain CacheExpiry#afterAccess(Duration) access} time, the next
   * read replaces the expiry by that.
   */
  public boolean expireAfter(K key, Duration ttl) {
    return expire(key, Expiry.after(clock, Objects.requireNonNull(ttl, "ttl")));
  }

  /**
   * Makes an entry expire at {@code when}; a past instant removes it. Returns whether there was
   * one.
   */
  public boolean expireAt(K key, Instant when) {
    return expire(key, deadlines.at(Objects.requireNonNull(when, "when")));
  }

  /**
   * Removes the expiry of an entry, until a write or read gives it another one by the policy.
   * Returns whether there is one.
   */
  public boolean persist(K key) {
    return expire(key, Expiry.NEVER);
  }

  private boolean expire(K key, long deadline) {
    Change<V> change =
        entries.updates.update(
            key(key),
            found ->
                found == null
                    ? (deadline == 0 ? Change.<V>remove().unwritten() : Change.keep())
                    : Change.expire(found.value(), deadline));
    return change.kind() != Change.Kind.KEEP;
  }

  /**
   * Removes every entry. O(1), one write, however many there are. No later read through this store
   * returns an earlier entry; in another process, none does after the clear was reported there. The
   * disk space is reclaimed later. Pending changes stay pending; no removals are written behind.
   */
  public void clear() {
    ensureOpen();
    entries.clear();
  }

  /** Changes an entry as {@link EntryUpdates#update} does; returns its old value, or null. */
  private @Nullable V update(
      EntryKey key,
      @Nullable Tagging<K, V> tagging,
      Function<@Nullable Found<V>, Change<V>> decision) {
    return updateAssumed(key, tagging, decision, null);
  }

  /** Like {@link #update}, as {@link EntryUpdates#updateAssumed} does it. */
  private @Nullable V updateAssumed(
      EntryKey key,
      @Nullable Tagging<K, V> tagging,
      Function<@Nullable Found<V>, Change<V>> decision,
      EntryUpdates.@Nullable Assumed<V> assumed) {
    Object[] before = new Object[1];
    entries.updates.updateAssumed(
        key,
        tagging,
        found -> {
          before[0] = found == null ? null : found.value();
          return decision.apply(found);
        },
        assumed);
    @SuppressWarnings("unchecked") // set by the function above
    V value = (V) before[0];
    return value;
  }

  private boolean isBlind() {
    return blindPuts && !readsFirst();
  }

  private boolean readsFirst() {
    return entries.isWatched() || entries.writesBehind();
  }

  final EntryKey key(K key) {
    checkKey(key);
    return entries.format.key(key);
  }

  final void checkKey(K key) {
    Objects.requireNonNull(key, "key");
    ensureOpen();
  }

  final void ensureOpen() {
    entries.ensureOpen();
  }
}
