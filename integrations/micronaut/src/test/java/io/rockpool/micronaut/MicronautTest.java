package io.rockpool.micronaut;

import static io.rockpool.micronaut.Library.book;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.micronaut.cache.CacheManager;
import io.micronaut.cache.SyncCache;
import io.micronaut.cache.annotation.CacheConfig;
import io.micronaut.cache.annotation.CacheInvalidate;
import io.micronaut.cache.annotation.CachePut;
import io.micronaut.cache.annotation.Cacheable;
import io.micronaut.context.ApplicationContext;
import io.micronaut.context.env.PropertySource;
import io.micronaut.core.annotation.Nullable;
import io.micronaut.core.type.Argument;
import io.micronaut.health.HealthStatus;
import io.micronaut.management.health.indicator.HealthResult;
import io.rockpool.Rockpool;
import io.rockpool.cache.PersistentCache;
import io.rockpool.error.StoreClosedException;
import io.rockpool.micronaut.Library.Book;
import io.rockpool.store.Durability;
import io.rockpool.structure.PersistentMap;
import io.rockpool.testing.DocumentExamples;
import jakarta.inject.Singleton;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Mono;

/** Applications of Micronaut whose beans have its cache annotations. */
@Timeout(60)
final class MicronautTest {
  /** A cached method, which counts that it ran. */
  private record Call(String name, Body body) {
    interface Body {
      Object of(Library library) throws Exception;
    }

    @Override
    public String toString() {
      return name;
    }
  }

  // MICRONAUT
  @Singleton
  @CacheConfig("shelf")
  static class Shelf {
    private final Map<String, Book> database = new ConcurrentHashMap<>();

    @Cacheable
    public @Nullable Book find(String isbn) {
      return database.get(isbn);
    }

    @CachePut(parameters = "isbn")
    public Book save(String isbn, String title) {
      Book saved = new Book(isbn, title, List.of());
      database.put(isbn, saved);
      return saved;
    }

    @CacheInvalidate
    public void remove(String isbn) {
      database.remove(isbn);
    }
  }

  // MICRONAUT

  @TempDir private Path directory;

  private ApplicationContext start(Object... properties) {
    Map<String, Object> all = new HashMap<>();
    all.put("rockpool.directory", directory.resolve("store").toString());
    for (int i = 0; i < properties.length; i += 2) {
      all.put((String) properties[i], properties[i + 1]);
    }
    return ApplicationContext.run(PropertySource.of("test", all));
  }

  static Stream<Call> calls() {
    return Stream.of(
        new Call("value", it -> it.find("1")),
        new Call("atomic", it -> it.findOnce("1")),
        new Call("optional", it -> it.findOptional("1")),
        new Call("atomic optional", it -> it.findOptionalOnce("1")),
        new Call("parameters", it -> it.price("1", new String[] {"a"}, 5)),
        new Call("null parameter", it -> it.price("1", null, 5)),
        new Call("no parameter", Library::count),
        new Call("list", it -> it.all("Ann")),
        new Call("future", it -> it.later("1").get()),
        new Call("mono", it -> it.mono("1").block()),
        new Call("mono of a list", it -> it.monoOfList("Ann").block()));
  }

  @ParameterizedTest
  @MethodSource("calls")
  void aCachedMethodIsNotCalledAgainNorAfterARestart(Call call) throws Exception {
    Object first;
    try (ApplicationContext context = start()) {
      Library library = context.getBean(Library.class);
      first = call.body.of(library);
      assertThat(call.body.of(library)).isEqualTo(first);
      assertThat(library.calls).hasValue(1);
    }
    try (ApplicationContext context = start()) {
      Library library = context.getBean(Library.class);
      assertThat(call.body.of(library)).isEqualTo(first);
      assertThat(library.calls).hasValue(0);
    }
  }

  @Test
  void putsAndInvalidationsReachTheCacheOfTheMethod() {
    try (ApplicationContext context = start()) {
      Library library = context.getBean(Library.class);
      assertThat(library.find("1")).isEqualTo(book("1"));
      assertThat(library.save("1", "New")).isEqualTo(library.find("1"));
      assertThat(library.calls).hasValue(1);
      library.remove("1");
      assertThat(library.find("1")).isEqualTo(book("1"));
      assertThat(library.calls).hasValue(2);
      library.removeAll();
      assertThat(library.find("1")).isEqualTo(book("1"));
      assertThat(library.calls).hasValue(3);
    }
  }

  @Test
  void theExampleOfThePageRuns() {
    try (ApplicationContext context = start("rockpool.caches.shelf.ttl", "1h")) {
      Shelf shelf = context.getBean(Shelf.class);
      assertThat(shelf.find("1")).isNull();
      Book saved = shelf.save("1", "One");
      shelf.database.clear();
      assertThat(shelf.find("1")).isEqualTo(saved);
      shelf.remove("1");
      assertThat(shelf.find("1")).isNull();
    }
    DocumentExamples.assertIn("docs/micronaut.md", "MICRONAUT", MicronautTest.class);
  }

  @Test
  void keysAreTheValuesOfAllParameters() {
    try (ApplicationContext context = start()) {
      Library library = context.getBean(Library.class);
      assertThat(library.price("1", new String[] {"a"}, 5)).isEqualTo(7);
      assertThat(library.price("1", new String[] {"b"}, 5)).isEqualTo(7);
      assertThat(library.price("1", new String[] {"a"}, 6)).isEqualTo(8);
      assertThat(library.price("1", null, 6)).isEqualTo(7);
      assertThat(library.calls).hasValue(4);
    }
  }

  @Test
  void aNullIsNotStored() throws Exception {
    try (ApplicationContext context = start()) {
      Library library = context.getBean(Library.class);
      for (int i = 1; i <= 2; i++) {
        assertThat(library.find("")).isNull();
        assertThat(library.findOnce("")).isNull();
        assertThat(library.findOptional("")).isEmpty();
        assertThat(library.findOptionalOnce("")).isEmpty();
        assertThat(library.calls).hasValue(4 * i);
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"1", ""})
  void callsAtTheSameTimeOfAnAtomicMethodRunItOnce(String isbn) throws Exception {
    try (ApplicationContext context = start()) {
      Library library = context.getBean(Library.class);
      library.gate = new CountDownLatch(1);
      Callable<Object> call = () -> library.findOptionalOnce(isbn);
      ExecutorService threads = Executors.newFixedThreadPool(4);
      try {
        List<Future<Object>> results = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
          results.add(threads.submit(call));
        }
        Thread.sleep(200); // the others are likely to wait by now
        library.gate.countDown();
        for (Future<Object> result : results) {
          assertThat(result.get())
              .isEqualTo(isbn.isEmpty() ? Optional.empty() : Optional.of(book(isbn)));
        }
      } finally {
        threads.shutdownNow();
      }
      if (!isbn.isEmpty()) {
        assertThat(library.calls).hasValue(1);
      }
    }
  }

  @Test
  void anExceptionReachesTheCallerAndIsNotStored() {
    try (ApplicationContext context = start()) {
      Library library = context.getBean(Library.class);
      for (int i = 1; i <= 2; i++) {
        assertThatThrownBy(() -> library.findOnce("bad"))
            .isExactlyInstanceOf(IllegalStateException.class)
            .hasMessage("no such book");
        assertThat(library.calls).hasValue(i);
      }
    }
  }

  @Test
  void propertiesSetTheOptionsOfACache() {
    try (ApplicationContext context =
        start(
            "rockpool.caches.brief.ttl", "1h",
            "rockpool.caches.brief.hot-entries", 10,
            "rockpool.caches.brief.maximum-size", 100,
            "rockpool.caches.brief.disk-budget", "16MB",
            "rockpool.caches.brief.jitter", 0.1,
            "rockpool.caches.brief.durability", "sync",
            "rockpool.durability", "buffered",
            "rockpool.memory", "32MB",
            "rockpool.disk-budget", "1GB",
            "rockpool.lock-wait", "1s")) {
      assertThat(context.getBean(Library.class).brief("1")).isEqualTo(book("1"));
      assertThat(cache(context, "brief").getNativeCache().ttl("1"))
          .hasValueSatisfying(
              ttl -> assertThat(ttl).isBetween(Duration.ofMinutes(50), Duration.ofHours(1)));
      CacheProperties read = context.getBean(CacheProperties.class);
      assertThat(read)
          .isEqualTo(
              new CacheProperties(
                  "brief",
                  Duration.ofHours(1),
                  null,
                  10L,
                  null,
                  100L,
                  16L << 20,
                  0.1,
                  Durability.SYNC));
      StoreProperties store = context.getBean(StoreProperties.class);
      assertThat(store.memory()).isEqualTo(32L << 20);
      assertThat(store.durability()).isEqualTo(Durability.BUFFERED);
    }
  }

  @SuppressWarnings("unchecked")
  private static SyncCache<PersistentCache<Object, Object>> cache(
      ApplicationContext context, String name) {
    return context.getBean(CacheManager.class).getCache(name);
  }

  @Test
  void theManagersCacheIsThatOfTheStore() {
    try (ApplicationContext context = start()) {
      SyncCache<PersistentCache<Object, Object>> cache = cache(context, "books");
      assertThat(cache.getName()).isEqualTo("books");
      assertThat(cache.putIfAbsent("1", book("1"))).isEmpty();
      assertThat(cache.putIfAbsent("1", book("2"))).hasValue(book("1"));
      assertThat(context.getBean(Library.class).find("1")).isEqualTo(book("1"));
      cache.put("2", "text");
      assertThat(cache.get("2", Integer.class)).isEmpty();
      assertThat(cache.get("2", Argument.of(Integer.class), () -> 7)).isEqualTo(7);
      assertThat(cache.get("2", Integer.class)).hasValue(7);
      assertThat(cache.get("2", String.class)).hasValue("7");
      cache.put("2", null);
      assertThat(cache.get("2", String.class)).isEmpty();
      assertThat(context.getBean(Rockpool.class).names().find("books")).isPresent();
    }
  }

  /** A use of a cache, which finds it empty. */
  private enum Use {
    GET(cache -> assertThat(cache.get("1", Book.class)).isEmpty()),
    LOAD(
        cache ->
            assertThat(cache.get("1", Argument.of(Book.class), () -> book("new")))
                .isEqualTo(book("new"))),
    PUT(cache -> cache.put("1", book("new"))),
    PUT_NULL(cache -> cache.put("1", null)),
    PUT_IF_ABSENT(cache -> assertThat(cache.putIfAbsent("1", book("new"))).isEmpty()),
    INVALIDATE(cache -> cache.invalidate("1")),
    INVALIDATE_ALL(SyncCache::invalidateAll),
    ASYNC(cache -> assertThat(cache.async().get("1", Book.class).join()).isEmpty());

    @SuppressWarnings("ImmutableEnumChecker") // lambdas without state
    private final Consumer<SyncCache<PersistentCache<Object, Object>>> use;

    Use(Consumer<SyncCache<PersistentCache<Object, Object>>> use) {
      this.use = use;
    }
  }

  @ParameterizedTest
  @EnumSource
  void aCacheThatWasDroppedGoesOnEmpty(Use use) {
    try (ApplicationContext context = start()) {
      SyncCache<PersistentCache<Object, Object>> cache = cache(context, "books");
      cache.put("1", book("1"));
      assertThat(context.getBean(Rockpool.class).names().drop("books")).isTrue();
      use.use.accept(cache);
      cache.put("1", book("2"));
      assertThat(context.getBean(Library.class).find("1")).isEqualTo(book("2"));
      assertThat(cache.getNativeCache().isClosed()).isFalse();
      context.getBean(Rockpool.class).close();
      assertThatThrownBy(() -> cache.put("1", book("3"))).isInstanceOf(StoreClosedException.class);
    }
  }

  @Test
  void aMethodThatMeetsADroppedNameFailsAndIsNotCalledAgain() {
    try (ApplicationContext context = start()) {
      PersistentMap<String, String> other =
          context.getBean(Rockpool.class).map("other", String.class, String.class);
      context.getBean(Rockpool.class).names().drop("other");
      AtomicInteger calls = new AtomicInteger();
      SyncCache<PersistentCache<Object, Object>> cache = cache(context, "books");
      assertThatThrownBy(
              () ->
                  cache.get(
                      "1",
                      Argument.of(String.class),
                      () -> {
                        calls.incrementAndGet();
                        return other.get("1");
                      }))
          .isInstanceOf(StoreClosedException.class);
      assertThat(calls).hasValue(1);
    }
  }

  @Test
  void aMethodInATransactionMayBeTheFirstToUseACache() {
    try (ApplicationContext context = start()) {
      Library library = context.getBean(Library.class);
      Rockpool pool = context.getBean(Rockpool.class);
      assertThat(pool.<Book>atomically(transaction -> library.find("1"))).isEqualTo(book("1"));
    }
  }

  @Test
  void healthIsThatOfTheStore() {
    try (ApplicationContext context = start()) {
      HealthResult up = Mono.from(context.getBean(StoreHealth.class).getResult()).block();
      assertThat(up.getName()).isEqualTo("rockpool");
      assertThat(up.getStatus()).isEqualTo(HealthStatus.UP);
      assertThat(((Map<?, ?>) up.getDetails()).keySet()).hasToString("[store, diskBytes]");
      context.getBean(Rockpool.class).close();
      HealthResult down = Mono.from(context.getBean(StoreHealth.class).getResult()).block();
      assertThat(down.getStatus()).isEqualTo(HealthStatus.DOWN);
    }
  }

  @Test
  void healthCanBeTurnedOff() {
    try (ApplicationContext context = start("rockpool.health.enabled", false)) {
      assertThat(context.containsBean(StoreHealth.class)).isFalse();
    }
  }

  @Test
  void aStoreOfTheApplicationIsUsed() {
    try (Rockpool pool = Rockpool.inMemory();
        ApplicationContext context = ApplicationContext.builder().singletons(pool).start()) {
      assertThat(context.getBean(Library.class).find("1")).isEqualTo(book("1"));
      assertThat(pool.names().find("books")).isPresent();
    }
  }
}
