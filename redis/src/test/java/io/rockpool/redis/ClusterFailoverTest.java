package io.rockpool.redis;

import static java.util.Map.entry;
import static org.assertj.core.api.Assertions.assertThat;

import io.rockpool.Rockpool;
import io.rockpool.cache.PersistentCache;
import io.rockpool.engine.EngineOptions;
import io.rockpool.testing.Slow;
import io.rockpool.testing.tools.Needs;
import io.rockpool.testing.tools.Tool;
import java.net.URI;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Two stores on a cluster of three masters with a replica each, while its slots move. */
@Slow
@Timeout(180)
@Needs(Tool.REDIS)
final class ClusterFailoverTest {
  private final List<RedisServer> members = new ArrayList<>();
  private Rockpool mine;
  private Rockpool theirs;

  @BeforeEach
  void open() throws Exception {
    for (int i = 0; i < 6; i++) {
      members.add(start());
    }
    RedisServer.join(members, 1);
    mine = Rockpool.open(uri());
    theirs = Rockpool.open(uri());
  }

  private static RedisServer start() throws Exception {
    return RedisServer.start(
        "--cluster-enabled",
        "yes",
        "--cluster-node-timeout",
        "1000",
        "--repl-diskless-sync-delay",
        "0");
  }

  @AfterEach
  void close() {
    if (theirs != null) {
      theirs.close();
    }
    if (mine != null) {
      mine.close();
    }
    members.forEach(RedisServer::close);
  }

  /** No server is at the first place. */
  private URI uri() {
    return URI.create(
        "redis://127.0.0.1:1,127.0.0.1:"
            + members.get(1).port()
            + "?cluster=true&timeout=2s&feed-timeout=1s");
  }

  private static PersistentCache<String, Long> cache(Rockpool pool) {
    return pool.cache("c", String.class, Long.class);
  }

  private static boolean isMaster(RedisServer member) {
    return member.command("INFO", "replication").contains("role:master");
  }

  /** A replica of a master. */
  private RedisServer replicaOf(RedisServer master) {
    return members.stream()
        .filter(
            member ->
                member.command("INFO", "replication").contains("master_port:" + master.port()))
        .findFirst()
        .orElseThrow();
  }

  /** The master that has the counter of {@link Failover}, whose hash key has this text. */
  private RedisServer masterOfCounter() {
    cache(mine).put("counter", 0L);
    return members.stream()
        .filter(ClusterFailoverTest::isMaster)
        .filter(member -> member.command("--scan", "--pattern", "*:e*counter*").contains("counter"))
        .findFirst()
        .orElseThrow();
  }

  @Test
  void aKilledMasterIsReplacedUnderLoad() throws Exception {
    RedisServer master = masterOfCounter();
    RedisServer replica = replicaOf(master);
    try (Failover work = new Failover(cache(mine), cache(theirs))) {
      work.awaitWork();
      master.kill();
      Failover.await(() -> isMaster(replica));
      work.check();
    }
  }

  /** Calls may wait long for the old master; the upkeep does not. */
  @Test
  void aMasterThatHangsDelaysNoFailover() throws Exception {
    RedisServer master = masterOfCounter();
    RedisServer replica = replicaOf(master);
    URI patient = URI.create(uri().toString().replace("timeout=2s", "timeout=30s"));
    try (RedisEngine waiting =
        RedisEngine.open(patient, new EngineOptions(InstantSource.system(), null, Map.of()))) {
      Failover.await(waiting::isFeedArmed);
      master.signal("STOP");
      try {
        Failover.await(() -> !waiting.isFeedArmed());
        Failover.await(() -> isMaster(replica));
        long begun = System.nanoTime();
        Failover.await(waiting::isFeedArmed);
        assertThat(System.nanoTime() - begun).isLessThan(TimeUnit.SECONDS.toNanos(20));
      } finally {
        master.signal("CONT");
      }
    }
  }

  @Test
  void aMasterThatHandsOverLosesNothing() throws Exception {
    RedisServer master = masterOfCounter();
    RedisServer replica = replicaOf(master);
    try (Failover work = new Failover(cache(mine), cache(theirs))) {
      work.awaitWork();
      Failover.await(() -> replica.command("CLUSTER", "FAILOVER").equals("OK"));
      long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(6);
      Failover.await(() -> isMaster(replica) || System.nanoTime() > end);
      if (!isMaster(replica)) { // the servers give up after five seconds, as when a vote is late
        String unused = replica.command("CLUSTER", "FAILOVER");
        Failover.await(() -> isMaster(replica));
      }
      work.check();
    }
  }

  @Test
  void slotsMoveToANewMasterUnderLoad() throws Exception {
    PersistentCache<String, Long> one = cache(mine);
    Map<String, Long> all = new HashMap<>();
    for (long i = 0; i < 500; i++) {
      all.put("k" + i, i);
    }
    one.putAll(all);
    RedisServer from = masterOfCounter();
    RedisServer added = start();
    members.add(added);
    try (Failover work = new Failover(one, cache(theirs))) {
      work.awaitWork();
      added.joinAsMaster(members.subList(0, members.size() - 1));
      List<RedisServer> masters = members.stream().filter(ClusterFailoverTest::isMaster).toList();
      from.moveSlots(added, masters, 5_461);
      work.check();
    }
    assertThat(added.command("--scan", "--pattern", "*:e*counter*")).contains("counter");
    assertThat(cache(theirs).getAll(all.keySet())).isEqualTo(all);
    all.keySet().forEach(key -> cache(theirs).put(key, -1L));
    for (String key : all.keySet()) {
      Failover.await(() -> Objects.equals(one.get(key), -1L));
    }
    assertThat(one.getAll(List.of("k1"))).containsOnly(entry("k1", -1L));
  }
}
