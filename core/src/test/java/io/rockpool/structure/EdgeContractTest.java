package io.rockpool.structure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rockpool.Rockpool;
import io.rockpool.testing.FakeClock;
import java.nio.file.Path;
import java.time.Duration;
import java.util.AbstractMap;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Where collections are to do as those of the JDK do: nulls, views, elements that expired. */
class EdgeContractTest {
  @TempDir Path directory;
  private final FakeClock clock = new FakeClock();
  private Rockpool pool;

  @BeforeEach
  void open() {
    pool = Rockpool.at(directory).clock(clock).open();
  }

  @AfterEach
  void close() {
    pool.close();
  }

  @Test
  void noMapHasAnEntryWithTheValueNull() {
    PersistentSortedMap<String, String> sorted =
        pool.sortedMap("sorted", String.class, String.class);
    List<ConcurrentMap<String, String>> maps =
        List.of(
            new ConcurrentHashMap<>(),
            pool.map("map", String.class, String.class),
            sorted,
            sorted.descendingMap(),
            sorted.tailMap("a"),
            pool.cache("cache", String.class, String.class).asMap());
    for (ConcurrentMap<String, String> map : maps) {
      map.put("k", "v");
      assertThat(map.remove("k", null)).as(map.getClass().getName()).isFalse();
      assertThat(map.remove("none", null)).isFalse();
      assertThat(map.entrySet().contains(new AbstractMap.SimpleEntry<>("k", null))).isFalse();
      assertThat(map.get("k")).isEqualTo("v");
    }
  }

  @Test
  void aMapRefusesTheKeyNull() {
    for (Map<String, String> map :
        List.of(
            pool.map("map", String.class, String.class),
            pool.sortedMap("sorted", String.class, String.class))) {
      assertThatThrownBy(() -> map.remove(null, null)).isInstanceOf(NullPointerException.class);
    }
  }

  @Test
  void theSizeOfADescendingViewCountsNoExpiredElements() {
    PersistentSortedMap<Integer, Integer> map = pool.sortedMap("map", Integer.class, Integer.class);
    map.put(1, 1, Duration.ofSeconds(1));
    map.put(2, 2);
    PersistentSortedSet<Integer> set = pool.sortedSet("set", Integer.class);
    set.add(1, Duration.ofSeconds(1));
    set.add(2);
    clock.advanceMillis(2_000);
    for (Collection<?> view :
        List.of(
            map.descendingMap().entrySet(),
            map.descendingMap().keySet(),
            map.descendingMap().values(),
            map.descendingKeySet(),
            map.descendingMap().descendingMap().descendingMap().values(),
            set.descendingSet(),
            set.descendingSet().descendingSet().descendingSet())) {
      assertThat(view.size()).isEqualTo(1);
      assertThat(view.toArray()).hasSize(1);
    }
    assertThat(map.descendingMap().size()).isEqualTo(1);
  }

  @Test
  void anElementThatIsExpiredAlreadyNeedsNoRoom() {
    PersistentDeque<String> deque = pool.deque("deque", String.class, o -> o.capacity(1));
    deque.add("a");
    for (Duration ttl : List.of(Duration.ZERO, Duration.ofMillis(-1))) {
      deque.insert(0, "b", ttl);
      assertThat(deque.insertBefore("a", "b", ttl)).isTrue();
      assertThat(deque.insertAfter("a", "b", ttl)).isTrue();
      assertThat(deque.insertAfter("none", "b", ttl)).isFalse();
      assertThat(deque.offerFirstExpiring("b", ttl)).isTrue();
      assertThat(deque.offerLastExpiring("b", ttl)).isTrue();
      assertThatThrownBy(() -> deque.insert(5, "b", ttl))
          .isInstanceOf(IndexOutOfBoundsException.class);
    }
    assertThat(deque).containsExactly("a");
    assertThatThrownBy(() -> deque.insert(0, "b", Duration.ofSeconds(1)))
        .isInstanceOf(IllegalStateException.class);
  }
}
