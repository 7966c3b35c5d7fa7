package io.rockpool.compatibility;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.bucket4j.BucketConfiguration;
import io.github.bucket4j.distributed.BucketProxy;
import io.github.bucket4j.grid.jcache.Bucket4jJCache;
import io.github.resilience4j.cache.Cache;
import io.micrometer.core.instrument.binder.cache.JCacheMetrics;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.Serializable;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import javax.cache.CacheManager;
import javax.cache.configuration.MutableConfiguration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Smaller programs that run on a JCache provider. */
final class ClientsTest extends ProgramTest {
  record Answer(String text, List<Integer> numbers) implements Serializable {}

  private static BucketProxy bucket(javax.cache.Cache<String, byte[]> cache) {
    BucketConfiguration tenAnHour =
        BucketConfiguration.builder()
            .addLimit(limit -> limit.capacity(10).refillIntervally(10, Duration.ofHours(1)))
            .build();
    return Bucket4jJCache.entryProcessorBasedBuilder(cache)
        .build()
        .builder()
        .build("ann", () -> tenAnHour);
  }

  @ParameterizedTest
  @EnumSource
  void bucket4jLimitsARate(Provider provider) {
    CacheManager manager = open(provider);
    BucketProxy bucket =
        bucket(
            manager.createCache(
                "buckets",
                new MutableConfiguration<String, byte[]>().setTypes(String.class, byte[].class)));
    for (int i = 0; i < 10; i++) {
      assertThat(bucket.tryConsume(1)).isTrue();
    }
    assertThat(bucket.tryConsume(1)).isFalse();
    if (provider.survives()) {
      assertThat(
              bucket(restart(provider).getCache("buckets", String.class, byte[].class))
                  .tryConsume(1))
          .as("after a restart")
          .isFalse();
    }
  }

  @ParameterizedTest
  @EnumSource
  void resilience4jKeepsResults(Provider provider) throws Throwable {
    javax.cache.Cache<String, Answer> jcache =
        open(provider).createCache("answers", new MutableConfiguration<>());
    AtomicInteger calls = new AtomicInteger();
    var asked =
        Cache.<String, Answer>decorateCheckedSupplier(
            Cache.of(jcache), () -> new Answer("a" + calls.incrementAndGet(), List.of(1, 2)));
    assertThat(asked.apply("k")).isEqualTo(new Answer("a1", List.of(1, 2)));
    assertThat(asked.apply("k")).isEqualTo(new Answer("a1", List.of(1, 2)));
    assertThat(asked.apply("other").text()).isEqualTo("a2");
  }

  /** Micrometer makes a name of the manager's URI, so that one must have no query. */
  @ParameterizedTest
  @EnumSource(names = {"ROCKPOOL", "CAFFEINE"})
  void micrometerMeasuresACache(Provider provider) {
    var cache =
        open(provider)
            .createCache(
                "measured", new MutableConfiguration<String, String>().setStatisticsEnabled(true));
    SimpleMeterRegistry registry = new SimpleMeterRegistry();
    JCacheMetrics.monitor(registry, cache);
    cache.put("k", "v");
    cache.get("k");
    cache.get("k");
    cache.get("absent");
    cache.remove("k");
    assertThat(registry.get("cache.gets").tag("result", "hit").functionCounter().count())
        .isEqualTo(2);
    assertThat(registry.get("cache.gets").tag("result", "miss").functionCounter().count())
        .isEqualTo(1);
    assertThat(registry.get("cache.puts").functionCounter().count()).isEqualTo(1);
    assertThat(registry.get("cache.removals").gauge().value()).isEqualTo(1);
  }

  @ParameterizedTest
  @EnumSource
  void whatIsClosedSaysSo(Provider provider) {
    var cache = open(provider).createCache("c", new MutableConfiguration<String, String>());
    provider.close();
    assertThatThrownBy(() -> cache.get("k")).isInstanceOf(IllegalStateException.class);
  }
}
