package io.rockpool;

import static org.assertj.core.api.Assertions.assertThat;

import io.rockpool.cache.PersistentCache;
import io.rockpool.structure.PersistentDeque;
import io.rockpool.structure.PersistentMap;
import io.rockpool.structure.PersistentScoredSet;
import io.rockpool.testing.FakeClock;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * The clock is set back, by more than anything lives: what is there stays consistent and usable.
 */
@Timeout(60)
final class ClockTest {
  private static final Duration TTL = Duration.ofHours(1);
  private static final Duration BACK = Duration.ofDays(400);

  @TempDir Path directory;
  private final FakeClock clock = new FakeClock();

  private Rockpool open() {
    return Rockpool.at(directory).clock(clock).open();
  }

  private static void fill(Rockpool pool, int from) {
    for (int i = from; i < from + 50; i++) {
      pool.cache("cache", String.class, Integer.class).put("k" + i, i, TTL);
      pool.map("map", String.class, Integer.class).put("k" + i, i, TTL);
      pool.deque("deque", Integer.class).offerLastExpiring(i, TTL);
      pool.scoredSet("scored", String.class).add("k" + i, i, TTL);
      pool.map("forever", String.class, Integer.class).put("k" + i, i);
    }
  }

  @Test
  void whatIsWrittenAfterwardsLivesAsLongAsItShould() {
    try (Rockpool pool = open()) {
      fill(pool, 0);
      clock.advanceMillis(-BACK.toMillis());
      fill(pool, 50);
      assertUsable(pool);
    }
    clock.advanceMillis(-BACK.toMillis());
    try (Rockpool pool = open()) {
      fill(pool, 100);
      assertUsable(pool);
      PersistentCache<String, Integer> cache = pool.cache("cache", String.class, Integer.class);
      assertThat(cache.get("k120")).isEqualTo(120);
      assertThat(cache.get("k20")).isEqualTo(20);
      clock.advanceMillis(TTL.toMillis());
      assertThat(cache.get("k120")).isNull();
      assertThat(cache.get("k20")).isEqualTo(20);
      assertThat(pool.map("map", String.class, Integer.class).get("k120")).isNull();
      assertThat(pool.map("forever", String.class, Integer.class)).hasSize(150);
      clock.advanceMillis(3 * BACK.toMillis());
      assertThat(cache.get("k20")).isNull();
      assertThat(pool.deque("deque", Integer.class).pollFirst()).isNull();
      assertThat(pool.scoredSet("scored", String.class).pollFirst()).isNull();
      assertThat(pool.verify().toString()).contains("nothing wrong");
    }
  }

  /** Elements that had expired may be seen again, or not; those that had not are there. */
  @Test
  void whatHadExpiredDoesNoHarm() {
    try (Rockpool pool = open()) {
      fill(pool, 0);
      clock.advanceMillis(TTL.toMillis() + 1);
      assertThat(pool.deque("deque", Integer.class).pollFirst()).isNull();
      fill(pool, 50);
      clock.advanceMillis(-TTL.toMillis());
      assertUsable(pool);
      PersistentDeque<Integer> deque = pool.deque("deque", Integer.class);
      assertThat(deque).contains(50, 99);
      assertThat(new ArrayList<>(deque)).isSorted().doesNotHaveDuplicates();
      PersistentMap<String, Integer> map = pool.map("map", String.class, Integer.class);
      assertThat(map.keySet()).contains("k50", "k99");
    }
  }

  private static void assertUsable(Rockpool pool) {
    PersistentDeque<Integer> deque = pool.deque("deque", Integer.class);
    deque.addFirst(-1);
    assertThat(deque.pollFirst()).isEqualTo(-1);
    deque.addLast(-2);
    assertThat(deque.pollLast()).isEqualTo(-2);
    PersistentMap<String, Integer> map = pool.map("map", String.class, Integer.class);
    assertThat(map.merge("n", 1, Integer::sum)).isEqualTo(1);
    assertThat(map.remove("n")).isEqualTo(1);
    assertThat(map.size()).isGreaterThanOrEqualTo(new ArrayList<>(map.keySet()).size());
    PersistentScoredSet<String> scored = pool.scoredSet("scored", String.class);
    assertThat(scored.add("n", -1)).isTrue();
    assertThat(scored.rank("n")).hasValue(0);
    assertThat(scored.remove("n")).isTrue();
    List<String> found = new ArrayList<>();
    scored.forEach(found::add);
    assertThat(found).doesNotHaveDuplicates();
    PersistentCache<String, Integer> cache = pool.cache("cache", String.class, Integer.class);
    assertThat(cache.get("n", key -> 7)).isEqualTo(7);
    cache.invalidate("n");
    assertThat(cache.get("n")).isNull();
  }
}
