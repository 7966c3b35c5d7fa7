package io.rockpool.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rockpool.Rockpool;
import io.rockpool.cache.PersistentCache;
import io.rockpool.error.OutcomeUnknownException;
import io.rockpool.error.RockpoolException;
import io.rockpool.error.ServerUnavailableException;
import io.rockpool.testing.Slow;
import io.rockpool.testing.tools.Needs;
import io.rockpool.testing.tools.Tool;
import java.net.URI;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a server refuses for a while, or for good, is an exception of Rockpool in every call. */
@Slow
@Timeout(90)
@Needs(Tool.REDIS)
final class RefusedCommandsTest {
  private RedisServer server;
  private Rockpool mine;
  private PersistentCache<String, Long> cache;

  @BeforeEach
  void open() throws Exception {
    server = RedisServer.start("--busy-reply-threshold", "50");
    mine = Rockpool.open(server.uri("?timeout=2s&feed-timeout=10s"));
    cache = mine.cache("c", String.class, Long.class, options -> options.hotEntries(0));
    cache.put("a", 1L);
    cache.put("b", 1L);
  }

  @AfterEach
  void close() {
    if (mine != null) {
      mine.close();
    }
    if (server != null) {
      server.close();
    }
  }

  private void set(String name, String value) {
    assertThat(server.command("CONFIG", "SET", name, value)).isEqualTo("OK");
  }

  private static void assertUnavailable(ThrowingCallable call, String error) {
    assertThatThrownBy(call)
        .isInstanceOf(ServerUnavailableException.class)
        .hasMessageContaining(error);
  }

  private static long count(PersistentCache<String, Long> cache) {
    long found = 0;
    for (var unused : cache) {
      found++;
    }
    return found;
  }

  @Test
  void aServerWithTooFewReplicas() {
    cache.clear();
    set("min-replicas-to-write", "1");
    assertUnavailable(() -> mine.reclaim(), "NOREPLICAS");
    assertUnavailable(() -> cache.clear(), "NOREPLICAS");
    set("min-replicas-to-write", "0");
    mine.reclaim();
    cache.clear();
  }

  /** A failover may lose the generations of a new cache. Without one, a bucket has no entries. */
  @Test
  void aServerWithTooFewReplicasAndWithoutGenerations() {
    String script = "return redis.call('DEL', unpack(redis.call('KEYS', '*:g')))";
    assertThat(server.command("EVAL", script, "0")).isEqualTo("256");
    set("min-replicas-to-write", "1");
    assertThat(cache.get("a")).isNull();
    assertThat(cache.getAll(Set.of("a", "b"))).isEmpty();
  }

  @Test
  void aReplicaWithoutItsMaster() {
    set("replica-serve-stale-data", "no");
    assertThat(server.command("REPLICAOF", "127.0.0.1", "1")).isEqualTo("OK");
    try (Rockpool other = mine) {
      assertThatThrownBy(() -> count(cache)).isInstanceOf(ServerUnavailableException.class);
      assertThatThrownBy(() -> cache.get("a")).isInstanceOf(ServerUnavailableException.class);
      assertThatThrownBy(other::reclaim).isInstanceOf(ServerUnavailableException.class);
      assertThatThrownBy(other::verify).isInstanceOf(ServerUnavailableException.class);
    }
  }

  /** Runs a script on the server, which is busy until it is killed. */
  private Thread busy() {
    Thread busy = new Thread(() -> server.command("EVAL", "while true do end", "0"));
    busy.start();
    Failover.await(() -> server.command("PING").startsWith("BUSY"));
    return busy;
  }

  private void killScript() {
    assertThat(server.command("SCRIPT", "KILL")).isEqualTo("OK");
  }

  @Test
  void aCallWaitsForAServerThatIsBusyWithAScript() throws Exception {
    try (Rockpool patient = Rockpool.open(server.uri("?timeout=20s&feed-timeout=2s"))) {
      PersistentCache<String, Long> patiently = patient.cache("c", String.class, Long.class);
      assertThat(patiently.get("a")).isEqualTo(1);
      long connections = patient.state().server().orElseThrow().connections();
      Thread script = busy();
      CompletableFuture<Void> killed =
          CompletableFuture.runAsync(
              this::killScript, CompletableFuture.delayedExecutor(5, TimeUnit.SECONDS));
      assertThat(patiently.get("b")).isEqualTo(1);
      patiently.put("c", 1L);
      assertThat(count(patiently)).isEqualTo(3);
      killed.join();
      script.join();
      assertThat(patient.state().server().orElseThrow().connections()).isEqualTo(connections);
    }
  }

  @Test
  void aServerThatIsBusyForLongerIsUnavailable() throws Exception {
    try (Rockpool missing =
        Rockpool.open(server.uri("?timeout=2s&feed-timeout=10s&when-away=miss"))) {
      PersistentCache<String, Long> misses = missing.cache("c", String.class, Long.class);
      Thread script = busy();
      assertUnavailable(() -> cache.get("a"), "BUSY");
      assertUnavailable(() -> cache.put("a", 2L), "BUSY");
      assertUnavailable(() -> count(cache), "BUSY");
      assertThat(misses.get("a")).isNull();
      assertThat(misses.get("a", key -> 3L)).isEqualTo(3);
      killScript();
      script.join();
      Failover.await(() -> Long.valueOf(3).equals(misses.get("a", key -> 3L)));
    }
    assertThat(cache.get("b")).isEqualTo(1);
  }

  private static PersistentCache<String, byte[]> values(Rockpool pool) {
    return pool.cache("values", String.class, byte[].class, options -> options.hotEntries(0));
  }

  /** The server ends the connection of all threads, so the read is not repeated for long. */
  @Test
  void aReadWhoseAnswerIsTooLargeForTheServer() {
    values(mine).put("large", new byte[8 << 20]);
    set("client-output-buffer-limit", "normal 1mb 0 0");
    try (Rockpool pool = Rockpool.open(server.uri("?timeout=10s"))) {
      PersistentCache<String, byte[]> values = values(pool);
      values.put("small", new byte[1]);
      long connections = pool.state().server().orElseThrow().connections();
      assertUnavailable(() -> values.get("large"), "client-output-buffer-limit");
      Failover.await(() -> pool.state().server().orElseThrow().connected());
      assertThat(pool.state().server().orElseThrow().connections() - connections).isBetween(1L, 3L);
      assertThat(values.get("small")).hasSize(1);
      assertThat(values.getAll(Set.of("small", "absent"))).containsOnlyKeys("small");
    }
  }

  /** The server refuses it and ends the connection, before or after the refusal arrives. */
  @Test
  void aPutThatIsTooLargeForTheServer() {
    PersistentCache<String, byte[]> values = values(mine);
    set("proto-max-bulk-len", "1mb");
    assertThatThrownBy(() -> values.put("large", new byte[2 << 20]))
        .isInstanceOf(RockpoolException.class)
        .hasMessageContaining("proto-max-bulk-len")
        .hasMessageNotContaining("permissions");
    Failover.await(() -> mine.state().server().orElseThrow().connected());
    set("proto-max-bulk-len", "512mb");
    set("client-query-buffer-limit", "1mb");
    assertThatThrownBy(() -> values.put("large", new byte[8 << 20]))
        .isInstanceOf(OutcomeUnknownException.class)
        .hasMessageContaining("client-query-buffer-limit");
    set("client-query-buffer-limit", "1gb");
    values.put("large", new byte[8 << 20]);
    assertThat(values.get("large")).hasSize(8 << 20);
  }

  @Test
  void aUserWithoutTheRightToScan() {
    assertThat(
            server.command(
                "ACL", "SETUSER", "app", "on", ">secret", "~*", "+@all", "-scan", "-unlink"))
        .isEqualTo("OK");
    URI uri = URI.create("redis://app:secret@127.0.0.1:" + server.port() + "?timeout=30s");
    long begun = System.nanoTime();
    try (Rockpool limited = Rockpool.open(uri)) {
      PersistentCache<String, Long> without = limited.cache("c", String.class, Long.class);
      assertThatThrownBy(() -> count(without))
          .isInstanceOf(RockpoolException.class)
          .hasMessageContainingAll("NOPERM", "scan", "permissions");
      assertThatThrownBy(limited::reclaim)
          .isInstanceOf(RockpoolException.class)
          .hasMessageContainingAll("NOPERM", "scan", "permissions");
    }
    assertThat(System.nanoTime() - begun).isLessThan(TimeUnit.SECONDS.toNanos(30));
  }
}
