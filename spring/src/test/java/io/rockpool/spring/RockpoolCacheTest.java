package io.rockpool.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rockpool.cache.CacheOptions.OnUnencodable;
import io.rockpool.codec.Codecs;
import io.rockpool.error.RockpoolException;
import io.rockpool.error.UnencodableValueException;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.springframework.cache.Cache;
import org.springframework.cache.Cache.ValueRetrievalException;
import org.springframework.cache.Cache.ValueWrapper;
import org.springframework.cache.interceptor.SimpleKey;

final class RockpoolCacheTest extends OneCache {
  record Money(String currency, long cents) {}

  /** Neither serializable nor a record. */
  static final class Invoice {
    String number = "";
    final List<Money> lines = new ArrayList<>();
  }

  record Page<T>(List<T> items, Optional<String> next) {}

  @Test
  void valuesNeedNoInterface() {
    Invoice invoice = new Invoice();
    invoice.number = "i-1";
    invoice.lines.add(new Money("EUR", 99));
    cache.put(1, invoice);
    cache.put(2, new Page<>(List.of(new Money("EUR", 1)), Optional.of("p2")));
    cache.put(3, Map.of("a", List.of(1, 2)));
    cache.put(4, Optional.of("x"));

    Invoice read = cache.get(1, Invoice.class);
    assertThat(read).isNotSameAs(invoice).usingRecursiveComparison().isEqualTo(invoice);
    assertThat(cache.get(2).get())
        .isEqualTo(new Page<>(List.of(new Money("EUR", 1)), Optional.of("p2")));
    assertThat(cache.get(3).get()).isEqualTo(Map.of("a", List.of(1, 2)));
    assertThat(cache.get(4).get()).isEqualTo(Optional.of("x"));
    assertThat(cache.get(5)).isNull();
    assertThat(cache.get(5, String.class)).isNull();
  }

  @Test
  void aValueOfAnotherTypeThanAskedForIsRefused() {
    cache.put("k", "text");
    assertThatThrownBy(() -> cache.get("k", Integer.class))
        .isInstanceOf(IllegalStateException.class);
  }

  @Test
  void aClassThatIsNotAllowedIsRefusedWithTheWayOut() {
    manager.close();
    manager = new RockpoolCacheManager(pool, Codecs.builder().strict().build());
    manager.setDefaults(RockpoolCacheConfiguration.defaults().onUnencodable(OnUnencodable.FAIL));
    Cache strict = manager.getCache("strict");
    assertThatThrownBy(() -> strict.put("k", new Money("EUR", 1)))
        .isInstanceOf(UnencodableValueException.class)
        .hasMessageContaining(Money.class.getName())
        .hasMessageContaining("rockpool.allow");
    assertThat(strict.get("k")).isNull();
  }

  @Test
  void aValueThatCannotBeKeptIsReturnedAndNotCached() {
    cache.put("k", "old");
    cache.put("k", new Thread());
    assertThat(cache.get("k")).isNull();
    Thread loaded = new Thread();
    assertThat(cache.get("k", () -> loaded)).isSameAs(loaded);
    assertThat(cache.get("k")).isNull();
    assertThat(((RockpoolCache) cache).getNativeCache().statistics().unencodable()).isEqualTo(2);
  }

  @Test
  void nullsAreValuesWithATimeOfTheirOwn() {
    cache.put("null", null);
    cache.put("value", "v");
    assertThat(cache.get("null")).isNotNull().extracting(ValueWrapper::get).isNull();
    assertThat(cache.<Object>get("null", () -> "loaded")).isNull();
    clock.advanceMillis(4_999);
    assertThat(cache.get("null")).isNotNull();
    clock.advanceMillis(1);
    assertThat(cache.get("null")).isNull();
    assertThat(cache.get("value").get()).isEqualTo("v");
    clock.advanceMillis(600_000);
    assertThat(cache.get("value")).isNull();
  }

  @Test
  void nullsAreNotKeptWhereTheirTimeIsZero() {
    manager.setCacheConfiguration(
        "no-nulls", RockpoolCacheConfiguration.defaults().nullTtl(Duration.ZERO));
    Cache noNulls = manager.getCache("no-nulls");
    noNulls.put("k", null);
    assertThat(noNulls.get("k")).isNull();
    assertThat(noNulls.<Object>get("k", () -> null)).isNull();
    assertThat(noNulls.get("k")).isNull();
    noNulls.put("k", "v");
    noNulls.put("k", null);
    assertThat(noNulls.get("k")).isNull();
  }

  @Test
  void entriesLiveSinceTheirLastUseAndNullsSinceTheyWereWritten() {
    manager.setCacheConfiguration(
        "idle",
        RockpoolCacheConfiguration.defaults()
            .tti(Duration.ofSeconds(10))
            .nullTtl(Duration.ofSeconds(15)));
    Cache idle = manager.getCache("idle");
    idle.put("k", "v");
    idle.put("null", null);
    for (int i = 0; i < 3; i++) {
      clock.advanceMillis(7_000);
      assertThat(idle.get("k")).isNotNull();
      assertThat(idle.get("null") != null).isEqualTo(i < 2);
    }
    clock.advanceMillis(10_000);
    assertThat(idle.get("k")).isNull();
  }

  @Test
  void entriesLiveSinceTheirLastUseButNoLongerThanATimeSinceTheyWereWritten() {
    manager.setCacheConfiguration(
        "both",
        RockpoolCacheConfiguration.defaults()
            .ttl(Duration.ofSeconds(30))
            .tti(Duration.ofSeconds(10))
            .nullTtl(Duration.ofSeconds(50)));
    Cache both = manager.getCache("both");
    both.put("k", "v");
    both.put("left", "v");
    both.put("null", null);
    for (int i = 0; i < 4; i++) {
      clock.advanceMillis(7_000);
      assertThat(both.get("k")).isNotNull();
    }
    assertThat(both.get("left")).isNull();
    clock.advanceMillis(2_000);
    assertThat(both.get("k")).isNull();
    clock.advanceMillis(19_999);
    assertThat(both.get("null")).isNotNull();
    clock.advanceMillis(1);
    assertThat(both.get("null")).isNull();
  }

  @Test
  void puttingIfAbsentTellsWhatIsThere() {
    assertThat(cache.putIfAbsent("k", null)).isNull();
    assertThat(cache.putIfAbsent("k", "v")).isNotNull().extracting(ValueWrapper::get).isNull();
    assertThat(cache.putIfAbsent("l", "v")).isNull();
    assertThat(cache.putIfAbsent("l", "w").get()).isEqualTo("v");
  }

  @Test
  void evictingAndClearing() {
    cache.put("a", 1);
    cache.put(new SimpleKey("b", 2), 2);
    cache.evict("a");
    assertThat(cache.get("a")).isNull();
    assertThat(cache.evictIfPresent("a")).isFalse();
    assertThat(cache.evictIfPresent(new SimpleKey("b", 2))).isTrue();
    assertThat(cache.invalidate()).isFalse();
    cache.put("a", 1);
    assertThat(cache.invalidate()).isTrue();
    assertThat(cache.get("a")).isNull();
    cache.put("a", 1);
    cache.clear();
    assertThat(cache.get("a")).isNull();
  }

  @Test
  void aMissingKeyIsLoadedOnceForAllThreads() throws Exception {
    int threads = 8;
    AtomicInteger loads = new AtomicInteger();
    CountDownLatch start = new CountDownLatch(1);
    CountDownLatch loading = new CountDownLatch(1);
    CountDownLatch go = new CountDownLatch(1);
    Callable<Money> loader =
        () -> {
          loads.incrementAndGet();
          loading.countDown();
          go.await();
          return new Money("EUR", 1);
        };
    try (TestThreads pool = new TestThreads(threads)) {
      List<Future<Money>> results = new ArrayList<>();
      for (int i = 0; i < threads; i++) {
        results.add(
            pool.submit(
                () -> {
                  start.await();
                  return cache.get("k", loader);
                }));
      }
      start.countDown();
      loading.await();
      go.countDown();
      for (Future<Money> result : results) {
        assertThat(result.get(10, TimeUnit.SECONDS)).isEqualTo(new Money("EUR", 1));
      }
    }
    assertThat(loads).hasValue(1);
    assertThat(cache.get("k").get()).isEqualTo(new Money("EUR", 1));
  }

  @Test
  void aFailingLoaderIsWrappedAndNothingIsStored() {
    IOException failure = new IOException("gone");
    assertThatThrownBy(
            () ->
                cache.get(
                    "k",
                    () -> {
                      throw failure;
                    }))
        .isInstanceOf(ValueRetrievalException.class)
        .hasCause(failure);
    assertThat(cache.get("k")).isNull();
    assertThat(cache.get("k", () -> "v")).isEqualTo("v");
  }

  @Test
  void anErrorOfTheStoreIsNotWrapped() {
    assertThatThrownBy(() -> cache.get(new Object(), () -> "v"))
        .isInstanceOf(RockpoolException.class);
  }

  @Test
  void aKeyEvictedWhileItLoadsIsNotStored() {
    assertThat(
            cache.get(
                "k",
                () -> {
                  cache.evict("k");
                  return "stale";
                }))
        .isEqualTo("stale");
    assertThat(cache.get("k")).isNull();
  }

  @Test
  void theNativeCacheCanBeIterated() {
    cache.put(new SimpleKey("a", new Money("EUR", 1)), "v");
    List<Object> keys = new ArrayList<>();
    ((RockpoolCache) cache).getNativeCache().forEach(entry -> keys.add(entry.getKey()));
    assertThat(keys).containsExactly(new SimpleKey("a", new Money("EUR", 1)));
    assertThat(cache).hasToString("RockpoolCache \"cache\" in \"cache\"");
  }
}
