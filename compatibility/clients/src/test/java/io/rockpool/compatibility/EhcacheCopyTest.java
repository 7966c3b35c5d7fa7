package io.rockpool.compatibility;

import static org.assertj.core.api.Assertions.assertThat;

import io.rockpool.Rockpool;
import io.rockpool.cache.CacheExpiry;
import io.rockpool.cache.PersistentCache;
import java.io.IOException;
import java.io.Serializable;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import javax.cache.Cache;
import javax.cache.Caching;
import org.ehcache.config.builders.CacheConfigurationBuilder;
import org.ehcache.config.builders.ResourcePoolsBuilder;
import org.ehcache.config.units.MemoryUnit;
import org.ehcache.core.config.DefaultConfiguration;
import org.ehcache.impl.config.persistence.DefaultPersistenceConfiguration;
import org.ehcache.jsr107.EhcacheCachingProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The examples of {@code docs/cli.md} that copy a cache from Ehcache and to it. */
final class EhcacheCopyTest {
  private static final int ORDERS = 2_500;

  @TempDir Path directory;

  record Order(String id, long cents) implements Serializable {}

  /** Ehcache with files, as an application that ends and starts again has it. */
  private javax.cache.CacheManager open() {
    EhcacheCachingProvider provider =
        (EhcacheCachingProvider)
            Caching.getCachingProvider("org.ehcache.jsr107.EhcacheCachingProvider");
    var orders =
        CacheConfigurationBuilder.newCacheConfigurationBuilder(
                String.class,
                Order.class,
                ResourcePoolsBuilder.heap(100).disk(20, MemoryUnit.MB, true))
            .build();
    var configuration =
        new DefaultConfiguration(
            Map.of("orders", orders),
            EhcacheCopyTest.class.getClassLoader(),
            new DefaultPersistenceConfiguration(directory.resolve("ehcache").toFile()));
    return provider.getCacheManager(provider.getDefaultURI(), configuration);
  }

  private static Map<String, Order> all() {
    Map<String, Order> all = new HashMap<>();
    for (int i = 0; i < ORDERS; i++) {
      all.put("o-" + i, new Order("o-" + i, i));
    }
    return all;
  }

  @Test
  void aCacheIsCopiedAndCopiedBack() {
    Path data = directory.resolve("data");
    try (var manager = open()) {
      manager.getCache("orders", String.class, Order.class).putAll(all());
    }
    try (var manager = open()) {
      Cache<String, Order> cache = manager.getCache("orders", String.class, Order.class);
      copy(cache, data);
      cache.removeAll();
    }
    try (Rockpool pool = Rockpool.open(data)) {
      var orders = pool.cache("orders", String.class, Order.class);
      assertThat(orders.ttl("o-7").orElseThrow()).isLessThanOrEqualTo(Duration.ofHours(8));
      assertThat(Map.copyOf(orders.asMap())).isEqualTo(all());
    }
    try (var manager = open()) {
      Cache<String, Order> cache = manager.getCache("orders", String.class, Order.class);
      copyBack(data, cache);
    }
    try (var manager = open()) {
      Map<String, Order> there = new HashMap<>();
      for (Cache.Entry<String, Order> entry :
          manager.getCache("orders", String.class, Order.class)) {
        there.put(entry.getKey(), entry.getValue());
      }
      assertThat(there).isEqualTo(all());
    }
  }

  /** The document has the parts of this file between two marks. */
  @Test
  void theDocumentHasTheseExamples() throws IOException {
    String document =
        Files.readString(Path.of("../../docs/cli.md"))
            .replaceAll("```java\n(import .*\n)+\n", "```java\n");
    Path source =
        Path.of("src/test/java", EhcacheCopyTest.class.getName().replace('.', '/') + ".java");
    String[] parts = Files.readString(source).split(" *// EXAMPLE\n", -1);
    assertThat(parts).hasSize(5);
    for (int part = 1; part < parts.length; part += 2) {
      assertThat(document)
          .contains("```java\n" + parts[part].stripTrailing().stripIndent() + "\n```");
    }
  }

  private static void copy(Cache<String, Order> ehcache, Path data) {
    // EXAMPLE
    try (Rockpool pool = Rockpool.open(data)) {
      PersistentCache<String, Order> orders =
          pool.cache(
              "orders",
              String.class,
              Order.class,
              o -> o.expiry(CacheExpiry.afterWrite(Duration.ofHours(8))));
      Map<String, Order> batch = new HashMap<>();
      for (Cache.Entry<String, Order> entry : ehcache) {
        batch.put(entry.getKey(), entry.getValue());
        if (batch.size() == 1_000) {
          orders.putAll(batch);
          batch.clear();
        }
      }
      orders.putAll(batch);
    }
    // EXAMPLE
  }

  private static void copyBack(Path data, Cache<String, Order> ehcache) {
    // EXAMPLE
    try (Rockpool pool = Rockpool.at(data).openCopy()) {
      pool.cache("orders", String.class, Order.class)
          .forEach(entry -> ehcache.put(entry.getKey(), entry.getValue()));
    }
    // EXAMPLE
  }
}
