package io.rockpool.compatibility.servers;

import static org.assertj.core.api.Assertions.assertThat;

import io.rockpool.Description;
import io.rockpool.Rockpool;
import io.rockpool.jcache.RockpoolCachingProvider;
import io.rockpool.spring.RockpoolCacheManager;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import javax.cache.CacheManager;
import javax.cache.configuration.MutableConfiguration;
import javax.cache.spi.CachingProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Caches of Spring and of JCache with the same names have the same names in a store. */
class NamesOfCachesTest {
  private static final List<String> NAMES =
      List.of("users", "", "/users", "users/", "a//b", "a/b", "tab\t\0", "50%", "\ud83d");

  @TempDir Path directory;

  @Test
  void namesInTheStoreAreTheSame() {
    Path ofSpring = directory.resolve("spring");
    try (Rockpool pool = Rockpool.open(ofSpring);
        RockpoolCacheManager manager = new RockpoolCacheManager(pool)) {
      NAMES.forEach(name -> manager.getCache(name).put("k", name));
      NAMES.forEach(name -> assertThat(manager.getCache(name).get("k").get()).isEqualTo(name));
    }
    Path ofJcache = directory.resolve("jcache");
    try (CachingProvider provider = new RockpoolCachingProvider()) {
      CacheManager manager = provider.getCacheManager(URI.create("rockpool:" + ofJcache), null);
      NAMES.forEach(name -> manager.createCache(name, new MutableConfiguration<>()).put("k", name));
      assertThat(manager.getCacheNames()).containsExactlyInAnyOrderElementsOf(NAMES);
    }
    List<String> stored = stored(ofSpring);
    assertThat(stored).hasSameSizeAs(NAMES).isEqualTo(stored(ofJcache));
  }

  private static List<String> stored(Path store) {
    try (Rockpool pool = Rockpool.open(store)) {
      return pool.names().list("").stream().map(Description::name).toList();
    }
  }
}
