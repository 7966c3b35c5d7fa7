package io.rockpool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rockpool.cache.PersistentCache;
import io.rockpool.change.ChangeCursor;
import io.rockpool.change.ChangeEvent;
import io.rockpool.change.ChangeFeed;
import io.rockpool.change.ChangeOptions;
import io.rockpool.engine.memory.MemoryEngine;
import io.rockpool.error.StoreClosedException;
import io.rockpool.structure.PersistentMap;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A store switches the change feed of a name on or off that another store has open. */
@Timeout(60)
final class SeveralHandlesFeedsTest extends TwoHandles {
  private static final ChangeOptions ON = ChangeOptions.keep(Duration.ofDays(1));

  SeveralHandlesFeedsTest() {
    super(MemoryEngine.builder());
  }

  private static PersistentMap<String, Long> map(Rockpool pool, ChangeOptions changes) {
    return pool.map("map", String.class, Long.class, o -> o.changes(changes));
  }

  private static PersistentCache<String, Long> cache(Rockpool pool, ChangeOptions changes) {
    return pool.cache("cache", String.class, Long.class, o -> o.changes(changes));
  }

  private static List<String> changes(Rockpool pool, String name) {
    ChangeFeed<String, Long> feed = pool.changes(name, String.class, Long.class);
    return feed.from(feed.oldest()).map(SeveralHandlesFeedsTest::shown).toList();
  }

  private static String shown(ChangeEvent<String, Long> change) {
    return change.kind() + " " + change.key();
  }

  private void settle() {
    here.settle();
    there.settle();
  }

  private void assertSwitchedOff() {
    PersistentMap<String, Long> map = map(theirs, ON);
    map.put("a", 1L);
    PersistentCache<String, Long> cache = cache(theirs, ON);
    cache.put("a", 1L);
    here.settle();
    map(mine, ChangeOptions.off());
    cache(mine, ChangeOptions.off());
    there.settle();
    assertThat(map.put("b", 2L)).isNull();
    theirs.runAtomically(tx -> map.put("c", 3L));
    map.remove("a");
    assertThat(map).containsOnlyKeys("b", "c");
    map.clear();
    map.put("d", 4L);
    assertThat(theirs.map("map", String.class, Long.class).put("d", 5L)).isEqualTo(4);
    assertThat(map(mine, ChangeOptions.off())).containsOnlyKeys("d");
    cache.put("b", 2L);
    assertThat(cache.get("c", key -> 3L)).isEqualTo(3);
    cache.invalidateAll(List.of("a"));
    assertThat(cache.getAll(List.of("a", "b", "c"))).containsOnlyKeys("b", "c");
    cache.clear();
    theirs.cache("cache", String.class, Long.class).put("d", 4L);
    assertThat(cache.get("d")).isEqualTo(4);
    assertThatThrownBy(() -> changes(theirs, "map")).hasMessageContaining("has no change feed");
  }

  @Test
  void aFeedThatIsSwitchedOffEndsInTheOtherStore() {
    assertSwitchedOff();
  }

  @Test
  void itEndsThereBeforeThatIsReported() {
    there.delay();
    assertSwitchedOff();
    there.deliver();
  }

  @Test
  void itEndsInATransactionBeforeThatIsReported() {
    PersistentMap<String, Long> map = map(theirs, ON);
    PersistentMap<String, Long> other = theirs.map("other", String.class, Long.class);
    there.delay();
    map(mine, ChangeOptions.off());
    theirs.runAtomically(
        tx -> {
          other.put("a", 1L);
          map.put("a", 1L);
          map.put("b", 2L);
        });
    assertThat(map).containsOnlyKeys("a", "b");
    assertThat(other).containsOnlyKeys("a");
    there.deliver();
  }

  @Test
  void whenItIsSwitchedOnAgainChangesAreInTheNewOne() {
    PersistentMap<String, Long> map = map(theirs, ON);
    map.put("a", 1L);
    here.settle();
    map(mine, ChangeOptions.off());
    mine.close();
    mine = Rockpool.at(o -> here.another().engine()).open();
    map(mine, ON);
    there.settle();
    map.put("b", 2L);
    assertThat(changes(mine, "map")).containsExactly("PUT b");
    assertThat(changes(theirs, "map")).containsExactly("PUT b");
  }

  @Test
  void aFeedThatIsSwitchedOnHasTheChangesOfTheOtherStore() {
    PersistentMap<String, Long> map = theirs.map("map", String.class, Long.class);
    PersistentCache<String, Long> cache = theirs.cache("cache", String.class, Long.class);
    map.put("a", 1L);
    settle();
    map(mine, ON);
    cache(mine, ON);
    settle();
    map.put("b", 2L);
    theirs.runAtomically(tx -> map.merge("b", 1L, Long::sum));
    map.remove("b");
    map.clear();
    assertThat(changes(mine, "map")).containsExactly("PUT b", "PUT b", "REMOVE b", "CLEAR null");
    assertThat(changes(theirs, "map")).hasSize(4);
    cache.put("a", 1L);
    assertThat(cache.get("b", key -> 2L)).isEqualTo(2);
    cache.invalidate("a");
    assertThat(changes(mine, "cache")).containsExactly("PUT a", "PUT b", "REMOVE a");
  }

  @Test
  void aStoreWithoutReportsSeesTheSwitchWhenTheyAreBack() {
    PersistentMap<String, Long> map = theirs.map("map", String.class, Long.class);
    there.lose();
    map(mine, ON);
    there.regain();
    map.put("a", 1L);
    assertThat(changes(mine, "map")).containsExactly("PUT a");
  }

  @Test
  void aWaitingReaderOfAFeedThatIsSwitchedOffIsTold() {
    map(theirs, ON);
    ChangeFeed<String, Long> feed = theirs.changes("map", String.class, Long.class);
    CompletableFuture<List<ChangeEvent<String, Long>>> waiting =
        CompletableFuture.supplyAsync(
            () -> {
              try {
                return feed.poll(feed.next(), 1, Duration.ofHours(1));
              } catch (InterruptedException e) {
                throw new AssertionError(e);
              }
            });
    map(mine, ChangeOptions.off());
    assertThatThrownBy(waiting::get)
        .isInstanceOf(ExecutionException.class)
        .hasRootCauseInstanceOf(StoreClosedException.class)
        .hasMessageContaining("The change feed of \"map\"");
  }

  @Test
  void aFeedOfADroppedNameIsNamedBeforeTheDropIsReported() {
    map(theirs, ON);
    ChangeFeed<String, Long> feed = theirs.changes("map", String.class, Long.class);
    ChangeCursor<String, Long> cursor = feed.cursor("c");
    there.delay();
    mine.names().drop("map");
    List<ThrowingCallable> uses =
        List.of(
            feed::next,
            () -> feed.poll(0, 1),
            () -> feed.poll(0, 1, Duration.ofHours(1)),
            () -> feed.from(0),
            () -> feed.cursor("d"),
            feed::cursors,
            () -> cursor.poll(1),
            cursor::commit,
            cursor::rewind);
    for (ThrowingCallable use : uses) {
      assertThatThrownBy(use)
          .isInstanceOf(StoreClosedException.class)
          .hasMessageStartingWith("The change feed of \"map\" was dropped");
    }
    there.deliver();
  }

  @Test
  void newLimitsAreThoseOfTheOtherStoreToo() {
    PersistentMap<String, Long> map = map(theirs, ON);
    map(mine, ON.maxChanges(10));
    there.settle();
    for (int i = 0; i < 500; i++) {
      map.put("a", 1L);
    }
    assertThat(changes(theirs, "map")).hasSizeLessThan(200);
  }
}
