package io.rockpool.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rockpool.Rockpool;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Future;
import java.util.function.Consumer;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.reactivestreams.Publisher;
import org.springframework.aop.framework.ProxyFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.cache.CacheManager;
import org.springframework.cache.annotation.Cacheable;
import org.springframework.cache.annotation.EnableCaching;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Role;
import reactor.core.Disposable;
import reactor.core.publisher.ConnectableFlux;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Evictions by tags of methods whose work ends after they have returned. */
@Timeout(60)
final class AsyncTagsTest {
  /** One method for each type that a method may return before its work is done. */
  static class Books {
    private final CompletableFuture<String> work = new CompletableFuture<>();
    private int cancellations;

    @CacheEvictTags(cacheNames = "books", value = "author:#{#result}")
    public CompletableFuture<String> future() {
      return work;
    }

    @CacheEvictTags(cacheNames = "books", value = "author:#{#result}")
    public CompletionStage<String> stage() {
      return work;
    }

    @CacheEvictTags(cacheNames = "books", value = "author:#{#result}")
    public Mono<String> mono() {
      return Mono.fromFuture(work, true).doOnCancel(() -> cancellations++);
    }

    @CacheEvictTags(cacheNames = "books", value = "author:a")
    public Mono<Void> empty() {
      return mono().then();
    }

    @CacheEvictTags(cacheNames = "books", value = "author:a")
    public Flux<String> flux() {
      return Flux.just("first").concatWith(mono());
    }

    @CacheEvictTags(cacheNames = "books", value = "author:a")
    public Publisher<String> publisher() {
      return flux();
    }

    @CacheEvictTags(cacheNames = "books", value = "author:a")
    public Object object() {
      return mono();
    }
  }

  static List<Function<Books, Publisher<?>>> publishers() {
    return List.of(
        Books::mono, Books::empty, Books::flux, Books::publisher, b -> (Publisher<?>) b.object());
  }

  private static void withBooks(
      Books books, Consumer<Books> proxied, Consumer<RockpoolCache> test) {
    try (Rockpool pool = Rockpool.inMemory();
        RockpoolCacheManager manager = new RockpoolCacheManager(pool)) {
      RockpoolCache cache = (RockpoolCache) manager.getCache("books");
      put(cache);
      ProxyFactory proxy = new ProxyFactory(books);
      proxy.setProxyTargetClass(true);
      proxy.addAdvisor(new CacheTagsAdvisor(() -> manager));
      proxied.accept((Books) proxy.getProxy());
      test.accept(cache);
    }
  }

  private static void put(RockpoolCache cache) {
    cache.getNativeCache().put("k", "v", Set.of("author:a"));
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aFutureEvictsWhenItCompletesBeforeItsCallerSeesIt(boolean asStage) {
    Books books = new Books();
    CompletableFuture<?>[] returned = new CompletableFuture<?>[1];
    withBooks(
        books,
        proxy -> returned[0] = (asStage ? proxy.stage().toCompletableFuture() : proxy.future()),
        cache -> {
          assertThat(returned[0]).isNotDone();
          assertThat(cache.get("k")).isNotNull();
          books.work.complete("a");
          assertThat(returned[0].join()).isEqualTo("a");
          assertThat(cache.get("k")).isNull();
        });
  }

  @Test
  void aFutureThatFailsEvictsNothing() {
    Books books = new Books();
    withBooks(
        books,
        proxy -> assertThat(proxy.future()).isNotNull(),
        cache -> {
          books.work.completeExceptionally(new IllegalStateException("no"));
          assertThat(cache.get("k")).isNotNull();
        });
  }

  @ParameterizedTest
  @MethodSource("publishers")
  void aPublisherEvictsEachTimeItsWorkIsDoneBeforeItsSubscriberSeesThat(
      Function<Books, Publisher<?>> method) {
    Books books = new Books();
    List<Publisher<?>> returned = new ArrayList<>();
    withBooks(
        books,
        proxy -> returned.add(method.apply(proxy)),
        cache -> {
          Flux<?> work = Flux.from(returned.get(0));
          assertThat(cache.get("k")).isNotNull();
          List<Boolean> seen = new ArrayList<>();
          Disposable running =
              work.doOnComplete(() -> seen.add(cache.get("k") != null)).subscribe();
          assertThat(running.isDisposed()).isFalse();
          assertThat(cache.get("k")).isNotNull();
          books.work.complete("a");
          assertThat(seen).containsExactly(false);
          put(cache);
          work.blockLast();
          assertThat(cache.get("k")).isNull();
          assertThat(books.cancellations).isZero();
        });
  }

  /** Its caller continues with the value, which comes before the signal of the end. */
  @Test
  void aMonoEvictsBeforeItsSubscriberSeesTheValue() {
    Books books = new Books();
    books.work.complete("a");
    Mono<?>[] returned = new Mono<?>[1];
    withBooks(
        books,
        proxy -> returned[0] = proxy.mono(),
        cache ->
            assertThat(returned[0].map(value -> cache.get("k") == null).block()).isEqualTo(true));
  }

  @ParameterizedTest
  @MethodSource("publishers")
  void aPublisherThatFailsOrIsCanceledEvictsNothing(Function<Books, Publisher<?>> method) {
    for (boolean fails : new boolean[] {false, true}) {
      Books books = new Books();
      List<Publisher<?>> returned = new ArrayList<>();
      withBooks(
          books,
          proxy -> returned.add(method.apply(proxy)),
          cache -> {
            List<Throwable> errors = new ArrayList<>();
            Disposable running =
                Flux.from(returned.get(0)).subscribe(value -> {}, errors::add, () -> {});
            IllegalStateException failure = new IllegalStateException("no");
            if (fails) {
              books.work.completeExceptionally(failure);
              assertThat(errors).containsExactly(failure);
            } else {
              running.dispose();
              assertThat(books.cancellations).isEqualTo(1);
              books.work.complete("a");
              assertThat(errors).isEmpty();
            }
            assertThat(cache.get("k")).isNotNull();
          });
    }
  }

  static class PlainFuture {
    @CacheEvictTags(cacheNames = "books", value = "author:a")
    public Future<String> run() {
      return new CompletableFuture<>();
    }
  }

  static class NarrowPublisher {
    @CacheEvictTags(cacheNames = "books", value = "author:a")
    public ConnectableFlux<String> run() {
      return Flux.just("a").publish();
    }
  }

  static class OneOfManyResults {
    @CacheEvictTags(cacheNames = "books", value = "author:#{#result}")
    public Flux<String> run() {
      return Flux.just("a");
    }
  }

  static class WrongEviction {
    @CacheEvictTags(cacheNames = "books", value = "author:a")
    public void first() {}

    @CacheEvictTags(cacheNames = "books", value = "author:#{#result")
    public void second() {}
  }

  interface WrongInterface {
    @CacheEvictTags(cacheNames = "books", value = "author:#{#id +}")
    void run(String id);
  }

  static class WrongImplementation implements WrongInterface {
    @Override
    public void run(String id) {}
  }

  static class WrongTag {
    @Cacheable("books")
    @CacheTags("author:#{")
    public String run() {
      return "a";
    }
  }

  static class TaggedFuture {
    @Cacheable("books")
    @CacheTags("author:a")
    public CompletableFuture<String> run() {
      return CompletableFuture.completedFuture("a");
    }
  }

  static class TaggedMono {
    @Cacheable("books")
    @CacheTags("author:a")
    public Mono<String> run() {
      return Mono.just("a");
    }
  }

  @Configuration
  @EnableCaching
  static class Caching {
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
    Rockpool rockpool() {
      return Rockpool.inMemory();
    }

    @Bean
    RockpoolCacheManager cacheManager(Rockpool rockpool) {
      return new RockpoolCacheManager(rockpool);
    }
  }

  @Test
  void anAnnotationThatCannotWorkEndsTheStart() {
    Map<Class<?>, String> refused =
        Map.of(
            PlainFuture.class, "returns before its work is done",
            NarrowPublisher.class, "returns before its work is done",
            OneOfManyResults.class, "returns several results",
            WrongEviction.class, "is no expression",
            WrongImplementation.class, "is no expression",
            WrongTag.class, "is no expression",
            TaggedFuture.class, "has @CacheTags and returns a future or publisher",
            TaggedMono.class, "has @CacheTags and returns a future or publisher");
    refused.forEach(
        (type, why) -> {
          try (var context = new AnnotationConfigApplicationContext()) {
            context.register(Caching.class, type);
            assertThatThrownBy(context::refresh)
                .as(type.getSimpleName())
                .cause()
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining(why)
                .hasMessageContaining(type.getSimpleName().replace("Implementation", ""));
          }
        });
  }
}
