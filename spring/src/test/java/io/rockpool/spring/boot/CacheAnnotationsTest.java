package io.rockpool.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rockpool.Rockpool;
import io.rockpool.spring.CacheEvictTags;
import io.rockpool.spring.CacheTags;
import io.rockpool.spring.CacheTagsAdvisor;
import io.rockpool.spring.CacheableRefresher;
import io.rockpool.spring.RockpoolCacheManager;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.cache.autoconfigure.CacheAutoConfiguration;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.cache.CacheManager;
import org.springframework.cache.annotation.Cacheable;
import org.springframework.cache.annotation.EnableCaching;
import org.springframework.cache.concurrent.ConcurrentMapCacheManager;
import org.springframework.cache.support.NoOpCacheManager;
import org.springframework.cache.transaction.TransactionAwareCacheManagerProxy;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Tags and refreshes belong to the annotations, whoever has made the cache manager. */
final class CacheAnnotationsTest {
  static class Books {
    private final AtomicInteger calls = new AtomicInteger();
    private final AtomicInteger changes = new AtomicInteger();

    public int changes() {
      return changes.get();
    }

    @Cacheable("books")
    @CacheTags("all")
    public int find(String isbn) {
      return calls.incrementAndGet();
    }

    @CacheEvictTags(cacheNames = "books", value = "all")
    public void changed() {
      changes.incrementAndGet();
    }

    @CacheEvictTags(cacheNames = "books", value = "author:#{#result.author}")
    public @Nullable String returnsNull() {
      return null;
    }
  }

  @Configuration
  @EnableCaching(proxyTargetClass = true)
  static class Caching {
    @Bean
    Books books() {
      return new Books();
    }
  }

  @Configuration
  @EnableCaching
  static class EmptyCaching {}

  @Configuration
  static class OwnManager {
    @Bean
    CacheManager cacheManager(Rockpool pool) {
      return new RockpoolCacheManager(pool);
    }
  }

  private static ApplicationContextRunner runner() {
    return new ApplicationContextRunner()
        .withConfiguration(
            AutoConfigurations.of(
                RockpoolAutoConfiguration.class,
                RockpoolCacheAutoConfiguration.class,
                RockpoolCacheAnnotationsAutoConfiguration.class,
                CacheAutoConfiguration.class))
        .withUserConfiguration(Caching.class)
        .withPropertyValues("rockpool.directory=temporary");
  }

  private static void assertTagsWork(Books books) {
    assertThat(books.find("1")).isEqualTo(1);
    assertThat(books.find("1")).isEqualTo(1);
    books.changed();
    assertThat(books.find("1")).isEqualTo(2);
  }

  @Test
  void aManagerOfBootHasTags() {
    runner().run(context -> assertTagsWork(context.getBean(Books.class)));
  }

  @Test
  void aManagerOfTheApplicationHasTags() {
    runner()
        .withUserConfiguration(OwnManager.class)
        .run(
            context -> {
              assertThat(context).hasSingleBean(CacheableRefresher.class);
              assertTagsWork(context.getBean(Books.class));
            });
    new ApplicationContextRunner()
        .withConfiguration(
            AutoConfigurations.of(
                RockpoolAutoConfiguration.class, RockpoolCacheAnnotationsAutoConfiguration.class))
        .withUserConfiguration(EmptyCaching.class, OwnManager.class)
        .withPropertyValues("rockpool.directory=temporary")
        .withClassLoader(new FilteredClassLoader("org.springframework.boot.cache"))
        .run(context -> assertThat(context).hasSingleBean(CacheTagsAdvisor.class));
  }

  @Test
  void aChildWithTheManagerOfItsParentHasTags() {
    runner()
        .run(
            parent ->
                runner()
                    .withParent(parent)
                    .run(
                        child -> {
                          assertThat(child.getBean(CacheManager.class))
                              .isSameAs(parent.getBean(CacheManager.class));
                          assertTagsWork(child.getBean(Books.class));
                        }));
  }

  @Test
  void beansOfTheApplicationGoFirst() {
    runner()
        .withBean("mine", CacheableRefresher.class, CacheableRefresher::new)
        .run(context -> assertThat(context).hasSingleBean(CacheableRefresher.class));
  }

  @Test
  void aManagerWithoutCachesIsPassedOver() {
    for (boolean transactional : new boolean[] {false, true}) {
      CacheManager none = new NoOpCacheManager();
      runner()
          .withBean(
              CacheManager.class,
              () -> transactional ? new TransactionAwareCacheManagerProxy(none) : none)
          .run(
              context -> {
                Books books = context.getBean(Books.class);
                books.changed();
                assertThat(books.changes()).isEqualTo(1);
                assertThat(books.returnsNull()).isNull();
              });
    }
  }

  @Test
  void aCacheWithoutTagsIsRefusedBeforeTheMethodRuns() {
    for (CacheManager manager :
        List.of(new ConcurrentMapCacheManager(), new ConcurrentMapCacheManager("others"))) {
      runner()
          .withBean(CacheManager.class, () -> manager)
          .run(
              context -> {
                Books books = context.getBean(Books.class);
                assertThatThrownBy(books::changed)
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("\"books\", which is not a RockpoolCache");
                assertThat(books.changes()).isZero();
              });
    }
  }

  @Test
  void aTypeWithoutCachesIsPassedOver() {
    runner()
        .withPropertyValues("spring.cache.type=none")
        .run(
            context -> {
              assertThat(context).doesNotHaveBean(CacheableRefresher.class);
              Books books = context.getBean(Books.class);
              books.changed();
              assertThat(books.changes()).isEqualTo(1);
              assertThat(books.returnsNull()).isNull();
            });
  }

  @Test
  void anotherTypeOfCachesIsRefusedBeforeTheMethodRuns() {
    runner()
        .withPropertyValues("spring.cache.type=simple")
        .run(
            context -> {
              assertThat(context).doesNotHaveBean(CacheableRefresher.class);
              Books books = context.getBean(Books.class);
              assertThatThrownBy(books::changed)
                  .isInstanceOf(IllegalStateException.class)
                  .hasMessageContaining("\"books\", which is not a RockpoolCache");
              assertThat(books.changes()).isZero();
            });
  }
}
