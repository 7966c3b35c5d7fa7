package io.rockpool.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rockpool.Rockpool;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Future;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.aop.framework.ProxyFactory;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Evictions by tags of methods whose work ends after they have returned. */
@Timeout(60)
final class AsyncTagsTest {
  /** One method for each type that a method may return before its work is done. */
  static class Books {
    private final CompletableFuture<String> work = new CompletableFuture<>();
    private boolean called;

    @CacheEvictTags(cacheNames = "books", value = "author:#{#result}")
    public CompletableFuture<String> future() {
      return work;
    }

    @CacheEvictTags(cacheNames = "books", value = "author:#{#result}")
    public CompletionStage<String> stage() {
      return work;
    }

    @CacheEvictTags(cacheNames = "books", value = "author:a")
    public Future<String> plain() {
      called = true;
      return work;
    }

    @CacheEvictTags(cacheNames = "books", value = "author:a")
    public Mono<String> mono() {
      called = true;
      return Mono.fromFuture(work);
    }

    @CacheEvictTags(cacheNames = "books", value = "author:a")
    public Flux<String> flux() {
      called = true;
      return Flux.from(Mono.fromFuture(work));
    }

    @CacheEvictTags(cacheNames = "books", value = "author:#{#result")
    public void wrong() {
      called = true;
    }
  }

  private static void withBooks(
      Books books, Consumer<Books> proxied, Consumer<RockpoolCache> test) {
    try (Rockpool pool = Rockpool.inMemory();
        RockpoolCacheManager manager = new RockpoolCacheManager(pool)) {
      RockpoolCache cache = (RockpoolCache) manager.getCache("books");
      cache.getNativeCache().put("k", "v", Set.of("author:a"));
      ProxyFactory proxy = new ProxyFactory(books);
      proxy.setProxyTargetClass(true);
      proxy.addAdvisor(new CacheTagsAdvisor(() -> manager));
      proxied.accept((Books) proxy.getProxy());
      test.accept(cache);
    }
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

  @Test
  void whatCannotBeFollowedIsRefusedBeforeItRuns() {
    Books books = new Books();
    withBooks(
        books,
        proxy -> {
          assertThatThrownBy(proxy::plain).isInstanceOf(IllegalStateException.class);
          assertThatThrownBy(proxy::mono).isInstanceOf(IllegalStateException.class);
          assertThatThrownBy(proxy::flux).isInstanceOf(IllegalStateException.class);
          assertThatThrownBy(proxy::wrong).hasMessageContaining("no expression");
        },
        cache -> assertThat(cache.get("k")).isNotNull());
    assertThat(books.called).isFalse();
  }
}
