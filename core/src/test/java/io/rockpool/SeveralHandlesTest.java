package io.rockpool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rockpool.cache.CacheOptions;
import io.rockpool.cache.PersistentCache;
import io.rockpool.engine.memory.MemoryEngine;
import io.rockpool.error.NameConflictException;
import io.rockpool.error.StoreClosedException;
import io.rockpool.structure.PersistentDeque;
import io.rockpool.structure.PersistentMap;
import io.rockpool.structure.PersistentScoredSet;
import io.rockpool.structure.PersistentSet;
import io.rockpool.structure.StructureOptions;
import io.rockpool.testing.LoadsElsewhere;
import io.rockpool.testing.Threads;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.Timeout;

/** Two stores over one engine's data: each sees what the other changes. */
@Timeout(60)
final class SeveralHandlesTest extends TwoHandles {
  private static final String KEY = "k";
  private static final int LONG_SECONDS = 20;

  SeveralHandlesTest() {
    super(MemoryEngine.builder());
  }

  private static PersistentCache<String, Long> cache(Rockpool pool) {
    return pool.cache("cache", String.class, Long.class);
  }

  private static PersistentMap<String, Long> map(Rockpool pool) {
    return pool.map("map", String.class, Long.class);
  }

  private static PersistentDeque<String> deque(Rockpool pool) {
    return pool.deque("deque", String.class, options -> options.capacity(1));
  }

  /** Puts 1 into the cache and into the hot tier of this handle. */
  private PersistentCache<String, Long> hot() {
    PersistentCache<String, Long> cache = cache(mine);
    cache.put(KEY, 1L);
    assertThat(cache.get(KEY)).isEqualTo(1);
    assertThat(cache.hotSize()).isOne();
    return cache;
  }

  /** What another handle may do to the key whose value is 1, and what is there afterwards. */
  private static Map<String, Consumer<PersistentCache<String, Long>>> changes() {
    Map<String, Consumer<PersistentCache<String, Long>>> changes = new LinkedHashMap<>();
    changes.put("put", cache -> cache.put(KEY, 2L));
    changes.put("putAll", cache -> cache.putAll(Map.of(KEY, 2L, "other", 3L)));
    changes.put("getAndPut", cache -> cache.getAndPut(KEY, 2L));
    changes.put("replace", cache -> cache.replace(KEY, 1L, 2L));
    changes.put("compute", cache -> cache.compute(KEY, (key, value) -> 2L));
    changes.put("remove", cache -> cache.remove(KEY));
    changes.put("invalidate", cache -> cache.invalidate(KEY));
    changes.put("invalidateAll", cache -> cache.invalidateAll(List.of(KEY)));
    changes.put("clear", PersistentCache::clear);
    changes.put("expireAfter", cache -> cache.expireAfter(KEY, Duration.ZERO));
    return changes;
  }

  @TestFactory
  Stream<DynamicTest> aChangeElsewhereLeavesTheHotTier() {
    return changes().entrySet().stream()
        .map(
            change ->
                DynamicTest.dynamicTest(
                    change.getKey(),
                    () -> {
                      PersistentCache<String, Long> cache = hot();
                      change.getValue().accept(cache(theirs));
                      Long now = cache(theirs).get(KEY);
                      here.settle();
                      assertThat(cache.get(KEY)).isEqualTo(now);
                      assertThat(Objects.equals(now, 1L)).isFalse();
                      assertThat(cache.containsKey(KEY)).isEqualTo(now != null);
                      cache.clear();
                    }));
  }

  @Test
  void aNameWithTheProgressOfAnImportIsOpened() {
    map(theirs).put(KEY, 1L);
    Map<String, String> attributes =
        new LinkedHashMap<>(there.engine().describe("map").attributes());
    attributes.put("import.records", "1");
    there.engine().setAttributes("map", attributes);
    assertThat(map(mine).get(KEY)).isEqualTo(1);
  }

  @Test
  void noLoadIsStoredOverAWriteThatIsNotReportedYet() {
    here.delay();
    there.delay();
    LoadsElsewhere.check(mine, theirs, 3);
  }

  @Test
  void aTransactionElsewhereLeavesTheHotTier() {
    PersistentCache<String, Long> cache = hot();
    PersistentCache<String, Long> other = cache(theirs);
    theirs.runAtomically(transaction -> other.put(KEY, 2L));
    here.settle();
    assertThat(cache.get(KEY)).isEqualTo(2);
  }

  @Test
  void aChangeElsewhereLeavesOtherKeysInTheHotTier() {
    PersistentCache<String, Long> cache = hot();
    cache(theirs).put("other", 2L);
    here.settle();
    assertThat(cache.hotSize()).isOne();
    cache.get(KEY);
    assertThat(cache.statistics().diskHits()).isZero();
  }

  @Test
  void changesElsewhereAreCountedAndOwnOnesAreNot() {
    PersistentCache<String, Long> cache = hot();
    assertThat(cache.statistics().invalidations()).isZero();
    cache(theirs).put(KEY, 2L);
    cache(theirs).put("other", 2L);
    here.settle();
    assertThat(cache.statistics().invalidations()).isEqualTo(2);
    cache(theirs).clear();
    here.settle();
    assertThat(cache.statistics().invalidations()).isEqualTo(3);
  }

  @Test
  void aReadThatBeganBeforeAChangeElsewhereStaysOutOfTheHotTier() {
    cache(theirs).put(KEY, 1L);
    PersistentCache<String, Long> cache = cache(mine);
    here.after(
        "get",
        () -> {
          cache(theirs).put(KEY, 2L);
          here.settle();
        });
    assertThat(cache.get(KEY)).isEqualTo(1);
    assertThat(cache.get(KEY)).isEqualTo(2);
  }

  @Test
  void aWriteDuringAChangeElsewhereStaysOutOfTheHotTier() {
    PersistentCache<String, Long> cache = hot();
    here.after(
        "put",
        () -> {
          cache(theirs).put(KEY, 3L);
          here.settle();
        });
    cache.put(KEY, 2L);
    assertThat(cache.get(KEY)).isEqualTo(3);
  }

  @TestFactory
  Stream<DynamicTest> aLoadThatBeganBeforeAChangeElsewhereIsNotStored() {
    return changes().entrySet().stream()
        .filter(change -> !change.getKey().equals("replace"))
        .filter(change -> !change.getKey().equals("expireAfter"))
        .map(
            change ->
                DynamicTest.dynamicTest(
                    change.getKey(),
                    () -> {
                      PersistentCache<String, Long> cache = cache(mine);
                      Long loaded =
                          cache.get(
                              KEY,
                              key -> {
                                change.getValue().accept(cache(theirs));
                                here.settle();
                                return 1L;
                              });
                      Long now = cache(theirs).get(KEY);
                      assertThat(Objects.equals(now, 1L)).isFalse();
                      assertThat(loaded).isEqualTo(now == null ? 1L : now);
                      assertThat(cache.get(KEY)).isEqualTo(now);
                      cache.clear();
                      there.settle();
                    }));
  }

  @Test
  void anElementFromElsewhereWakesATaker() throws Exception {
    PersistentDeque<String> deque = deque(mine);
    Threads.Running<String> taker = Threads.start(() -> deque.takeFirst());
    taker.awaitWaiting();
    deque(theirs).addLast("a");
    assertThat(taker.result()).isEqualTo("a");
  }

  @Test
  void roomFromElsewhereWakesAPutter() throws Exception {
    PersistentDeque<String> deque = deque(mine);
    for (Consumer<PersistentDeque<String>> change :
        List.<Consumer<PersistentDeque<String>>>of(
            PersistentDeque::removeFirst,
            PersistentDeque::clear,
            it -> it.clearAfter(Duration.ofMillis(20)))) {
      deque.offer("a");
      Threads.Running<Boolean> putter =
          Threads.start(() -> deque.offerLast("b", LONG_SECONDS, TimeUnit.SECONDS));
      putter.awaitWaiting();
      change.accept(deque(theirs));
      assertThat(putter.result()).isTrue();
      deque.clear();
    }
  }

  @Test
  void aDropElsewhereEndsATaker() throws Exception {
    PersistentDeque<String> deque = deque(mine);
    Threads.Running<Throwable> taker =
        Threads.start(
            () -> {
              try {
                throw new AssertionError("took " + deque.takeFirst());
              } catch (StoreClosedException e) {
                return e;
              }
            });
    taker.awaitWaiting();
    theirs.names().drop("deque");
    assertThat(taker.result()).hasMessageContaining("deque").hasMessageContaining("dropped");
  }

  @Test
  void openingANameFindsWhatWasCreatedAgainElsewhere() {
    PersistentMap<String, Long> before = map(mine);
    PersistentCache<String, Long> cacheBefore = hot();
    here.delay();
    theirs.names().drop("map");
    theirs.names().drop("cache");
    map(theirs).put(KEY, 5L);
    cache(theirs).put(KEY, 6L);

    PersistentMap<String, Long> map = map(mine);
    PersistentCache<String, Long> cache = cache(mine);
    assertThat(map).isNotSameAs(before).containsEntry(KEY, 5L);
    assertThat(cache).isNotSameAs(cacheBefore);
    assertThat(cache.get(KEY)).isEqualTo(6);
    assertThatThrownBy(() -> before.get(KEY)).isInstanceOf(StoreClosedException.class);
    assertThatThrownBy(() -> cacheBefore.get(KEY)).isInstanceOf(StoreClosedException.class);

    here.deliver(); // these are about the spaces before
    assertThat(map(mine)).isSameAs(map).containsEntry(KEY, 5L);
    assertThat(cache(mine)).isSameAs(cache);
    assertThat(cache.get(KEY)).isEqualTo(6);
  }

  @Test
  void aDropElsewhereEndsWhatIsOpen() {
    PersistentCache<String, Long> cache = hot();
    PersistentMap<String, Long> map = map(mine);
    theirs.names().dropAll();
    here.settle();
    assertThatThrownBy(() -> cache.get(KEY))
        .isInstanceOf(StoreClosedException.class)
        .hasMessageContaining("dropped or reset");
    assertThatThrownBy(() -> map.get(KEY)).isInstanceOf(StoreClosedException.class);
    assertThat(mine.names().find("cache").isPresent()).isFalse();
    assertThat(cache(mine).get(KEY)).isNull();
  }

  @Test
  void aResetElsewhereEndsWhatIsOpen() {
    PersistentCache<String, Long> cache = hot();
    theirs.cache(
        "cache",
        String.class,
        String.class,
        options -> options.onConflict(CacheOptions.OnConflict.RESET));
    here.settle();
    assertThatThrownBy(() -> cache.get(KEY)).isInstanceOf(StoreClosedException.class);
    assertThatThrownBy(() -> cache(mine)).isInstanceOf(NameConflictException.class);
  }

  @Test
  void aNameThatIsCreatedElsewhereMeanwhileIsOpened() {
    here.before("create", () -> map(theirs).put(KEY, 1L));
    assertThat(map(mine)).containsEntry(KEY, 1L);
    here.before("create", () -> cache(theirs).put(KEY, 1L));
    assertThat(cache(mine).get(KEY)).isEqualTo(1);
  }

  @Test
  void aNameThatIsDroppedElsewhereMeanwhileIsCreated() {
    map(theirs).put(KEY, 1L);
    here.before("open", () -> theirs.names().drop("map"));
    assertThat(map(mine)).isEmpty();
    map(mine).put(KEY, 2L);
    assertThat(map(theirs)).containsEntry(KEY, 2L);
  }

  @Test
  void aNameThatBecomesSomethingElseMeanwhileIsRefused() {
    map(theirs);
    here.before(
        "open",
        () -> {
          theirs.names().drop("map");
          theirs.set("map", Long.class).add(1L);
        });
    assertThatThrownBy(() -> map(mine)).isInstanceOf(NameConflictException.class);
    PersistentSet<Long> set = mine.set("map", Long.class);
    assertThat(set).containsExactly(1L);
  }

  @Test
  void aResetOfANameThatIsDroppedMeanwhileCreatesIt() {
    theirs.set("map", Long.class).add(1L);
    here.before("reset", () -> theirs.names().drop("map"));
    PersistentMap<String, Long> map =
        mine.map(
            "map",
            String.class,
            Long.class,
            options -> options.onConflict(StructureOptions.OnConflict.RESET));
    assertThat(map).isEmpty();
  }

  @Test
  void aResetDoesNotRemoveWhatAnotherResetHolds() {
    UnaryOperator<StructureOptions> resetting =
        options -> options.onConflict(StructureOptions.OnConflict.RESET);
    theirs.set("map", Long.class).add(1L);
    here.before("reset", () -> theirs.map("map", String.class, Long.class, resetting).put("k", 1L));
    PersistentMap<String, Long> map = mine.map("map", String.class, Long.class, resetting);
    assertThat(map).containsOnly(Map.entry("k", 1L));
    map.put("mine", 2L);
    assertThat(theirs.map("map", String.class, Long.class)).containsEntry("mine", 2L).hasSize(2);
    assertThat(mine.names().find("map").orElseThrow().resets()).isEqualTo(1);
  }

  /** Both ask for another type of the same name at the same time; each acknowledged put stays. */
  @Test
  void resetsAtTheSameTimeKeepWhatWasAcknowledged() throws Exception {
    UnaryOperator<StructureOptions> resetting =
        options -> options.onConflict(StructureOptions.OnConflict.RESET);
    for (int round = 0; round < 50; round++) {
      String name = "round-" + round;
      theirs.set(name, Long.class).add(1L);
      Threads.run(
          2,
          thread -> {
            Rockpool pool = thread == 0 ? mine : theirs;
            pool.map(name, String.class, Long.class, resetting).put("k" + thread, 1L);
          });
      assertThat(mine.map(name, String.class, Long.class)).hasSize(2);
    }
  }

  @Test
  void bothCreatorsOfANameHaveTheSameShapeAndOptions() {
    here.before(
        "create",
        () ->
            theirs
                .scoredSet(
                    "scores",
                    String.class,
                    options -> options.ranked(false).entryTtl(Duration.ofHours(1)))
                .add("a", 1));
    PersistentScoredSet<String> set = mine.scoredSet("scores", String.class);
    assertThat(set.add("b", 2)).isTrue();
    assertThat(set.ttl("b"))
        .hasValueSatisfying(ttl -> assertThat(ttl).isLessThan(Duration.ofHours(2)));
    assertThat(theirs.scoredSet("scores", String.class)).containsExactly("a", "b");
    assertThat(mine.verify().isClean()).isTrue();
    mine.names().drop("scores");
    theirs.scoredSet("scores", String.class, options -> options.ranked(false));
    assertThatThrownBy(
            () -> mine.scoredSet("scores", String.class, options -> options.ranked(true)))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void withoutTheFeedNothingIsReadFromMemory() {
    PersistentCache<String, Long> cache = hot();
    here.lose();
    cache(theirs).put(KEY, 2L);
    assertThat(cache.get(KEY)).isEqualTo(2);
    cache(theirs).put(KEY, 3L);
    assertThat(cache.get(KEY)).isEqualTo(3);
    cache.put(KEY, 4L);
    cache(theirs).put(KEY, 5L);
    assertThat(cache.get(KEY)).isEqualTo(5);
    assertThat(cache.hotSize()).isZero();

    PersistentCache<String, Long> openedMeanwhile = mine.cache("late", String.class, Long.class);
    openedMeanwhile.put(KEY, 1L);
    theirs.cache("late", String.class, Long.class).put(KEY, 2L);
    assertThat(openedMeanwhile.get(KEY)).isEqualTo(2);

    here.regain();
    assertThat(cache.get(KEY)).isEqualTo(5);
    assertThat(cache.hotSize()).isOne();
    assertThat(openedMeanwhile.get(KEY)).isEqualTo(2);
    assertThat(openedMeanwhile.hotSize()).isOne();
  }

  /** An opening may wait for the same server that no longer reports. */
  @Test
  void aLostFeedDoesNotWaitForAnOpening() throws Exception {
    PersistentCache<String, Long> cache = hot();
    CountDownLatch opening = new CountDownLatch(1);
    CountDownLatch answer = new CountDownLatch(1);
    here.before(
        "create",
        () -> {
          opening.countDown();
          await(answer);
        });
    Threads.Running<Boolean> opened =
        Threads.start(() -> mine.cache("late", String.class, Long.class).isClosed());
    await(opening);
    Threads.Running<Boolean> lost =
        Threads.start(
            () -> {
              here.lose();
              return true;
            });
    lost.awaitWaiting();
    assertThat(cache.hotSize()).isZero();
    cache(theirs).put(KEY, 2L);
    assertThat(cache.get(KEY)).isEqualTo(2);
    answer.countDown();
    assertThat(lost.result()).isTrue();
    assertThat(opened.result()).isFalse();
  }

  private static void await(CountDownLatch latch) {
    try {
      Threads.await(latch);
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void aReadThatBeganWithoutTheFeedStaysOutOfTheHotTier() {
    cache(theirs).put(KEY, 1L);
    PersistentCache<String, Long> cache = cache(mine);
    here.lose();
    here.after(
        "get",
        () -> {
          cache(theirs).put(KEY, 2L);
          here.regain();
        });
    assertThat(cache.get(KEY)).isEqualTo(1);
    assertThat(cache.get(KEY)).isEqualTo(2);
  }

  @Test
  void aLoadThatRanWithoutTheFeedIsNotStored() {
    PersistentCache<String, Long> cache = cache(mine);
    AtomicInteger loads = new AtomicInteger();
    cache.get(
        KEY,
        key -> {
          here.lose();
          cache(theirs).invalidate(KEY);
          return 1L;
        });
    assertThat(cache.get(KEY)).isNull();
    cache.get(
        KEY,
        key -> {
          cache(theirs).invalidate(KEY);
          here.regain();
          return 1L;
        });
    assertThat(cache.get(KEY)).isNull();
    cache.get(KEY, key -> (long) loads.incrementAndGet());
    assertThat(cache.get(KEY)).isEqualTo(1);
  }

  @Test
  void takersFindElementsWithoutTheFeed() throws Exception {
    PersistentDeque<String> deque = deque(mine);
    Threads.Running<String> before = Threads.start(() -> deque.takeFirst());
    before.awaitWaiting();
    here.lose();
    deque(theirs).addLast("a");
    assertThat(before.result()).isEqualTo("a");
    Threads.Running<String> during = Threads.start(() -> deque.takeFirst());
    during.awaitWaiting();
    deque(theirs).addLast("b");
    assertThat(during.result()).isEqualTo("b");
  }

  @Test
  void namesThatEndedWithoutTheFeedAreFoundWhenItIsRegained() {
    PersistentCache<String, Long> cache = hot();
    here.lose();
    theirs.names().drop("cache");
    here.regain();
    assertThatThrownBy(() -> cache.get(KEY)).isInstanceOf(StoreClosedException.class);
    assertThat(cache.isClosed()).isTrue();
  }

  @Test
  void aSetIsStoredIntoAnOperandOfAnotherStore() {
    PersistentSet<String> one = mine.set("one", String.class);
    PersistentSet<String> two = mine.set("two", String.class);
    one.add("a");
    two.add("b");
    PersistentSet<String> sameAsTwo = theirs.set("two", String.class);
    assertThat(one.storeUnionInto(sameAsTwo, two)).isEqualTo(2);
    assertThat(two).containsExactlyInAnyOrder("a", "b");
    assertThat(one.storeDifferenceInto(theirs.set("one", String.class), two)).isZero();
    assertThat(one).isEmpty();
  }
}
