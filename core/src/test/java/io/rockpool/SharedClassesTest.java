package io.rockpool;

import static org.assertj.core.api.Assertions.assertThat;

import io.rockpool.cache.PersistentCache;
import io.rockpool.codec.Codecs;
import io.rockpool.engine.memory.MemoryEngine;
import io.rockpool.structure.PersistentDeque;
import io.rockpool.structure.PersistentMap;
import io.rockpool.testing.HandleUnderTest;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Values of classes that no declared type reaches, written by one process and read by another. */
final class SharedClassesTest {
  private final HandleUnderTest here = new HandleUnderTest(MemoryEngine.builder().shared().build());
  private final HandleUnderTest there = here.another();
  private final Rockpool mine = Rockpool.over(here.engine());
  private final Rockpool theirs = Rockpool.over(there.engine());

  record Book(String title) {}

  record Author(String name, Book best) {}

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
    mine.dropEverything();
    here.settle();
    there.settle();
    cache(theirs).put("k", new Book("d"));
    try (Rockpool third = Rockpool.over(here.another().engine())) {
      assertThat(cache(third).get("k")).isEqualTo(new Book("d"));
    }
  }

  @Test
  void theSpaceOfClassesIsNotAmongTheNames() {
    cache(mine).put("k", new Book("b"));
    assertThat(mine.list()).extracting(Description::name).containsExactly("cache");
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
}
