package io.rockpool.internal.access;

import io.rockpool.cache.PersistentCache;
import java.lang.invoke.MethodHandles;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Opens hidden parts of public packages to Rockpool's own packages and modules. The static
 * initializer of a public class registers the access to its package.
 */
public final class Internals {
  private static volatile @Nullable Function<Object, StoreAccess> stores;
  private static volatile StoreCaches.@Nullable Factory caches;
  private static volatile @Nullable Function<PersistentCache<?, ?>, CacheAccess<?, ?>> access;

  private Internals() {}

  /** Registers the access to stores; the class {@code type} of their handles calls it. */
  public static <H> void registerStores(Class<H> type, Function<H, StoreAccess> access) {
    stores = handle -> access.apply(type.cast(handle));
  }

  /** Registers how to create caches, and the access to them; {@link PersistentCache} calls it. */
  public static void registerCaches(
      StoreCaches.Factory factory, Function<PersistentCache<?, ?>, CacheAccess<?, ?>> toEach) {
    caches = factory;
    access = toEach;
  }

  /**
   * The store of a handle, an {@code io.rockpool.Rockpool}. This package does not import that
   * class, which uses this package.
   *
   * @throws IllegalStateException if the handle is closed
   */
  public static StoreAccess store(AutoCloseable pool) {
    return Objects.requireNonNull(stores).apply(pool);
  }

  /** How to create the caches of a store. */
  public static StoreCaches.Factory caches() {
    initialize(PersistentCache.class);
    return Objects.requireNonNull(caches);
  }

  /** What is hidden of a cache. */
  @SuppressWarnings("unchecked") // the access has the types of its cache
  public static <K, V> CacheAccess<K, V> cache(PersistentCache<K, V> cache) {
    return (CacheAccess<K, V>) Objects.requireNonNull(access).apply(cache);
  }

  /** Runs the static initializer of a class, unless it has run. */
  public static void initialize(Class<?> type) {
    try {
      MethodHandles.lookup().ensureInitialized(type);
    } catch (IllegalAccessException e) {
      throw new AssertionError(e);
    }
  }
}
