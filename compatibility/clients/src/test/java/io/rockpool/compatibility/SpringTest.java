package io.rockpool.compatibility;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.Serializable;
import java.util.List;
import java.util.Map;
import java.util.Set;
import javax.cache.CacheManager;
import javax.cache.annotation.CachePut;
import javax.cache.annotation.CacheRemove;
import javax.cache.annotation.CacheRemoveAll;
import javax.cache.annotation.CacheResult;
import javax.cache.annotation.CacheValue;
import javax.cache.configuration.MutableConfiguration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.cache.annotation.CacheEvict;
import org.springframework.cache.annotation.Cacheable;
import org.springframework.cache.annotation.EnableCaching;
import org.springframework.cache.jcache.JCacheCacheManager;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * Spring's own JCache support: its annotations and those of JSR-107, with 0, 1 and 3 parameters.
 */
final class SpringTest extends ProgramTest {
  record Product(String name, List<String> tags, Map<String, Integer> stock)
      implements Serializable {}

  enum Size {
    SMALL,
    LARGE
  }

  /** An exception of the application's, which JSR-107 keeps in a cache. */
  static final class OutOfStockException extends RuntimeException {
    private static final long serialVersionUID = 1L;
    final int missing;

    OutOfStockException(String message, int missing) {
      super(message);
      this.missing = missing;
    }
  }

  static class Shop {
    private int calls;

    /** How many calls reached these methods; a method, since the proxy has fields of its own. */
    public int calls() {
      return calls;
    }

    @Cacheable("all")
    public List<Product> all() {
      calls++;
      return List.of(product("a"), product("b"));
    }

    @Cacheable("one")
    public Product one(String name) {
      calls++;
      return name.isEmpty() ? null : product(name);
    }

    @Cacheable("three")
    public Product three(String name, Size size, Set<Long> ids) {
      calls++;
      return product(name + size + ids.size());
    }

    @CacheEvict("three")
    public void forget(String name, Size size, Set<Long> ids) {}

    @CacheResult(cacheName = "jsr")
    public String none() {
      calls++;
      return "none";
    }

    @CacheResult(cacheName = "jsr-one")
    public Product result(String name) {
      calls++;
      return product(name);
    }

    @CachePut(cacheName = "jsr-one")
    public void put(String name, @CacheValue Product product) {}

    @CacheRemove(cacheName = "jsr-one")
    public void remove(String name) {}

    @CacheRemoveAll(cacheName = "jsr-one")
    public void removeAll() {}

    @CacheResult(cacheName = "jsr-three", exceptionCacheName = "jsr-exceptions")
    public Product resultOfThree(String name, int count, Size size) {
      calls++;
      if (count > 10) {
        throw new OutOfStockException(name, count - 10);
      }
      return product(name + count + size);
    }

    private static Product product(String name) {
      return new Product(name, List.of(name, name), Map.of("Lisbon", 3));
    }
  }

  @Configuration
  @EnableCaching
  static class Application {
    static CacheManager manager;

    @Bean
    JCacheCacheManager cacheManager() {
      return new JCacheCacheManager(manager);
    }

    @Bean
    Shop shop() {
      return new Shop();
    }
  }

  private static final List<String> CACHES =
      List.of("all", "one", "three", "jsr", "jsr-one", "jsr-three", "jsr-exceptions");

  private AnnotationConfigApplicationContext start(CacheManager manager) {
    for (String name : CACHES) {
      if (manager.getCache(name) == null) {
        manager.createCache(name, new MutableConfiguration<>());
      }
    }
    Application.manager = manager;
    return new AnnotationConfigApplicationContext(Application.class);
  }

  /** Calls each method twice; returns how many calls reached the application. */
  private static int callAll(Shop shop) {
    int before = shop.calls();
    for (int round = 0; round < 2; round++) {
      assertThat(shop.all()).extracting(Product::name).containsExactly("a", "b");
      assertThat(shop.one("x").stock()).isEqualTo(Map.of("Lisbon", 3));
      assertThat(shop.one("")).isNull();
      assertThat(shop.three("x", Size.LARGE, Set.of(3L, 1L, 2L)).name()).isEqualTo("xLARGE3");
      assertThat(shop.none()).isEqualTo("none");
      assertThat(shop.result("y").tags()).containsExactly("y", "y");
      assertThat(shop.resultOfThree("z", 1, Size.SMALL).name()).isEqualTo("z1SMALL");
      assertThatThrownBy(() -> shop.resultOfThree("z", 12, Size.SMALL))
          .isInstanceOfSatisfying(
              OutOfStockException.class, e -> assertThat(e.missing).isEqualTo(2))
          .hasMessage("z");
    }
    return shop.calls() - before;
  }

  @ParameterizedTest
  @EnumSource
  void eachMethodIsCalledOnceForItsParameters(Provider provider) {
    try (var context = start(open(provider))) {
      Shop shop = context.getBean(Shop.class);
      assertThat(callAll(shop)).isEqualTo(8);
      shop.forget("x", Size.LARGE, Set.of(1L, 2L, 3L));
      shop.put("y", shop.result("z"));
      assertThat(shop.result("y").name()).isEqualTo("z");
      shop.remove("y");
      assertThat(shop.result("y").name()).isEqualTo("y");
      shop.removeAll();
      assertThat(callAll(shop)).isEqualTo(2);
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"ROCKPOOL", "REDIS", "POSTGRESQL"})
  void aRestartedApplicationIsNotCalled(Provider provider) {
    try (var context = start(open(provider))) {
      assertThat(callAll(context.getBean(Shop.class))).isEqualTo(8);
    }
    try (var context = start(restart(provider))) {
      assertThat(callAll(context.getBean(Shop.class))).isZero();
    }
  }
}
