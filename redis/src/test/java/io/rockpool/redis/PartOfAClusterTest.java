package io.rockpool.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.fail;

import io.rockpool.Rockpool;
import io.rockpool.cache.PersistentCache;
import io.rockpool.error.OutcomeUnknownException;
import io.rockpool.error.ServerUnavailableException;
import io.rockpool.store.ServerState;
import io.rockpool.testing.Slow;
import io.rockpool.testing.tools.Needs;
import io.rockpool.testing.tools.Tool;
import java.util.AbstractMap;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Bulk calls on a cluster of three masters, one of which does not answer. */
@Slow
@Timeout(90)
@Needs(Tool.REDIS)
final class PartOfAClusterTest {
  private static final int ENTRIES = 2_500;

  private final List<RedisServer> masters = new ArrayList<>();
  private Rockpool pool;

  @BeforeEach
  void start() throws Exception {
    for (int i = 0; i < 3; i++) {
      masters.add(
          RedisServer.start("--cluster-enabled", "yes", "--cluster-require-full-coverage", "no"));
    }
    RedisServer.join(masters);
  }

  @AfterEach
  void stop() {
    if (pool != null) {
      pool.close();
    }
    masters.forEach(RedisServer::close);
  }

  private Rockpool open(String options) {
    pool = Rockpool.open(masters.get(0).uri("?cluster=true&timeout=2s&feed-timeout=1s" + options));
    return pool;
  }

  private static Map<Integer, Long> all(long value) {
    return IntStream.range(0, ENTRIES).boxed().collect(Collectors.toMap(key -> key, key -> value));
  }

  private void stopOne() {
    masters.get(1).signal("STOP");
    Failover.await(() -> !pool.state().server().orElseThrow().connected());
  }

  private void goOn() {
    masters.get(1).signal("CONT");
    Failover.await(() -> pool.state().server().orElseThrow().connected());
  }

  /** How many entries the masters have of each value. */
  private Map<Long, Long> values(PersistentCache<Integer, Long> cache) {
    return pool.withLatestReads(() -> cache.getAll(all(0).keySet())).values().stream()
        .collect(Collectors.groupingBy(value -> value, Collectors.counting()));
  }

  /** Each master in turn refuses writes; for at least two of them, others come first. */
  private void assertSaysWhatWasMade(
      PersistentCache<Integer, Long> cache, Runnable write, Runnable before) {
    int parts = 0;
    for (RedisServer master : masters) {
      before.run();
      Map<Long, Long> old = values(cache);
      assertThat(master.command("CONFIG", "SET", "min-replicas-to-write", "1")).isEqualTo("OK");
      try {
        write.run();
        fail("A write was made that a server refused.");
      } catch (ServerUnavailableException e) {
        assertThat(values(cache)).isEqualTo(old);
      } catch (OutcomeUnknownException e) {
        assertThat(e).hasMessageContainingAll("in part", "NOREPLICAS");
        assertThat(values(cache)).isNotEqualTo(old);
        parts++;
      }
      assertThat(master.command("CONFIG", "SET", "min-replicas-to-write", "0")).isEqualTo("OK");
    }
    assertThat(parts).isGreaterThanOrEqualTo(2);
  }

  @Test
  void aBulkWriteOfWhichAPartWasMadeSaysSo() {
    PersistentCache<Integer, Long> cache = open("").cache("c", Integer.class, Long.class);
    assertSaysWhatWasMade(cache, () -> cache.putAll(all(2)), () -> cache.putAll(all(1)));
    assertSaysWhatWasMade(
        cache, () -> cache.invalidateAll(all(1).keySet()), () -> cache.putAll(all(1)));
  }

  /** The writes of values are divided by their bytes. */
  @Test
  void aBulkWriteOfSeveralBatchesSaysWhatWasMade() {
    PersistentCache<Integer, byte[]> cache = open("").cache("b", Integer.class, byte[].class);
    Map<Integer, byte[]> large = new LinkedHashMap<>();
    for (int key = 0; key < 9; key++) {
      large.put(key, new byte[1 << 20]);
    }
    Map<Integer, byte[]> refused =
        new AbstractMap<>() {
          private boolean isChecked;

          @Override
          public Set<Map.Entry<Integer, byte[]>> entrySet() {
            return large.entrySet();
          }

          @Override
          public void forEach(BiConsumer<? super Integer, ? super byte[]> action) {
            large.forEach(action);
            if (isChecked) {
              masters.forEach(
                  master -> master.command("CONFIG", "SET", "min-replicas-to-write", "1"));
            }
            isChecked = true;
          }
        };
    assertThatThrownBy(() -> cache.putAll(refused))
        .isInstanceOf(OutcomeUnknownException.class)
        .hasMessageContainingAll("in part", "NOREPLICAS");
  }

  @Test
  void onlyTheKeysOfAServerThatIsAwayAreMisses() {
    Rockpool missing = open("&when-away=miss");
    PersistentCache<Integer, Long> read = missing.cache("r", Integer.class, Long.class);
    PersistentCache<Integer, Long> loaded = missing.cache("l", Integer.class, Long.class);
    PersistentCache<Integer, Long> put = missing.cache("p", Integer.class, Long.class);
    List.of(read, loaded, put).forEach(cache -> cache.putAll(all(1)));
    stopOne();
    Set<Integer> there = new HashSet<>();
    Failover.await( // at first, memory may still answer
        () -> {
          there.clear();
          there.addAll(read.getAll(all(1).keySet()).keySet());
          return IntStream.range(0, 50)
              .allMatch(key -> read.get(key) != null == there.contains(key));
        });
    assertThat(there.size()).isBetween(ENTRIES / 2, ENTRIES * 4 / 5);
    Set<Integer> asked = new HashSet<>();
    Map<Integer, Long> both =
        loaded.getAll(
            all(2).keySet(),
            keys -> {
              asked.addAll(keys);
              return keys.stream().collect(Collectors.toMap(key -> key, key -> 2L));
            });
    assertThat(asked).hasSize(ENTRIES - there.size()).doesNotContainAnyElementsOf(there);
    all(1)
        .keySet()
        .forEach(key -> assertThat(both).containsEntry(key, there.contains(key) ? 1L : 2));
    put.putAll(all(3));
    goOn();
    try (Rockpool other = Rockpool.open(masters.get(0).uri("?cluster=true"))) {
      Failover.await(
          () -> missing.state().server().orElseThrow().breaker() == ServerState.Breaker.CLOSED);
      long kept = there.size();
      assertThat(values(other.cache("r", Integer.class, Long.class)))
          .isEqualTo(Map.of(1L, (long) ENTRIES));
      assertThat(values(other.cache("l", Integer.class, Long.class))).isEqualTo(Map.of(1L, kept));
      assertThat(values(other.cache("p", Integer.class, Long.class))).isEqualTo(Map.of(3L, kept));
    }
  }
}
