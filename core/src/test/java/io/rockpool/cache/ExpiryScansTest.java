package io.rockpool.cache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rockpool.Rockpool;
import io.rockpool.codec.Codecs;
import io.rockpool.codec.TypeRef;
import io.rockpool.engine.Cursor;
import io.rockpool.engine.rocksdb.RocksDbEngine;
import io.rockpool.engine.rocksdb.RocksDbOptions;
import io.rockpool.internal.access.ExpiredEntries;
import io.rockpool.internal.access.Internals;
import io.rockpool.internal.catalog.Catalog;
import io.rockpool.store.Registration;
import io.rockpool.testing.FakeClock;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Who is to be told of expired entries is told of those that nobody meets. */
@Timeout(30)
final class ExpiryScansTest {
  private static final Duration TTL = Duration.ofSeconds(1);
  private static final long MINUTES = Duration.ofMinutes(1).toMillis();

  /** More than a page. */
  private static final int MANY = 1_000;

  private static final TypeRef<Integer> KEY = TypeRef.of(Integer.class);
  private static final TypeRef<String> VALUE = TypeRef.of(String.class);

  @TempDir Path directory;
  private final FakeClock clock = new FakeClock();
  private final Queue<String> told = new ConcurrentLinkedQueue<>();
  private Rockpool pool;
  private RocksDbEngine engine;
  private Caches caches;

  private PersistentCache<Integer, String> open(String name) {
    pool = Rockpool.at(directory).clock(clock).open();
    return pool.cache(name, Integer.class, String.class, o -> options());
  }

  private static CacheOptions<Integer, String> options() {
    return CacheOptions.<Integer, String>defaults().expiry(CacheExpiry.afterWrite(TTL));
  }

  /** A cache that is scanned again and again. */
  private PersistentCache<Integer, String> openScanned() {
    engine =
        RocksDbEngine.open(
            directory,
            RocksDbOptions.builder().clock(clock).reclaimPeriod(Duration.ofDays(1)).build());
    caches =
        new Caches(
            engine,
            new Catalog(engine),
            Codecs.defaults(),
            new ExpiryScans(Duration.ofMillis(5), engine.upkeep()),
            HeapBudget.ofProcess());
    return caches.open("cache", KEY, VALUE, options());
  }

  @AfterEach
  void close() {
    if (pool != null) {
      pool.close();
    }
    if (caches != null) {
      caches.close();
      engine.close();
    }
  }

  private Registration watch(PersistentCache<Integer, String> cache) {
    return cache.onExpired((key, value) -> told.add(cache.name() + " " + key + "=" + value));
  }

  private static Map<Integer, String> many() {
    return IntStream.range(0, MANY).boxed().collect(Collectors.toMap(key -> key, key -> "v" + key));
  }

  private static String[] toldOfMany(String name) {
    return many().entrySet().stream()
        .map(entry -> name + " " + entry.getKey() + "=" + entry.getValue())
        .toArray(String[]::new);
  }

  private void awaitTold(int number) {
    while (told.size() < number) {
      LockSupport.parkNanos(1_000_000);
    }
  }

  @Test
  void whatNobodyMeetsIsToldOfInTheBackgroundOnce() {
    PersistentCache<Integer, String> cache = openScanned();
    watch(cache);
    cache.putAll(many());
    cache.put(-1, "stays");
    clock.advanceMillis(TTL.toMillis() - 1);
    cache.put(-1, "stays");
    clock.advanceMillis(1);
    awaitTold(MANY);
    assertThat(told).containsExactlyInAnyOrder(toldOfMany("cache"));
    clock.advanceMillis(TTL.toMillis());
    awaitTold(MANY + 1);
    assertThat(told).hasSize(MANY + 1).endsWith("cache -1=stays");
    try (Cursor records = Objects.requireNonNull(engine.open("cache")).scanAll()) {
      assertThat(records.next()).as("a record is left").isFalse();
    }
  }

  @Test
  void reclaimingTellsOfAllAtOnce() {
    PersistentCache<Integer, String> cache = open("a");
    PersistentCache<Integer, String> unwatched =
        pool.cache("b", Integer.class, String.class, o -> options());
    watch(cache);
    cache.putAll(many());
    unwatched.putAll(many());
    clock.advanceMillis(TTL.toMillis() + 4 * MINUTES);
    pool.reclaim();
    assertThat(told).containsExactlyInAnyOrder(toldOfMany("a"));
    pool.reclaim();
    cache.clear();
    assertThat(told).hasSize(MANY);
  }

  @Test
  void whoNoLongerWantsToBeToldIsNot() {
    PersistentCache<Integer, String> cache = open("a");
    Registration watching = watch(cache);
    cache.put(1, "x");
    watching.close();
    clock.advanceMillis(TTL.toMillis());
    pool.reclaim();
    assertThat(told).isEmpty();
    watch(cache);
    pool.reclaim();
    assertThat(told).containsExactly("a 1=x");
  }

  @Test
  void everyListenerHearsOfEachEntryOnce() {
    PersistentCache<Integer, String> cache = open("a");
    List<String> heard = new CopyOnWriteArrayList<>();
    Registration first =
        cache.onExpired(
            (key, value) -> {
              heard.add("first " + key + "=" + value);
              throw new IllegalStateException("as told");
            });
    Registration second = cache.onExpired((key, value) -> heard.add("second " + key));
    cache.put(1, "x");
    cache.put(2, "y");
    clock.advanceMillis(TTL.toMillis());
    assertThat(cache.get(1)).isNull();
    assertThat(cache.get(1)).isNull();
    assertThat(cache).isEmpty();
    pool.reclaim();
    assertThat(heard).containsExactlyInAnyOrder("first 1=x", "second 1", "first 2=y", "second 2");

    first.close();
    first.close();
    cache.put(3, "z");
    clock.advanceMillis(TTL.toMillis());
    pool.reclaim();
    assertThat(heard).hasSize(5).endsWith("second 3");
    cache.put(4, "z");
    second.close();
    clock.advanceMillis(TTL.toMillis());
    pool.reclaim();
    assertThat(heard).hasSize(5);
  }

  @Test
  void listenersHearWhatIsConfirmed() {
    PersistentCache<Integer, String> cache = open("a");
    cache.onExpired((key, value) -> told.add(value));
    AtomicBoolean confirms = new AtomicBoolean();
    Internals.cache(cache)
        .onExpired(
            (key, value, removal) -> {
              if (confirms.get()) {
                assertThat(removal.getAsBoolean()).isTrue();
                assertThat(removal.getAsBoolean()).isFalse();
                assertThat(told).isEmpty();
              }
            });
    cache.put(1, "x");
    clock.advanceMillis(TTL.toMillis());
    assertThat(cache.get(1)).isNull();
    assertThat(told).isEmpty();
    confirms.set(true);
    assertThat(cache.get(1)).isNull();
    assertThat(told).containsExactly("x");
  }

  @Test
  void aClosedCacheIsScannedNoMore() {
    PersistentCache<Integer, String> cache = openScanned();
    watch(cache);
    cache.put(1, "x");
    cache.close();
    clock.advanceMillis(TTL.toMillis());
    caches.notifyExpired();
    PersistentCache<Integer, String> again = caches.open("cache", KEY, VALUE, options());
    assertThat(told).isEmpty();
    watch(again);
    awaitTold(1);
    assertThat(told).containsExactly("cache 1=x");
  }

  @Test
  void whatIsThrownConcernsOneEntryAlone() {
    PersistentCache<Integer, String> cache = open("a");
    PersistentCache<Integer, String> other =
        pool.cache("b", Integer.class, String.class, o -> options());
    watch(other);
    Internals.cache(cache)
        .onExpired(
            (key, value, removal) -> {
              if (key % 2 == 0) {
                throw new AssertionError("as told");
              }
              if (removal.getAsBoolean()) {
                told.add("a");
              }
            });
    cache.putAll(many());
    other.putAll(many());
    clock.advanceMillis(TTL.toMillis());
    pool.reclaim();
    assertThat(told).hasSize(MANY + MANY / 2);
  }

  @Test
  void anErrorDoesNotEndScansForGood() {
    PersistentCache<Integer, String> cache = openScanned();
    AtomicBoolean thrown = new AtomicBoolean();
    Internals.cache(cache)
        .onExpired(
            (key, value, removal) -> {
              if (thrown.compareAndSet(false, true)) {
                throw new StackOverflowError("as told");
              }
              told.add(value);
            });
    cache.put(1, "x");
    clock.advanceMillis(TTL.toMillis());
    awaitTold(1);
    assertThat(told).contains("x");
  }

  @Test
  void whoIsBehindIsToldOfTheRestLater() {
    PersistentCache<Integer, String> cache = open("a");
    AtomicBoolean ready = new AtomicBoolean();
    Internals.cache(cache)
        .onExpired(
            new ExpiredEntries<>() {
              @Override
              public void met(Integer key, String value, BooleanSupplier removal) {
                if (removal.getAsBoolean()) {
                  told.add(value);
                }
              }

              @Override
              public boolean isReady() {
                return ready.get();
              }
            });
    cache.putAll(many());
    clock.advanceMillis(TTL.toMillis());
    pool.reclaim();
    assertThat(told).hasSizeBetween(1, MANY - 1);
    ready.set(true);
    pool.reclaim();
    assertThat(told).containsExactlyInAnyOrderElementsOf(many().values());
  }

  @Test
  void whoIsToldMayReclaimAndCloseItsCache() {
    PersistentCache<Integer, String> cache = open("a");
    Internals.cache(cache)
        .onExpired(
            (key, value, removal) -> {
              pool.reclaim();
              told.add(value);
              pool.names().drop("a");
            });
    cache.putAll(many());
    clock.advanceMillis(TTL.toMillis());
    pool.reclaim();
    assertThat(told).hasSize(1);
    assertThatThrownBy(() -> cache.get(1)).isInstanceOf(IllegalStateException.class);
  }

  /** Others' code, in the background. */
  private void closesBeside(Consumer<PersistentCache<Integer, String>> toldWhat) throws Exception {
    PersistentCache<Integer, String> cache = openScanned();
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch ended = new CountDownLatch(1);
    Internals.cache(cache)
        .onExpired(
            (key, value, removal) -> {
              begun.countDown();
              try {
                toldWhat.accept(cache);
              } finally {
                ended.countDown();
              }
            });
    cache.put(1, "x");
    clock.advanceMillis(TTL.toMillis());
    begun.await();
    caches.close();
    engine.close();
    ended.await();
    assertThatThrownBy(() -> cache.get(1)).isInstanceOf(IllegalStateException.class);
  }

  @Test
  void aListenerThatClosesTheStoreDoesNotWaitForItself() throws Exception {
    closesBeside(
        cache -> {
          caches.close();
          engine.close();
        });
  }

  @Test
  void aListenerThatBlocksDoesNotKeepTheStoreOpen() throws Exception {
    AtomicBoolean refused = new AtomicBoolean();
    closesBeside(
        cache -> {
          while (!refused.get()) {
            try {
              cache.put(2, "while it is open");
              TimeUnit.MILLISECONDS.sleep(1);
            } catch (IllegalStateException | InterruptedException e) {
              refused.set(true);
            }
          }
        });
    assertThat(refused).isTrue();
  }

  @Test
  void aListenerMayUseTheKeyThatItIsToldOf() {
    pool = Rockpool.at(directory).clock(clock).open();
    PersistentCache<String, String> cache =
        pool.cache(
            "used",
            String.class,
            String.class,
            o -> o.expiry(CacheExpiry.afterWrite(Duration.ofMinutes(1))));
    Queue<String> told = new ConcurrentLinkedQueue<>();
    Internals.cache(cache)
        .onExpired(
            (key, value, removal) -> {
              told.add(key + "=" + value + ", now " + cache.get(key));
              cache.put(key, "new");
            });
    cache.put("k", "v");
    clock.advanceMillis(120_000);
    assertThat(cache.get("k")).isNull();
    assertThat(told).containsExactly("k=v, now null");
    assertThat(cache.get("k")).isEqualTo("new");
  }
}
