package io.rockpool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rockpool.cache.CacheExpiry;
import io.rockpool.cache.CacheOptions;
import io.rockpool.cache.PersistentCache;
import io.rockpool.codec.TypeRef;
import io.rockpool.error.ForeignDirectoryException;
import io.rockpool.error.NameConflictException;
import io.rockpool.store.Durability;
import io.rockpool.structure.PersistentMap;
import io.rockpool.structure.PersistentSortedMap;
import io.rockpool.testing.FakeClock;
import io.rockpool.testing.Rounds;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RockpoolTest {
  @TempDir Path directory;

  private record Order(String id, List<String> lines, long cents) {}

  private static final Duration HOUR = Duration.ofHours(1);
  private static final TypeRef<List<Order>> ORDERS = new TypeRef<>() {};

  @Test
  void whatACacheHoldsIsThereAfterReopening() {
    Order order = new Order("o-1", List.of("apples", "pears"), 1_250);
    try (Rockpool pool = Rockpool.open(directory)) {
      pool.cache("shop/orders", String.class, Order.class).put("o-1", order);
      pool.cache("shop/baskets", TypeRef.of(Long.class), ORDERS, o -> o)
          .put(7L, List.of(order, order));
    }
    try (Rockpool pool = Rockpool.open(directory)) {
      assertThat(pool.cache("shop/orders", String.class, Order.class).get("o-1")).isEqualTo(order);
      assertThat(pool.cache("shop/baskets", TypeRef.of(Long.class), ORDERS, o -> o).get(7L))
          .containsExactly(order, order);
    }
  }

  @Test
  void handlesOfOneDirectoryShareOneStoreUntilTheLastIsClosed() throws IOException {
    Path link = directory.resolve("link");
    Path real = Files.createDirectory(directory.resolve("real"));
    Files.createSymbolicLink(link, real);
    Rockpool first = Rockpool.open(real);
    Rockpool second = Rockpool.open(link);
    PersistentCache<String, String> cache = first.cache("c", String.class, String.class);
    assertThat(second.cache("c", String.class, String.class)).isSameAs(cache);
    first.close();
    first.close();
    assertThatThrownBy(() -> first.names().list(""))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("closed");
    assertThatThrownBy(() -> first.runWithDurability(Durability.SYNC, second::flush))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("closed");
    cache.put("a", "1");
    assertThat(second.cache("c", String.class, String.class).get("a")).isEqualTo("1");
    second.close();
    assertThatThrownBy(() -> cache.get("a")).isInstanceOf(IllegalStateException.class);
    try (Rockpool third = Rockpool.open(real)) {
      assertThat(third.cache("c", String.class, String.class).get("a")).isEqualTo("1");
    }
  }

  @Test
  void anOpenStoreIsSharedOnlyWhereOptionsAgree() {
    try (Rockpool pool = Rockpool.at(directory).durability(Durability.SYNC).open()) {
      Rockpool.open(directory).close();
      Rockpool.at(directory).durability(Durability.SYNC).open().close();
      assertThatThrownBy(() -> Rockpool.at(directory).durability(Durability.BUFFERED).open())
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("another durability");
      assertThatThrownBy(() -> Rockpool.at(directory).memoryBytes(1 << 20).open())
          .isInstanceOf(IllegalStateException.class);
      assertThat(pool.names().list("")).isEmpty();
    }
  }

  @Test
  void aCacheIsOpenWithOneSetOfOptions() {
    CacheOptions<String, String> options =
        CacheOptions.<String, String>defaults()
            .expiry(CacheExpiry.afterWrite(Duration.ofHours(1)))
            .hotEntries(10);
    try (Rockpool pool = Rockpool.open(directory)) {
      PersistentCache<String, String> cache =
          pool.cache("c", String.class, String.class, o -> options);
      assertThat(pool.cache("c", String.class, String.class)).isSameAs(cache);
      assertThat(pool.cache("c", String.class, String.class, o -> options.hotEntries(10)))
          .isSameAs(cache);
      assertThatThrownBy(
              () -> pool.cache("c", String.class, String.class, o -> options.hotEntries(11)))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("\"c\"");
    }
  }

  @Test
  void optionsAreSetWhereACacheIsOpened() {
    TypeRef<String> text = TypeRef.of(String.class);
    TypeRef<List<Long>> numbers = new TypeRef<>() {};
    try (Rockpool pool = Rockpool.open(directory)) {
      PersistentCache<String, Long> cache =
          pool.cache("c", String.class, Long.class, o -> o.hotEntries(10).jitter(0.1));
      assertThat(cache.hotMemory().shared()).isFalse();
      assertThat(pool.cache("c", String.class, Long.class, o -> o.jitter(0.1).hotEntries(10)))
          .isSameAs(cache);
      PersistentCache<String, List<Long>> lists =
          pool.cache("l", text, numbers, o -> o.expiry(CacheExpiry.writing((k, v) -> HOUR)));
      lists.put("a", List.of(1L));
      assertThat(lists.ttl("a")).hasValueSatisfying(it -> assertThat(it).isLessThanOrEqualTo(HOUR));
      assertThat(pool.cache("l", text, numbers)).isSameAs(lists);
      try (PersistentCache<String, Long> closed = cache) {
        closed.put("a", 1L);
      }
      assertThatThrownBy(() -> cache.get("a")).isInstanceOf(IllegalStateException.class);
      cache.close();
      try (PersistentCache<String, Long> again = pool.cache("c", String.class, Long.class)) {
        assertThat(again.get("a")).isEqualTo(1L);
        pool.close();
      }
    }
  }

  @Test
  void aNameHoldsOneThingUnlessItIsReset() {
    try (Rockpool pool = Rockpool.open(directory)) {
      pool.cache("c", String.class, String.class).put("a", "1");
      assertThatThrownBy(() -> pool.cache("c", String.class, Long.class))
          .isInstanceOf(NameConflictException.class)
          .hasMessageContaining("java.lang.String")
          .hasMessageContaining("java.lang.Long");
      assertThat(pool.cache("c", String.class, String.class).get("a")).isEqualTo("1");
      PersistentCache<String, String> before = pool.cache("c", String.class, String.class);
      PersistentCache<String, Long> after =
          pool.cache(
              "c", String.class, Long.class, o -> o.onConflict(CacheOptions.OnConflict.RESET));
      assertThat(after).isEmpty();
      after.put("a", 2L);
      assertThatThrownBy(() -> before.get("a"))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("reset");
      assertThat(pool.names().find("c").orElseThrow().resets()).isEqualTo(1);
    }
    try (Rockpool pool = Rockpool.open(directory)) {
      assertThatThrownBy(() -> pool.cache("c", String.class, String.class))
          .isInstanceOf(NameConflictException.class);
      assertThat(pool.cache("c", String.class, Long.class).get("a")).isEqualTo(2);
    }
  }

  @Test
  void aStoreInMemoryHoldsEverythingUntilItIsClosed() {
    PersistentCache<String, Order> orders;
    Order order = new Order("o-1", List.of("apples"), 5);
    try (Rockpool pool = Rockpool.inMemory();
        Rockpool other = Rockpool.inMemory()) {
      assertThat(pool.directory()).isEmpty();
      orders = pool.cache("orders", String.class, Order.class);
      PersistentMap<String, Integer> stock = pool.map("stock", String.class, Integer.class);
      stock.put("apples", 3);
      pool.runAtomically(
          tx -> {
            orders.put("o-1", order);
            stock.merge("apples", -1, Integer::sum);
          });
      assertThat(orders.get("o-1")).isEqualTo(order);
      assertThat(stock).containsExactly(Map.entry("apples", 2));
      assertThat(pool.state().statistics()).isEmpty();
      assertThat(other.names().list("")).isEmpty();
    }
    assertThatThrownBy(() -> orders.get("o-1")).isInstanceOf(IllegalStateException.class);
  }

  @Test
  void aLevelIsWrittenAsANameIs() {
    try (Rockpool pool = Rockpool.at(directory).open()) {
      pool.cache("shop/orders", String.class, String.class);
      for (String level : List.of("shop/", "shop//")) {
        assertThatThrownBy(() -> pool.names().list(level))
            .isInstanceOf(IllegalArgumentException.class)
            .hasMessageContaining("write \"shop\"");
        assertThatThrownBy(() -> pool.names().dropLevel(level))
            .isInstanceOf(IllegalArgumentException.class)
            .hasMessageContaining("write \"shop\"");
      }
      assertThatThrownBy(() -> pool.names().dropLevel(""))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("dropAll");
      assertThat(pool.names().list("")).hasSize(1);
      for (String level : List.of("/", "//", "/shop", "shop//orders")) {
        assertThatThrownBy(() -> pool.names().list(level))
            .isInstanceOf(IllegalArgumentException.class)
            .hasMessageContaining("empty level");
      }
      assertThat(pool.names().list("shop")).hasSize(1);
    }
  }

  @Test
  void levelsAreListedDescribedAndDroppedWhole() throws IOException {
    FakeClock clock = new FakeClock();
    Instant created = clock.instant();
    try (Rockpool pool = Rockpool.at(directory).clock(clock).open()) {
      for (String name : List.of("shop/orders", "shop/orders/by-day", "shopping", "users")) {
        pool.cache(name, String.class, Order.class).put("a", new Order("a", List.of(), 1));
      }
      clock.advanceMillis(5_000);
    }
    try (Rockpool pool = Rockpool.at(directory).clock(clock).open()) {
      assertThat(pool.names().list(""))
          .extracting(Description::name)
          .containsExactly("shop/orders", "shop/orders/by-day", "shopping", "users");
      assertThat(pool.names().list("shop"))
          .extracting(Description::name)
          .containsExactly("shop/orders", "shop/orders/by-day");
      PersistentCache<String, Order> orders =
          pool.cache("shop/orders/by-day", String.class, Order.class);
      Description description = pool.names().find("shop/orders/by-day").orElseThrow();
      assertThat(description.levels()).containsExactly("shop", "orders", "by-day");
      assertThat(description.type()).isEqualTo("cache");
      assertThat(description.keyType()).isEqualTo("java.lang.String");
      assertThat(description.valueType()).contains(Order.class.getName());
      assertThat(description.keyCodec()).isNotEmpty();
      assertThat(description.valueCodec()).isPresent();
      assertThat(description.count()).isEqualTo(OptionalLong.empty());
      assertThat(description.resets()).isZero();
      assertThat(description.created()).isEqualTo(created);
      assertThat(description.lastAccess()).isEqualTo(created.plusSeconds(5));
      assertThat(description.expires()).isEqualTo(Optional.empty());
      assertThat(pool.names().find("shop")).isEmpty();
      assertThat(pool.names().find("shop").isPresent()).isFalse();
      assertThat(pool.names().find("shop/orders").isPresent()).isTrue();
      assertThat(pool.names().list()).hasSize(4);
      assertThat(pool.directory()).contains(directory.toRealPath());

      assertThat(pool.names().dropLevel("shop")).isEqualTo(2);
      assertThatThrownBy(() -> orders.get("a"))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("dropped");
      assertThat(pool.names().list(""))
          .extracting(Description::name)
          .containsExactly("shopping", "users");
      assertThat(pool.names().drop("users")).isTrue();
      assertThat(pool.names().drop("users")).isFalse();
      assertThat(pool.cache("users", String.class, Long.class)).isEmpty();
    }
  }

  /** A new file system has an empty directory in its root directory. */
  @Test
  void anEmptyLostAndFoundIsNoForeignContent() throws IOException {
    Path lost = Files.createDirectory(directory.resolve("lost+found"));
    for (int opening = 0; opening < 2; opening++) {
      try (Rockpool pool = Rockpool.open(directory)) {
        pool.map("map", String.class, String.class).put("a", "b");
        assertThat(pool.verify().isClean()).isTrue();
      }
    }
    assertThat(lost).isEmptyDirectory();
  }

  @Test
  void aLostAndFoundWithFilesIsRefused() throws IOException {
    Files.createFile(Files.createDirectory(directory.resolve("lost+found")).resolve("#12"));
    assertThatThrownBy(() -> Rockpool.open(directory))
        .isInstanceOf(ForeignDirectoryException.class);
  }

  @Test
  void aPolicyThatReturnsNullForANewEntryIsNamed() {
    try (Rockpool pool = Rockpool.inMemory()) {
      CacheExpiry<String, String> none = CacheExpiry.writing((key, value) -> null);
      for (CacheExpiry<String, String> expiry : List.of(none, none.withJitter(0.5))) {
        PersistentCache<String, String> cache =
            pool.cache("orders", String.class, String.class, o -> o.expiry(expiry));
        assertThatThrownBy(() -> cache.put("a", "b"))
            .isInstanceOf(NullPointerException.class)
            .hasMessageContaining("\"orders\"")
            .hasMessageContaining("FOREVER");
        cache.close();
      }
    }
  }

  @Test
  void aDirectoryOfSomethingElseIsRefusedUntouched() throws IOException {
    Path file = Files.writeString(directory.resolve("precious.txt"), "mine");
    assertThatThrownBy(() -> Rockpool.open(directory))
        .isInstanceOf(ForeignDirectoryException.class)
        .hasMessageContaining(directory.toString());
    try (var files = Files.list(directory)) {
      assertThat(files).containsExactly(file);
    }
    assertThat(file).hasContent("mine");
  }

  @Test
  void closingWaitsForRunningCallsAndTheRestIsRefused() throws Exception {
    int threads = 8;
    int rounds = Rounds.of(15, 150);
    ExecutorService executor = Executors.newFixedThreadPool(threads);
    try {
      for (int round = 0; round < rounds; round++) {
        Rockpool pool = Rockpool.open(directory);
        PersistentCache<Integer, String> cache = pool.cache("busy", Integer.class, String.class);
        List<Future<Integer>> workers = new ArrayList<>();
        for (int thread = 0; thread < threads; thread++) {
          int number = thread;
          workers.add(executor.submit(() -> workUntilClosed(cache, number)));
        }
        TimeUnit.MICROSECONDS.sleep(round * 5_000L / rounds);
        pool.close();
        for (Future<Integer> worker : workers) {
          assertThat(worker.get(10, TimeUnit.SECONDS)).isNotNegative();
        }
      }
    } finally {
      executor.shutdownNow();
    }
  }

  private static int workUntilClosed(PersistentCache<Integer, String> cache, int seed) {
    int done = 0;
    try {
      while (true) {
        int key = (seed * 31 + done) % 1_000;
        switch (done % 5) {
          case 0 -> cache.put(key, "value " + done);
          case 1 -> cache.get(key);
          case 2 -> cache.compute(key, (k, v) -> v == null ? "new" : v);
          case 3 -> cache.getAll(List.of(key, key + 1, key + 2));
          default -> assertThat(cache.iterator().hasNext()).isIn(true, false);
        }
        done++;
      }
    } catch (IllegalStateException expected) {
      return done;
    }
  }

  @Test
  void collectionsMayHaveHeap() {
    assertThatThrownBy(() -> Rockpool.at(directory).collectionHeapBytes(-1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("collectionHeapBytes is -1");
    try (Rockpool pool = Rockpool.at(directory).collectionHeapBytes(1 << 20).open()) {
      PersistentSortedMap<String, Long> map = pool.sortedMap("map", String.class, Long.class);
      map.putAll(Map.of("a", 1L, "b", 2L));
      for (long round = 3; round < 6; round++) {
        assertThat(map.get("a")).isEqualTo(round == 3 ? 1 : round - 1);
        assertThat(map.keySet()).containsExactly("a", "b");
        map.put("a", round);
      }
      assertThatThrownBy(() -> Rockpool.at(directory).collectionHeapBytes(0).open())
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("collectionHeapBytes");
    }
  }
}
