package io.rockpool.jcache;

import io.rockpool.Rockpool;
import io.rockpool.error.RockpoolException;
import io.rockpool.jcache.internal.config.ConfigurationFile;
import io.rockpool.jcache.internal.config.StoreLocation;
import io.rockpool.jcache.internal.config.StoreOpening;
import java.net.URI;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;
import java.util.function.Predicate;
import javax.cache.CacheException;
import javax.cache.CacheManager;
import javax.cache.configuration.OptionalFeature;
import javax.cache.spi.CachingProvider;
import org.jspecify.annotations.Nullable;

/**
 * The JSR-107 provider, found by {@code Caching.getCachingProvider()}. Thread-safe.
 *
 * <p><b>Where the data lies.</b> A cache manager's URI is {@code rockpool:} and a directory: {@code
 * rockpool:/var/data}, or {@code rockpool:data} under the working directory. The default is {@code
 * rockpool-data}, or what the system property {@code rockpool.directory} says. Managers of other
 * class loaders on the same directory share its store, and read each other's entries where they
 * have the same classes. Opening a manager opens the store; the last manager to close closes it.
 * Any other URI, such as {@code my-manager}, is a mere name: the manager's caches are in the
 * default directory, apart from those of other managers there. The directory {@code temporary} is
 * an exception, for tests: each manager has a store of its own, which is removed when the manager
 * closes.
 *
 * <p><b>While another process has the store open</b>, opening a manager waits for it for ten
 * seconds, or as long as the property {@code rockpool.lock-wait} of the manager or the system says,
 * and fails then; with {@code rockpool.when-locked=temporary} it opens a temporary store instead.
 *
 * <p><b>Configuration files</b> are HOCON and optional. A URI that ends in {@code .conf} names one,
 * as in {@code file:/etc/shop/caches.conf} or {@code classpath:caches.conf}; the file says in which
 * directory the store is. Without such a URI, {@code application.conf} on the manager's class path
 * is read, and {@code reference.conf}. System properties go before either. All is under {@code
 * rockpool.jcache}:
 *
 * <pre>{@code
 * rockpool.jcache {
 *   directory = /var/lib/shop
 *   defaults { hot-bytes = 64MiB }
 *   caches {
 *     orders { key-type = java.lang.String, value-type = com.acme.Order, expiry { creation = 1h } }
 *   }
 * }
 * }</pre>
 *
 * <p>The caches that it names are there for {@code getCache}, which makes them of what is said of
 * them and, where that says nothing, of {@code default}. {@code createCache} goes by the
 * configuration it is given; what that does not say (a {@code MutableConfiguration} cannot say what
 * only {@link RockpoolConfiguration} knows) is taken from the file, from the cache's own section or
 * from {@code default}. The library's {@code reference.conf} has all settings, as comments. A
 * setting or value that is wrong is a {@link CacheException} which says in which line it is.
 *
 * <p><b>What comes back.</b> Closing a cache, a manager or the provider loses nothing, and neither
 * does {@code kill -9}. A later {@code getCache} finds cache, entries and configuration, statistics
 * and management as they were switched last. {@code createCache} of a cache that an earlier run has
 * left opens it with the configuration given <em>and keeps its entries</em>, so that an application
 * which creates its caches at every start finds them warm; key and value types must be the same. An
 * expiry that differs holds for what is written from then on, and the log says so. {@code
 * destroyCache} is what removes entries for good. What cannot be stored is code: custom expiry
 * policies, functions and codecs, loaders, writers and listeners. {@code getCache} of a cache that
 * has them fails until it was opened by {@code createCache}, unless a configuration file names
 * their classes.
 *
 * <p><b>By value or by reference.</b> A cache stores by value. One that is configured to store by
 * reference gives the instance that was put, or first read, to everyone who asks for it while it is
 * in memory; the disk has it as it was when it was put, and a restart or an eviction brings back
 * that. Without memory for entries, which a file may say, it is refused.
 *
 * <p><b>Expired entries</b> raise their event when a read, a conditional write or an iterator meets
 * them, or else a scan, which begins about once a minute where somebody listens and tells on a
 * thread of its own: not at the moment itself. Those that nothing meets within five minutes of
 * their end, or as long again as they had to live if that is longer, are removed untold. A listener
 * that is synchronous is called with its key locked: one that writes other keys of the cache may
 * have to wait for who waits for it.
 *
 * <p><b>Listeners</b> that are not synchronous are told by one thread for each cache, in the order
 * of the changes. 10,000 events wait for them at most; what comes while so many wait is dropped,
 * counted as {@code DroppedEvents} in the cache's statistics bean, and logged once until they have
 * caught up. A cache that is closed gives them a second to hear what is waiting, and logs how many
 * events they did not hear. So they may miss events, but never keep the cache waiting; who must not
 * miss any is synchronous.
 *
 * <p><b>Transactions.</b> Inside {@link io.rockpool.Rockpool#atomically} of the manager's store
 * ({@code manager.unwrap(Rockpool.class)}) a cache's operations join the transaction. Listeners are
 * told, and statistics count, when it has committed: each event once, and those of a key in the
 * order of the commits; nothing of a transaction that was rolled back. What a synchronous listener
 * throws is logged then. A cache that writes through refuses changes inside a transaction with a
 * {@link CacheException}, since what a writer wrote cannot be taken back; its reads and loads join.
 * {@code loadAll}, which loads on another thread, is refused inside a transaction with an {@link
 * IllegalStateException}.
 *
 * <p><b>Entry processors</b> of a cache that has neither a writer nor listeners hold no lock: where
 * another thread changes the entry meanwhile, the processor runs again on what is there then, and
 * its last run counts. It must do nothing but decide on its entry. Where there is a writer or a
 * listener, other changes of the key that are made through this manager wait for it, so that it
 * must not wait for one; a writer's cache runs it once. A processor that changes an entry of its
 * call through the cache, and not through its {@code MutableEntry}, gets an {@link
 * IllegalStateException}.
 *
 * <p><b>Other keys.</b> Synchronous listeners, writers and such processors run with the key's lock
 * held. Where several of them change each other's keys in a circle, one change gets an {@link
 * IllegalStateException}. An asynchronous listener, which holds no lock, may change any key.
 *
 * <p><b>Loaders</b> run with no lock held, one at a time for a key, and may ask the cache for other
 * keys. What was removed while it loaded is not stored, and what was put meanwhile stays.
 *
 * <p><b>Which classes may be stored.</b> Strings, boxed numbers and the JDK's other value and
 * collection types always; of a cache with types, also what the types reach: their fields, record
 * components, permitted subclasses. Anything else, such as your classes in a cache without types,
 * or subclasses of a declared type, must be allowed by the property {@code rockpool.allow} of the
 * manager or the system: classes and packages, split by commas, as in {@code
 * -Drockpool.allow=com.acme.shop,com.acme.Money}. A value that is not allowed is refused when it is
 * put.
 */
public final class RockpoolCachingProvider implements CachingProvider {
  private final Map<Key, RockpoolJCacheManager> managers = new LinkedHashMap<>();

  private record Key(URI uri, ClassLoader loader) {}

  /** A provider without managers, as the service loader makes one. */
  public RockpoolCachingProvider() {}

  /**
   * Returns the manager of a directory and a class loader, or opens it. Nulls stand for the
   * defaults.
   *
   * @throws CacheException if the URI names no directory, or its store cannot be opened; the
   *     message says why
   */
  @Override
  public CacheManager getCacheManager(
      @Nullable URI uri, @Nullable ClassLoader classLoader, @Nullable Properties properties) {
    Key key = key(uri, classLoader);
    RockpoolJCacheManager there = openManager(key);
    if (there != null) {
      return there;
    }
    // With nothing held: it may wait for a store that closes, and that for a thread that comes
    // here.
    RockpoolJCacheManager opened = open(key, properties);
    synchronized (managers) {
      there = openManager(key);
      if (there == null) {
        managers.put(key, opened);
        return opened;
      }
    }
    opened.close(); // another thread was faster
    return there;
  }

  private @Nullable RockpoolJCacheManager openManager(Key key) {
    synchronized (managers) {
      RockpoolJCacheManager there = managers.get(key);
      return there == null || there.isClosed() ? null : there;
    }
  }

  private RockpoolJCacheManager open(Key key, @Nullable Properties properties) {
    ConfigurationFile file = ConfigurationFile.of(key.uri, key.loader);
    Properties copied = copy(properties);
    StoreOpening opening = new StoreOpening(copied, file);
    Path directory = StoreLocation.directory(key.uri, file);
    Rockpool pool;
    try {
      pool = opening.open(directory);
    } catch (RockpoolException e) {
      throw new CacheException(e.getMessage(), e);
    }
    boolean made = false;
    try {
      RockpoolJCacheManager manager =
          new RockpoolJCacheManager(this, key.uri, key.loader, copied, file, pool);
      made = true;
      return manager;
    } finally {
      if (!made) {
        pool.close();
      }
    }
  }

  private static Properties copy(@Nullable Properties properties) {
    Properties copy = new Properties();
    if (properties != null) {
      properties.forEach(RockpoolCachingProvider::refuseUnlessText);
      properties
          .stringPropertyNames()
          .forEach(name -> copy.setProperty(name, properties.getProperty(name)));
    }
    return copy;
  }

  /** {@link Properties} has no value for a key whose value is no text. */
  private static void refuseUnlessText(Object key, Object value) {
    if (key.toString().startsWith("rockpool.") && !(value instanceof String)) {
      throw new CacheException(
          "The property "
              + key
              + " has a value of class "
              + value.getClass().getName()
              + ". Give it as a text.");
    }
  }

  @Override
  public CacheManager getCacheManager(@Nullable URI uri, @Nullable ClassLoader classLoader) {
    return getCacheManager(uri, classLoader, null);
  }

  @Override
  public CacheManager getCacheManager() {
    return getCacheManager(null, null, null);
  }

  /** The class loader that loaded Rockpool. */
  @Override
  public ClassLoader getDefaultClassLoader() {
    return loaderOfRockpool();
  }

  static ClassLoader loaderOfRockpool() {
    return Objects.requireNonNull(RockpoolCachingProvider.class.getClassLoader(), "class loader");
  }

  @Override
  public URI getDefaultURI() {
    return StoreLocation.defaultUri();
  }

  @Override
  public Properties getDefaultProperties() {
    return new Properties();
  }

  /** Closes every manager; the provider can open new ones. */
  @Override
  public void close() {
    closeThose(key -> true);
  }

  @Override
  public void close(@Nullable ClassLoader classLoader) {
    ClassLoader loader = loader(classLoader);
    closeThose(key -> key.loader == loader);
  }

  @Override
  public void close(@Nullable URI uri, @Nullable ClassLoader classLoader) {
    closeThose(key(uri, classLoader)::equals);
  }

  private void closeThose(Predicate<Key> closing) {
    List<RockpoolJCacheManager> found;
    synchronized (managers) {
      found =
          managers.keySet().stream()
              .filter(closing)
              .map(managers::get)
              .map(Objects::requireNonNull)
              .toList();
    }
    Failures failures = new Failures();
    found.forEach(manager -> failures.tryTo(manager::close));
    failures.throwFirst();
  }

  /** Notes that a manager has closed. */
  void forget(RockpoolJCacheManager manager) {
    synchronized (managers) {
      managers.values().remove(manager);
    }
  }

  /**
   * Whether caches can store by reference: they can, unless the configuration on the class path
   * lets them by default keep no entries in memory, where alone references can be.
   */
  @Override
  public boolean isSupported(OptionalFeature optionalFeature) {
    Objects.requireNonNull(optionalFeature, "optionalFeature");
    return optionalFeature == OptionalFeature.STORE_BY_REFERENCE
        && !ConfigurationFile.onClassPath(getDefaultClassLoader()).template().isCold();
  }

  private Key key(@Nullable URI uri, @Nullable ClassLoader classLoader) {
    return new Key(uri == null ? getDefaultURI() : uri, loader(classLoader));
  }

  private ClassLoader loader(@Nullable ClassLoader classLoader) {
    return classLoader == null ? getDefaultClassLoader() : classLoader;
  }
}
