package io.rockpool.spring;

import static org.assertj.core.api.Assertions.assertThat;

import io.rockpool.Rockpool;
import io.rockpool.cache.CacheStatistics;
import io.rockpool.testing.FakeClock;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.aop.framework.AopProxyUtils;
import org.springframework.aop.interceptor.ExposeInvocationInterceptor;
import org.springframework.cache.annotation.CacheEvict;
import org.springframework.cache.annotation.CachePut;
import org.springframework.cache.annotation.Cacheable;
import org.springframework.cache.annotation.Caching;
import org.springframework.cache.annotation.EnableCaching;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Plain {@code @Cacheable} with a soft TTL; the test itself is the executor of refreshes. */
final class CacheableRefresherTest {
  private static final Duration SOFT = Duration.ofMinutes(1);

  static class Shop {
    final List<String> calls = new ArrayList<>();
    @Nullable String answer = "first";
    private @Nullable Shop self;

    private @Nullable String called(String what) {
      calls.add(what);
      return answer;
    }

    @Cacheable("plain")
    public @Nullable String plain(String key) {
      return called("plain " + key);
    }

    @Cacheable(cacheNames = "plain", key = "#key", unless = "#result == null")
    public @Nullable String unlessNull(String key) {
      return called("unlessNull");
    }

    @Cacheable("plain")
    public @Nullable String failing(String key) {
      if (calls.contains("failing")) {
        throw new UnsupportedOperationException("The source is down.");
      }
      return called("failing");
    }

    @Cacheable("plain")
    public String outer(String key) {
      called("outer");
      return answer + " of " + self.plain("inner") + " and " + self.plain("inner");
    }

    @Cacheable({"plain", "hard"})
    public @Nullable String both(String key) {
      return called("both");
    }

    @Cacheable("plain")
    public CompletableFuture<String> future(String key) {
      return CompletableFuture.completedFuture(called("future"));
    }

    @Caching(
        cacheable = @Cacheable(cacheNames = "plain"),
        put = @CachePut(cacheNames = "hard", key = "'copy of ' + #key"))
    public @Nullable String copied(String key) {
      return called("copied");
    }

    @Cacheable(cacheNames = "plain", sync = true)
    public @Nullable String synced(String key) {
      return called("synced");
    }

    @Cacheable("plain")
    public @Nullable String ofList(List<String> keys) {
      return called("ofList " + keys);
    }

    @Cacheable("plain")
    public @Nullable String twice(String key) {
      return self.plain(key);
    }

    @Cacheable("plain")
    public @Nullable String advised(String key) {
      if (!answer.equals("first")) {
        called(ExposeInvocationInterceptor.currentInvocation().getMethod().getName());
      }
      return answer;
    }

    @CacheEvict("plain")
    public void evict(String key) {}
  }

  @Configuration
  @EnableCaching(proxyTargetClass = true)
  static class Application {
    @Bean
    static CacheableRefresher cacheableRefresher() {
      return new CacheableRefresher();
    }

    @Bean
    Shop shop() {
      return new Shop();
    }
  }

  private final FakeClock clock = new FakeClock();
  private final ArrayDeque<Runnable> waiting = new ArrayDeque<>();
  private final Rockpool pool = SuiteStores.open(clock);
  private final AnnotationConfigApplicationContext context =
      new AnnotationConfigApplicationContext();
  private RockpoolCacheManager manager;
  private Shop shop;
  private Shop target;

  @BeforeEach
  void open() {
    manager = new RockpoolCacheManager(pool);
    manager.setRefreshExecutor(waiting::add);
    manager.setRetrievalExecutor(Runnable::run);
    manager.setCacheConfiguration("plain", RockpoolCacheConfiguration.defaults().softTtl(SOFT));
    context.registerBean(RockpoolCacheManager.class, () -> manager);
    context.register(Application.class);
    context.refresh();
    shop = context.getBean(Shop.class);
    target = (Shop) AopProxyUtils.getSingletonTarget(shop);
    target.self = shop;
  }

  @AfterEach
  void close() {
    context.close();
    pool.close();
  }

  private RockpoolCache cache(String name) {
    return (RockpoolCache) manager.getCache(name);
  }

  private CacheStatistics statistics() {
    return cache("plain").getNativeCache().statistics();
  }

  private void becomeDue(@Nullable String nextAnswer) {
    clock.advanceMillis(SOFT.toMillis());
    target.answer = nextAnswer;
    target.calls.clear();
  }

  private void runWaiting() {
    while (!waiting.isEmpty()) {
      waiting.remove().run();
    }
  }

  @Test
  void aDueValueIsServedAndItsMethodCalledOnceInTheBackground() {
    shop.plain("k");
    assertThat(shop.plain("k")).isEqualTo("first");
    assertThat(waiting).isEmpty();
    becomeDue("second");
    assertThat(shop.plain("k")).isEqualTo("first");
    assertThat(shop.plain("k")).isEqualTo("first");
    assertThat(target.calls).isEmpty();
    assertThat(waiting).hasSize(1);
    runWaiting();
    assertThat(target.calls).containsExactly("plain k");
    assertThat(shop.plain("k")).isEqualTo("second");
    assertThat(statistics().refreshes()).isEqualTo(1);
    becomeDue("third");
    shop.plain("k");
    runWaiting();
    assertThat(shop.plain("k")).isEqualTo("third");
  }

  @Test
  void aNullIsStoredUnlessTheAnnotationSaysOtherwise() {
    shop.plain("k");
    shop.unlessNull("u");
    becomeDue(null);
    shop.plain("k");
    assertThat(shop.unlessNull("u")).isEqualTo("first");
    runWaiting();
    assertThat(cache("plain").get("k").get()).isNull();
    assertThat(cache("plain").get("u")).isNull();
  }

  @Test
  void aFailureServesOn() {
    shop.failing("k");
    clock.advanceMillis(SOFT.toMillis());
    assertThat(shop.failing("k")).isEqualTo("first");
    runWaiting();
    assertThat(shop.failing("k")).isEqualTo("first");
    assertThat(statistics().refreshFailures()).isEqualTo(1);
    assertThat(statistics().refreshes()).isZero();
  }

  @Test
  void whatChangesTheEntryMeanwhileWins() {
    shop.plain("evicted");
    shop.plain("put");
    becomeDue("second");
    shop.plain("evicted");
    shop.plain("put");
    shop.evict("evicted");
    cache("plain").put("put", "by hand");
    runWaiting();
    assertThat(cache("plain").get("evicted")).isNull();
    assertThat(cache("plain").get("put").get()).isEqualTo("by hand");
  }

  @Test
  void whatTheMethodItselfAsksForIsCachedAsEver() {
    shop.outer("k");
    shop.plain("inner");
    becomeDue("second");
    shop.outer("k");
    assertThat(waiting).hasSize(1);
    // The method is called; what it asks for is due, too, and served, and then refreshed.
    waiting.remove().run();
    assertThat(target.calls).containsExactly("outer");
    assertThat(shop.outer("k")).isEqualTo("second of first and first");
    assertThat(waiting).hasSize(1);
    runWaiting();
    assertThat(target.calls).containsExactly("outer", "plain inner");
    assertThat(shop.plain("inner")).isEqualTo("second");
  }

  @Test
  void otherCachesOfTheMethodAreNotAskedAndGetTheValue() {
    shop.both("k");
    becomeDue("second");
    assertThat(shop.both("k")).isEqualTo("first");
    runWaiting();
    assertThat(cache("plain").get("k").get()).isEqualTo("second");
    assertThat(cache("hard").get("k").get()).isEqualTo("second");
  }

  @Test
  void otherAnnotationsOfTheMethodHold() {
    shop.copied("k");
    becomeDue("second");
    // A put wants the method called each time; the value that was due is refreshed all the same.
    assertThat(shop.copied("k")).isEqualTo("second");
    target.answer = "third";
    runWaiting();
    assertThat(cache("plain").get("k").get()).isEqualTo("third");
    assertThat(cache("hard").get("copy of k").get()).isEqualTo("third");
  }

  @Test
  void aThreadThatHasRefreshedForgetsTheCall() {
    shop.synced("k");
    shop.plain("p");
    becomeDue("second");
    assertThat(shop.synced("k")).isEqualTo("first");
    assertThat(shop.plain("p")).isEqualTo("first");
    runWaiting();
    assertThat(shop.synced("k")).isEqualTo("second");
    becomeDue("third");
    cache("plain").get("k");
    cache("plain").get("p");
    assertThat(waiting).isEmpty();
  }

  @Test
  void argumentsThatHaveChangedAreNotTakenForTheKey() {
    List<String> keys = new ArrayList<>(List.of("a", "b"));
    shop.ofList(keys);
    becomeDue("second");
    shop.ofList(keys);
    keys.set(0, "z");
    runWaiting();
    assertThat(shop.ofList(List.of("a", "b"))).isEqualTo("first");
    assertThat(cache("plain").get(List.of("z", "b")).get()).isEqualTo("second");
    assertThat(statistics().refreshFailures()).isEqualTo(1);
  }

  @Test
  void anInnerCallForTheSameKeyIsCalledAgainToo() {
    shop.twice("k");
    becomeDue("second");
    assertThat(shop.twice("k")).isEqualTo("first");
    runWaiting();
    assertThat(target.calls).containsExactly("plain k");
    assertThat(shop.twice("k")).isEqualTo("second");
  }

  @Test
  void adviceFindsTheCall() {
    shop.advised("k");
    becomeDue("second");
    shop.advised("k");
    runWaiting();
    assertThat(target.calls).containsExactly("advised");
    assertThat(shop.advised("k")).isEqualTo("second");
  }

  @Test
  void futuresAndReadsByHandAreLeftAlone() {
    shop.future("f").join();
    shop.plain("k");
    becomeDue("second");
    assertThat(shop.future("f").join()).isEqualTo("first");
    assertThat(cache("plain").get("k").get()).isEqualTo("first");
    assertThat(waiting).isEmpty();
    assertThat(statistics().staleHits()).isEqualTo(2);
  }
}
