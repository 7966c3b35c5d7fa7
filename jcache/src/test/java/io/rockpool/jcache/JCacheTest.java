package io.rockpool.jcache;

import io.rockpool.Rockpool;
import io.rockpool.cache.PersistentCache;
import io.rockpool.engine.Engine;
import io.rockpool.jcache.internal.config.AllowedNames;
import io.rockpool.jcache.internal.config.ConfigurationFile;
import io.rockpool.jcache.internal.config.StoreLocation;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Properties;
import javax.cache.Cache;
import javax.cache.CacheManager;
import javax.cache.configuration.CompleteConfiguration;
import javax.management.JMX;
import javax.management.MBeanServer;
import javax.management.MalformedObjectNameException;
import javax.management.ObjectName;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.io.TempDir;

/** What every test of this module has: a provider of its own, and a directory. */
abstract class JCacheTest {
  @TempDir Path directory;
  final RockpoolCachingProvider provider = new RockpoolCachingProvider();

  @AfterEach
  void closeProvider() {
    provider.close();
  }

  final URI uri() {
    return StoreLocation.uriOf(directory.resolve("store").toString());
  }

  final CacheManager manager() {
    return provider.getCacheManager(uri(), null);
  }

  /** A configuration file, which {@link #manager(String)} writes. */
  final Path file() {
    return directory.resolve("caches.conf");
  }

  /** The line of such a file that names the store. */
  final String store() {
    return "directory = \"" + directory.resolve("store") + "\"\n";
  }

  /** A manager of a file with the store's directory and these lines, from the fourth on. */
  final CacheManager manager(String lines) {
    try {
      Files.writeString(file(), "# caches\nrockpool.jcache {\n" + store() + lines + "\n}\n");
    } catch (IOException e) {
      throw new AssertionError(e);
    }
    return provider.getCacheManager(file().toUri(), null);
  }

  final CacheManager managerAllowing(String names) {
    Properties properties = new Properties();
    properties.setProperty(AllowedNames.PROPERTY, names);
    return provider.getCacheManager(uri(), null, properties);
  }

  /** Closes everything, as the end of a process does, and opens a manager again. */
  final CacheManager restarted() {
    provider.close();
    return manager();
  }

  /** A manager on an engine, which it closes. */
  final RockpoolJCacheManager managerOver(Engine engine) {
    return new RockpoolJCacheManager(
        provider,
        provider.getDefaultURI(),
        getClass().getClassLoader(),
        new Properties(),
        ConfigurationFile.onClassPath(getClass().getClassLoader()),
        Rockpool.at(o -> engine).open());
  }

  /** A cache's statistics as consoles see them; empty while they are off. */
  static Optional<RockpoolStatisticsMXBean> statistics(Cache<?, ?> cache) {
    MBeanServer server = ManagementFactory.getPlatformMBeanServer();
    try {
      ObjectName pattern =
          new ObjectName("javax.cache:type=CacheStatistics,Cache=" + cache.getName() + ",*");
      return server.queryNames(pattern, null).stream()
          .map(name -> JMX.newMXBeanProxy(server, name, RockpoolStatisticsMXBean.class))
          .findAny();
    } catch (MalformedObjectNameException e) {
      throw new IllegalArgumentException(cache.getName(), e);
    }
  }

  @SuppressWarnings("unchecked") // a class cannot say its type arguments
  static <K, V> PersistentCache<K, V> kernelOf(Cache<K, V> cache) {
    return cache.unwrap(PersistentCache.class);
  }

  @SuppressWarnings("unchecked") // a class cannot say its type arguments
  static <K, V> CompleteConfiguration<K, V> configurationOf(Cache<K, V> cache) {
    return cache.getConfiguration(CompleteConfiguration.class);
  }

  @SuppressWarnings("unchecked") // a class cannot say its type arguments
  static <K, V> RockpoolConfiguration<K, V> own(Cache<K, V> cache) {
    return cache.getConfiguration(RockpoolConfiguration.class);
  }
}
