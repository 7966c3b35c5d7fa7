package io.rockpool.internal.access;

import io.rockpool.cache.ValueLoader;
import java.util.Collection;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A cache, as the modules above it use it. Thread-safe.
 *
 * @param <K> the type of keys
 * @param <V> the type of values
 */
public interface CacheAccess<K, V> {
  /**
   * Does to the entry of a key what {@code decision} says, given the value there, or null. Atomic;
   * the decision may be made again if another thread changed the entry meanwhile, and the last one
   * counts. If it throws, nothing is changed. One read, and a conditional write if something
   * changes. Moves an expiry only for {@link Decision#access}, and is not counted as a read.
   *
   * @return whether the entry was changed: not where nothing was to be removed, nor where the
   *     policy lets a new entry expire at once, nor where a new value was skipped; see {@link
   *     io.rockpool.cache.CacheOptions.OnUnencodable}
   */
  default boolean decide(K key, Function<? super @Nullable V, Decision<V>> decision) {
    return decide(key, decision, skipped -> {});
  }

  /**
   * As {@link #decide(Object, Function)}.
   *
   * @param skipped gets the key if its entry was removed because the new value cannot be encoded
   */
  boolean decide(
      K key, Function<? super @Nullable V, Decision<V>> decision, Consumer<? super K> skipped);

  /**
   * Does to the entry of each key what {@code decision} says of it, as {@link #decide} does: atomic
   * for each key, not for all. One read for 128 keys, then a conditional write for each that
   * changes; those that other threads have changed in between are read and decided on again. If the
   * decision throws, entries of earlier keys may have been changed; that of its key was not.
   *
   * @return the keys whose entries were changed, in the order of {@code keys}
   */
  default Set<K> decideAll(
      Collection<? extends K> keys,
      BiFunction<? super K, ? super @Nullable V, Decision<V>> decision) {
    return decideAll(keys, decision, skipped -> {});
  }

  /**
   * As {@link #decideAll(Collection, BiFunction)}.
   *
   * @param skipped gets the keys whose entries were removed because the new value cannot be encoded
   */
  Set<K> decideAll(
      Collection<? extends K> keys,
      BiFunction<? super K, ? super @Nullable V, Decision<V>> decision,
      Consumer<? super K> skipped);

  /**
   * The value of a key, or null, as {@code PersistentCache.get(key)}. If it is due, it is refreshed
   * in the background by {@code loader}, which is not called for an absent key.
   */
  @Nullable V getOrRefresh(K key, ValueLoader<? super K, ? extends @Nullable V> loader);

  /**
   * The value of a key that was just missed, by loading it. As {@code PersistentCache.get(key,
   * loader)}. One read, for another load may have ended since, and a conditional write if the
   * loader had a value.
   *
   * @throws IllegalStateException if the loader asks for a key whose load waits for this one
   */
  @Nullable V load(
      K key, ValueLoader<? super K, ? extends @Nullable V> loader, LoadStoring<K, V> storing);

  /**
   * As {@link #load}, where no thread waits for the value: the loader returns at once, and what it
   * has later is stored on {@code executor}, which must run what it is given.
   *
   * @return completes once the value is stored, or with what the loader has thrown
   * @throws IllegalStateException if the loader of this key, which still runs on this thread, asks
   *     for it
   */
  default CompletableFuture<@Nullable V> loadAsync(
      K key,
      Function<? super K, ? extends CompletionStage<? extends @Nullable V>> loader,
      Executor executor) {
    return loadAsync(key, loader, executor, LoadedValues.plain());
  }

  /** As {@link #loadAsync(Object, Function, Executor)}. */
  CompletableFuture<@Nullable V> loadAsync(
      K key,
      Function<? super K, ? extends CompletionStage<? extends @Nullable V>> loader,
      Executor executor,
      LoadedValues<K, V> values);

  /**
   * As {@link #load}, for many keys: one call of {@code loader} for those that no other thread is
   * loading.
   *
   * @return the entries that are there now
   */
  default Map<K, V> loadAll(
      Collection<? extends K> missed,
      ValueLoader<? super Set<K>, ? extends Map<? extends K, ? extends @Nullable V>> loader,
      LoadStoring<K, V> storing) {
    return loadAll(missed, loader, storing, LoadedValues.plain());
  }

  /** As {@link #loadAll(Collection, ValueLoader, LoadStoring)}. */
  Map<K, V> loadAll(
      Collection<? extends K> missed,
      ValueLoader<? super Set<K>, ? extends Map<? extends K, ? extends @Nullable V>> loader,
      LoadStoring<K, V> storing,
      LoadedValues<K, V> values);

  /**
   * What keys are loaded with: their pending changes, which are newer than what a loader would
   * return, and for the other keys the result of {@code loader}, which is not called for none.
   * Stores nothing.
   *
   * @return the values of the keys that have one
   */
  Map<K, V> pendingOrLoaded(
      Set<K> keys, Function<? super Set<K>, ? extends Map<? extends K, ? extends V>> loader);

  /**
   * Notes that a load of the key begins that a layer above the cache makes itself, beside those of
   * the cache. Its value is not stored if the key was put or removed since, by any process; see
   * {@link Decision#unlessSuperseded}. The caller closes it when it has stored the value. One round
   * trip on a server, nothing elsewhere.
   */
  default RunningLoad beginLoad(K key) {
    return beginLoad(key, false);
  }

  /**
   * As {@link #beginLoad(Object)}.
   *
   * @param tagged whether the value may get tags beside those that the cache gives it
   */
  RunningLoad beginLoad(K key, boolean tagged);

  /**
   * As {@link #beginLoad(Object)}, for many keys with one round trip.
   *
   * @return the loads, in the order of the keys
   */
  Map<K, RunningLoad> beginLoads(Collection<? extends K> keys);

  /**
   * Supersedes all running loads, of any key: for a layer that removes every entry it finds. In a
   * transaction, also the loads that begin before that has ended.
   */
  void supersedeLoads();

  /**
   * Lets {@code listener}, instead of the one before, confirm each entry that has expired.
   * Listeners of {@code PersistentCache.onExpired} hear of what it has confirmed.
   *
   * @param listener null for none
   */
  void onExpired(@Nullable ExpiredEntries<? super K, ? super V> listener);

  /**
   * Lets {@code listener}, instead of the one before, decide of each refreshed value when it is
   * stored, on the thread that has loaded it. It is never called if the cache does not refresh.
   *
   * @param listener null for none
   */
  void onRefreshed(@Nullable RefreshedEntries<? super K, ? super V> listener);

  /**
   * Looks at up to {@code limit} entries, from several places of the cache but not at random.
   * Decodes nothing, moves no expiry, and is not counted as reads. Reads {@code limit} records at
   * most.
   *
   * @param limit from 1 to {@link CacheSample#MAX_ENTRIES}
   * @throws IllegalArgumentException if {@code limit} is neither
   * @throws IllegalStateException if the cache is closed, and inside a transaction
   */
  CacheSample sample(int limit);

  /** The transactions of the cache's store. */
  CacheTransactions transactions();

  /**
   * Writes pending changes, until the close timeout of their options, for a cache that is about to
   * be closed. Does nothing inside a transaction.
   */
  void finishWriting();
}
