package io.rockpool.internal.access;

import io.rockpool.cache.CacheOptions;
import io.rockpool.cache.HeapBudget;
import io.rockpool.cache.PersistentCache;
import io.rockpool.codec.Codecs;
import io.rockpool.codec.TypeRef;
import io.rockpool.engine.Engine;
import io.rockpool.engine.RecordChecks.RecordCheck;
import io.rockpool.error.NameConflictException;
import io.rockpool.internal.catalog.Catalog;
import java.util.Map;
import java.util.OptionalLong;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** The open caches of one store. */
public interface StoreCaches {
  /** The type of a cache's name in the catalog. */
  String TYPE = "cache";

  /** Creates the caches of a store. */
  interface Factory {
    /** Registers with {@code engine} and {@code catalog}; no cache is open yet. */
    StoreCaches create(Engine engine, Catalog catalog, Codecs codecs, HeapBudget heap);
  }

  /** As the other {@code open}, with the store's class loader. */
  default <K, V> PersistentCache<K, V> open(
      String name, TypeRef<K> keyType, TypeRef<V> valueType, @Nullable CacheOptions<K, V> options) {
    return open(name, keyType, valueType, options, null);
  }

  /**
   * Opens or creates a cache. If it is already open with the same types, returns that object.
   *
   * @param options null for none; options that are not set have the values of the open cache, or
   *     those that are kept with the name, or the defaults
   * @param loader the loader of classes unless the options have one; null for the store's
   * @throws IllegalStateException if it is open with other options
   * @throws NameConflictException if the name holds something else, unless the options ask for a
   *     reset
   */
  <K, V> PersistentCache<K, V> open(
      String name,
      TypeRef<K> keyType,
      TypeRef<V> valueType,
      @Nullable CacheOptions<K, V> options,
      @Nullable ClassLoader loader);

  /**
   * Opens or creates a cache. Always returns a new object with its own options and hot tier. Other
   * caches on the same name see its writes immediately, and it sees theirs. Its options are
   * complete: they replace all that are kept with the name.
   *
   * @throws NameConflictException as for {@link #open}
   */
  <K, V> PersistentCache<K, V> openOwn(
      String name, TypeRef<K> keyType, TypeRef<V> valueType, CacheOptions<K, V> options);

  /**
   * Changes the attributes that {@link CacheOptions#attributes} keeps with a cache's name, and
   * leaves its kept options. No other thread of the process changes them meanwhile. Durable on
   * return.
   *
   * @param change returns the new attributes for those that are kept
   * @throws IllegalStateException if the cache is closed; nothing was changed
   */
  void keep(PersistentCache<?, ?> cache, UnaryOperator<Map<String, String>> change);

  /**
   * Creates the check of a cache's records. The cache need not be open.
   *
   * @param decode whether to also decode its entries, if it is open
   */
  RecordCheck check(String name, boolean decode);

  /** The disk budget of an open cache, if it has one. */
  OptionalLong diskBudgetBytes(String name);

  /** The heap budget of the caches without a bound of their own. */
  HeapBudget heapBudget();

  /** Notifies the listeners of expired entries. */
  void notifyExpired();

  /**
   * Closes the caches of a name that another handle of the store has dropped or reset, also before
   * that is reported. One read for an open cache if the store is shared, else none.
   */
  void loseEnded(String name);

  /** Calls the writers of pending changes, which may use the store, before it is closed. */
  void finishWriting();

  /** Writes what is only in memory, and closes all caches, even if closing one of them fails. */
  void close();
}
