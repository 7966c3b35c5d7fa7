package io.rockpool.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.rockpool.Rockpool;
import io.rockpool.cache.PersistentCache;
import io.rockpool.testing.Slow;
import io.rockpool.testing.tools.Needs;
import io.rockpool.testing.tools.Tool;
import java.net.URI;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Stores that read from replicas, behind sentinels and in a cluster, whose masters change. */
@Slow
@Timeout(180)
@Needs(Tool.REDIS)
final class ReplicaFailoverTest {
  private static final String QUERY = "read-from=replica&timeout=5s&feed-timeout=5s";
  private static final int KEYS = 100;

  private static PersistentCache<String, Long> cache(Rockpool pool) {
    return pool.cache("c", String.class, Long.class, options -> options.hotEntries(0));
  }

  private static Map<String, Long> entries(long value) {
    Map<String, Long> all = new HashMap<>();
    for (int i = 0; i < KEYS; i++) {
      all.put("k" + i, value);
    }
    return all;
  }

  private static void awaitAnswers(Rockpool pool, Map<String, Long> all) {
    Failover.await(
        () -> {
          long before = pool.state().server().orElseThrow().replicaReads();
          assertThat(cache(pool).getAll(all.keySet())).isEqualTo(all);
          return pool.state().server().orElseThrow().replicaReads() - before > KEYS / 2;
        });
  }

  private static boolean isMaster(RedisServer server) {
    return server.command("INFO", "replication").contains("role:master");
  }

  /** Writes are seen before, during and after the failover; the old master then answers reads. */
  @Test
  void theReplicaOfSentinelsBecomesTheMaster() throws Exception {
    try (RedisServer master = RedisServer.start("--repl-diskless-sync-delay", "0");
        RedisServer replica = master.startReplica();
        RedisServer sentinel = master.startSentinel("shop")) {
      RedisServer.awaitAnswer(
          () -> sentinel.command("SENTINEL", "REPLICAS", "shop").contains(replica.port() + ""));
      URI uri =
          URI.create("redis-sentinel://127.0.0.1:" + sentinel.port() + "/0?master=shop&" + QUERY);
      try (Rockpool mine = Rockpool.open(uri);
          Rockpool theirs = Rockpool.open(uri)) {
        cache(mine).putAll(entries(1));
        awaitAnswers(mine, entries(1));
        awaitAnswers(theirs, entries(1));
        Failover.await(() -> sentinel.command("SENTINEL", "FAILOVER", "shop").equals("OK"));
        Failover.await(() -> isMaster(replica));
        Failover.await(() -> mine.state().server().orElseThrow().connections() > 1);
        cache(mine).putAll(entries(2));
        assertThat(cache(mine).getAll(entries(2).keySet())).isEqualTo(entries(2));
        Failover.await(() -> Objects.equals(cache(theirs).get("k1"), 2L));
        Failover.await(() -> !isMaster(master));
        awaitAnswers(mine, entries(2));
        cache(mine).put("k1", 3L);
        assertThat(cache(mine).get("k1")).isEqualTo(3);
        Failover.await(() -> Objects.equals(cache(theirs).get("k1"), 3L));
      }
    }
  }

  @Test
  void replicasOfAClusterAnswerAlsoAfterOneWasPromoted() throws Exception {
    List<RedisServer> members = new ArrayList<>();
    try {
      for (int i = 0; i < 6; i++) {
        members.add(
            RedisServer.start(
                "--cluster-enabled",
                "yes",
                "--cluster-node-timeout",
                "1000",
                "--repl-diskless-sync-delay",
                "0"));
      }
      RedisServer.join(members, 1);
      try (Rockpool mine = Rockpool.open(members.get(0).uri("?cluster=true&" + QUERY));
          Rockpool theirs = Rockpool.open(members.get(1).uri("?cluster=true&" + QUERY))) {
        cache(mine).putAll(entries(1));
        awaitAnswers(mine, entries(1));
        RedisServer promoted =
            members.stream().filter(member -> !isMaster(member)).findFirst().orElseThrow();
        Failover.await(() -> promoted.command("CLUSTER", "FAILOVER").equals("OK"));
        Failover.await(() -> isMaster(promoted));
        cache(mine).putAll(entries(2));
        assertThat(cache(mine).getAll(entries(2).keySet())).isEqualTo(entries(2));
        awaitAnswers(mine, entries(2));
        awaitAnswers(theirs, entries(2));
        for (String key : entries(3).keySet()) {
          cache(theirs).put(key, 3L);
          assertThat(cache(theirs).get(key)).isEqualTo(3);
          Failover.await(() -> Objects.equals(cache(mine).get(key), 3L));
        }
      }
    } finally {
      members.forEach(RedisServer::close);
    }
  }
}
