package io.rockpool.cache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.rockpool.Rockpool;
import io.rockpool.internal.access.CacheSample;
import io.rockpool.internal.access.Internals;
import io.rockpool.testing.FakeClock;
import io.rockpool.testing.StoreExtension;
import java.time.Duration;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

@ParameterizedClass
@EnumSource
final class CacheSampleTest {
  @Parameter private CacheSetup setup;
  private final FakeClock clock = new FakeClock();

  @RegisterExtension
  final StoreExtension<Rockpool> store =
      new StoreExtension<>(directory -> setup.open(directory, clock));

  private Rockpool pool;

  @BeforeEach
  void open() {
    pool = store.get();
  }

  @Test
  void fewEntriesAreAllLookedAt() {
    PersistentCache<String, Integer> cache =
        pool.cache("numbers", String.class, Integer.class, o -> setup.options());
    assertThat(Internals.cache(cache).sample(10).whole()).isTrue();
    cache.put("for ever", 1);
    cache.put("an hour", 2, Duration.ofHours(1));
    cache.put("a second", 3, Duration.ofSeconds(1));
    clock.advanceMillis(1_000);
    CacheSample sample = Internals.cache(cache).sample(10);
    assertThat(sample.whole()).isTrue();
    assertThat(sample.ttls())
        .containsExactlyInAnyOrder(CacheExpiry.FOREVER, Duration.ofSeconds(3_599));
    assertThat(cache.statistics().hits()).isZero();
  }

  @Test
  void ofManyEntriesSomeAreLookedAt() {
    PersistentCache<String, Integer> cache =
        pool.cache("numbers", String.class, Integer.class, o -> setup.options());
    cache.putAll(
        IntStream.range(0, 1_000).boxed().collect(Collectors.toMap(String::valueOf, i -> i)));
    CacheSample some = Internals.cache(cache).sample(100);
    assertThat(some.whole()).isFalse();
    assertThat(some.ttls()).hasSizeBetween(1, 100).containsOnly(CacheExpiry.FOREVER);
    CacheSample all = Internals.cache(cache).sample(10_000);
    assertThat(all.whole()).isTrue();
    assertThat(all.ttls()).hasSize(1_000);
  }

  @Test
  void deadlinesThatReadsHaveMovedCount() {
    CacheOptions<String, Integer> options = setup.options();
    PersistentCache<String, Integer> cache =
        pool.cache(
            "idle",
            String.class,
            Integer.class,
            o -> options.expiry(CacheExpiry.afterAccess(Duration.ofMinutes(10))));
    cache.put("read", 1);
    cache.put("left", 2);
    clock.advanceMillis(60_000);
    assertThat(cache.get("read")).isEqualTo(1);
    assertThat(Internals.cache(cache).sample(10).ttls())
        .containsExactlyInAnyOrder(Duration.ofMinutes(10), Duration.ofMinutes(9));
    clock.advanceMillis(9 * 60_000);
    assertThat(Internals.cache(cache).sample(10).ttls()).containsExactly(Duration.ofMinutes(1));
  }

  @Test
  void aSampleHasBounds() {
    PersistentCache<String, Integer> cache =
        pool.cache("numbers", String.class, Integer.class, o -> setup.options());
    assertThatIllegalArgumentException().isThrownBy(() -> Internals.cache(cache).sample(0));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Internals.cache(cache).sample(CacheSample.MAX_ENTRIES + 1));
    assertThat(Internals.cache(cache).sample(CacheSample.MAX_ENTRIES).whole()).isTrue();
    cache.close();
    assertThatIllegalStateException().isThrownBy(() -> Internals.cache(cache).sample(1));
  }
}
