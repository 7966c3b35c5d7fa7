package io.rockpool.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rockpool.Rockpool;
import io.rockpool.codec.Codecs;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.cache.annotation.CacheEvict;
import org.springframework.cache.annotation.CachePut;
import org.springframework.cache.annotation.Cacheable;
import org.springframework.cache.annotation.EnableCaching;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;
import org.springframework.core.env.MapPropertySource;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Spring's annotations on methods that return what Reactor publishes. */
@Timeout(60)
final class ReactiveAnnotationsTest {
  private static final Duration LIMIT = Duration.ofSeconds(20);

  record Price(String item, int cents) {}

  static class Prices {
    static final AtomicInteger SUBSCRIPTIONS = new AtomicInteger();

    @Cacheable("prices")
    public Mono<Price> price(String item, int count) {
      return Mono.fromSupplier(() -> new Price(item, count * SUBSCRIPTIONS.incrementAndGet()));
    }

    @Cacheable(cacheNames = "synced", sync = true)
    public Mono<Price> synced(String item) {
      return Mono.fromSupplier(() -> new Price(item, SUBSCRIPTIONS.incrementAndGet()));
    }

    @Cacheable("many")
    public Flux<Price> many(String item) {
      return Flux.range(1, 3)
          .map(number -> new Price(item, number))
          .doOnSubscribe(subscription -> SUBSCRIPTIONS.incrementAndGet());
    }

    @Cacheable("none")
    public Mono<Price> none(String item) {
      return Mono.<Price>empty().doOnSubscribe(s -> SUBSCRIPTIONS.incrementAndGet());
    }

    @Cacheable("failing")
    public Mono<Price> failing(String item) {
      return Mono.error(
          () -> new UnsupportedOperationException("failed " + SUBSCRIPTIONS.incrementAndGet()));
    }

    @CachePut(cacheNames = "synced", key = "#item")
    public Mono<Price> save(String item, int cents) {
      return Mono.just(new Price(item, cents));
    }

    @CacheEvict("synced")
    public Mono<Void> remove(String item) {
      return Mono.empty();
    }
  }

  @Configuration
  @EnableCaching
  static class Application {
    @Bean
    Rockpool pool(Environment environment) {
      return SuiteStores.open(Path.of(environment.getRequiredProperty("directory")));
    }

    @Bean
    RockpoolCacheManager cacheManager(Rockpool pool) {
      return new RockpoolCacheManager(
          pool, Codecs.builder().allowPackage("io.rockpool.spring").build());
    }

    @Bean
    Prices prices() {
      return new Prices();
    }
  }

  @TempDir private Path directory;
  private AnnotationConfigApplicationContext context;
  private Prices prices;

  @BeforeEach
  void start() {
    context = new AnnotationConfigApplicationContext();
    context
        .getEnvironment()
        .getPropertySources()
        .addFirst(new MapPropertySource("test", Map.of("directory", directory.toString())));
    context.register(Application.class);
    context.refresh();
    prices = context.getBean(Prices.class);
    Prices.SUBSCRIPTIONS.set(0);
  }

  @AfterEach
  void stop() {
    context.close();
  }

  @Test
  void whatAMonoHoldsIsCachedAndThereAfterARestart() {
    Price price = prices.price("a", 2).block(LIMIT);
    assertThat(price).isEqualTo(new Price("a", 2));
    assertThat(prices.price("a", 2).block(LIMIT)).isEqualTo(price);
    assertThat(prices.price("a", 3).block(LIMIT)).isEqualTo(new Price("a", 6));
    assertThat(prices.synced("a").block(LIMIT)).isEqualTo(new Price("a", 3));
    assertThat(prices.synced("a").block(LIMIT)).isEqualTo(new Price("a", 3));
    stop();
    start();
    assertThat(prices.price("a", 2).block(LIMIT)).isEqualTo(price);
    assertThat(prices.synced("a").block(LIMIT)).isEqualTo(new Price("a", 3));
    assertThat(Prices.SUBSCRIPTIONS).hasValue(0);
  }

  @Test
  void whatAFluxHoldsIsCached() {
    List<Price> first = prices.many("a").collectList().block(LIMIT);
    assertThat(first).hasSize(3);
    assertThat(prices.many("a").collectList().block(LIMIT)).isEqualTo(first);
    assertThat(Prices.SUBSCRIPTIONS).hasValue(1);
  }

  @Test
  void whatIsEmptyIsCachedAndWhatFailsIsNot() {
    assertThat(prices.none("a").block(LIMIT)).isNull();
    assertThat(prices.none("a").block(LIMIT)).isNull();
    assertThat(Prices.SUBSCRIPTIONS).hasValue(1);
    for (int i = 2; i < 4; i++) {
      assertThatThrownBy(() -> prices.failing("a").block(LIMIT))
          .isInstanceOf(UnsupportedOperationException.class)
          .hasMessage("failed " + Prices.SUBSCRIPTIONS.get());
      assertThat(Prices.SUBSCRIPTIONS).hasValue(i);
    }
  }

  @Test
  void puttingAndEvictingWaitForWhatIsPublished() {
    prices.save("a", 99).block(LIMIT);
    assertThat(prices.synced("a").block(LIMIT)).isEqualTo(new Price("a", 99));
    prices.remove("a").block(LIMIT);
    assertThat(prices.synced("a").block(LIMIT)).isEqualTo(new Price("a", 1));
  }
}
