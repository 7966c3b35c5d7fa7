package io.rockpool.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rockpool.Rockpool;
import io.rockpool.cache.PersistentCache;
import io.rockpool.testing.Slow;
import io.rockpool.testing.tools.Needs;
import io.rockpool.testing.tools.Tool;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Two stores that read from the replicas of one master, one of which may fall behind. */
@Slow
@Timeout(60)
@Needs(Tool.REDIS)
final class ReplicaReadsTest {
  private static final int KEYS = 200;
  private static final String QUERY = "?read-from=replica&timeout=5s&feed-timeout=10s";

  private RedisServer master;
  private StallingProxy link;
  private RedisServer replica;
  private Rockpool mine;
  private Rockpool theirs;

  @BeforeEach
  void open() throws Exception {
    master = RedisServer.start("--repl-diskless-sync-delay", "0");
    link = new StallingProxy(master.port());
    replica = master.startReplica(link.port());
    mine = Rockpool.open(master.uri(QUERY));
    theirs = Rockpool.open(master.uri(QUERY));
  }

  @AfterEach
  void close() {
    if (theirs != null) {
      theirs.close();
    }
    if (mine != null) {
      mine.close();
    }
    if (replica != null) {
      replica.close();
    }
    if (link != null) {
      link.close();
    }
    if (master != null) {
      master.close();
    }
  }

  private static PersistentCache<String, Long> cache(Rockpool pool) {
    return pool.cache("c", String.class, Long.class, options -> options.hotEntries(0));
  }

  private static long answered(Rockpool pool) {
    return pool.state().server().orElseThrow().replicaReads();
  }

  private static Map<String, Long> entries(long value) {
    Map<String, Long> all = new HashMap<>();
    for (int i = 0; i < KEYS; i++) {
      all.put("k" + i, value);
    }
    return all;
  }

  /** Waits until replicas answer for all keys, whose values are known. */
  private static void awaitAnswers(Rockpool pool, Map<String, Long> all) {
    long end = System.nanoTime() + Failover.PATIENCE_NANOS;
    while (true) {
      long before = answered(pool);
      assertThat(cache(pool).getAll(all.keySet())).isEqualTo(all);
      long now = answered(pool) - before;
      if (now == all.size()) {
        return;
      }
      assertThat(System.nanoTime() - end).as("%d were answered", now).isNegative();
    }
  }

  @Test
  void replicasAnswerPlainReadsOfCachesWithoutMemory() throws Exception {
    try (RedisServer second = master.startReplica()) {
      Map<String, Long> all = entries(1);
      PersistentCache<String, Long> cache = cache(mine);
      cache.putAll(all);
      Failover.await(() -> isServing(replica, all) && isServing(second, all));
      Failover.await(
          () -> {
            awaitAnswers(mine, all);
            long before = answered(mine);
            long atMaster = calls(master, "mget");
            all.forEach((key, value) -> assertThat(cache.get(key)).isEqualTo(value));
            assertThat(cache.get("absent")).isNull();
            assertThat(cache.get("k0", key -> -1L)).isEqualTo(1);
            return answered(mine) - before == KEYS + 2 && calls(master, "mget") == atMaster;
          });
    }
  }

  private boolean isServing(RedisServer server, Map<String, Long> all) {
    long before = calls(server, "get");
    assertThat(cache(mine).getAll(all.keySet())).isEqualTo(all);
    return calls(server, "get") > before;
  }

  private static long calls(RedisServer server, String command) {
    return server
        .command("INFO", "commandstats")
        .lines()
        .filter(line -> line.startsWith("cmdstat_" + command + ":calls="))
        .mapToLong(line -> Long.parseLong(line.replaceAll(".*:calls=([0-9]+),.*", "$1")))
        .sum();
  }

  @Test
  void whatDecidesOrIsKeptInMemoryAsksTheMaster() {
    PersistentCache<String, Long> cache = cache(mine);
    Map<String, Long> all = entries(1);
    cache.putAll(all);
    awaitAnswers(mine, all);
    long before = answered(mine);
    assertThat(mine.<Long>withLatestReads(() -> cache.get("k1"))).isEqualTo(1);
    assertThat(cache.containsKey("k2")).isTrue();
    assertThat(cache.ttl("k3")).isPresent();
    assertThat(cache.putIfAbsent("k4", 2L)).isEqualTo(1);
    assertThat(cache.compute("k5", (key, value) -> value + 1)).isEqualTo(2);
    assertThat(cache.asMap().replace("k6", 1L, 2L)).isTrue();
    cache.forEach(entry -> assertThat(entry.getValue()).isPositive());
    PersistentCache<String, Long> hot = mine.cache("hot", String.class, Long.class);
    hot.put("k", 1L);
    assertThat(hot.get("k")).isEqualTo(1);
    assertThat(hot.get("absent")).isNull();
    assertThat(answered(mine)).isEqualTo(before);
  }

  @Test
  void theMasterIsReadByDefault() {
    try (Rockpool pool = Rockpool.open(master.uri("?read-from=master"))) {
      cache(pool).put("k", 1L);
      for (int i = 0; i < 20; i++) {
        assertThat(cache(pool).get("k")).isEqualTo(1);
      }
      assertThat(answered(pool)).isZero();
    }
    assertThatThrownBy(() -> Rockpool.open(master.uri("?read-from=slave")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("Give master or replica");
  }

  @Test
  void writesAreSeenThoughTheReplicaIsBehind() {
    Map<String, Long> all = entries(1);
    cache(mine).putAll(all);
    awaitAnswers(mine, all);
    awaitAnswers(theirs, all);
    link.stall(true);
    long before = answered(theirs);
    for (int i = 0; i < KEYS; i += 2) {
      String key = "k" + i;
      cache(mine).put(key, 2L);
      assertThat(cache(mine).get(key)).isEqualTo(2);
      assertThat(cache(mine).getAll(List.of(key))).containsEntry(key, 2L);
      cache(mine).invalidate(key);
      assertThat(cache(mine).get(key)).isNull();
      assertThat(cache(mine).putIfAbsent(key, 3L)).isNull();
      assertThat(cache(mine).get(key)).isEqualTo(3);
      Failover.await(() -> Objects.equals(cache(theirs).get(key), 3L));
    }
    assertThat(cache(theirs).get("k1")).isEqualTo(1);
    assertThat(answered(theirs)).isGreaterThan(before);
    link.stall(false);
    for (int i = 0; i < KEYS; i += 2) {
      all.put("k" + i, 3L);
    }
    awaitAnswers(theirs, all);
  }

  @Test
  void aReplicaThatStaysBehindIsLeft() {
    Map<String, Long> all = entries(1);
    cache(mine).putAll(all);
    awaitAnswers(mine, all);
    link.stall(true);
    cache(theirs).put("other", 1L);
    Failover.await(
        () -> {
          long before = answered(mine);
          for (int i = 0; i < 20; i++) { // one read may wait too long for the replica
            assertThat(cache(mine).getAll(all.keySet())).isEqualTo(all);
          }
          return answered(mine) == before;
        });
    link.stall(false);
    awaitAnswers(mine, all);
  }

  @Test
  void loopsThatDecideEndWithTheRightResultThoughTheReplicaIsBehind() throws Exception {
    Map<String, Long> all = entries(0);
    cache(mine).putAll(all);
    awaitAnswers(mine, all);
    awaitAnswers(theirs, all);
    link.stall(true);
    AtomicInteger loads = new AtomicInteger();
    List<Callable<Boolean>> work = new ArrayList<>();
    for (int thread = 0; thread < 4; thread++) {
      PersistentCache<String, Long> cache = cache(thread % 2 == 0 ? mine : theirs);
      work.add(
          () -> {
            for (int i = 0; i < 200; i++) {
              String key = "k" + i % 5;
              Long unused = cache.compute(key, (any, value) -> value + 1);
              Long old = cache.get(key);
              while (!cache.asMap().replace(key, Objects.requireNonNull(old), old + 1)) {
                old = cache.asMap().get(key);
              }
              assertThat(cache.get("l" + i, any -> (long) loads.incrementAndGet())).isPositive();
            }
            return true;
          });
    }
    runAll(work);
    for (int i = 0; i < 5; i++) {
      assertThat(cache(mine).get("k" + i)).isEqualTo(4 * 200 / 5 * 2);
    }
    assertThat(loads.get()).isBetween(200, 400); // once in each store at most
    for (int i = 0; i < 200; i++) {
      String key = "l" + i;
      Failover.await(() -> Objects.equals(cache(mine).get(key), cache(theirs).get(key)));
    }
  }

  private static void runAll(List<Callable<Boolean>> work) throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(work.size());
    try {
      for (Future<Boolean> each : threads.invokeAll(work, 40, TimeUnit.SECONDS)) {
        assertThat(each.get()).isTrue();
      }
    } finally {
      threads.shutdownNow();
    }
  }

  @Test
  void aClearIsSeenThoughTheReplicaIsBehind() {
    Map<String, Long> all = entries(1);
    cache(mine).putAll(all);
    awaitAnswers(mine, all);
    awaitAnswers(theirs, all);
    link.stall(true);
    cache(mine).clear();
    assertThat(cache(mine).getAll(all.keySet())).isEmpty();
    assertThat(cache(mine).get("k0")).isNull();
    Failover.await(() -> cache(theirs).get("k0") == null);
    assertThat(cache(theirs).getAll(all.keySet())).isEmpty();
    cache(theirs).putAll(entries(2));
    Failover.await(() -> Objects.equals(cache(mine).get("k0"), 2L));
    cache(mine).put("k1", 3L);
    assertThat(cache(mine).get("k1")).isEqualTo(3);
    Failover.await(() -> Objects.equals(cache(theirs).get("k1"), 3L));
    link.stall(false);
    Map<String, Long> now = entries(2);
    now.put("k1", 3L);
    awaitAnswers(mine, now);
    awaitAnswers(theirs, now);
  }

  @Test
  void aStalledReplicaDelaysFewReads() {
    Map<String, Long> all = entries(1);
    cache(mine).putAll(all);
    awaitAnswers(mine, all);
    replica.signal("STOP");
    try {
      long begun = System.nanoTime();
      for (int i = 0; i < 10; i++) {
        all.keySet().forEach(key -> assertThat(cache(mine).get(key)).isEqualTo(1));
      }
      assertThat(System.nanoTime() - begun).isLessThan(TimeUnit.SECONDS.toNanos(20)); // of 200
    } finally {
      replica.signal("CONT");
    }
    awaitAnswers(mine, all);
  }

  @Test
  void aReplicaWithoutItsMasterIsNotRead() throws Exception {
    Map<String, Long> all = entries(1);
    cache(mine).putAll(all);
    awaitAnswers(mine, all);
    // It keeps its data, answers, and follows a place where no server is.
    assertThat(replica.command("REPLICAOF", "127.0.0.1", "1")).isEqualTo("OK");
    cache(theirs).putAll(entries(2));
    Failover.await(() -> Objects.equals(cache(mine).get("k0"), 2L));
    Failover.await(() -> !master.command("INFO", "replication").contains("slave0"));
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(1);
    while (System.nanoTime() < deadline) {
      assertThat(cache(mine).getAll(all.keySet())).isEqualTo(entries(2));
    }
    long before = answered(mine);
    assertThat(cache(mine).getAll(all.keySet())).isEqualTo(entries(2));
    assertThat(answered(mine)).isEqualTo(before);
    replica.kill();
    replica.restart();
    awaitAnswers(mine, entries(2));
  }

  /** What changed while reports were missing is not read from a replica that is behind. */
  @Test
  void changesThatWereNotReportedAreNotReadFromAReplicaThatIsBehind() {
    Map<String, Long> all = entries(1);
    cache(mine).putAll(all);
    awaitAnswers(mine, all);
    link.stall(true);
    long connections = mine.state().server().orElseThrow().connections();
    String unused = master.command("CLIENT", "KILL", "TYPE", "normal", "SKIPME", "yes");
    try (Rockpool other = Rockpool.open(master.uri(""))) {
      cache(other).putAll(entries(2));
    }
    Failover.await(() -> mine.state().server().orElseThrow().connections() > connections);
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(2);
    while (System.nanoTime() < deadline) {
      assertThat(cache(mine).getAll(all.keySet())).isEqualTo(entries(2));
    }
    link.stall(false);
    awaitAnswers(mine, entries(2));
  }
}
