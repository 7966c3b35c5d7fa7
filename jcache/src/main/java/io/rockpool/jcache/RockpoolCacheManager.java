package io.rockpool.jcache;

import io.rockpool.Description;
import io.rockpool.Rockpool;
import io.rockpool.cache.CacheOptions;
import io.rockpool.cache.Caches;
import io.rockpool.cache.PersistentCache;
import io.rockpool.codec.TypeRef;
import io.rockpool.error.RockpoolException;
import java.net.URI;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Properties;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import javax.cache.Cache;
import javax.cache.CacheException;
import javax.cache.CacheManager;
import javax.cache.configuration.CompleteConfiguration;
import javax.cache.configuration.Configuration;
import javax.cache.expiry.ExpiryPolicy;
import javax.cache.spi.CachingProvider;
import org.jspecify.annotations.Nullable;

/**
 * The caches of one store, as seen by one class loader. Thread-safe; opening and closing caches is
 * done one at a time.
 *
 * <p>A cache of the store is open in this manager or not; {@code getCache} opens what an earlier
 * run, or another manager, has left, and {@code getCacheNames} has both. What is in the store but
 * is no JSR-107 cache is left alone: it has no name here, is not found and not destroyed.
 */
final class RockpoolCacheManager implements CacheManager {
  private final RockpoolCachingProvider provider;
  private final URI uri;
  private final ClassLoader loader;
  private final Properties properties;
  private final TypeCodecs codecs;
  private final Rockpool pool;
  private final ExecutorService executor;

  /** The open caches by name. Also the lock for opening and closing. */
  private final Map<String, RockpoolCache<?, ?>> caches = new LinkedHashMap<>();

  private volatile boolean closed;

  RockpoolCacheManager(
      RockpoolCachingProvider provider,
      URI uri,
      ClassLoader loader,
      Properties properties,
      Rockpool pool) {
    this.provider = provider;
    this.uri = uri;
    this.loader = loader;
    this.properties = properties;
    this.codecs = new TypeCodecs(properties, loader);
    this.pool = pool;
    this.executor =
        Executors.newCachedThreadPool(
            task -> {
              Thread thread = new Thread(task, "rockpool-loads");
              thread.setDaemon(true);
              return thread;
            });
  }

  @Override
  public CachingProvider getCachingProvider() {
    return provider;
  }

  @Override
  public URI getURI() {
    return uri;
  }

  @Override
  public ClassLoader getClassLoader() {
    return loader;
  }

  @Override
  public Properties getProperties() {
    return properties;
  }

  /**
   * Creates a cache, or opens one that is in the store with this configuration; its entries stay.
   */
  @Override
  public <K, V, C extends Configuration<K, V>> Cache<K, V> createCache(
      String cacheName, C configuration) {
    Objects.requireNonNull(cacheName, "cacheName");
    Objects.requireNonNull(configuration, "configuration");
    synchronized (caches) {
      ensureOpen();
      if (find(cacheName) != null) {
        throw new CacheException(
            "There is a cache \""
                + cacheName
                + "\" in this manager; get it with getCache, or destroy it first.");
      }
      return open(cacheName, new LiveConfiguration<>(configuration));
    }
  }

  private <K, V> RockpoolCache<K, V> open(String name, LiveConfiguration<K, V> live) {
    CompleteConfiguration<K, V> configuration = live.copy();
    if (!configuration.isStoreByValue()) {
      throw new UnsupportedOperationException(
          "Cache \""
              + name
              + "\" was configured to store by reference, which a cache on disk cannot do; use setStoreByValue(true).");
    }
    boolean isNew = describe(name).isEmpty();
    Closing closing = new Closing();
    PersistentCache<K, V> kernel = null;
    RockpoolCache<K, V> cache = null;
    try {
      ExpiryPolicy policy = CacheParts.policy(configuration, closing);
      PolicyExpiry expiry = PolicyExpiry.of(policy);
      Copies<K, V> copies =
          new Copies<>(
              codecs.keys(configuration.getKeyType()), codecs.values(configuration.getValueType()));
      kernel = openKernel(name, configuration, copies, expiry, policy);
      cache =
          new RockpoolCache<>(
              this, name, kernel, it -> new CacheParts<>(it, uri, live, expiry, copies, closing));
      cache.enableStatistics(configuration.isStatisticsEnabled());
      cache.enableManagement(configuration.isManagementEnabled());
      caches.put(name, cache);
      return cache;
    } catch (RuntimeException e) {
      if (cache != null) {
        cache.closeNow();
      }
      closing.closeAll();
      if (kernel != null) {
        pool.close(kernel);
        if (isNew) {
          pool.drop(kernel.name());
        }
      }
      throw e instanceof RockpoolException ? Closing.wrapped(e) : e;
    }
  }

  private <K, V> PersistentCache<K, V> openKernel(
      String name,
      CompleteConfiguration<K, V> configuration,
      Copies<K, V> copies,
      PolicyExpiry expiry,
      ExpiryPolicy policy) {
    CacheOptions<K, V> options =
        CacheOptions.<K, V>defaults()
            .expiry(expiry)
            .keyCodec(copies.keys())
            .valueCodec(copies.values())
            .classLoader(loader)
            .attributes(StoredConfiguration.toText(configuration, policy));
    return pool.ownCache(
        CacheNames.toStore(name),
        TypeRef.of(configuration.getKeyType()),
        TypeRef.of(configuration.getValueType()),
        options);
  }

  @Override
  @SuppressWarnings("unchecked") // checked against the configuration
  public <K, V> @Nullable Cache<K, V> getCache(
      String cacheName, Class<K> keyType, Class<V> valueType) {
    Objects.requireNonNull(keyType, "keyType");
    Objects.requireNonNull(valueType, "valueType");
    RockpoolCache<?, ?> cache = openIfThere(cacheName);
    if (cache != null) {
      check(cacheName, "key", cache.types().keyType(), keyType);
      check(cacheName, "value", cache.types().valueType(), valueType);
    }
    return (Cache<K, V>) cache;
  }

  private static void check(String name, String what, Class<?> declared, Class<?> asked) {
    if (declared != asked) {
      throw new ClassCastException(
          "Cache \""
              + name
              + "\" has the "
              + what
              + " type "
              + declared.getName()
              + " and was asked for with "
              + asked.getName()
              + ".");
    }
  }

  @Override
  @SuppressWarnings("unchecked") // the caller's claim, as the specification allows it
  public <K, V> @Nullable Cache<K, V> getCache(String cacheName) {
    return (Cache<K, V>) openIfThere(cacheName);
  }

  private @Nullable RockpoolCache<?, ?> openIfThere(String name) {
    Objects.requireNonNull(name, "cacheName");
    synchronized (caches) {
      ensureOpen();
      RockpoolCache<?, ?> there = find(name);
      if (there != null) {
        return there;
      }
      Optional<Description> stored = stored(name);
      return stored.isEmpty()
          ? null
          : open(
              name,
              new LiveConfiguration<>(
                  StoredConfiguration.fromText(name, stored.get().options(), loader)));
    }
  }

  /** The open cache of a name. One that was dropped through another manager is let go of. */
  private @Nullable RockpoolCache<?, ?> find(String name) {
    RockpoolCache<?, ?> there = caches.get(name);
    if (there != null && there.isClosed()) {
      caches.remove(name);
      there.closeNow();
      return null;
    }
    return there;
  }

  /** What the store knows of a cache that was made through JSR-107. */
  private Optional<Description> stored(String name) {
    return describe(name).filter(RockpoolCacheManager::isCache);
  }

  private Optional<Description> describe(String name) {
    try {
      return pool.describe(CacheNames.toStore(name));
    } catch (RockpoolException e) {
      throw Closing.wrapped(e);
    }
  }

  private static boolean isCache(Description description) {
    return description.type().equals(Caches.TYPE)
        && StoredConfiguration.isIn(description.options());
  }

  @Override
  public Iterable<String> getCacheNames() {
    ensureOpen();
    try {
      return pool.list("").stream()
          .filter(RockpoolCacheManager::isCache)
          .flatMap(description -> CacheNames.fromStore(description.name()).stream())
          .toList();
    } catch (RockpoolException e) {
      throw Closing.wrapped(e);
    }
  }

  /** Removes a cache and its entries from the store, whether it is open here or not. */
  @Override
  public void destroyCache(String cacheName) {
    Objects.requireNonNull(cacheName, "cacheName");
    synchronized (caches) {
      ensureOpen();
      RockpoolCache<?, ?> there = caches.remove(cacheName);
      try {
        if (there != null) {
          shut(there);
        }
        if (stored(cacheName).isPresent()) {
          pool.drop(CacheNames.toStore(cacheName));
        }
      } catch (RockpoolException e) {
        throw Closing.wrapped(e);
      }
    }
  }

  @Override
  public void enableManagement(String cacheName, boolean enabled) {
    required(cacheName).enableManagement(enabled);
  }

  @Override
  public void enableStatistics(String cacheName, boolean enabled) {
    required(cacheName).enableStatistics(enabled);
  }

  private RockpoolCache<?, ?> required(String name) {
    RockpoolCache<?, ?> cache = openIfThere(name);
    if (cache == null) {
      throw new CacheException("There is no cache \"" + name + "\"; create it first.");
    }
    return cache;
  }

  @Override
  public boolean isClosed() {
    return closed;
  }

  /** Closes its caches, and the store if no other manager or handle has it open. */
  @Override
  public void close() {
    List<RockpoolCache<?, ?>> open;
    synchronized (caches) {
      if (closed) {
        return;
      }
      closed = true;
      open = new ArrayList<>(caches.values());
      caches.clear();
    }
    executor.shutdown();
    try {
      open.forEach(this::shut);
    } finally {
      provider.forget(this);
      pool.close();
    }
  }

  /** Closes one cache. */
  void close(RockpoolCache<?, ?> cache) {
    synchronized (caches) {
      caches.remove(cache.getName(), cache);
    }
    shut(cache);
  }

  private void shut(RockpoolCache<?, ?> cache) {
    try {
      cache.closeNow();
    } finally {
      if (!cache.kernel().isClosed()) {
        pool.close(cache.kernel());
      }
    }
  }

  /** Runs something for a cache on another thread. */
  void execute(Runnable task) {
    executor.execute(task);
  }

  @Override
  public <T> T unwrap(Class<T> type) {
    return Unwrapping.of(this, type, pool);
  }

  private void ensureOpen() {
    if (closed) {
      throw new IllegalStateException(
          "The cache manager of " + uri + " is closed; get it from the provider again.");
    }
  }
}
