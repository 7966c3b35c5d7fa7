package io.rockpool.jcache;

import java.net.URI;
import java.nio.file.Path;
import java.util.Properties;
import javax.cache.Cache;
import javax.cache.CacheManager;
import javax.cache.configuration.CompleteConfiguration;
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

  @SuppressWarnings("unchecked") // a class cannot say its type arguments
  static <K, V> CompleteConfiguration<K, V> configurationOf(Cache<K, V> cache) {
    return cache.getConfiguration(CompleteConfiguration.class);
  }

  @SuppressWarnings("unchecked") // a class cannot say its type arguments
  static <K, V> RockpoolConfiguration<K, V> own(Cache<K, V> cache) {
    return cache.getConfiguration(RockpoolConfiguration.class);
  }
}
