package io.rockpool.jcache;

import io.rockpool.Rockpool;
import io.rockpool.error.RockpoolException;
import java.net.URI;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;
import java.util.Set;
import java.util.function.Predicate;
import javax.cache.CacheException;
import javax.cache.CacheManager;
import javax.cache.configuration.OptionalFeature;
import javax.cache.spi.CachingProvider;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The JSR-107 provider, found by {@code Caching.getCachingProvider()}. Thread-safe.
 *
 * <p><b>Where the data lies.</b> A cache manager's URI is {@code rockpool:} and a directory: {@code
 * rockpool:/var/data}, or {@code rockpool:data} under the working directory. The default is {@code
 * rockpool-data}, or what the system property {@code rockpool.directory} says. Managers of other
 * class loaders on the same directory share its store, and read each other's entries where they
 * have the same classes. Opening a manager opens the store; the last manager to close closes it.
 *
 * <p><b>What comes back.</b> Closing a cache, a manager or the provider loses nothing, and neither
 * does {@code kill -9}. A later {@code getCache} finds cache, entries and configuration. {@code
 * createCache} of a cache that an earlier run has left opens it with the configuration given
 * <em>and keeps its entries</em>, so that an application which creates its caches at every start
 * finds them warm; key and value types must be the same. {@code destroyCache} is what removes
 * entries for good. What cannot be stored are custom expiry policies, loaders, writers and
 * listeners: {@code getCache} of a cache that has them fails until it was opened by {@code
 * createCache}. Statistics and management toggled at run time are not stored.
 *
 * <p><b>What is not there.</b> Values are stored by value, never by reference. Entries expire in
 * the store, where nobody is told: no event says so.
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
  private static final Logger LOG = LoggerFactory.getLogger(RockpoolCachingProvider.class);

  private final Map<Key, RockpoolCacheManager> managers = new LinkedHashMap<>();
  private final Set<Path> announced = new HashSet<>();

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
    Path directory = StoreLocation.directory(key.uri);
    synchronized (managers) {
      RockpoolCacheManager there = managers.get(key);
      if (there != null && !there.isClosed()) {
        return there;
      }
      if (announced.add(directory.toAbsolutePath().normalize())) {
        LOG.info("Caches of {} lie in {}", key.uri, directory.toAbsolutePath().normalize());
      }
      RockpoolCacheManager opened;
      try {
        opened =
            new RockpoolCacheManager(
                this, key.uri, key.loader, copy(properties), Rockpool.open(directory));
      } catch (RockpoolException e) {
        throw new CacheException(e.getMessage(), e);
      }
      managers.put(key, opened);
      return opened;
    }
  }

  private static Properties copy(@Nullable Properties properties) {
    Properties copy = new Properties();
    if (properties != null) {
      properties
          .stringPropertyNames()
          .forEach(name -> copy.setProperty(name, properties.getProperty(name)));
    }
    return copy;
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
    return Objects.requireNonNull(getClass().getClassLoader(), "class loader");
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
    ClassLoader loader = key(null, classLoader).loader;
    closeThose(key -> key.loader == loader);
  }

  @Override
  public void close(@Nullable URI uri, @Nullable ClassLoader classLoader) {
    closeThose(key(uri, classLoader)::equals);
  }

  private void closeThose(Predicate<Key> closing) {
    List<RockpoolCacheManager> found;
    synchronized (managers) {
      found =
          managers.keySet().stream()
              .filter(closing)
              .map(managers::get)
              .map(Objects::requireNonNull)
              .toList();
    }
    RuntimeException failure = null;
    for (RockpoolCacheManager manager : found) {
      try {
        manager.close();
      } catch (RuntimeException e) {
        failure = Closing.add(failure, e);
      }
    }
    if (failure != null) {
      throw failure;
    }
  }

  /** Notes that a manager has closed. */
  void forget(RockpoolCacheManager manager) {
    synchronized (managers) {
      managers.values().remove(manager);
    }
  }

  /** Values are stored by value; references cannot be. */
  @Override
  public boolean isSupported(OptionalFeature optionalFeature) {
    Objects.requireNonNull(optionalFeature, "optionalFeature");
    return false;
  }

  private Key key(@Nullable URI uri, @Nullable ClassLoader classLoader) {
    return new Key(
        uri == null ? getDefaultURI() : uri,
        classLoader == null ? getDefaultClassLoader() : classLoader);
  }
}
