package io.rockpool.spring;

import static org.assertj.core.api.Assertions.assertThat;

import io.rockpool.Rockpool;
import java.lang.reflect.Constructor;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.cache.annotation.Cacheable;
import org.springframework.cache.annotation.EnableCaching;
import org.springframework.cache.support.NullValue;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** What a method finds in a cache that a method of another return type has filled. */
final class ReturnTypesTest {
  @TempDir private Path directory;

  /** The methods share a cache: as versions of one method share it over a deploy. */
  static class Prices {
    private final AtomicInteger calls = new AtomicInteger();

    @Cacheable("prices")
    public Long price(String item) {
      return (long) calls.incrementAndGet();
    }

    @Cacheable(cacheNames = "prices", sync = true)
    public Long synced(String item) {
      return (long) calls.incrementAndGet();
    }

    @Cacheable("prices")
    public int primitive(String item) {
      return calls.incrementAndGet();
    }

    @Cacheable("prices")
    public Number number(String item) {
      return calls.incrementAndGet();
    }

    @Cacheable("prices")
    public Object any(String item) {
      return calls.incrementAndGet();
    }

    @Cacheable("prices")
    public Optional<Long> optional(String item) {
      return Optional.of((long) calls.incrementAndGet());
    }
  }

  @Configuration(proxyBeanMethods = false)
  @EnableCaching
  static class Application {
    @Bean
    static CacheableRefresher cacheableRefresher() {
      return new CacheableRefresher();
    }

    @Bean
    RockpoolCacheManager cacheManager(Rockpool pool) {
      return new RockpoolCacheManager(pool);
    }

    @Bean
    Prices prices() {
      return new Prices();
    }
  }

  private interface Use {
    void with(Prices prices, RockpoolCache cache) throws Exception;
  }

  private void run(Use use) throws Exception {
    try (Rockpool pool = SuiteStores.open(directory.resolve("store"));
        AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext()) {
      context.registerBean(Rockpool.class, () -> pool, it -> it.setDestroyMethodName(""));
      context.register(Application.class);
      context.refresh();
      use.with(
          context.getBean(Prices.class),
          (RockpoolCache) context.getBean(RockpoolCacheManager.class).getCache("prices"));
    }
  }

  @Test
  void aValueOfAnotherTypeIsACountedMissAndIsReplaced() throws Exception {
    run(
        (prices, cache) -> {
          for (String key : List.of("plain", "synced", "primitive", "null")) {
            cache.put(key, key.equals("null") ? null : 7);
          }
          cache.put("primitive", "text");
        });
    run(
        (prices, cache) -> {
          long misses = cache.getNativeCache().statistics().misses();
          assertThat(prices.price("plain")).isEqualTo(1L);
          assertThat(prices.price("plain")).isEqualTo(1L);
          assertThat(prices.synced("synced")).isEqualTo(2L);
          assertThat(prices.synced("synced")).isEqualTo(2L);
          assertThat(prices.primitive("primitive")).isEqualTo(3);
          assertThat(prices.primitive("primitive")).isEqualTo(3);
          assertThat(prices.price("null")).isNull();
          assertThat(prices.primitive("null")).isEqualTo(4);
          assertThat(prices.primitive("null")).isEqualTo(4);
          assertThat(cache.getNativeCache().statistics().misses() - misses).isEqualTo(4);
        });
  }

  @Test
  void aValueThatTheMethodCanReturnIsAHit() throws Exception {
    run(
        (prices, cache) -> {
          cache.put("a", 7);
          cache.put("b", 8L);
          cache.put("c", null);
          assertThat(prices.number("a")).isEqualTo(7);
          assertThat(prices.any("a")).isEqualTo(7);
          assertThat(prices.primitive("a")).isEqualTo(7);
          assertThat(prices.optional("b")).contains(8L);
          assertThat(prices.optional("c")).isEmpty();
          assertThat(prices.number("c")).isNull();
        });
  }

  @Test
  void anyInstanceOfNullValueIsANull() throws Exception {
    Constructor<NullValue> constructor = NullValue.class.getDeclaredConstructor();
    constructor.setAccessible(true);
    NullValue other = constructor.newInstance();
    run(
        (prices, cache) -> {
          cache.put("put", other);
          cache.getNativeCache().put("native", other);
          cache.putIfAbsent("absent", other);
          assertNulls(cache);
        });
    run((prices, cache) -> assertNulls(cache));
  }

  private static void assertNulls(RockpoolCache cache) {
    for (String key : List.of("put", "native", "absent")) {
      assertThat(cache.get(key)).as(key).isNotNull();
      assertThat(cache.get(key).get()).as(key).isNull();
    }
  }
}
