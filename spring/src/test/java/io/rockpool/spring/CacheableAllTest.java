package io.rockpool.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.rockpool.Rockpool;
import io.rockpool.testing.FakeClock;
import java.io.IOException;
import java.lang.reflect.Method;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.LinkedList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.aop.framework.AopProxyUtils;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.cache.CacheManager;
import org.springframework.cache.annotation.Cacheable;
import org.springframework.cache.annotation.EnableCaching;
import org.springframework.cache.concurrent.ConcurrentMapCacheManager;
import org.springframework.cache.support.NoOpCacheManager;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Role;
import org.springframework.transaction.support.TransactionTemplate;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Methods with {@link CacheableAll}. */
@Timeout(60)
final class CacheableAllTest {
  /** A value for each key but those that begin with x. */
  static class Books {
    final Collection<List<String>> calls = new ConcurrentLinkedQueue<>();
    volatile Runnable meanwhile = () -> {};
    @Nullable Throwable failure;

    private @Nullable String book(String isbn) {
      return isbn.startsWith("x") ? null : "book " + isbn;
    }

    private List<@Nullable String> list(Collection<String> isbns) {
      calls.add(List.copyOf(isbns));
      meanwhile.run();
      List<@Nullable String> books = new ArrayList<>();
      isbns.forEach(isbn -> books.add(book(isbn)));
      return books;
    }

    private Map<String, String> map(Collection<String> isbns) {
      Map<String, String> books = new LinkedHashMap<>();
      List<@Nullable String> list = list(isbns);
      int i = 0;
      for (String isbn : isbns) {
        String book = list.get(i++);
        if (book != null) {
          books.put(isbn, book);
        }
      }
      return books;
    }

    @Cacheable("books")
    public @Nullable String find(String isbn) {
      return list(List.of(isbn)).get(0);
    }

    @CacheableAll("books")
    public Map<String, String> map(List<String> isbns) throws Throwable {
      Map<String, String> all = map((Collection<String>) isbns);
      if (failure != null) {
        throw failure;
      }
      return all;
    }

    @CacheableAll(cacheNames = "books")
    public Map<String, String> set(Set<String> isbns) {
      return map((Collection<String>) isbns);
    }

    @CacheableAll("books")
    public List<@Nullable String> inOrder(Iterable<String> isbns) {
      List<String> all = new ArrayList<>();
      isbns.forEach(all::add);
      return list(all);
    }

    @CacheableAll(value = "books", resultKey = "#result.substring(5)")
    public Collection<String> inAnyOrder(Collection<String> isbns) {
      List<String> all = new ArrayList<>(map(isbns).values());
      all.sort((a, b) -> b.compareTo(a));
      return all;
    }

    @CacheableAll("books")
    public CompletableFuture<Map<String, String>> future(List<String> isbns) {
      return CompletableFuture.supplyAsync(() -> map((Collection<String>) isbns));
    }

    @CacheableAll("books")
    public Mono<List<@Nullable String>> mono(List<String> isbns) {
      return Mono.fromCallable(() -> list(isbns));
    }

    @CacheableAll(value = "books", unless = "#result == null")
    public Mono<List<@Nullable String>> monoWithoutNulls(List<String> isbns) {
      return Mono.fromCallable(() -> list(isbns));
    }

    @CacheableAll(value = "books", resultKey = "#result.substring(5)")
    public Flux<String> flux(List<String> isbns) {
      return Flux.defer(() -> Flux.fromIterable(map((Collection<String>) isbns).values()));
    }

    @CacheableAll(
        value = "books",
        condition = "#wanted",
        unless = "#result == null or #element == 'u'")
    public Map<String, String> conditional(List<String> isbns, boolean wanted) {
      return map((Collection<String>) isbns);
    }

    @CacheableAll(value = "books", condition = "#wanted")
    public List<@Nullable String> inOrderIf(Iterable<String> isbns, boolean wanted) {
      return inOrder(isbns);
    }

    @CacheableAll(value = "books", key = "#tenant + '/' + #element.trim()")
    public Map<String, String> keyed(String tenant, List<String> isbns) {
      return map((Collection<String>) isbns);
    }

    @CacheableAll("books")
    public Map<String, String> ofTenant(String tenant, List<String> isbns) {
      return map((Collection<String>) isbns);
    }

    @Cacheable("books")
    public @Nullable String findOfTenant(String tenant, String isbn) {
      return list(List.of(isbn)).get(0);
    }

    @CacheableAll(value = "books", ttl = "${books.ttl:10m}", nullTtl = "PT1M")
    public Map<String, String> timed(List<String> isbns) {
      return map((Collection<String>) isbns);
    }

    @CacheableAll(value = "books", nullTtl = "0s")
    public Map<String, String> withoutNulls(List<String> isbns) {
      return map((Collection<String>) isbns);
    }

    @CacheableAll("books")
    @CacheTags({"all", "first:#{#element.charAt(0)}", "book:#{#result}"})
    public Map<String, String> tagged(List<String> isbns) {
      return map((Collection<String>) isbns);
    }

    @CacheableAll("books")
    @CacheTags("first:#{#element.charAt(0)}")
    public CompletableFuture<Map<String, String>> taggedFuture(List<String> isbns) {
      return CompletableFuture.completedFuture(map((Collection<String>) isbns));
    }

    @CacheableAll("books")
    public List<Integer> numbers(List<String> isbns) {
      calls.add(List.copyOf(isbns));
      return isbns.stream().map(String::length).toList();
    }

    @CacheableAll("books")
    public List<String> wrong(List<String> isbns) {
      return List.of();
    }
  }

  /** A method that returns values in some form, called with elements. */
  private enum Form {
    MAP((books, isbns) -> books.map(isbns)),
    SET((books, isbns) -> books.set(new LinkedHashSet<>(isbns))),
    IN_ORDER((books, isbns) -> books.inOrder(isbns)),
    IN_ANY_ORDER((books, isbns) -> books.inAnyOrder(isbns)),
    FUTURE((books, isbns) -> books.future(isbns).join()),
    MONO((books, isbns) -> books.mono(isbns).block()),
    FLUX((books, isbns) -> books.flux(isbns).collectList().block());

    @SuppressWarnings("ImmutableEnumChecker") // lambdas without state
    private final Call call;

    private interface Call {
      Object find(Books books, List<String> isbns) throws Throwable;
    }

    Form(Call call) {
      this.call = call;
    }

    Object find(Books books, String... isbns) {
      try {
        return call.find(books, List.of(isbns));
      } catch (Throwable e) {
        throw new AssertionError(e);
      }
    }

    /** What a call is to return. */
    Object expected(String... isbns) {
      Map<String, String> map = new LinkedHashMap<>();
      List<@Nullable String> list = new ArrayList<>();
      for (String isbn : isbns) {
        String book = isbn.startsWith("x") ? null : "book " + isbn;
        list.add(book);
        if (book != null) {
          map.put(isbn, book);
        }
      }
      return switch (this) {
        case MAP, SET, FUTURE -> map;
        case IN_ORDER, MONO -> list;
        case IN_ANY_ORDER, FLUX -> list.stream().filter(Objects::nonNull).toList();
      };
    }
  }

  @Configuration(proxyBeanMethods = false)
  @EnableCaching
  static class Config {
    @Bean
    Books books() {
      return new Books();
    }

    @Bean
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    static CacheableAllAdvisor cacheableAllAdvisor(ObjectProvider<CacheManager> manager) {
      return new CacheableAllAdvisor(manager::getObject);
    }
  }

  private final FakeClock clock = new FakeClock();
  private final Rockpool pool = SuiteStores.open(clock);
  private RockpoolCacheManager manager = new RockpoolCacheManager(pool);
  private AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext();

  @SuppressWarnings("NullAway.Init")
  private Books proxy;

  @SuppressWarnings("NullAway.Init")
  private Books books;

  @BeforeEach
  void start() {
    proxy = start(manager, Books.class, Config.class);
    books = target(proxy);
  }

  private static Books target(Books proxied) {
    return (Books) Objects.requireNonNull(AopProxyUtils.getSingletonTarget(proxied));
  }

  private <T> T start(CacheManager cacheManager, Class<T> bean, Class<?>... configurations) {
    context = new AnnotationConfigApplicationContext();
    context.registerBean("cacheManager", CacheManager.class, () -> cacheManager);
    context.register(configurations);
    context.refresh();
    return context.getBean(bean);
  }

  @AfterEach
  void close() {
    context.close();
    manager.close();
    pool.close();
  }

  private List<List<String>> calls() {
    List<List<String>> calls = List.copyOf(books.calls);
    books.calls.clear();
    return calls;
  }

  private RockpoolCache cache() {
    return Objects.requireNonNull(BulkCall.rockpoolCache(manager.getCache("books")));
  }

  @ParameterizedTest
  @EnumSource
  void aMethodIsCalledOnceWithWhatIsNotThere(Form form) {
    assertThat(form.find(proxy, "b", "x1", "a")).isEqualTo(form.expected("b", "x1", "a"));
    assertThat(calls()).containsExactly(List.of("b", "x1", "a"));
    assertThat(form.find(proxy, "a", "c", "x1", "b", "x2"))
        .isEqualTo(form.expected("a", "c", "x1", "b", "x2"));
    assertThat(calls()).containsExactly(List.of("c", "x2"));
    assertThat(form.find(proxy, "c", "x2", "a")).isEqualTo(form.expected("c", "x2", "a"));
    assertThat(calls()).isEmpty();
    assertThat(form.find(proxy)).isEqualTo(form.expected());
    assertThat(calls()).isEmpty();
    assertThat(proxy.find("a")).isEqualTo("book a");
    assertThat(proxy.find("x1")).isNull();
    assertThat(calls()).isEmpty();
  }

  @Test
  void oneThatIsWantedTwiceIsLoadedOnceAndReturnedTwice() {
    assertThat(proxy.inOrder(List.of("a", "b", "a"))).containsExactly("book a", "book b", "book a");
    assertThat(calls()).containsExactly(List.of("a", "b"));
  }

  /** The elements were read for their keys; the method gets them all the same. */
  @Test
  void elementsThatCanBeReadOnce() {
    for (boolean wanted : new boolean[] {true, false}) {
      Iterator<String> once = List.of("a", "b").iterator();
      assertThat(proxy.inOrderIf(() -> once, wanted)).containsExactly("book a", "book b");
    }
  }

  @Test
  void conditionsHold() {
    assertThat(proxy.conditional(List.of("a", "u", "x"), true))
        .isEqualTo(Map.of("a", "book a", "u", "book u"));
    assertThat(proxy.conditional(List.of("a", "u", "x"), true))
        .isEqualTo(Map.of("a", "book a", "u", "book u"));
    assertThat(calls()).containsExactly(List.of("a", "u", "x"), List.of("u", "x"));
    assertThat(proxy.conditional(List.of("a"), false)).isEqualTo(Map.of("a", "book a"));
    assertThat(calls()).containsExactly(List.of("a"));
  }

  @Test
  void keysAreThoseOfTheAnnotationOrOfASingleArgument() {
    assertThat(proxy.keyed("t", List.of(" a", "b "))).containsOnlyKeys(" a", "b ");
    assertThat(cache().get("t/a", String.class)).isEqualTo("book  a");
    assertThat(proxy.ofTenant("t", List.of("a"))).isEqualTo(Map.of("a", "book a"));
    calls();
    assertThat(proxy.findOfTenant("t", "a")).isEqualTo("book a");
    assertThat(proxy.ofTenant("t", List.of("a"))).hasSize(1);
    assertThat(calls()).isEmpty();
    assertThat(proxy.ofTenant("other", List.of("a"))).hasSize(1);
    assertThat(calls()).hasSize(1);
  }

  @Test
  void valuesAndNullsLiveAsTheAnnotationSays() {
    assertThat(proxy.timed(List.of("a", "x"))).hasSize(1);
    assertThat(cache().getNativeCache().ttl("a")).contains(Duration.ofMinutes(10));
    assertThat(cache().getNativeCache().ttl("x")).contains(Duration.ofMinutes(1));
    clock.advanceMillis(60_000);
    calls();
    assertThat(proxy.timed(List.of("a", "x"))).hasSize(1);
    assertThat(calls()).containsExactly(List.of("x"));
    assertThat(proxy.withoutNulls(List.of("x2", "b"))).hasSize(1);
    assertThat(proxy.withoutNulls(List.of("x2", "b"))).hasSize(1);
    assertThat(calls()).containsExactly(List.of("x2", "b"), List.of("x2"));
  }

  @Test
  void eachValueHasItsTags() {
    assertThat(proxy.tagged(List.of("a1", "a2", "b1"))).hasSize(3);
    assertThat(proxy.taggedFuture(List.of("a3", "b2")).join()).hasSize(2);
    calls();
    cache().invalidateTags(Set.of("first:a", "book:book b9"));
    assertThat(proxy.tagged(List.of("a1", "a2", "b1"))).hasSize(3);
    assertThat(proxy.taggedFuture(List.of("a3", "b2")).join()).hasSize(2);
    assertThat(calls()).containsExactly(List.of("a1", "a2"), List.of("a3"));
  }

  @ParameterizedTest
  @EnumSource
  void whatIsEvictedMeanwhileIsReturnedAndNotStored(Form form) {
    books.meanwhile = () -> cache().evict("a");
    assertThat(form.find(proxy, "a", "b")).isEqualTo(form.expected("a", "b"));
    books.meanwhile = () -> {};
    calls();
    assertThat(form.find(proxy, "a", "b")).isEqualTo(form.expected("a", "b"));
    assertThat(calls()).containsExactly(List.of("a"));
  }

  @ParameterizedTest
  @EnumSource
  void overlappingCallsLoadAKeyOnce(Form form) throws Exception {
    CountDownLatch began = new CountDownLatch(1);
    CountDownLatch end = new CountDownLatch(1);
    books.meanwhile =
        () -> {
          began.countDown();
          awaitUninterruptibly(end);
        };
    Future<Object> first = CompletableFuture.supplyAsync(() -> form.find(proxy, "a", "b"));
    began.await();
    books.meanwhile = () -> end.countDown();
    assertThat(form.find(proxy, "b", "c")).isEqualTo(form.expected("b", "c"));
    assertThat(first.get()).isEqualTo(form.expected("a", "b"));
    assertThat(calls()).containsExactly(List.of("a", "b"), List.of("c"));
  }

  private static void awaitUninterruptibly(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void whoWaitsForAValueThatIsNotStoredGetsOneOfItsOwn() throws Exception {
    CountDownLatch began = new CountDownLatch(1);
    CountDownLatch end = new CountDownLatch(1);
    books.meanwhile =
        () -> {
          began.countDown();
          awaitUninterruptibly(end);
        };
    Future<Map<String, String>> first =
        CompletableFuture.supplyAsync(() -> proxy.conditional(List.of("u"), true));
    began.await();
    books.meanwhile = () -> end.countDown();
    assertThat(proxy.conditional(List.of("u", "c"), true)).containsOnlyKeys("u", "c");
    assertThat(first.get()).containsOnlyKeys("u");
    assertThat(calls()).containsExactly(List.of("u"), List.of("c"), List.of("u"));
  }

  @Test
  void whatTheMethodThrowsIsThrownAndNothingIsStored() {
    books.failure = new IOException("away");
    assertThatThrownBy(() -> proxy.map(List.of("a"))).isSameAs(books.failure);
    books.failure = new AssertionError("an error");
    assertThatThrownBy(() -> proxy.map(List.of("a"))).isSameAs(books.failure);
    books.failure = null;
    IllegalStateException failed = new IllegalStateException("no");
    books.meanwhile =
        () -> {
          throw failed;
        };
    assertThatThrownBy(() -> proxy.future(List.of("a")).join()).hasCause(failed);
    assertThatThrownBy(() -> proxy.mono(List.of("a")).block()).isSameAs(failed);
    assertThatThrownBy(() -> proxy.flux(List.of("a")).collectList().block()).isSameAs(failed);
    assertThatThrownBy(() -> proxy.wrong(List.of("a", "b")))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("returned 0 values for 2 elements");
    assertThat(cache().get("a")).isNull();
  }

  @Test
  void aMonoDoesNothingUntilItIsSubscribedAndAgainEachTime() {
    Mono<List<@Nullable String>> mono = proxy.mono(List.of("a"));
    assertThat(calls()).isEmpty();
    assertThat(mono.block()).containsExactly("book a");
    assertThat(mono.block()).containsExactly("book a");
    assertThat(calls()).hasSize(1);
    cache().clear();
    assertThat(mono.block()).containsExactly("book a");
    assertThat(calls()).hasSize(1);
  }

  @Test
  void aLaterSubscriptionReturnsWhatIsStoredByThen() {
    Mono<List<@Nullable String>> mono = proxy.monoWithoutNulls(List.of("x", "xx"));
    assertThat(mono.block()).containsExactly(null, null);
    cache().put("x", "a book");
    assertThat(mono.block()).containsExactly("a book", null);
  }

  @Test
  void aValueThatTheMethodCannotReturnIsAMiss() {
    assertThat(proxy.inOrder(List.of("aa", "b"))).hasSize(2);
    calls();
    assertThat(proxy.numbers(List.of("aa", "b"))).containsExactly(2, 1);
    assertThat(proxy.numbers(List.of("aa", "b"))).containsExactly(2, 1);
    assertThat(calls()).containsExactly(List.of("aa", "b"));
  }

  @Test
  void aNullArgumentReachesTheMethod() {
    assertThat(catchThrowable(() -> proxy.map(null))).isInstanceOf(NullPointerException.class);
    assertThatThrownBy(() -> proxy.map(Arrays.asList("a", null)))
        .isInstanceOf(NullPointerException.class)
        .hasMessageContaining("An element is null");
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aCacheThatWaitsStoresAfterTheCommit(boolean commits) throws Throwable {
    restart(true);
    TransactionTemplate template = new TransactionTemplate(new ResourcelessTransactions());
    template.executeWithoutResult(
        status -> {
          assertThat(find("a", "b", "c")).hasSize(3);
          assertThat(cache().get("a")).isNull();
          cache().evict("c");
          if (!commits) {
            status.setRollbackOnly();
          }
        });
    calls();
    assertThat(find("a", "b", "c")).hasSize(3);
    assertThat(calls()).containsExactly(commits ? List.of("c") : List.of("a", "b", "c"));
  }

  private Map<String, String> find(String... isbns) {
    try {
      return proxy.map(List.of(isbns));
    } catch (Throwable e) {
      throw new AssertionError(e);
    }
  }

  private void restart(boolean transactionAware) {
    context.close();
    manager.close();
    manager = new RockpoolCacheManager(pool);
    manager.setTransactionAware(transactionAware);
    start();
  }

  @Test
  void valuesAreThereAfterARestart(@TempDir Path directory) {
    for (int i = 0; i < 2; i++) {
      try (Rockpool stored = Rockpool.open(directory);
          RockpoolCacheManager own = new RockpoolCacheManager(stored)) {
        Books started = start(own, Books.class, Config.class);
        books = target(started);
        assertThat(started.inOrder(List.of("a", "x"))).containsExactly("book a", null);
        assertThat(calls()).hasSize(1 - i);
        context.close();
      }
    }
  }

  @Test
  void onlyRockpoolsManagerWillDo() {
    context.close();
    assertThatThrownBy(() -> start(new ConcurrentMapCacheManager(), Books.class, Config.class))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("which is a org.springframework.cache.concurrent.ConcurrentMapCache")
        .hasMessageContaining("Name a cache of a RockpoolCacheManager");
    assertThatThrownBy(
            () -> start(new ConcurrentMapCacheManager("other"), Books.class, Config.class))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("which the manager does not have");
    Books uncached = start(new NoOpCacheManager(), Books.class, Config.class);
    assertThat(uncached.inOrder(List.of("a"))).containsExactly("book a");
  }

  interface Refused {
    @CacheableAll({"a", "b"})
    Map<String, String> twoCaches(List<String> keys);

    @CacheableAll
    Map<String, String> noCache(List<String> keys);

    @CacheableAll("a")
    @Cacheable("a")
    Map<String, String> alsoCacheable(List<String> keys);

    @CacheableAll("a")
    Map<String, String> noCollection(String key);

    @CacheableAll("a")
    Map<String, String> twoCollections(List<String> keys, Set<String> others);

    @CacheableAll("a")
    @SuppressWarnings("NonApiType") // is what is refused
    Map<String, String> ownCollection(LinkedList<String> keys);

    @CacheableAll("a")
    String noValues(List<String> keys);

    @CacheableAll("a")
    void nothing(List<String> keys);

    @CacheableAll("a")
    CompletableFuture<String> futureOfNoValues(List<String> keys);

    @CacheableAll("a")
    Future<Map<String, String>> plainFuture(List<String> keys);

    @CacheableAll(value = "a", resultKey = "#result")
    Map<String, String> mapWithResultKey(List<String> keys);

    @CacheableAll(value = "a", key = "#element(")
    Map<String, String> noExpression(List<String> keys);

    @CacheableAll(value = "a", ttl = "ten minutes")
    Map<String, String> noDuration(List<String> keys);
  }

  @Test
  void whatCannotWorkIsRefusedAtTheStart() {
    for (Method method : Refused.class.getMethods()) {
      assertThatThrownBy(() -> BulkMethod.of(method, Refused.class, text -> text))
          .as(method.getName())
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining(method.toString())
          .hasMessageContaining("has @CacheableAll")
          .hasMessageMatching("(?s).*\\. .+|.*: .+");
    }
    context.close();
    assertThatThrownBy(
            () -> {
              context = new AnnotationConfigApplicationContext();
              context.registerBean("cacheManager", CacheManager.class, () -> manager);
              context.registerBean(Bad.class);
              context.register(Config.class);
              context.refresh();
            })
        .rootCause()
        .hasMessageContaining("has @CacheableAll and returns neither");
  }

  static class Bad {
    @CacheableAll("books")
    public String find(List<String> isbns) {
      return "";
    }
  }
}
