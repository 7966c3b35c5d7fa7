package io.rockpool.jcache;

import io.rockpool.Rockpool;
import io.rockpool.RockpoolBuilder;
import io.rockpool.error.RockpoolException;
import io.rockpool.jcache.internal.config.ConfigurationFile;
import io.rockpool.jcache.internal.config.StoreLocation;
import io.rockpool.jcache.internal.config.StoreOpening;
import java.lang.ref.WeakReference;
import java.net.URI;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;
import java.util.function.Predicate;
import javax.cache.CacheException;
import javax.cache.CacheManager;
import javax.cache.Caching;
import javax.cache.configuration.OptionalFeature;
import javax.cache.spi.CachingProvider;
import org.jspecify.annotations.Nullable;

/**
 * The JSR-107 provider, found by {@code Caching.getCachingProvider()}. Thread-safe.
 *
 * <p><b>Directory.</b> The URI of a cache manager is {@code rockpool:} and a directory: {@code
 * rockpool:/var/data}, or {@code rockpool:data} below the working directory. The default directory
 * is {@code rockpool-data}, or the value of the system property {@code rockpool.directory}.
 * Managers of different class loaders on the same directory share its store, and read each other's
 * entries if they have the same classes. Opening a manager opens the store; closing the last
 * manager closes it. Any other URI, such as {@code my-manager}, is only a name: the manager's
 * caches are in the default directory, separate from those of other managers there. The directory
 * {@code temporary} is for tests: each manager has its own store, which is deleted when the manager
 * closes.
 *
 * <p><b>Servers.</b> A URI such as {@code rockpool+redis://localhost:6379} names a store on a
 * server, which several processes may have open. Its engine is an artifact of its own, {@code
 * rockpool-redis}. The system property {@code rockpool.uri} makes it the default store. Store by
 * reference is refused there. Messages and names of beans show a URI without user and password. A
 * cache that another process has destroyed throws; {@code getCache} and {@code createCache} then
 * open it again, also before the server has reported it.
 *
 * <p><b>Class loaders.</b> A manager reads values as instances of the classes that its class loader
 * finds. The default is the context class loader of the thread that creates the provider. With
 * {@code Caching.getCachingProvider()}, each application in a servlet container and each restart of
 * Spring Boot's devtools gets its own provider, and thus its own classes. Close the manager when
 * the application ends: an open manager keeps its class loader.
 *
 * <p><b>While another process has the store open</b>, opening a manager waits ten seconds, or the
 * time in the property {@code rockpool.lock-wait} of the manager or the system, and then fails.
 * With {@code rockpool.when-locked=temporary} it opens a temporary store instead.
 *
 * <p><b>Configuration files</b> are HOCON and optional. A URI that ends in {@code .conf} names one,
 * as in {@code file:/etc/shop/caches.conf} or {@code classpath:caches.conf}; the file contains the
 * directory. Without such a URI, {@code application.conf} on the manager's class path is read, and
 * {@code reference.conf}. System properties take precedence over files. All settings are below
 * {@code rockpool.jcache}:
 *
 * <pre>{@code
 * rockpool.jcache {
 *   directory = /var/lib/shop
 *   defaults { hot-size = 64MiB }
 *   caches {
 *     orders { key-type = java.lang.String, value-type = com.acme.Order, expiry { creation = 1h } }
 *   }
 * }
 * }</pre>
 *
 * <p>{@code getCache} creates the caches of the file, from their own sections and {@code default}.
 * {@code createCache} uses the given configuration. What that leaves open (a {@code
 * MutableConfiguration} has none of the settings of {@link RockpoolConfiguration}) is taken from
 * the cache's section of the file or from {@code default}. The library's {@code reference.conf} has
 * all settings, as comments. A wrong setting or value is a {@link CacheException} that contains its
 * line.
 *
 * <p><b>Persistence.</b> Closing a cache, a manager or the provider loses nothing, and neither does
 * {@code kill -9}. A later {@code getCache} finds the cache, its entries and its configuration,
 * including the last switch of statistics and management. {@code createCache} of a cache from an
 * earlier run opens it with the given configuration <em>and keeps its entries</em>: an application
 * that creates its caches at every start finds them warm. Key and value types must be the same. A
 * different expiry applies to later writes, and is logged. {@code destroyCache} removes entries
 * permanently. Code is not stored: custom expiry policies, functions and codecs, loaders, writers
 * and listeners. {@code getCache} of a cache with such code fails until {@code createCache} has
 * opened it, unless a configuration file names the classes.
 *
 * <p><b>Versions.</b> A cache that is opened with another {@code version} than its entries have is
 * cleared. The property {@code rockpool.version.NAME} of the manager adds to the version of the
 * cache of that name. A cache that Hibernate fills is also cleared if a class that its keys or
 * entries name has changed; unless {@code on-unencodable} says {@code fail}, it skips values that
 * cannot be encoded.
 *
 * <p><b>By value or by reference.</b> A cache stores by value. With store by reference, all callers
 * get the same instance while the entry is in memory: the one that was put, or the one of the first
 * read. The disk has the entry as it was at its put; that state comes back after a restart or an
 * eviction. Store by reference without memory for entries, which a file may configure, is refused.
 *
 * <p><b>Expired entries</b> raise their event when a read, a conditional write or an iterator finds
 * them, or in a scan, which runs about once a minute on its own thread while there are listeners:
 * not at the moment of expiry. Entries that are not found within five minutes of their end, or
 * within another lifetime if that is longer, are removed without an event. A synchronous listener
 * runs with the key locked: if it writes other keys of the cache, it may wait for their locks. On a
 * server, entries of a process without such a listener are removed when they expire, so no process
 * hears of them: register it in every process that writes the cache.
 *
 * <p><b>Asynchronous listeners</b> are called by one thread per cache, in the order of the changes.
 * At most 10,000 events wait for them. Further events are dropped, counted as {@code DroppedEvents}
 * in the statistics bean, and logged once until the listeners have caught up. A closing cache waits
 * one second for them and logs how many events were not delivered. So they may miss events, but
 * never block the cache; use a synchronous listener where no event may be missed.
 *
 * <p><b>Transactions.</b> Inside {@link io.rockpool.Rockpool#atomically} of the manager's store
 * ({@code manager.unwrap(Rockpool.class)}) a cache's operations join the transaction. After the
 * commit, listeners are called and statistics counted: each event once, and the events of a key in
 * the order of the commits. A rolled-back transaction has no events. Exceptions of synchronous
 * listeners are logged then. A write-through cache refuses changes inside a transaction with a
 * {@link CacheException}, because a writer's work cannot be rolled back; its reads and loads join.
 * {@code loadAll}, which loads on another thread, is refused inside a transaction with an {@link
 * IllegalStateException}.
 *
 * <p><b>Entry processors</b> of a cache without writer and listeners hold no lock. If another
 * thread changes the entry meanwhile, the processor runs again on the new state, and its last run
 * counts; it must have no effect but its decision on the entry. With a writer or listener, other
 * changes of the key through this manager wait for the processor, so it must not wait for one of
 * them; with a writer it runs once. A processor that changes an entry of its call through the cache
 * instead of its {@code MutableEntry} gets an {@link IllegalStateException}.
 *
 * <p><b>Other keys.</b> Synchronous listeners, writers and such processors run with the key's lock
 * held. If several of them change each other's keys in a circle, one of these changes fails with an
 * {@link IllegalStateException}. An asynchronous listener holds no lock and may change any key.
 *
 * <p><b>Loaders</b> run with no lock held, one at a time for a key, and may read other keys of the
 * cache. A value is not stored if its key was removed during the load, and a put during the load
 * wins.
 *
 * <p><b>Which classes may be stored.</b> Strings, boxed numbers and the JDK's other value and
 * collection types always; in a cache with types, also everything those types reach: fields, record
 * components, permitted subclasses. Other classes are learned when this store's own application
 * puts them, except known gadget classes. With the property {@code rockpool.strict=true} of the
 * manager or the system they must be allowed by {@code rockpool.allow}: classes and packages,
 * separated by commas, as in {@code -Drockpool.allow=com.acme.shop,com.acme.Money}. A value that is
 * not allowed is refused when it is put.
 */
public final class RockpoolCachingProvider implements CachingProvider {
  private final Map<Key, RockpoolJCacheManager> managers = new LinkedHashMap<>();

  private record Key(URI uri, ClassLoader loader) {}

  /**
   * The class loader of the application. Weak, because {@link Caching} keeps a provider for as long
   * as the class loader that it got it for.
   */
  private final WeakReference<ClassLoader> application;

  /** A provider without managers, as the service loader makes one. */
  public RockpoolCachingProvider() {
    ClassLoader context = Caching.getDefaultClassLoader();
    boolean isBelow = context != null && findsThis(context);
    this.application = new WeakReference<>(isBelow ? context : loaderOfRockpool());
  }

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
    RockpoolBuilder store = StoreLocation.store(key.uri, file);
    Rockpool pool;
    try {
      pool = opening.open(store);
    } catch (RockpoolException | IllegalArgumentException e) {
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

  /**
   * The default class loader of {@link Caching} when this provider was created: the context class
   * loader of the thread, unless the application has set another one. It is the class loader that
   * loaded Rockpool if the former does not find this class, or no longer exists.
   */
  @Override
  public ClassLoader getDefaultClassLoader() {
    return Objects.requireNonNullElseGet(
        application.get(), RockpoolCachingProvider::loaderOfRockpool);
  }

  private static boolean findsThis(ClassLoader loader) {
    Class<?> type = RockpoolCachingProvider.class;
    try {
      return Class.forName(type.getName(), false, loader) == type;
    } catch (ClassNotFoundException | LinkageError e) {
      return false;
    }
  }

  private static ClassLoader loaderOfRockpool() {
    return Objects.requireNonNull(RockpoolCachingProvider.class.getClassLoader(), "class loader");
  }

  @Override
  public URI getDefaultURI() {
    return StoreLocation.defaultUri(getDefaultClassLoader());
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
   * Whether caches can store by reference: they can, unless the default store is on a server, whose
   * entries belong to several processes, or the configuration on the class path lets caches by
   * default keep no entries in memory, where alone references can be.
   */
  @Override
  public boolean isSupported(OptionalFeature optionalFeature) {
    Objects.requireNonNull(optionalFeature, "optionalFeature");
    return optionalFeature == OptionalFeature.STORE_BY_REFERENCE
        && !StoreLocation.isOnServer(getDefaultURI())
        && !ConfigurationFile.onClassPath(getDefaultClassLoader()).template().isCold();
  }

  private Key key(@Nullable URI uri, @Nullable ClassLoader classLoader) {
    return new Key(uri == null ? getDefaultURI() : uri, loader(classLoader));
  }

  private ClassLoader loader(@Nullable ClassLoader classLoader) {
    return classLoader == null ? getDefaultClassLoader() : classLoader;
  }
}
