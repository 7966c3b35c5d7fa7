package io.rockpool.jcache;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.bucket4j.Bucket;
import io.github.bucket4j.BucketConfiguration;
import io.github.bucket4j.distributed.proxy.ProxyManager;
import io.github.bucket4j.grid.jcache.Bucket4jJCache;
import io.rockpool.testing.DocumentExamples;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import javax.cache.Cache;
import javax.cache.CacheManager;
import javax.cache.Caching;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The recipes for libraries that use a cache of JSR-107, with these libraries. */
final class RecipesTest {
  @TempDir private Path directory;

  private CacheManager open() {
    return Caching.getCachingProvider(RockpoolCachingProvider.class.getName())
        .getCacheManager(URI.create("rockpool:" + directory.resolve("store")), null);
  }

  private static <V> Cache<String, V> cache(CacheManager manager, String name, Class<V> type) {
    Cache<String, V> there = manager.getCache(name, String.class, type);
    return there == null
        ? manager.createCache(name, RockpoolConfiguration.of(String.class, type))
        : there;
  }

  @Test
  void resilience4jAnswersFromTheCacheAlsoAfterARestart() {
    AtomicInteger calls = new AtomicInteger();
    for (int run = 1; run <= 2; run++) {
      try (CacheManager manager = open()) {
        Cache<String, String> rates = cache(manager, "rates", String.class);
        // RESILIENCE4J
        Function<String, String> rate =
            io.github.resilience4j.cache.Cache.decorateSupplier(
                io.github.resilience4j.cache.Cache.of(rates), () -> "1." + calls.incrementAndGet());
        String euro = rate.apply("EUR");
        // RESILIENCE4J
        assertThat(euro).isEqualTo("1.1");
        assertThat(rate.apply("EUR")).isEqualTo("1.1");
      }
    }
    assertThat(calls).hasValue(1);
    DocumentExamples.assertIn("docs/recipes.md", "RESILIENCE4J", RecipesTest.class);
  }

  @Test
  void bucket4jKeepsItsBucketsAlsoOverARestart() {
    for (int run = 1; run <= 2; run++) {
      try (CacheManager manager = open()) {
        Cache<String, byte[]> buckets = cache(manager, "buckets", byte[].class);
        // BUCKET4J
        ProxyManager<String> limits = Bucket4jJCache.entryProcessorBasedBuilder(buckets).build();
        Bucket bucket =
            limits.getProxy(
                "customer 7",
                () ->
                    BucketConfiguration.builder()
                        .addLimit(it -> it.capacity(4).refillGreedy(4, Duration.ofDays(1)))
                        .build());
        boolean allowed = bucket.tryConsume(1);
        // BUCKET4J
        assertThat(allowed).isTrue();
        assertThat(bucket.tryConsume(1)).isTrue();
        assertThat(bucket.getAvailableTokens()).isEqualTo(4 - 2 * run);
        if (run == 2) {
          assertThat(bucket.tryConsume(1)).isFalse();
        }
      }
    }
    DocumentExamples.assertIn("docs/recipes.md", "BUCKET4J", RecipesTest.class);
  }
}
