package io.rockpool.quarkus.internal.deployment;

import static io.rockpool.quarkus.internal.deployment.Library.book;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.MeterRegistry;
import io.quarkus.cache.Cache;
import io.quarkus.cache.CacheManager;
import io.quarkus.cache.CompositeCacheKey;
import io.quarkus.test.QuarkusUnitTest;
import io.rockpool.Rockpool;
import io.rockpool.cache.PersistentCache;
import io.rockpool.quarkus.StoredCache;
import io.rockpool.quarkus.internal.deployment.Library.Book;
import io.rockpool.quarkus.internal.deployment.Library.Shelf;
import io.rockpool.testing.DocumentExamples;
import io.smallrye.common.vertx.VertxContext;
import io.smallrye.health.SmallRyeHealthReporter;
import io.smallrye.mutiny.Uni;
import io.vertx.core.Context;
import io.vertx.core.Vertx;
import jakarta.inject.Inject;
import java.time.DayOfWeek;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** An application of Quarkus whose beans have its cache annotations. */
@Timeout(60)
final class QuarkusTest {
  @RegisterExtension
  static final QuarkusUnitTest APPLICATION =
      new QuarkusUnitTest()
          .withApplicationRoot(jar -> jar.addClasses(Library.class, Shop.class))
          .overrideConfigKey("quarkus.cache.type", "rockpool")
          .overrideConfigKey("quarkus.cache.\"memory\".type", "caffeine")
          .overrideRuntimeConfigKey("quarkus.http.test-port", "0")
          .overrideRuntimeConfigKey("quarkus.rockpool.directory", "temporary")
          .overrideRuntimeConfigKey("quarkus.rockpool.memory", "32M")
          .overrideRuntimeConfigKey("quarkus.rockpool.disk-budget", "1G")
          .overrideRuntimeConfigKey("quarkus.rockpool.durability", "buffered")
          .overrideRuntimeConfigKey("quarkus.rockpool.caches.\"brief\".expire-after-write", "1H")
          .overrideRuntimeConfigKey("quarkus.rockpool.caches.\"brief\".hot-entries", "10")
          .overrideRuntimeConfigKey("quarkus.rockpool.caches.\"brief\".maximum-size", "100")
          .overrideRuntimeConfigKey("quarkus.rockpool.caches.\"brief\".disk-budget", "16M")
          .overrideRuntimeConfigKey("quarkus.rockpool.caches.\"brief\".jitter", "0.1")
          .overrideRuntimeConfigKey("quarkus.rockpool.caches.\"brief\".durability", "sync")
          .overrideRuntimeConfigKey("quarkus.rockpool.caches.shelf.expire-after-access", "2H");

  @Inject Library library;
  @Inject Shop shop;
  @Inject CacheManager caches;
  @Inject Rockpool pool;
  @Inject Vertx vertx;
  @Inject MeterRegistry meters;
  @Inject SmallRyeHealthReporter health;

  @BeforeEach
  void empty() {
    for (String name : caches.getCacheNames()) {
      caches.getCache(name).orElseThrow().invalidateAll().await().indefinitely();
    }
    library.calls();
  }

  private PersistentCache<Object, Object> stored(String name) {
    return caches.getCache(name).orElseThrow().as(StoredCache.class).persistentCache();
  }

  /** That the second of two equal calls is a hit. */
  private void assertCached(Supplier<Object> call) {
    Object first = call.get();
    assertThat(call.get()).isEqualTo(first);
    assertThat(library.calls()).isEqualTo(1);
  }

  @Test
  void theSecondCallOfEachKindIsAHit() {
    assertCached(() -> library.find("1"));
    assertCached(() -> library.optional("1"));
    assertCached(() -> library.optional(""));
    assertCached(() -> library.all("Ann"));
    assertCached(() -> library.count());
    assertCached(() -> library.uni("1").await().indefinitely());
    assertCached(() -> library.stage("1").toCompletableFuture().join());
    assertCached(() -> library.future("1").join());
    assertThat(library.find("1")).isEqualTo(book("1"));
    assertThat(library.uni("1").await().indefinitely()).isEqualTo(book("1"));
  }

  @Test
  void keysOfEachTypeAreFound() {
    UUID uuid = UUID.randomUUID();
    assertCached(() -> library.byUuid(uuid));
    assertCached(() -> library.byDay(DayOfWeek.MONDAY));
    assertCached(() -> library.byRecord(new Shelf("attic", 5)));
    assertCached(() -> library.byArray(new byte[] {1, 2}));
    assertCached(() -> library.byLong(5));
    assertThat(library.byDay(DayOfWeek.FRIDAY).isbn()).isEqualTo("FRIDAY");
    assertThat(library.byRecord(new Shelf("attic", 6)).isbn()).isNotEqualTo("attic");
    assertThat(library.byArray(new byte[] {1, 3}).isbn()).isEqualTo("2");
    assertThat(library.byLong(6).isbn()).isEqualTo("6");
    assertThat(library.calls()).isEqualTo(4);
  }

  @Test
  void theKeyOfSeveralParametersIsTheirValues() {
    assertCached(() -> library.price("1", new String[] {"a"}, 5));
    assertCached(() -> library.price("1", new String[] {"b"}, 5));
    assertCached(() -> library.price("1", new String[] {"a"}, 6));
    assertCached(() -> library.price("1", null, 6));
    library.removePrice("1", new String[] {"a"}, 6);
    assertCached(() -> library.price("1", new String[] {"a"}, 6));
    library.price("1", new String[] {"b"}, 5);
    assertThat(library.calls()).isZero();
  }

  @Test
  void theKeyIsThatOfTheAnnotationOrTheGenerator() {
    library.first("1", "a");
    library.first("1", "b");
    assertThat(library.calls()).isEqualTo(1);
    library.capitals("a");
    library.capitals("A");
    assertThat(library.calls()).isEqualTo(1);
    assertThat(stored("capitals").get("A")).isEqualTo(book("a"));
  }

  @Test
  void aMethodWithoutParametersHasOneEntry() {
    long first = library.count();
    assertThat(library.count()).isEqualTo(first);
    library.removeCount();
    library.calls();
    assertCached(() -> library.count());
  }

  @Test
  void aNullIsNotStored() {
    for (int i = 0; i < 2; i++) {
      assertThat(library.find("")).isNull();
      assertThat(library.uni("").await().indefinitely()).isNull();
      assertThat(library.future("").join()).isNull();
      assertThat(library.stage("").toCompletableFuture().join()).isNull();
      assertThat(library.calls()).isEqualTo(4);
    }
  }

  @Test
  void anExceptionReachesTheCallerAndIsNotStored() {
    for (int i = 0; i < 2; i++) {
      for (Runnable call :
          List.<Runnable>of(
              () -> library.find("bad"), () -> library.uni("bad").await().indefinitely())) {
        assertThatThrownBy(call::run)
            .isExactlyInstanceOf(IllegalStateException.class)
            .hasMessage("no such book");
      }
      assertThatThrownBy(() -> library.stage("bad").toCompletableFuture().join())
          .isInstanceOf(CompletionException.class)
          .hasRootCauseMessage("no such book");
      assertThat(library.calls()).isEqualTo(3);
    }
  }

  @Test
  void invalidationsOfEachKindReachTheCache() {
    List<Runnable> ones =
        List.of(
            () -> library.remove("1"),
            () -> library.removeLater("1").await().indefinitely(),
            () -> library.removeFuture("1").join(),
            () -> library.removeFromBoth("1"));
    for (Runnable remove : ones) {
      library.find("1");
      library.find("2");
      library.calls();
      remove.run();
      assertCached(() -> library.find("1"));
      library.find("2");
      assertThat(library.calls()).isZero();
    }
    List<Runnable> all =
        List.of(
            library::removeAll,
            () -> library.removeAllLater().await().indefinitely(),
            () -> library.removeAllFuture().join());
    for (Runnable remove : all) {
      library.find("1");
      library.calls();
      remove.run();
      assertCached(() -> library.find("1"));
    }
  }

  @Test
  void twoCachesHaveTheirOwnEntries() {
    assertCached(() -> library.find("1"));
    assertCached(() -> library.other("1"));
    library.remove("1");
    library.other("1");
    assertThat(library.calls()).isZero();
    library.removeFromBoth("1");
    assertCached(() -> library.other("1"));
  }

  @Test
  void callsAtTheSameTimeRunTheMethodOnce() throws Exception {
    for (Supplier<Book> call :
        List.<Supplier<Book>>of(
            () -> {
              try {
                return library.slow("1");
              } catch (InterruptedException e) {
                throw new IllegalStateException(e);
              }
            },
            () -> library.slowUni("1").await().indefinitely())) {
      CountDownLatch gate = library.shut();
      List<CompletableFuture<Book>> results = new ArrayList<>();
      for (int i = 0; i < 4; i++) {
        results.add(CompletableFuture.supplyAsync(call));
      }
      Thread.sleep(200); // the others are likely to wait by now
      gate.countDown();
      for (CompletableFuture<Book> result : results) {
        assertThat(result.get(10, TimeUnit.SECONDS)).isEqualTo(book("1"));
      }
      assertThat(library.calls()).isEqualTo(1);
    }
  }

  @Test
  void aCallerWithALockTimeoutLeavesTheLoadOfAnother() throws Exception {
    CountDownLatch gate = library.shut();
    CompletableFuture<Book> first =
        CompletableFuture.supplyAsync(
            () -> {
              try {
                return library.slow("1");
              } catch (InterruptedException e) {
                throw new IllegalStateException(e);
              }
            });
    while (library.calls() == 0) {
      Thread.sleep(1);
    }
    assertThat(library.impatient("1")).isEqualTo(book("1"));
    assertThat(first).isNotDone();
    gate.countDown();
    assertThat(first.get(10, TimeUnit.SECONDS)).isEqualTo(book("1"));
  }

  /** Runs a call on an event loop, as a request does. */
  private <T> T onEventLoop(Supplier<Uni<T>> call, Consumer<Context> check) throws Exception {
    CompletableFuture<T> result = new CompletableFuture<>();
    Context request = VertxContext.createNewDuplicatedContext(vertx.getOrCreateContext());
    request.runOnContext(
        nothing ->
            call.get()
                .invoke(() -> check.accept(request))
                .subscribe()
                .with(result::complete, result::completeExceptionally));
    return result.get(10, TimeUnit.SECONDS);
  }

  private static void assertOnEventLoopOf(Context request) {
    assertThat(Context.isOnEventLoopThread()).isTrue();
    assertThat(Vertx.currentContext()).isSameAs(request);
  }

  @Test
  void onAnEventLoopMethodAndResultStayThereAndTheStoreDoesNot() throws Exception {
    Cache cache = caches.getCache("unis").orElseThrow();
    Set<Context> loadedOn = new HashSet<>();
    for (int i = 0; i < 2; i++) {
      Set<Context> ran = new HashSet<>();
      Supplier<Uni<Book>> read =
          () ->
              cache.getAsync(
                  "loop",
                  key -> {
                    assertOnEventLoopOf(Vertx.currentContext());
                    ran.add(Vertx.currentContext());
                    return Uni.createFrom().item(book("loop"));
                  });
      Book value =
          onEventLoop(
              read,
              request -> {
                assertOnEventLoopOf(request);
                assertThat(ran).isSubsetOf(request);
              });
      assertThat(value).isEqualTo(book("loop"));
      loadedOn.addAll(ran);
    }
    assertThat(loadedOn).hasSize(1);
    onEventLoop(() -> cache.invalidate("loop"), QuarkusTest::assertOnEventLoopOf);
    assertThat(stored("unis").containsKey("loop")).isFalse();
  }

  @Test
  void aContextOfAWorkerThreadIsKept() throws Exception {
    Cache cache = caches.getCache("unis").orElseThrow();
    Context request = VertxContext.createNewDuplicatedContext(vertx.getOrCreateContext());
    List<Context> seen = new ArrayList<>();
    Supplier<Uni<Book>> later =
        () -> Uni.createFrom().item(book("worker")).onItem().delayIt().by(Duration.ofMillis(20));
    Book value =
        request
            .executeBlocking(
                () ->
                    cache
                        .<String, Book>getAsync("worker", key -> later.get())
                        .invoke(
                            () -> {
                              assertThat(Context.isOnEventLoopThread()).isFalse();
                              seen.add(Vertx.currentContext());
                            })
                        .await()
                        .indefinitely(),
                false)
            .toCompletionStage()
            .toCompletableFuture()
            .get(10, TimeUnit.SECONDS);
    assertThat(value).isEqualTo(book("worker"));
    assertThat(seen).containsExactly(request);
  }

  @Test
  void entriesAreInvalidatedByTheirKeysAsQuarkusHasThem() {
    library.price("1", null, 5);
    library.price("2", null, 5);
    library.count();
    library.calls();
    Cache prices = caches.getCache("prices").orElseThrow();
    prices.invalidateIf(new CompositeCacheKey("1", null, 5)::equals).await().indefinitely();
    Cache counts = caches.getCache("counts").orElseThrow();
    counts.invalidateIf(counts.getDefaultKey()::equals).await().indefinitely();
    library.price("2", null, 5);
    assertThat(library.calls()).isZero();
    assertCached(() -> library.price("1", null, 5));
    assertCached(() -> library.count());
    assertThatThrownBy(() -> prices.invalidate(null)).isInstanceOf(NullPointerException.class);
  }

  @Test
  void propertiesSetTheOptionsOfACache() {
    library.brief("1");
    assertThat(stored("brief").ttl("1"))
        .hasValueSatisfying(
            ttl -> assertThat(ttl).isBetween(Duration.ofMinutes(50), Duration.ofHours(1)));
    stored("shelf").put("1", "x");
    assertThat(stored("shelf").ttl("1"))
        .hasValueSatisfying(
            ttl -> assertThat(ttl).isBetween(Duration.ofMinutes(119), Duration.ofHours(2)));
  }

  @Test
  void aCacheMayStayInMemory() {
    assertCached(() -> library.inMemory("1"));
    assertThat(caches.getCacheNames()).contains("memory", "books");
    assertThat(pool.names().find("books")).isPresent();
    assertThat(pool.names().find("memory")).isEmpty();
  }

  @Test
  void theExampleOfThePageRuns() throws Exception {
    assertThat(shop.find("1")).isNull();
    shop.database.put("1", "One");
    assertThat(shop.find("1")).isEqualTo("One");
    shop.database.clear();
    assertThat(shop.find("1")).isEqualTo("One");
    assertThat(shop.findLater("1").await().indefinitely()).isEqualTo("One");
    shop.save("1", "Two");
    assertThat(shop.find("1")).isEqualTo("Two");
    shop.removeAll();
    shop.database.clear();
    assertThat(shop.find("1")).isNull();
    DocumentExamples.assertIn("docs/quarkus.md", "QUARKUS", Shop.class);
  }

  @Test
  void healthIsThatOfTheStore() {
    assertThat(health.getReadiness().getPayload().toString())
        .contains("\"name\":\"rockpool\",\"status\":\"UP\"", "diskBytes");
  }

  @Test
  void cachesHaveMeters() {
    double hits = meter("hit");
    double misses = meter("miss");
    library.find("1");
    library.find("1");
    assertThat(meter("hit")).isEqualTo(hits + 1);
    assertThat(meter("miss")).isEqualTo(misses + 1);
  }

  private double meter(String result) {
    FunctionCounter counter =
        meters.get("cache.gets").tag("cache", "books").tag("result", result).functionCounter();
    return counter.count();
  }
}
