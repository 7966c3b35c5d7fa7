package io.rockpool;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rockpool.cache.CacheOptions;
import io.rockpool.cache.PersistentCache;
import io.rockpool.codec.Codecs;
import io.rockpool.engine.Engine;
import io.rockpool.engine.Space;
import io.rockpool.engine.SpaceName;
import io.rockpool.engine.memory.MemoryEngine;
import io.rockpool.error.ServerUnavailableException;
import io.rockpool.error.UnencodableValueException;
import io.rockpool.structure.PersistentDeque;
import io.rockpool.structure.PersistentMap;
import io.rockpool.testing.HandleUnderTest;
import io.rockpool.testing.NotEncrypted;
import io.rockpool.testing.Threads;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Values of classes that no declared type reaches, written by one process and read by another. */
final class SharedClassesTest {
  private final HandleUnderTest here = new HandleUnderTest(MemoryEngine.builder().shared().build());
  private final HandleUnderTest there = here.another();
  private final Rockpool mine = Rockpool.at(o -> here.engine()).open();
  private final Rockpool theirs = Rockpool.at(o -> there.engine()).open();

  record Book(String title) {}

  record Author(String name, @Nullable Book best) {}

  @AfterEach
  void close() {
    mine.close();
    theirs.close();
  }

  private static PersistentCache<String, Object> cache(Rockpool pool) {
    return pool.cache("cache", String.class, Object.class);
  }

  @Test
  void aValueOfAnotherProcessIsDecoded() {
    cache(theirs).put("k", new Author("a", new Book("b")));
    assertThat(cache(mine).get("k")).isEqualTo(new Author("a", new Book("b")));
    assertThat(cache(mine).statistics().undecodable()).isZero();
  }

  @Test
  void elementsOfAnotherProcessAreDecodedAlsoInTransactions() {
    PersistentMap<String, Object> map = mine.map("map", String.class, Object.class);
    PersistentDeque<Object> deque = mine.deque("deque", Object.class);
    theirs.map("map", String.class, Object.class).put("k", new Book("b"));
    theirs.deque("deque", Object.class).add(new Author("a", new Book("c")));
    assertThat(mine.<Object>atomically(tx -> map.get("k"))).isEqualTo(new Book("b"));
    assertThat(deque.poll()).isEqualTo(new Author("a", new Book("c")));
  }

  @Test
  void aClassThatWasFirstWrittenInATransactionThatFailsIsKnownAllTheSame() {
    PersistentMap<String, Object> map = theirs.map("map", String.class, Object.class);
    try {
      theirs.runAtomically(
          tx -> {
            map.put("k", new Book("b"));
            throw new IllegalArgumentException();
          });
    } catch (IllegalArgumentException e) {
      map.put("k", new Book("c"));
    }
    assertThat(mine.map("map", String.class, Object.class).get("k")).isEqualTo(new Book("c"));
  }

  @Test
  void theClassesAreWrittenAgainAfterEverythingWasDropped() {
    cache(mine).put("k", new Book("b"));
    cache(theirs).put("k", new Book("c"));
    mine.names().dropAll();
    here.settle();
    there.settle();
    cache(theirs).put("k", new Book("d"));
    try (Rockpool third = Rockpool.at(o -> here.another().engine()).open()) {
      assertThat(cache(third).get("k")).isEqualTo(new Book("d"));
    }
  }

  @Test
  void theSpaceOfClassesIsNotAmongTheNames() {
    cache(mine).put("k", new Book("b"));
    assertThat(mine.names().list()).extracting(Description::name).containsExactly("cache");
  }

  @Test
  void whatThisProcessMayNotDecodeStaysForTheOthers() {
    cache(theirs).put("k", new Book("b"));
    HandleUnderTest older = here.another();
    try (Rockpool strict =
        Rockpool.at(options -> older.engine()).codecs(Codecs.builder().strict().build()).open()) {
      PersistentCache<String, Object> cache = cache(strict);
      assertThat(cache.get("k")).isNull();
      assertThat(cache.statistics().undecodable()).isPositive();
      assertThat(cache(theirs).get("k")).isEqualTo(new Book("b"));
      assertThat(cache(mine).get("k")).isEqualTo(new Book("b"));
      assertThat(cache.get("k", key -> "loaded")).isEqualTo("loaded");
    }
    here.settle();
    assertThat(cache(mine).get("k")).isEqualTo("loaded");
  }

  /** Each new class is looked up and added, and each value is written. */
  @Test
  @NotEncrypted("counts the calls of an engine below")
  void onlyAClassThatThisProcessDoesNotKnowNeedsRoundTrips() throws Exception {
    PersistentCache<String, Object> cache = cache(mine);
    assertThat(trips(() -> cache.put("k", new Author("a", new Book("b"))))).isEqualTo(2 * 2 + 1);
    assertThat(trips(() -> cache.put("k", new Author("a", new Book("c"))))).isEqualTo(1);
    for (int i = 0; i < 3; i++) {
      assertThat(trips(() -> putRefused(cache))).isZero();
      assertThat(trips(() -> cache.put("k", new Book("d")))).isEqualTo(1);
    }
    assertThat(trips(() -> Threads.run(20, thread -> cache.put("k" + thread, new Book("e")))))
        .isEqualTo(20);
  }

  private static void putRefused(PersistentCache<String, Object> cache) {
    assertThatThrownBy(() -> cache.put("bad", List.of(Thread.currentThread())))
        .isInstanceOf(UnencodableValueException.class);
  }

  private interface Calls {
    void run() throws Exception;
  }

  private long trips(Calls calls) throws Exception {
    long before = here.roundTrips();
    calls.run();
    return here.roundTrips() - before;
  }

  @Test
  void aServerThatIsAwayWhenAClassIsLookedUpHasNotDamagedTheValue() {
    PersistentMap<String, Object> map = mine.map("map", String.class, Object.class);
    PersistentCache<String, Object> cache =
        mine.cache(
            "cache",
            String.class,
            Object.class,
            options -> options.onUnencodable(CacheOptions.OnUnencodable.SKIP));
    theirs.map("map", String.class, Object.class).put("k", new Book("b"));
    cache(theirs).put("k", new Author("a", new Book("c")));
    for (Supplier<Object> read :
        List.<Supplier<Object>>of(() -> map.get("k"), () -> cache.get("k"))) {
      here.before("get", () -> here.before("get", SharedClassesTest::fail)); // the second is that
      assertThatThrownBy(read::get).isInstanceOf(ServerUnavailableException.class);
    }
    here.before("get", SharedClassesTest::fail);
    assertThatThrownBy(() -> cache.put("l", new Book("d")))
        .isInstanceOf(ServerUnavailableException.class);
    assertThat(cache.statistics().undecodable() + cache.statistics().unencodable()).isZero();
    assertThat(map.get("k")).isEqualTo(new Book("b"));
    assertThat(cache.get("k")).isEqualTo(new Author("a", new Book("c")));
  }

  private static void fail() {
    throw new ServerUnavailableException("No server answers. Repeat the call later.", null);
  }

  @Test
  void aClassThatTheServerHasLostIsWrittenAgainByItsNextValue() {
    PersistentCache<String, Object> cache = cache(mine);
    PersistentMap<Object, String> map = mine.map("map", Object.class, String.class);
    cache.put("k", new Book("b"));
    map.put(new Author("a", null), "v");
    Space classes = there.engine().open(SpaceName.CLASSES);
    for (Class<?> lost : List.of(Book.class, Author.class)) {
      classes.delete(lost.getName().getBytes(UTF_8), Space.NO_SORT_KEY);
    }
    here.settle();
    cache.put("k", new Book("c"));
    map.put(new Author("a", null), "w");
    assertThat(cache(theirs).get("k")).isEqualTo(new Book("c"));
    assertThat(theirs.map("map", Object.class, String.class).keySet())
        .containsExactly(new Author("a", null));
  }

  @Test
  void aClassIsFoundOnceAnotherProcessHasWrittenItAgain() {
    cache(theirs).put("k", new Book("b"));
    try (Engine other = here.another().engine()) {
      other.open(SpaceName.CLASSES).clear();
      there.settle();
    }
    PersistentCache<String, Object> cache = cache(mine);
    assertThat(cache.get("k")).isNull();
    here.lose();
    cache(theirs).put("k", new Book("c"));
    assertThat(cache.get("k")).isEqualTo(new Book("c"));
  }
}
