package io.rockpool.spring;

import static org.assertj.core.api.Assertions.assertThat;

import io.rockpool.Rockpool;
import io.rockpool.codec.Codecs;
import io.rockpool.testing.DocumentExamples;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.springframework.cache.Cache;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** The examples in the javadoc of this package, as they are there. */
final class JavadocExamplesTest {
  @Configuration
  static class Application {
    @Bean
    Rockpool pool() {
      return Rockpool.inMemory();
    }

    // JAVADOC RockpoolCacheManager
    @Bean
    RockpoolCacheManager cacheManager(Rockpool pool) {
      Codecs codecs = Codecs.builder().allowPackage("com.acme.shop").build();
      RockpoolCacheManager manager = new RockpoolCacheManager(pool, codecs);
      manager.setDefaults(RockpoolCacheConfiguration.defaults().ttl(Duration.ofHours(1)));
      return manager;
    }

    // JAVADOC RockpoolCacheManager

    // JAVADOC CacheableRefresher
    @Bean
    static CacheableRefresher cacheableRefresher() {
      return new CacheableRefresher();
    }
    // JAVADOC CacheableRefresher
  }

  @Test
  void theApplicationStartsAndCaches() {
    try (AnnotationConfigApplicationContext context =
        new AnnotationConfigApplicationContext(Application.class)) {
      Cache orders = context.getBean(RockpoolCacheManager.class).getCache("orders");
      assertThat(orders).isNotNull();
      orders.put("o-1", 5);
      assertThat(orders.get("o-1", Integer.class)).isEqualTo(5);
      assertThat(context.getBean(CacheableRefresher.class)).isNotNull();
    }
  }

  @Test
  void configuration() {
    try (Rockpool pool = Rockpool.inMemory();
        RockpoolCacheManager manager = new RockpoolCacheManager(pool, Codecs.defaults())) {
      // JAVADOC RockpoolCacheConfiguration
      RockpoolCacheConfiguration orders =
          RockpoolCacheConfiguration.defaults()
              .ttl(Duration.ofHours(1))
              .nullTtl(Duration.ofMinutes(1))
              .hotEntries(10_000);
      manager.setCacheConfiguration("orders", orders);
      // JAVADOC RockpoolCacheConfiguration
      assertThat(manager.configurationOf("orders")).isEqualTo(orders);
    }
  }

  @Test
  void theyAreInTheJavadoc() {
    for (Class<?> type :
        List.of(
            RockpoolCacheManager.class,
            RockpoolCacheConfiguration.class,
            CacheableRefresher.class)) {
      DocumentExamples.assertInJavadoc(type, JavadocExamplesTest.class);
    }
  }
}
