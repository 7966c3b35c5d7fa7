package io.rockpool.jcache;

import io.rockpool.Description;
import io.rockpool.Rockpool;
import io.rockpool.cache.CacheOptions;
import io.rockpool.cache.CacheSettings;
import io.rockpool.cache.OptionValues;
import io.rockpool.cache.PersistentCache;
import io.rockpool.codec.TypeRef;
import io.rockpool.engine.Capability;
import io.rockpool.error.RockpoolException;
import io.rockpool.error.StoreClosedException;
import io.rockpool.internal.access.Internals;
import io.rockpool.internal.access.StoreAccess;
import io.rockpool.internal.access.StoreCaches;
import io.rockpool.jcache.internal.config.CacheSection;
import io.rockpool.jcache.internal.config.ConfigurationFile;
import io.rockpool.jcache.internal.config.ReadConfiguration;
import io.rockpool.jcache.internal.config.StoreLocation;
import io.rockpool.jcache.internal.config.StoredConfiguration;
import io.rockpool.jcache.internal.config.TypeCodecs;
import java.net.URI;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.UnaryOperator;
import javax.cache.Cache;
import javax.cache.CacheException;
import javax.cache.CacheManager;
import javax.cache.configuration.Configuration;
import javax.cache.expiry.ExpiryPolicy;
import javax.cache.spi.CachingProvider;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The caches of one store, as seen by one class loader. Thread-safe; caches of one name are opened
 * and destroyed one at a time.
 *
 * <p>A cache of the store is open in this manager or not; {@code getCache} opens what an earlier
 * run, or another manager, has left, or what the configuration file describes, and {@code
 * getCacheNames} has all of them. What is in the store but is no JSR-107 cache is left alone: it
 * has no name here, is not found and not destroyed.
 */
final class RockpoolJCacheManager implements CacheManager {
  private static final Logger LOG = LoggerFactory.getLogger(RockpoolJCacheManager.class);

  /** The property for the version of a cache, in front of its name. */
  private static final String VERSION_OF = "rockpool.version.";

  private final RockpoolCachingProvider provider;
  private final URI uri;
  private final CacheNames names;
  private final ClassLoader loader;
  private final Properties properties;
  private final TypeCodecs codecs;
  private final ConfigurationFile file;
  private final Rockpool pool;
  private final ExecutorService executor;

  /** The open caches by name. */
  private final Map<String, RockpoolJCache<?, ?>> caches = new ConcurrentHashMap<>();

  /**
   * What is held while a cache of a name is opened or destroyed. One for each name, since code of
   * the application's runs meanwhile, which may wait for who opens another cache.
   */
  private final Map<String, Object> locks = new ConcurrentHashMap<>();

  private final AtomicBoolean closed = new AtomicBoolean();

  RockpoolJCacheManager(
      RockpoolCachingProvider provider,
      URI uri,
      ClassLoader loader,
      Properties properties,
      ConfigurationFile file,
      Rockpool pool) {
    this.provider = provider;
    this.uri = uri;
    this.names = CacheNames.of(uri);
    this.loader = loader;
    this.properties = properties;
    this.codecs = new TypeCodecs(properties, file, loader, pool);
    this.file = file;
    this.pool = pool;
    this.executor = Executors.newCachedThreadPool(task -> daemon(task, "rockpool-loads", loader));
  }

  /** A thread that does not keep the process, and sees the classes that {@code loader} has. */
  static Thread daemon(Runnable task, String name, ClassLoader loader) {
    Thread thread = new Thread(task, name);
    thread.setDaemon(true);
    thread.setContextClassLoader(loader);
    return thread;
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
   * What the configuration does not say, because it cannot or did not, is as the file has it.
   */
  @Override
  public <K, V, C extends Configuration<K, V>> Cache<K, V> createCache(
      String cacheName, C configuration) {
    Objects.requireNonNull(cacheName, "cacheName");
    Objects.requireNonNull(configuration, "configuration");
    synchronized (lock(cacheName)) {
      ensureOpen();
      if (find(cacheName) != null) {
        throw new CacheException(
            "There is a cache \""
                + cacheName
                + "\" in this manager; get it with getCache, or destroy it first.");
      }
      return open(
          cacheName,
          RockpoolConfiguration.<K, V>from(configuration)
              .orElse(file.cacheOrDefault(cacheName).options(loader)));
    }
  }

  private Object lock(String name) {
    return locks.computeIfAbsent(name, it -> new Object());
  }

  private <K, V> RockpoolJCache<K, V> open(String name, RockpoolConfiguration<K, V> configuration) {
    refuseSharingWithoutMemory(name, configuration);
    Optional<Description> before = describe(name);
    LiveConfiguration<K, V> live = new LiveConfiguration<>(configuration);
    OwnedResources closing = new OwnedResources();
    try {
      ExpiryPolicy policy = CacheParts.policy(configuration, closing);
      PolicyExpiry expiry = PolicyExpiry.of(policy, configuration.entryTtl().orElse(null));
      Copies<K, V> copies =
          new Copies<>(
              configuration.keyCodec().orElseGet(() -> codecs.keys(configuration.getKeyType())),
              configuration
                  .valueCodec()
                  .orElseGet(() -> codecs.values(configuration.getValueType(), configuration)),
              !configuration.isStoreByValue());
      Map<String, String> text =
          StoredConfiguration.toText(configuration, configuration.values(), policy);
      RefreshLoader<K, V> refresher = new RefreshLoader<>();
      Map<String, String> stored = before.map(Description::options).orElse(Map.of());
      text.putAll(HibernateRegion.kept(stored));
      RockpoolConfiguration<K, V> versioned = versioned(name, configuration);
      HibernateRegion region = new HibernateRegion(name, loader, versioned);
      RockpoolJCache<K, V> cache =
          new RockpoolJCache<>(
              this,
              name,
              region,
              it ->
                  new CacheParts<>(
                      it,
                      uri,
                      live,
                      expiry,
                      copies,
                      configuration.writeBehind().isPresent(),
                      closing),
              parts ->
                  openKernel(
                      name,
                      configuration,
                      options(versioned, copies, expiry, refresher, text, parts)));
      refresher.use(cache.readThrough());
      closing.add(refresher);
      live.onSwitch(changed -> keep(cache.kernel(), changed));
      region.open(stored, cache.kernel()::clear, changed -> keep(cache.kernel(), changed));
      caches.put(name, cache);
      before.ifPresent(it -> tellOfChangedExpiry(name, it.options(), text));
      if (closed.get()) { // meanwhile, by who may not have seen this one
        close(cache);
        ensureOpen();
      }
      return cache;
    } catch (RockpoolException e) {
      closing.closeAll();
      throw OwnedResources.wrapped(e);
    } catch (Throwable e) {
      closing.closeAll();
      throw e;
    }
  }

  /** A configuration with the version that a property of this manager gives the cache, if any. */
  private <K, V> RockpoolConfiguration<K, V> versioned(
      String name, RockpoolConfiguration<K, V> configuration) {
    String given = properties.getProperty(VERSION_OF + name);
    return given == null
        ? configuration
        : configuration.version(
            configuration.version().map(own -> own + " " + given).orElse(given));
  }

  private void refuseSharingWithoutMemory(String name, RockpoolConfiguration<?, ?> configuration) {
    if (!configuration.isStoreByValue()
        && Internals.store(pool).engine().capabilities().contains(Capability.SHARED)) {
      throw new UnsupportedOperationException(
          "Cache \""
              + name
              + "\" was configured to store by reference, but its store is on a server, whose"
              + " entries belong to several processes; use setStoreByValue(true).");
    }
    if (!configuration.isStoreByValue() && configuration.isCold()) {
      throw new UnsupportedOperationException(
          "Cache \""
              + name
              + "\" was configured to store by reference and to keep no entries in memory, where"
              + " alone references can be; use setStoreByValue(true), or let it keep some.");
    }
  }

  private <K, V> CacheOptions<K, V> options(
      RockpoolConfiguration<K, V> configuration,
      Copies<K, V> copies,
      PolicyExpiry expiry,
      RefreshLoader<K, V> refresher,
      Map<String, String> text,
      CacheParts<K, V> parts) {
    OptionValues set = configuration.values();
    if (!configuration.isReadThrough()) {
      set = set.without(CacheSettings.SOFT_TTL, CacheSettings.REFRESH_AHEAD_FACTOR);
    }
    CacheOptions<K, V> options =
        CacheOptions.<K, V>defaults()
            .setAll(set)
            .expiry(expiry)
            .keyCodec(copies.keys())
            .valueCodec(copies.values())
            .classLoader(loader)
            .sharesValues(copies.sharesValues())
            .attributes(text);
    if (configuration.isReadThrough()) {
      options = options.refreshLoader(refresher);
    }
    BehindCalls<K, V> behind = parts.behind();
    return behind == null
        ? options
        : options.writeBehind(behind, configuration.writeBehind().orElseThrow());
  }

  private <K, V> PersistentCache<K, V> openKernel(
      String name, RockpoolConfiguration<K, V> configuration, CacheOptions<K, V> options) {
    StoreAccess store = Internals.store(pool);
    TypeRef<K> keys = TypeRef.of(configuration.getKeyType());
    TypeRef<V> values = TypeRef.of(configuration.getValueType());
    // A method in a transaction may be the first to use a cache.
    return store.outsideTransaction(
        () -> store.caches().openOwn(names.stored(name), keys, values, options));
  }

  /** Changes what is written down beside a cache, if it is still there. */
  private void keep(PersistentCache<?, ?> kernel, UnaryOperator<Map<String, String>> change) {
    StoreChanges.run(
        () ->
            pool.names()
                .find(kernel.name())
                .ifPresent(it -> Internals.store(pool).caches().keep(kernel, change)));
  }

  private static void tellOfChangedExpiry(
      String name, Map<String, String> before, Map<String, String> now) {
    String old = StoredConfiguration.expiry(before);
    String changed = StoredConfiguration.expiry(now);
    if (StoredConfiguration.isIn(before) && !old.equals(changed)) {
      LOG.info(
          "Entries of cache \"{}\" that are written from now on expire by \"{}\"; those written"
              + " before keep what \"{}\" gave them",
          name,
          changed,
          old);
    }
  }

  @Override
  @SuppressWarnings("unchecked") // checked against the configuration
  public <K, V> @Nullable Cache<K, V> getCache(
      String cacheName, Class<K> keyType, Class<V> valueType) {
    Objects.requireNonNull(keyType, "keyType");
    Objects.requireNonNull(valueType, "valueType");
    RockpoolJCache<?, ?> cache = openIfThere(cacheName);
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

  private @Nullable RockpoolJCache<?, ?> openIfThere(String name) {
    Objects.requireNonNull(name, "cacheName");
    ensureOpen();
    RockpoolJCache<?, ?> open = find(name);
    if (open != null) {
      return open;
    }
    synchronized (lock(name)) {
      ensureOpen();
      RockpoolJCache<?, ?> there = find(name);
      if (there != null) {
        return there;
      }
      Map<String, String> stored = stored(name).map(Description::options).orElse(Map.of());
      CacheSection configured = file.cache(name);
      if (configured != null) {
        return open(name, configuration(configured.configuration(loader, stored)));
      }
      return stored.isEmpty()
          ? null
          : open(name, configuration(StoredConfiguration.fromText(name, stored, loader)));
    }
  }

  private static RockpoolConfiguration<Object, Object> configuration(ReadConfiguration read) {
    return RockpoolConfiguration.of(read.standard(), read.options());
  }

  /**
   * The open cache with a name. Forgets one that was dropped through another manager, or by another
   * process.
   */
  private @Nullable RockpoolJCache<?, ?> find(String name) {
    RockpoolJCache<?, ?> there = caches.get(name);
    if (there != null && !Internals.store(pool).inTransaction()) {
      try {
        Internals.store(pool).caches().loseEnded(there.kernel().name());
      } catch (RockpoolException e) {
        LOG.debug("Whether cache \"{}\" was dropped cannot be asked; it is taken as open", name, e);
      }
    }
    if (there != null && there.isClosed()) {
      caches.remove(name, there);
      there.closeNow();
      return null;
    }
    return there;
  }

  /** What the store knows of a cache that was made through JSR-107. */
  private Optional<Description> stored(String name) {
    return describe(name).filter(RockpoolJCacheManager::isCache);
  }

  private Optional<Description> describe(String name) {
    try {
      return pool.names().find(names.stored(name));
    } catch (RockpoolException e) {
      throw OwnedResources.wrapped(e);
    }
  }

  private static boolean isCache(Description description) {
    return description.type().equals(StoreCaches.TYPE)
        && StoredConfiguration.isIn(description.options());
  }

  @Override
  public Iterable<String> getCacheNames() {
    ensureOpen();
    try {
      Set<String> names = new LinkedHashSet<>();
      pool.names().list("").stream()
          .filter(RockpoolJCacheManager::isCache)
          .flatMap(description -> this.names.named(description.name()).stream())
          .forEach(names::add);
      names.addAll(file.names());
      return List.copyOf(names);
    } catch (RockpoolException e) {
      throw OwnedResources.wrapped(e);
    }
  }

  /** Removes a cache and its entries from the store, whether it is open here or not. */
  @Override
  public void destroyCache(String cacheName) {
    Objects.requireNonNull(cacheName, "cacheName");
    ensureOpen();
    closeOpen(cacheName); // with nothing held: this waits for rows, whose holders may open caches
    synchronized (lock(cacheName)) {
      ensureOpen();
      try {
        if (stored(cacheName).isPresent()) {
          pool.names().drop(names.stored(cacheName));
        }
      } catch (RockpoolException e) {
        throw OwnedResources.wrapped(e);
      }
    }
    closeOpen(cacheName); // one that was opened meanwhile
  }

  private void closeOpen(String name) {
    RockpoolJCache<?, ?> there = caches.get(name);
    if (there != null) {
      closeQuietly(there);
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

  private RockpoolJCache<?, ?> required(String name) {
    RockpoolJCache<?, ?> cache = openIfThere(name);
    if (cache == null) {
      throw new CacheException("There is no cache \"" + name + "\"; create it first.");
    }
    return cache;
  }

  @Override
  public boolean isClosed() {
    return closed.get();
  }

  /**
   * Closes its caches, whichever of them fails to, and the store if no other manager or handle has
   * it open.
   */
  @Override
  public void close() {
    if (closed.getAndSet(true)) {
      return;
    }
    executor.shutdown();
    caches.values().forEach(this::closeQuietly);
    provider.forget(this);
    StoreChanges.run(pool::close);
  }

  /**
   * As the specification requires, a cache that fails to close does not make the operation fail.
   */
  private void closeQuietly(RockpoolJCache<?, ?> cache) {
    try {
      close(cache);
    } catch (Throwable e) {
      LOG.warn("Closing cache \"{}\" failed; it is taken as closed", cache.getName(), e);
    }
  }

  /** Closes one cache; its name is free when nothing of it is left. */
  void close(RockpoolJCache<?, ?> cache) {
    try {
      shut(cache);
    } finally {
      caches.remove(cache.getName(), cache);
    }
  }

  private void shut(RockpoolJCache<?, ?> cache) {
    try {
      cache.closeNow();
    } finally {
      if (!cache.kernel().isClosed()) {
        StoreChanges.run(cache.kernel()::close);
      }
    }
  }

  /** Runs something for a cache on another thread. */
  void execute(Runnable task) {
    try {
      executor.execute(task);
    } catch (RejectedExecutionException e) {
      throw closedException();
    }
  }

  @Override
  public <T> T unwrap(Class<T> type) {
    return Unwrapping.of(this, type, pool);
  }

  private void ensureOpen() {
    if (closed.get()) {
      throw closedException();
    }
  }

  private StoreClosedException closedException() {
    return new StoreClosedException(
        "The cache manager of "
            + StoreLocation.shown(uri)
            + " is closed; get it from the provider again.");
  }
}
