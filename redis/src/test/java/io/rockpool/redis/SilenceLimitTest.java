package io.rockpool.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.rockpool.Rockpool;
import io.rockpool.engine.EngineOptions;
import io.rockpool.store.ServerState;
import io.rockpool.testing.Slow;
import io.rockpool.testing.tools.Needs;
import io.rockpool.testing.tools.Tool;
import java.net.URI;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Memory is bypassed in time, and the state can be read, however long the upkeep waits for servers.
 */
@Slow
@Timeout(120)
@Needs(Tool.REDIS)
final class SilenceLimitTest {
  private static final String OPTIONS = "timeout=8s&feed-timeout=500ms";

  /** What the documents promise: the option, and 250 ms. */
  private static final long LIMIT_MILLIS = 750;

  /** How late a thread may be on a busy machine. */
  private static final long BUSY_MILLIS = 250;

  /** A thread that sleeps for a millisecond is held up if it sleeps so long; so are others. */
  private static final long PAUSE_MILLIS = 50;

  private static final int ROUNDS = 3;

  private final List<RedisServer> servers = new ArrayList<>();

  @AfterEach
  void close() {
    servers.forEach(RedisServer::close);
  }

  private RedisServer start(String... options) throws Exception {
    RedisServer server = RedisServer.start(options);
    servers.add(server);
    return server;
  }

  private static RedisEngine engine(URI uri) {
    return RedisEngine.open(uri, new EngineOptions(InstantSource.system(), null, Map.of()));
  }

  private static long millisSince(long nanos) {
    return TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - nanos);
  }

  /** Stops servers, the first some time before the others, and measures. */
  private static void assertBypassedInTime(RedisEngine engine, List<RedisServer> stopped)
      throws InterruptedException {
    for (int i = 0; i < ROUNDS; i++) {
      Failover.await(engine::isFeedArmed);
      try {
        for (RedisServer server : stopped) {
          server.signal("STOP");
          if (server == stopped.get(0)) {
            Thread.sleep(300);
          }
        }
        long begun = System.nanoTime();
        long slowest = 0;
        long late = 0;
        while (engine.isFeedArmed()) {
          long asked = System.nanoTime();
          ServerState unused = engine.serverState().orElseThrow();
          slowest = Math.max(slowest, millisSince(asked));
          long parked = System.nanoTime();
          LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
          long pause = millisSince(parked);
          late += pause < PAUSE_MILLIS ? 0 : pause;
        }
        assertThat(millisSince(begun)).isLessThan(LIMIT_MILLIS + BUSY_MILLIS + late);
        assertThat(slowest).isLessThan(BUSY_MILLIS + late);
      } finally {
        stopped.forEach(server -> server.signal("CONT"));
      }
    }
  }

  @Test
  void aServerFallsSilent() throws Exception {
    RedisServer server = start();
    try (RedisEngine engine = engine(server.uri("?" + OPTIONS))) {
      assertBypassedInTime(engine, List.of(server));
    }
  }

  @Test
  void theSentinelFallsSilentAndThenTheMaster() throws Exception {
    RedisServer master = start();
    RedisServer sentinel = master.startSentinel("shop");
    servers.add(sentinel);
    try (RedisEngine engine =
        engine(
            URI.create(
                "redis-sentinel://127.0.0.1:" + sentinel.port() + "?master=shop&" + OPTIONS))) {
      assertBypassedInTime(engine, List.of(sentinel, master));
    }
  }

  private URI cluster() throws Exception {
    for (int i = 0; i < 3; i++) {
      RedisServer unused = start("--cluster-enabled", "yes", "--cluster-node-timeout", "60000");
    }
    RedisServer.join(servers);
    return servers.get(0).uri("?cluster=true&" + OPTIONS);
  }

  @Test
  void theMastersOfAClusterFallSilent() throws Exception {
    try (RedisEngine engine = engine(cluster())) {
      assertBypassedInTime(engine, servers);
    }
  }

  @Test
  void oneMasterOfAClusterFallsSilent() throws Exception {
    try (RedisEngine engine = engine(cluster())) {
      assertBypassedInTime(engine, List.of(servers.get(1)));
    }
  }

  /** The servers go on only after the store is closed. */
  private static void assertClosesSoon(RedisEngine engine, List<RedisServer> stopped)
      throws InterruptedException {
    try {
      stopped.forEach(server -> server.signal("STOP"));
      Thread.sleep(1_500);
      long begun = System.nanoTime();
      engine.close();
      assertThat(millisSince(begun)).isLessThan(6_000);
    } finally {
      stopped.forEach(server -> server.signal("CONT"));
    }
  }

  @Test
  void aStoreClosesWhileItsServersAreSilent() throws Exception {
    RedisServer server = start();
    assertClosesSoon(engine(server.uri("?" + OPTIONS)), List.of(server));
    RedisServer sentinel = server.startSentinel("shop");
    servers.add(sentinel);
    assertClosesSoon(
        engine(
            URI.create(
                "redis-sentinel://127.0.0.1:" + sentinel.port() + "?master=shop&" + OPTIONS)),
        List.of(sentinel, server));
  }

  @Test
  void aStoreClosesWhileItsClusterIsSilent() throws Exception {
    RedisEngine engine = engine(cluster());
    assertClosesSoon(engine, servers);
  }

  /** Another process moves a slot, and takes its time. */
  @Test
  void aSlotThatMovesDoesNotEndTheConnection() throws Exception {
    URI uri = cluster();
    String other = servers.get(1).command("CLUSTER", "MYID");
    String first = servers.get(0).command("CLUSTER", "MYID");
    try (RedisEngine engine = engine(uri);
        Rockpool pool = Rockpool.at(o -> engine).open()) {
      Failover.await(engine::isFeedArmed);
      ServerState before = pool.state().server().orElseThrow();
      for (int bucket = 0; bucket < KeyNames.BUCKETS; bucket++) {
        String slot = "" + KeyNames.slotOfBucket(bucket);
        String moving =
            servers.get(0).command("CLUSTER", "SETSLOT", slot, "MIGRATING", other).strip();
        if (moving.equals("OK")) {
          assertThat(servers.get(1).command("CLUSTER", "SETSLOT", slot, "IMPORTING", first))
              .isEqualTo("OK");
        }
      }
      Thread.sleep(2_000);
      ServerState after = pool.state().server().orElseThrow();
      assertThat(after.connections()).isEqualTo(before.connections());
      assertThat(after.feedLosses()).isEqualTo(before.feedLosses());
      assertThat(after.reported()).isTrue();
    }
  }
}
