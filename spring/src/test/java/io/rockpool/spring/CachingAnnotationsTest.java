package io.rockpool.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rockpool.Rockpool;
import io.rockpool.codec.Codecs;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.aop.framework.AopProxyUtils;
import org.springframework.cache.annotation.CacheEvict;
import org.springframework.cache.annotation.CachePut;
import org.springframework.cache.annotation.Cacheable;
import org.springframework.cache.annotation.EnableCaching;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;
import org.springframework.core.env.MapPropertySource;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.annotation.EnableTransactionManagement;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.support.TransactionTemplate;

/** Spring's annotations in real contexts on a real directory. */
final class CachingAnnotationsTest {
  enum Kind {
    SMALL,
    LARGE
  }

  record ProductId(String shop, long number) {}

  record Product(ProductId id, Kind kind, String name) {}

  static class Shop {
    final List<String> calls = new ArrayList<>();

    @Cacheable("products")
    public Product product(ProductId id) {
      calls.add("product");
      return new Product(id, Kind.SMALL, "name of " + id.number());
    }

    @Cacheable(cacheNames = "synced", sync = true)
    public String synced(String key) {
      calls.add("synced");
      return "v" + key;
    }

    @Cacheable(cacheNames = "failing", sync = true)
    public String failing(String key) {
      calls.add("failing");
      throw new UnsupportedOperationException(key);
    }

    @Cacheable(cacheNames = "unless", unless = "#result == null || #result.length() > 3")
    public String unless(String result) {
      calls.add("unless");
      return result;
    }

    @Cacheable(cacheNames = "conditional", condition = "#number > 10")
    public int conditional(int number) {
      calls.add("conditional");
      return number;
    }

    @Cacheable("composed")
    public List<Product> composed(Kind kind, List<Long> numbers, Locale locale) {
      calls.add("composed");
      return numbers.stream()
          .map(n -> new Product(new ProductId("s", n), kind, locale.toString()))
          .toList();
    }

    @Cacheable("nothing")
    public String withoutArguments() {
      calls.add("withoutArguments");
      return "v";
    }

    @Cacheable("optional")
    public Optional<String> optional(boolean there) {
      calls.add("optional");
      return there ? Optional.of("v") : Optional.empty();
    }

    @Cacheable("futures")
    public CompletableFuture<Product> future(long number) {
      calls.add("future");
      return CompletableFuture.supplyAsync(
          () -> new Product(new ProductId("s", number), Kind.LARGE, "f"));
    }

    @Cacheable(cacheNames = "syncedFutures", sync = true)
    public CompletableFuture<String> syncedFuture(long number) {
      calls.add("syncedFuture");
      return CompletableFuture.supplyAsync(() -> number < 0 ? null : "f" + number);
    }

    @CachePut(cacheNames = "products", key = "#product.id")
    public Product save(Product product) {
      return product;
    }

    @CacheEvict("products")
    public void remove(ProductId id) {}

    @CacheEvict(cacheNames = "products", allEntries = true)
    public void removeAll() {}

    @Transactional
    @CachePut(cacheNames = "products", key = "#product.id")
    public Product saveOrFail(Product product, boolean fail) {
      if (fail) {
        throw new IllegalStateException("rolled back");
      }
      return product;
    }
  }

  @Configuration
  @EnableCaching
  @EnableTransactionManagement
  static class Application {
    @Bean
    Rockpool pool(Environment environment) {
      return SuiteStores.open(Path.of(environment.getRequiredProperty("directory")));
    }

    @Bean
    RockpoolCacheManager cacheManager(Rockpool pool) {
      Codecs codecs = Codecs.builder().allowPackage("io.rockpool.spring").build();
      RockpoolCacheManager manager = new RockpoolCacheManager(pool, codecs);
      manager.setTransactionAware(true);
      return manager;
    }

    @Bean
    PlatformTransactionManager transactions() {
      return new ResourcelessTransactions();
    }

    @Bean
    Shop shop() {
      return new Shop();
    }
  }

  @TempDir private Path directory;
  private AnnotationConfigApplicationContext context;
  private Shop shop;
  private List<String> calls;

  @BeforeEach
  void start() {
    context = new AnnotationConfigApplicationContext();
    context
        .getEnvironment()
        .getPropertySources()
        .addFirst(new MapPropertySource("test", Map.of("directory", directory.toString())));
    context.register(Application.class);
    context.refresh();
    shop = context.getBean(Shop.class);
    calls = ((Shop) AopProxyUtils.getSingletonTarget(shop)).calls;
  }

  @AfterEach
  void stop() {
    context.close();
  }

  @Test
  void recordsAreKeysAndValues() {
    ProductId id = new ProductId("s", 1);
    Product product = shop.product(id);
    assertThat(shop.product(new ProductId("s", 1))).isEqualTo(product);
    shop.product(new ProductId("s", 2));
    assertThat(calls).containsExactly("product", "product");
  }

  @Test
  void aRestartIsWarm() {
    shop.product(new ProductId("s", 1));
    shop.composed(Kind.LARGE, List.of(1L, 2L), Locale.FRANCE);
    shop.withoutArguments();
    shop.optional(false);
    stop();
    start();
    assertThat(shop.product(new ProductId("s", 1)).name()).isEqualTo("name of 1");
    assertThat(shop.composed(Kind.LARGE, new ArrayList<>(List.of(1L, 2L)), Locale.FRANCE))
        .hasSize(2);
    assertThat(shop.withoutArguments()).isEqualTo("v");
    assertThat(shop.optional(false)).isEmpty();
    assertThat(calls).isEmpty();
  }

  @Test
  void syncLoadsOnceAndFailuresAreTheMethodsOwn() {
    assertThat(shop.synced("a")).isEqualTo("va");
    assertThat(shop.synced("a")).isEqualTo("va");
    assertThat(calls).containsExactly("synced");
    assertThatThrownBy(() -> shop.failing("a"))
        .isExactlyInstanceOf(UnsupportedOperationException.class);
    assertThatThrownBy(() -> shop.failing("a"))
        .isExactlyInstanceOf(UnsupportedOperationException.class);
    assertThat(calls).containsExactly("synced", "failing", "failing");
  }

  @Test
  void unlessAndConditionDecide() {
    shop.unless("abc");
    shop.unless("abc");
    shop.unless("abcd");
    shop.unless("abcd");
    shop.unless(null);
    shop.unless(null);
    shop.conditional(10);
    shop.conditional(10);
    shop.conditional(11);
    shop.conditional(11);
    assertThat(calls)
        .containsExactly(
            "unless",
            "unless",
            "unless",
            "unless",
            "unless",
            "conditional",
            "conditional",
            "conditional");
  }

  @Test
  void composedKeysTellAllTheirParts() {
    shop.composed(Kind.SMALL, List.of(1L), Locale.FRANCE);
    shop.composed(Kind.SMALL, List.of(1L), Locale.FRANCE);
    shop.composed(Kind.LARGE, List.of(1L), Locale.FRANCE);
    shop.composed(Kind.SMALL, List.of(1L, 1L), Locale.FRANCE);
    shop.composed(Kind.SMALL, List.of(1L), Locale.FRENCH);
    assertThat(calls).hasSize(4);
  }

  @Test
  void puttingAndEvicting() {
    ProductId id = new ProductId("s", 1);
    shop.save(new Product(id, Kind.LARGE, "saved"));
    assertThat(shop.product(id).name()).isEqualTo("saved");
    shop.remove(id);
    assertThat(shop.product(id).name()).isEqualTo("name of 1");
    shop.save(new Product(id, Kind.LARGE, "saved"));
    shop.removeAll();
    assertThat(shop.product(id).name()).isEqualTo("name of 1");
    assertThat(calls).hasSize(2);
  }

  @Test
  void optionalsAreUnwrapped() {
    assertThat(shop.optional(true)).contains("v");
    assertThat(shop.optional(true)).contains("v");
    assertThat(shop.optional(false)).isEmpty();
    assertThat(shop.optional(false)).isEmpty();
    assertThat(calls).hasSize(2);
  }

  @Test
  void futuresAreCachedByWhatTheyHold() throws Exception {
    Product product = shop.future(1).get(10, TimeUnit.SECONDS);
    assertThat(shop.future(1).get(10, TimeUnit.SECONDS)).isEqualTo(product);
    assertThat(shop.syncedFuture(1).get(10, TimeUnit.SECONDS)).isEqualTo("f1");
    assertThat(shop.syncedFuture(1).get(10, TimeUnit.SECONDS)).isEqualTo("f1");
    assertThat(shop.syncedFuture(-1).get(10, TimeUnit.SECONDS)).isNull();
    assertThat(shop.syncedFuture(-1).get(10, TimeUnit.SECONDS)).isNull();
    assertThat(calls).containsExactly("future", "syncedFuture", "syncedFuture");
  }

  @Test
  void aTransactionThatRollsBackLeavesTheCacheAlone() {
    ProductId id = new ProductId("s", 1);
    assertThatThrownBy(() -> shop.saveOrFail(new Product(id, Kind.LARGE, "failed"), true))
        .hasMessage("rolled back");
    assertThat(shop.product(id).name()).isEqualTo("name of 1");
    shop.saveOrFail(new Product(id, Kind.LARGE, "saved"), false);
    assertThat(shop.product(id).name()).isEqualTo("saved");

    TransactionTemplate template =
        new TransactionTemplate(context.getBean(PlatformTransactionManager.class));
    template.executeWithoutResult(
        status -> {
          shop.save(new Product(id, Kind.LARGE, "outer"));
          status.setRollbackOnly();
        });
    assertThat(shop.product(id).name()).isEqualTo("saved");
    template.executeWithoutResult(status -> shop.save(new Product(id, Kind.LARGE, "outer")));
    assertThat(shop.product(id).name()).isEqualTo("outer");
  }

  @Test
  void twoContextsInOneProcessShareTheStore() {
    shop.product(new ProductId("s", 1));
    AnnotationConfigApplicationContext first = context;
    start();
    assertThat(shop.product(new ProductId("s", 1)).name()).isEqualTo("name of 1");
    assertThat(calls).isEmpty();
    first.close();
    shop.product(new ProductId("s", 2));
    shop.product(new ProductId("s", 2));
    assertThat(calls).hasSize(1);
  }
}
