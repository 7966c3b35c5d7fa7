package io.rockpool.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rockpool.Rockpool;
import io.rockpool.cache.PersistentCache;
import io.rockpool.engine.EngineOptions;
import io.rockpool.error.OutcomeUnknownException;
import io.rockpool.error.ServerUnavailableException;
import io.rockpool.testing.Slow;
import io.rockpool.testing.tools.Needs;
import io.rockpool.testing.tools.Tool;
import java.net.URI;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Two stores on a master with a replica, which a sentinel promotes. */
@Slow
@Timeout(120)
@Needs(Tool.REDIS)
final class SentinelFailoverTest {
  private RedisServer master;
  private RedisServer replica;
  private RedisServer sentinel;
  private RedisEngine engine;
  private Rockpool mine;
  private Rockpool theirs;

  @BeforeEach
  void open() throws Exception {
    master = RedisServer.start();
    replica = master.startReplica();
    sentinel = master.startSentinel("shop");
    RedisServer.awaitAnswer(
        () -> sentinel.command("SENTINEL", "REPLICAS", "shop").contains(replica.port() + ""));
    engine =
        RedisEngine.open(uri("shop"), new EngineOptions(InstantSource.system(), null, Map.of()));
    mine = Rockpool.at(o -> engine).open();
    theirs = Rockpool.open(uri("shop"));
  }

  @AfterEach
  void close() {
    if (theirs != null) {
      theirs.close();
    }
    if (mine != null) {
      mine.close();
    }
    for (RedisServer server : new RedisServer[] {sentinel, replica, master}) {
      if (server != null) {
        server.close();
      }
    }
  }

  /** No server is at the first place. */
  private URI uri(String name) {
    return URI.create(
        "redis-sentinel://127.0.0.1:1,127.0.0.1:"
            + sentinel.port()
            + "/0?timeout=2s&feed-timeout=1s&master="
            + name);
  }

  private static PersistentCache<String, Long> cache(Rockpool pool) {
    return pool.cache("c", String.class, Long.class);
  }

  private static boolean isConnectedAgain(Rockpool pool) {
    return pool.state().server().orElseThrow().connections() > 1;
  }

  private boolean isPromoted() {
    return replica.command("INFO", "replication").contains("role:master");
  }

  @Test
  void aKilledMasterIsReplacedUnderLoad() throws Exception {
    try (Failover work = new Failover(cache(mine), cache(theirs))) {
      work.awaitWork();
      master.kill();
      Failover.await(() -> !engine.isFeedArmed());
      Failover.await(this::isPromoted);
      work.check();
      Failover.await(engine::isFeedArmed);
    }
  }

  @Test
  void aMasterThatHangsIsReplacedAndNotUsedWhenItIsBack() throws Exception {
    try (Failover work = new Failover(cache(mine), cache(theirs))) {
      work.awaitWork();
      master.signal("STOP");
      try {
        Failover.await(this::isPromoted);
        work.check();
      } finally {
        master.signal("CONT");
      }
      PersistentCache<String, Long> one = cache(mine);
      PersistentCache<String, Long> other = cache(theirs);
      other.put("late", 1L);
      Failover.await(() -> Objects.equals(one.get("late"), 1L));
      other.put("late", 2L);
      Failover.await(() -> Objects.equals(one.get("late"), 2L));
    }
  }

  /** Calls may wait long for the old master; the upkeep does not. */
  @Test
  void aMasterThatHangsDelaysNoFailover() throws Exception {
    URI patient = URI.create(uri("shop").toString().replace("timeout=2s", "timeout=30s"));
    try (RedisEngine waiting =
        RedisEngine.open(patient, new EngineOptions(InstantSource.system(), null, Map.of()))) {
      Failover.await(waiting::isFeedArmed);
      master.signal("STOP");
      try {
        Failover.await(() -> !waiting.isFeedArmed());
        Failover.await(this::isPromoted);
        long begun = System.nanoTime();
        Failover.await(waiting::isFeedArmed);
        assertThat(System.nanoTime() - begun).isLessThan(TimeUnit.SECONDS.toNanos(20));
      } finally {
        master.signal("CONT");
      }
    }
  }

  @Test
  void aMasterThatIsReplacedThoughItAnswersIsLeft() throws Exception {
    try (Failover work = new Failover(cache(mine), cache(theirs))) {
      work.awaitWork();
      // Refused while what the sentinel knows of the replica is too old.
      Failover.await(() -> sentinel.command("SENTINEL", "FAILOVER", "shop").equals("OK"));
      Failover.await(this::isPromoted);
      // Until then, the old master acknowledges writes that are lost.
      Failover.await(() -> isConnectedAgain(mine) && isConnectedAgain(theirs));
      work.check();
    }
  }

  /** The upkeep connects to a master that hangs, which is replaced and back meanwhile. */
  @Test
  void aReplacedMasterThatIsBackBeforeItIsLeftAcknowledgesNothing() throws Exception {
    PersistentCache<String, Long> cache = cache(mine);
    cache.put("kept", 0L);
    // Also the name of the cache must have reached the replica.
    Failover.await(() -> replica.command("--scan", "--pattern", "*:e*kept*").contains("kept"));
    master.signal("STOP");
    Failover.await(() -> !engine.isFeedArmed());
    // The replica is promoted before the sentinel says so.
    Failover.await(
        () ->
            sentinel
                .command("SENTINEL", "GET-MASTER-ADDR-BY-NAME", "shop")
                .contains("" + replica.port()));
    master.signal("CONT");
    Map<String, Long> acknowledged = new HashMap<>();
    long begun = System.nanoTime();
    long end = begun + TimeUnit.SECONDS.toNanos(2);
    long last = begun + Failover.PATIENCE_NANOS;
    for (long i = 1;
        System.nanoTime() < end || (acknowledged.isEmpty() && System.nanoTime() < last);
        i++) {
      try {
        cache.put("k" + i, i);
        acknowledged.put("k" + i, i);
      } catch (OutcomeUnknownException | ServerUnavailableException e) {
        // The new master is not connected yet.
      }
    }
    assertThat(acknowledged).isNotEmpty();
    try (Rockpool elsewhere = Rockpool.open(uri("shop"))) {
      assertThat(cache(elsewhere).getAll(acknowledged.keySet())).isEqualTo(acknowledged);
    }
  }

  /** The server refuses writes until enough replicas follow it. */
  @Test
  void aWriteWithoutEnoughReplicasWasNotMade() {
    PersistentCache<String, Long> cache = cache(mine);
    cache.put("k", 1L);
    assertThat(master.command("CONFIG", "SET", "min-replicas-to-write", "2")).isEqualTo("OK");
    assertThatThrownBy(() -> cache.put("k", 2L)).isInstanceOf(ServerUnavailableException.class);
    assertThatThrownBy(() -> cache.asMap().replace("k", 2L))
        .isInstanceOf(ServerUnavailableException.class);
    assertThat(cache.get("k")).isEqualTo(1);
    assertThat(master.command("CONFIG", "SET", "min-replicas-to-write", "1")).isEqualTo("OK");
    cache.put("k", 3L);
    assertThat(cache.get("k")).isEqualTo(3);
  }

  /** As when a partition separates the sentinels from the old master only. */
  @Test
  void memoryIsLeftSoonWhenAnotherServerIsPromotedUnnoticedByTheOldOne() {
    PersistentCache<String, Long> one = cache(mine);
    one.put("k", 1L);
    assertThat(one.get("k")).isEqualTo(1);
    assertThat(sentinel.command("SENTINEL", "REMOVE", "shop")).isEqualTo("OK");
    assertThat(replica.command("REPLICAOF", "NO", "ONE")).isEqualTo("OK");
    assertThat(
            sentinel.command("SENTINEL", "MONITOR", "shop", "127.0.0.1", "" + replica.port(), "1"))
        .isEqualTo("OK");
    try (Rockpool elsewhere = Rockpool.open(uri("shop"))) {
      cache(elsewhere).put("k", 2L);
      long begun = System.nanoTime();
      Failover.await(() -> Objects.equals(one.get("k"), 2L));
      assertThat(System.nanoTime() - begun).isLessThan(15_000_000_000L);
    }
  }

  @Test
  void anUnknownNameIsRefused() {
    assertThatThrownBy(() -> Rockpool.open(uri("nobody")))
        .isInstanceOf(ServerUnavailableException.class)
        .hasMessageContaining("nobody of the sentinels 127.0.0.1:1");
    assertThatThrownBy(() -> Rockpool.open(URI.create("redis-sentinel://127.0.0.1:1")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("?master=mymaster");
  }
}
