package io.rockpool.micronaut;

import io.micronaut.cache.DynamicCacheManager;
import io.micronaut.cache.SyncCache;
import io.micronaut.core.convert.ConversionService;
import io.micronaut.core.naming.NameUtils;
import io.micronaut.scheduling.TaskExecutors;
import io.rockpool.Rockpool;
import io.rockpool.cache.CacheOptions;
import io.rockpool.cache.PersistentCache;
import io.rockpool.codec.TypeRef;
import io.rockpool.internal.access.Internals;
import jakarta.inject.Named;
import jakarta.inject.Singleton;
import java.util.List;
import java.util.concurrent.ExecutorService;

/**
 * The caches of a store, for Micronaut's annotations and its {@code CacheManager}. A cache is
 * opened when it is first asked for, under its own name in the store, and has the entries that an
 * earlier run left. If its name is dropped, its next use opens it again, empty. Keys and values may
 * be of any class that the store's codecs allow or learn.
 *
 * <p>Thread-safe. The store closes the caches.
 */
@Singleton
public final class MicronautCaches implements DynamicCacheManager<PersistentCache<Object, Object>> {
  private static final TypeRef<Object> ANY = TypeRef.of(Object.class);

  private final Rockpool pool;
  private final List<CacheProperties> properties;
  private final ConversionService conversions;
  private final ExecutorService threads;

  MicronautCaches(
      Rockpool pool,
      List<CacheProperties> properties,
      ConversionService conversions,
      @Named(TaskExecutors.BLOCKING) ExecutorService threads) {
    this.pool = pool;
    this.properties = properties;
    this.conversions = conversions;
    this.threads = threads;
  }

  /**
   * {@inheritDoc}
   *
   * @throws io.rockpool.error.NameConflictException if the name holds something else in the store
   */
  @Override
  public SyncCache<PersistentCache<Object, Object>> getCache(String name) {
    return new StoredSyncCache(() -> open(name), conversions, threads);
  }

  /** A method in a transaction may be the first to use a cache. */
  private PersistentCache<Object, Object> open(String name) {
    return Internals.store(pool)
        .outsideTransaction(() -> pool.cache(name, ANY, ANY, options -> options(name, options)));
  }

  /** Micronaut gives names of properties with hyphens. */
  private CacheOptions<Object, Object> options(String name, CacheOptions<Object, Object> options) {
    return properties.stream()
        .filter(it -> it.name().equals(name) || it.name().equals(NameUtils.hyphenate(name)))
        .findFirst()
        .map(it -> it.applyTo(options))
        .orElse(options);
  }
}
