package io.rockpool.spring;

import static java.time.Duration.ofMillis;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;

import io.rockpool.Rockpool;
import io.rockpool.cache.BatchWriter;
import io.rockpool.cache.WriteBehindOptions;
import io.rockpool.testing.FakeClock;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.aop.framework.AopProxyUtils;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.cache.CacheManager;
import org.springframework.cache.annotation.CacheEvict;
import org.springframework.cache.annotation.CachePut;
import org.springframework.cache.annotation.Cacheable;
import org.springframework.cache.annotation.EnableCaching;
import org.springframework.cache.transaction.TransactionAwareCacheManagerProxy;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Role;
import org.springframework.transaction.support.TransactionTemplate;

/** Methods with cache annotations in transactions, of a manager that waits for their commit. */
final class TransactionAwareCacheTest {
  static class Books {
    final List<String> calls = new ArrayList<>();
    Runnable meanwhile = () -> {};

    private String read(String isbn) {
      calls.add(isbn);
      String text = isbn + " " + calls.size();
      meanwhile.run();
      return text;
    }

    @Cacheable("books")
    @CacheTags("tag:#{#isbn}")
    public String find(String isbn) {
      return read(isbn);
    }

    @CachePut(cacheNames = "books", key = "#isbn")
    @CacheTags("tag:#{#isbn}")
    public String put(String isbn, String text) {
      return text;
    }

    @CacheEvict("books")
    public void evict(String isbn) {}

    @CacheEvictTags(cacheNames = "books", value = "tag:#{#isbn}")
    public void changed(String isbn) {}

    @Cacheable("written")
    public String findWritten(String isbn) {
      return read(isbn);
    }

    @CachePut(cacheNames = "written", key = "#isbn")
    public String putWritten(String isbn, String text) {
      return text;
    }
  }

  private static final class Rows implements BatchWriter<Object, Object> {
    final Map<Object, Object> rows = new HashMap<>();

    @Override
    public synchronized void writeAll(Map<Object, Object> entries) {
      rows.putAll(entries);
    }

    @Override
    public synchronized void deleteAll(Set<Object> keys) {
      rows.keySet().removeAll(keys);
    }

    synchronized Map<Object, Object> all() {
      return Map.copyOf(rows);
    }
  }

  @Configuration
  @EnableCaching(proxyTargetClass = true)
  static class Config {
    @Bean
    static CacheableRefresher cacheableRefresher() {
      return new CacheableRefresher();
    }

    @Bean
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    static CacheTagsAdvisor cacheTagsAdvisor(ObjectProvider<CacheManager> manager) {
      return new CacheTagsAdvisor(manager::getObject);
    }

    @Bean
    Books books() {
      return new Books();
    }
  }

  private final TransactionTemplate transaction =
      new TransactionTemplate(new ResourcelessTransactions());
  private final Rockpool pool = SuiteStores.open(new FakeClock());
  private final RockpoolCacheManager manager = new RockpoolCacheManager(pool);
  private AnnotationConfigApplicationContext context;
  private Books books;
  private Books target;

  @BeforeEach
  void open() {
    manager.setTransactionAware(true);
    start(manager);
  }

  private void start(CacheManager used) {
    context = new AnnotationConfigApplicationContext();
    context.registerBean(CacheManager.class, () -> used);
    context.register(Config.class);
    context.refresh();
    books = context.getBean(Books.class);
    target = (Books) AopProxyUtils.getSingletonTarget(books);
  }

  @AfterEach
  void close() {
    context.close();
    manager.close();
    pool.close();
  }

  private RockpoolCache cache(String name) {
    return manager.caches().stream()
        .filter(cache -> cache.getName().equals(name))
        .findFirst()
        .orElseThrow();
  }

  @Test
  void whatIsPutInATransactionHasItsTags() {
    transaction.execute(status -> books.find("1"));
    transaction.execute(status -> books.put("2", "text"));
    assertThat(cache("books").getNativeCache().tags("1")).containsExactly("tag:1");
    assertThat(cache("books").getNativeCache().tags("2")).containsExactly("tag:2");
    assertThat(books.find("1")).isEqualTo("1 1");
    cache("books").invalidateTags(Set.of("tag:1"));
    assertThat(books.find("1")).isEqualTo("1 2");
    assertThat(books.find("2")).isEqualTo("text");
  }

  @Test
  void anEvictionOfTagsWaitsForTheCommit() {
    books.find("1");
    books.changed("1");
    assertThat(books.find("1")).isEqualTo("1 2");
    transaction.executeWithoutResult(
        status -> {
          books.changed("1");
          assertThat(books.find("1")).isEqualTo("1 2");
          status.setRollbackOnly();
        });
    assertThat(books.find("1")).isEqualTo("1 2");
    transaction.executeWithoutResult(
        status -> {
          books.changed("1");
          assertThat(books.find("1")).isEqualTo("1 2");
        });
    assertThat(books.find("1")).isEqualTo("1 3");
  }

  @Test
  void aTagThatIsEvictedBeforeTheCommitIsNotServed() {
    transaction.executeWithoutResult(
        status -> {
          books.find("1");
          cache("books").invalidateTags(Set.of("tag:1"));
        });
    target.meanwhile = () -> cache("books").invalidateTags(Set.of("tag:2"));
    transaction.execute(status -> books.find("2"));
    target.meanwhile = () -> {};
    assertThat(books.find("1")).isEqualTo("1 3");
    assertThat(books.find("2")).isEqualTo("2 4");
    assertThat(books.find("2")).isEqualTo("2 4");
  }

  @Test
  void changesOfOneTransactionFollowEachOther() {
    transaction.executeWithoutResult(
        status -> {
          books.find("1");
          books.find("1");
          books.find("2");
          books.changed("2");
          books.find("3");
          books.evict("3");
        });
    assertThat(target.calls).containsExactly("1", "1", "2", "3");
    assertThat(books.find("1")).startsWith("1 ");
    assertThat(target.calls).hasSize(4);
    assertThat(books.find("2")).isEqualTo("2 5");
    assertThat(books.find("3")).isEqualTo("3 6");
  }

  @Test
  void whatIsRolledBackIsNotPut() {
    transaction.executeWithoutResult(
        status -> {
          books.find("1");
          status.setRollbackOnly();
        });
    assertThat(books.find("1")).isEqualTo("1 2");
    assertThat(books.find("1")).isEqualTo("1 2");
  }

  @Test
  void whatAMethodHasReadIsNotWritten() throws InterruptedException {
    Rows rows = new Rows();
    context.close();
    RockpoolCacheManager manager = new RockpoolCacheManager(pool);
    manager.setTransactionAware(true);
    manager.setCacheConfiguration(
        "written",
        RockpoolCacheConfiguration.defaults()
            .writeBehind(rows, WriteBehindOptions.defaults().delay(ofMillis(1))));
    start(manager);
    transaction.execute(status -> books.findWritten("1"));
    transaction.execute(status -> books.putWritten("2", "text"));
    assertThat(books.findWritten("1")).isEqualTo("1 1");
    assertThat(manager.caches().get(0).getNativeCache().writeBehind().flush(ofSeconds(20)))
        .isTrue();
    assertThat(rows.all()).isEqualTo(Map.of("2", "text"));
  }

  @Test
  void tagsAreEvictedBehindSpringsOwnDecorator() {
    context.close();
    start(new TransactionAwareCacheManagerProxy(new RockpoolCacheManager(pool)));
    books.find("1");
    transaction.executeWithoutResult(
        status -> {
          books.changed("1");
          assertThat(books.find("1")).isEqualTo("1 1");
        });
    assertThat(books.find("1")).isEqualTo("1 2");
  }
}
