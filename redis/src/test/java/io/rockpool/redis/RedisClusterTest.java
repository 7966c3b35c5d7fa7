package io.rockpool.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.rockpool.Rockpool;
import io.rockpool.cache.PersistentCache;
import io.rockpool.testing.tools.Needs;
import io.rockpool.testing.tools.Tool;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.Timeout;

/** Two stores on a cluster of three masters. */
@Timeout(60)
@TestInstance(Lifecycle.PER_CLASS)
@Needs(Tool.REDIS)
final class RedisClusterTest {
  private static final int ENTRIES = 3_000;
  private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(30);

  private final List<RedisServer> masters = new ArrayList<>();

  @BeforeAll
  void start() throws Exception {
    for (int i = 0; i < 3; i++) {
      masters.add(RedisServer.start("--cluster-enabled", "yes"));
    }
    RedisServer.join(masters);
  }

  @AfterAll
  void stop() {
    masters.forEach(RedisServer::close);
  }

  private Rockpool open() {
    return Rockpool.open(masters.get(0).uri("?cluster=true&timeout=10s&feed-timeout=10s"));
  }

  private static void await(BooleanSupplier condition) {
    long end = System.nanoTime() + PATIENCE_NANOS;
    while (!condition.getAsBoolean() && System.nanoTime() < end) {
      LockSupport.parkNanos(TimeUnit.MICROSECONDS.toNanos(200));
    }
    assertThat(condition.getAsBoolean()).isTrue();
  }

  @Test
  void entriesAreSpreadEvenlyAndClearedAtOnce() {
    try (Rockpool pool = open();
        Rockpool other = open()) {
      PersistentCache<Integer, String> cache = pool.cache("c", Integer.class, String.class);
      Map<Integer, String> all = new HashMap<>();
      for (int i = 0; i < ENTRIES; i++) {
        all.put(i, "v" + i);
      }
      cache.putAll(all);
      PersistentCache<Integer, String> theirs = other.cache("c", Integer.class, String.class);
      assertThat(theirs.getAll(all.keySet())).isEqualTo(all);
      Map<Integer, String> walked = new HashMap<>();
      theirs.forEach(entry -> walked.put(entry.getKey(), entry.getValue()));
      assertThat(walked).isEqualTo(all);
      for (RedisServer master : masters) {
        long there = master.command("--scan", "--pattern", "*:*:*:e*").lines().count();
        assertThat(there).isBetween(ENTRIES / 3 * 85 / 100L, ENTRIES / 3 * 115 / 100L);
      }
      cache.clear();
      await(() -> theirs.getAll(all.keySet()).isEmpty());
      pool.names().drop("c");
    }
  }

  @Test
  void theHotTierHearsOfEveryMaster() {
    try (Rockpool pool = open();
        Rockpool other = open()) {
      PersistentCache<Integer, Long> mine = pool.cache("h", Integer.class, Long.class);
      PersistentCache<Integer, Long> theirs = other.cache("h", Integer.class, Long.class);
      for (int key = 0; key < 30; key++) {
        int at = key;
        mine.put(at, 1L);
        assertThat(mine.get(at)).isEqualTo(1);
        theirs.compute(at, (any, value) -> value + 1);
        await(() -> Objects.equals(mine.get(at), 2L));
      }
    }
  }
}
