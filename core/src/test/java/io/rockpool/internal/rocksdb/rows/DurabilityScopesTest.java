package io.rockpool.internal.rocksdb.rows;

import static io.rockpool.store.Durability.BUFFERED;
import static io.rockpool.store.Durability.PERIODIC;
import static io.rockpool.store.Durability.SYNC;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rockpool.Rockpool;
import io.rockpool.cache.CacheOptions;
import io.rockpool.cache.PersistentCache;
import io.rockpool.codec.TypeRef;
import io.rockpool.engine.Layout;
import io.rockpool.engine.SpaceName;
import io.rockpool.engine.SpaceSpec;
import io.rockpool.engine.rocksdb.ObservedDurability;
import io.rockpool.engine.rocksdb.RocksDbEngine;
import io.rockpool.store.Durability;
import io.rockpool.structure.PersistentCounter;
import io.rockpool.structure.PersistentDeque;
import io.rockpool.structure.PersistentMap;
import io.rockpool.structure.PersistentScoredSet;
import io.rockpool.structure.PersistentSortedMap;
import io.rockpool.structure.PersistentTable;
import io.rockpool.structure.PersistentValue;
import io.rockpool.testing.FakeClock;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What single writes survive, where that was said for them alone. */
@Timeout(60)
final class DurabilityScopesTest {
  private static final CacheOptions<String, String> CACHE =
      CacheOptions.<String, String>defaults().warmRestart(false);
  private static final TypeRef<String> TEXT = TypeRef.of(String.class);

  @TempDir Path directory;
  private final FakeClock clock = new FakeClock();
  private final AtomicInteger last = new AtomicInteger();
  private ObservedDurability observed;
  private Rockpool pool;

  private void open(Durability level) {
    observed = ObservedDurability.open(directory.resolve("store"), level, clock);
    pool = Rockpool.at(o -> observed.engine()).open();
  }

  @AfterEach
  void close() {
    pool.close();
  }

  /** Another text each time, so that there is always something to write. */
  private String next() {
    return "text " + last.incrementAndGet();
  }

  private PersistentCache<String, String> cache(String name, CacheOptions<String, String> options) {
    return pool.cache(name, String.class, String.class, o -> options);
  }

  private PersistentMap<String, String> map() {
    return pool.map("map", String.class, String.class);
  }

  private PersistentMap<String, String> map(Durability level) {
    return pool.map("map", TEXT, TEXT, o -> o.durability(level));
  }

  private Durability levelOf(Durability said, Runnable write) {
    return observed.of(() -> pool.runWithDurability(said, write));
  }

  private Map<String, Runnable> writesOfCaches() {
    PersistentCache<String, String> cache = cache("cache", CACHE);
    Map<String, Runnable> writes = new LinkedHashMap<>();
    writes.put("cache.put", () -> cache.put("a", next()));
    writes.put("cache.put with ttl", () -> cache.put("a", next(), Duration.ofHours(1)));
    writes.put("cache.putAll", () -> cache.putAll(Map.of("b", next(), "c", next())));
    writes.put("cache.compute", () -> cache.compute("a", (key, value) -> next()));
    writes.put("cache.get with a loader", () -> cache.get(next(), key -> key));
    writes.put("cache.invalidate", () -> cache.invalidate("a"));
    writes.put("cache.invalidateAll", () -> cache.invalidateAll(Set.of("b", "c")));
    writes.put("cache.clear", cache::clear);
    return writes;
  }

  private Map<String, Runnable> writesOfStructures() {
    PersistentMap<String, String> map = map();
    PersistentSortedMap<String, String> sorted =
        pool.sortedMap("sorted", String.class, String.class);
    PersistentTable<String, Long, String> table =
        pool.table("table", String.class, Long.class, String.class);
    PersistentScoredSet<String> scores = pool.scoredSet("scores", String.class);
    PersistentDeque<String> deque = pool.deque("deque", String.class);
    PersistentCounter counter = pool.counter("counter");
    PersistentValue<String> value = pool.value("value", String.class);
    Map<String, Runnable> writes = new LinkedHashMap<>();
    writes.put("map.put", () -> map.put("a", next()));
    writes.put("map.merge", () -> map.merge("a", next(), String::concat));
    writes.put("map.clearAfter", () -> map.clearAfter(Duration.ofHours(1)));
    writes.put("map.clear", map::clear);
    writes.put("sorted map", () -> sorted.put("a", next()));
    writes.put("table", () -> table.put("row", 1L, next()));
    writes.put("scored set", () -> scores.incrementScore("a", 1));
    writes.put("deque", () -> deque.addLast(next()));
    writes.put("counter", counter::incrementAndGet);
    writes.put("value", () -> value.set(next()));
    return writes;
  }

  private Map<String, Runnable> writesOfTransactions() {
    PersistentCache<String, String> cache = cache("cache", CACHE);
    PersistentMap<String, String> map = map();
    Runnable both =
        () ->
            pool.atomically(
                tx -> {
                  cache.put("a", next());
                  return map.put("a", next());
                });
    Runnable put = () -> map.put("after", next());
    return Map.of(
        "transaction",
        both,
        "afterCommit",
        () ->
            pool.atomically(
                tx -> {
                  tx.afterCommit(put);
                  return tx;
                }));
  }

  @ParameterizedTest
  @EnumSource(Durability.class)
  void everyWriteHasTheLevelThatIsSaidAroundIt(Durability own) {
    open(own);
    Map<String, Runnable> writes = new LinkedHashMap<>(writesOfCaches());
    writes.putAll(writesOfStructures());
    writes.putAll(writesOfTransactions());
    writes.forEach(
        (name, write) -> {
          assertThat(observed.of(write)).as(name).isEqualTo(own);
          for (Durability said : Durability.values()) {
            assertThat(levelOf(said, write)).as("%s within %s", name, said).isEqualTo(said);
          }
          assertThat(observed.of(write)).as("%s afterwards", name).isEqualTo(own);
        });
  }

  @Test
  void whatACacheOrStructureWasOpenedWithGivesWay() {
    open(PERIODIC);
    PersistentCache<String, String> loose = cache("loose", CACHE.durability(BUFFERED));
    PersistentCache<String, String> safe = cache("safe", CACHE.durability(SYNC));
    PersistentMap<String, String> map = map(SYNC);
    assertThat(levelOf(SYNC, () -> loose.put("a", next()))).isEqualTo(SYNC);
    assertThat(observed.of(() -> loose.put("a", next()))).isEqualTo(BUFFERED);
    assertThat(levelOf(BUFFERED, () -> safe.put("a", next()))).isEqualTo(BUFFERED);
    assertThat(observed.of(() -> safe.put("a", next()))).isEqualTo(SYNC);
    assertThat(levelOf(PERIODIC, () -> map.put("a", next()))).isEqualTo(PERIODIC);
    Runnable both =
        () ->
            pool.atomically(
                tx -> {
                  loose.put("a", next());
                  return map.put("a", next());
                });
    assertThat(observed.of(both)).isEqualTo(SYNC);
    assertThat(levelOf(BUFFERED, both)).isEqualTo(BUFFERED);
  }

  @Test
  void aCacheIsClearedAsDurablyAsItIsWritten() {
    open(PERIODIC);
    PersistentCache<String, String> safe = cache("safe", CACHE.durability(SYNC));
    PersistentCache<String, String> loose = cache("loose", CACHE.durability(BUFFERED));
    assertThat(observed.of(safe::clear)).isEqualTo(SYNC);
    assertThat(observed.of(loose::clear)).isEqualTo(BUFFERED);
    assertThat(levelOf(BUFFERED, safe::clear)).isEqualTo(BUFFERED);
  }

  @Test
  void namesAreDurableAndHintsAreNotForced() {
    open(BUFFERED);
    Map.of("name", SYNC, SpaceName.HINTS + "/name", BUFFERED)
        .forEach(
            (name, level) -> {
              SpaceSpec spec = new SpaceSpec(name, Layout.ROWS, Map.of());
              RocksDbEngine engine = observed.engine();
              assertThat(observed.of(() -> engine.create(spec))).as(name).isEqualTo(level);
              assertThat(observed.of(() -> engine.drop(name))).as(name).isEqualTo(level);
            });
  }

  @Test
  void aTransactionHasTheLevelAroundItAndRefusesOneInside() {
    open(BUFFERED);
    PersistentMap<String, String> map = map();
    Runnable put = () -> map.put("a", next());
    assertThat(levelOf(PERIODIC, () -> pool.runAtomically(tx -> put.run()))).isEqualTo(PERIODIC);
    Runnable inside = () -> pool.runAtomically(tx -> pool.runWithDurability(SYNC, put));
    String before = map.get("a");
    assertThatThrownBy(inside::run)
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("around");
    assertThat(map).containsEntry("a", before);
    assertThat(observed.of(put)).isEqualTo(BUFFERED);
  }

  @Test
  void theInnermostCountsAndTheOneBeforeComesBack() {
    open(BUFFERED);
    PersistentMap<String, String> map = map();
    Runnable put = () -> map.put("a", next());
    pool.runWithDurability(
        SYNC,
        () -> {
          assertThat(levelOf(BUFFERED, put)).isEqualTo(BUFFERED);
          assertThat(levelOf(PERIODIC, () -> pool.runWithDurability(SYNC, put))).isEqualTo(SYNC);
          assertThat(observed.of(put)).isEqualTo(SYNC);
        });
    assertThat(observed.of(put)).isEqualTo(BUFFERED);
  }

  @Test
  void theLevelBeforeComesBackAfterAnException() {
    open(BUFFERED);
    PersistentMap<String, String> map = map();
    Runnable put = () -> map.put("a", next());
    Runnable failing =
        () -> {
          map.put("b", "stays");
          throw new IllegalArgumentException("This is thrown by a test.");
        };
    pool.runWithDurability(
        PERIODIC,
        () -> {
          assertThatThrownBy(() -> pool.runWithDurability(SYNC, failing))
              .isInstanceOf(IllegalArgumentException.class);
          assertThat(observed.of(put)).isEqualTo(PERIODIC);
        });
    assertThatThrownBy(() -> pool.runWithDurability(SYNC, failing))
        .isInstanceOf(IllegalArgumentException.class);
    assertThat(observed.of(put)).isEqualTo(BUFFERED);
    assertThat(map).containsEntry("b", "stays");
  }

  @Test
  void otherThreadsAreNotConcerned() {
    open(PERIODIC);
    PersistentMap<String, String> map = map();
    Runnable put = () -> map.put("a", next());
    Runnable elsewhere = () -> CompletableFuture.runAsync(put).join();
    assertThat(levelOf(SYNC, elsewhere)).isEqualTo(PERIODIC);
    assertThat(levelOf(BUFFERED, elsewhere)).isEqualTo(PERIODIC);
    pool.runWithDurability(
        SYNC,
        () -> {
          Runnable said = () -> pool.runWithDurability(BUFFERED, put);
          assertThat(observed.of(() -> CompletableFuture.runAsync(said).join()))
              .isEqualTo(BUFFERED);
          assertThat(observed.of(put)).isEqualTo(SYNC);
        });
  }

  @Test
  void otherStoresAreNotConcerned() {
    open(BUFFERED);
    PersistentMap<String, String> map = map();
    try (Rockpool other = Rockpool.open(directory.resolve("other"))) {
      other.runWithDurability(
          SYNC, () -> assertThat(observed.of(() -> map.put("a", next()))).isEqualTo(BUFFERED));
    }
  }

  @Test
  void whatIsGivenBackMeanwhileIsNotForced() {
    open(SYNC);
    PersistentScoredSet<String> scores = pool.scoredSet("scores", String.class);
    PersistentCache<String, String> cache = cache("cache", CACHE);
    scores.add("brief", 1, Duration.ofMillis(1));
    cache.put("brief", "value", Duration.ofMillis(1));
    clock.advanceMillis(1_000);
    pool.runWithDurability(
        SYNC,
        () -> {
          Runnable reclaim = () -> assertThat(pool.reclaim().expiredRecords()).isPositive();
          assertThat(observed.of(reclaim)).isEqualTo(BUFFERED);
          assertThat(scores.size()).isZero();
          assertThat(observed.of(() -> cache.put("a", next()))).isEqualTo(SYNC);
        });
  }

  @Test
  void toOpenWhatIsThereIsAWriteLikeOthers() {
    open(PERIODIC);
    for (Durability said : Durability.values()) {
      cache("cache", CACHE).close();
      assertThat(levelOf(said, () -> cache("cache", CACHE))).isEqualTo(said);
    }
  }

  @Test
  void whatChangesTheCatalogStaysForced() {
    open(BUFFERED);
    assertThat(levelOf(BUFFERED, this::map)).isEqualTo(SYNC);
    assertThat(levelOf(BUFFERED, () -> pool.names().drop("map"))).isEqualTo(SYNC);
  }
}
