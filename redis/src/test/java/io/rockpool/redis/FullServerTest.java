package io.rockpool.redis;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rockpool.Rockpool;
import io.rockpool.cache.PersistentCache;
import io.rockpool.error.RockpoolException;
import io.rockpool.error.ServerUnavailableException;
import io.rockpool.error.StoreFullException;
import io.rockpool.internal.access.Internals;
import io.rockpool.internal.engine.EngineUpkeep;
import io.rockpool.testing.Slow;
import io.rockpool.testing.tools.Needs;
import io.rockpool.testing.tools.Tool;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A server with {@code noeviction} that has reached its memory takes no puts, but removals. */
@Slow
@Timeout(60)
@Needs(Tool.REDIS)
final class FullServerTest {
  private RedisServer server;
  private Rockpool mine;
  private Rockpool theirs;
  private PersistentCache<String, Long> one;
  private PersistentCache<String, Long> other;

  @BeforeEach
  void open() throws Exception {
    server = RedisServer.start("--enable-protected-configs", "yes");
    mine = Rockpool.open(server.uri("?timeout=10s"));
    theirs = Rockpool.open(server.uri("?timeout=10s"));
    one = cache(mine);
    other = cache(theirs);
    for (String key : List.of("a", "b", "c", "d", "e")) {
      one.put(key, 1L);
      assertThat(other.get(key)).isEqualTo(1);
    }
  }

  @AfterEach
  void close() {
    for (AutoCloseable each : new AutoCloseable[] {theirs, mine, server}) {
      try {
        if (each != null) {
          each.close();
        }
      } catch (Exception e) {
        throw new IllegalStateException(e);
      }
    }
  }

  private static PersistentCache<String, Long> cache(Rockpool pool) {
    return pool.cache("c", String.class, Long.class);
  }

  private void fill() {
    assertThat(server.command("CONFIG", "SET", "maxmemory", "100kb")).isEqualTo("OK");
    assertThatThrownBy(() -> one.put("new", 1L))
        .isInstanceOf(StoreFullException.class)
        .hasMessageContainingAll("maxmemory", "allkeys-lru", "only entries with a TTL");
  }

  private void makeRoom() {
    assertThat(server.command("CONFIG", "SET", "maxmemory", "0")).isEqualTo("OK");
  }

  private void assertRemoved(String key) {
    assertThat(one.get(key)).isNull();
    Failover.await(() -> other.get(key) == null);
  }

  /** An earlier policy, or the one of a server before a failover, may have evicted the names. */
  @Test
  void cachesGoOnWhoseNamesWereEvictedBefore() {
    PersistentCache<String, Long> second = mine.cache("second", String.class, Long.class);
    second.put("a", 1L);
    fill();
    assertThat(server.command("DEL", "rockpool:{names}")).isEqualTo("1");
    Failover.await(() -> one.get("a") == null && second.get("a") == null);
    assertThat(one.get("b", key -> 7L)).isEqualTo(7);
    one.invalidate("c");
    one.clear();
    second.clear();
    try (Rockpool third = Rockpool.open(server.uri("?timeout=10s"))) {
      assertThat(cache(third).get("d")).isNull();
    }
    makeRoom();
    Failover.await(
        () -> {
          one.put("e", 3L); // again: the last process that puts the name back empties the cache
          return Long.valueOf(3).equals(other.get("e"));
        });
  }

  @Test
  void aProbeMeetsWhatPutsMeet() {
    EngineUpkeep upkeep = EngineUpkeep.of(Internals.store(mine).engine());
    upkeep.probeWrite();
    fill();
    assertThatThrownBy(upkeep::probeWrite).isInstanceOf(StoreFullException.class);
    makeRoom();
    upkeep.probeWrite();
    assertThat(server.command("CONFIG", "SET", "min-replicas-to-write", "1")).isEqualTo("OK");
    assertThatThrownBy(upkeep::probeWrite).isInstanceOf(RockpoolException.class);
    assertThat(server.command("CONFIG", "SET", "min-replicas-to-write", "0")).isEqualTo("OK");
    upkeep.probeWrite();
    Failover.await(() -> server.command("KEYS", "rockpool:{0}").isEmpty());
    assertThat(mine.verify().isClean()).isTrue();
  }

  @Test
  void removalsAreMade() {
    fill();
    one.invalidate("a");
    assertRemoved("a");
    one.invalidate("a");
    one.invalidateAll(List.of("b", "absent"));
    assertRemoved("b");
    assertThat(one.remove("c")).isTrue();
    assertRemoved("c");
    assertThat(one.get("d")).isEqualTo(1);
    assertThat(other.get("e")).isEqualTo(1);
  }

  @Test
  void clearsAreMade() {
    fill();
    one.clear();
    for (String key : List.of("a", "b", "c", "d", "e")) {
      assertRemoved(key);
    }
    makeRoom();
    one.put("a", 2L);
    assertThat(other.get("a")).isEqualTo(2);
  }

  @Test
  void loadedValuesAreReturnedAndNotStored() {
    fill();
    assertThat(one.get("new", key -> 2L)).isEqualTo(2);
    assertThat(one.get("a", key -> 2L)).isEqualTo(1);
    assertThat(one.getAll(Set.of("a", "x", "y"), keys -> Map.of("x", 2L, "y", 3L)))
        .isEqualTo(Map.of("a", 1L, "x", 2L, "y", 3L));
    assertThat(one.getAll(Set.of("new", "x", "y"))).isEmpty();
    makeRoom();
    assertThat(one.get("new", key -> 3L)).isEqualTo(3);
    assertThat(other.get("new")).isEqualTo(3);
  }

  /** The server is full when the loaded value is to be stored, not yet when the load begins. */
  @Test
  void aServerMayBecomeFullDuringALoad() {
    assertThat(
            one.get(
                "new",
                key -> {
                  fill();
                  return 2L;
                }))
        .isEqualTo(2);
    makeRoom();
    assertThat(
            one.getAll(
                Set.of("x"),
                keys -> {
                  fill();
                  return Map.of("x", 2L);
                }))
        .isEqualTo(Map.of("x", 2L));
    assertThat(one.get("new")).isNull();
    assertThat(other.get("x")).isNull();
  }

  @Test
  void cachesAreOpenedResetAndDropped() {
    fill();
    one.close();
    assertThat(cache(mine).get("a")).isEqualTo(1);
    try (Rockpool third = Rockpool.open(server.uri("?timeout=10s"))) {
      assertThat(cache(third).get("a")).isEqualTo(1);
      PersistentCache<String, Long> created = third.cache("new", String.class, Long.class);
      assertThat(created.get("k", key -> 2L)).isEqualTo(2);
      assertThatThrownBy(() -> created.put("k", 2L)).isInstanceOf(StoreFullException.class);
      assertThat(third.names().drop("c")).isTrue();
    }
    makeRoom();
    assertThat(cache(mine).get("a")).isNull();
  }

  @Test
  void tooFewReplicasDoNotKeepACacheFromBeingOpened() {
    assertThat(server.command("CONFIG", "SET", "min-replicas-to-write", "1")).isEqualTo("OK");
    long begun = System.nanoTime();
    try (Rockpool third = Rockpool.open(server.uri("?timeout=30s"))) {
      PersistentCache<String, Long> cache = cache(third);
      assertThat(cache.get("a")).isEqualTo(1);
      assertThat(System.nanoTime() - begun).isLessThan(TimeUnit.SECONDS.toNanos(30));
    }
    try (Rockpool third = Rockpool.open(server.uri("?timeout=2s"))) {
      assertThatThrownBy(() -> cache(third).put("a", 2L))
          .isInstanceOf(ServerUnavailableException.class)
          .hasMessageContaining("NOREPLICAS");
    }
  }

  /** A server that cannot write its snapshot takes no writes, by default. */
  private void failToSave() {
    assertThat(server.command("CONFIG", "SET", "dir", "/proc")).isEqualTo("OK");
    assertThat(server.command("CONFIG", "SET", "save", "3600 1")).isEqualTo("OK");
    String unused = server.command("BGSAVE");
    Failover.await(() -> server.command("SET", "probe", "1").startsWith("MISCONF"));
  }

  private void assertCannotSave(ThrowingCallable write) {
    assertThatThrownBy(write)
        .isInstanceOf(StoreFullException.class)
        .hasMessageContainingAll("cannot save", "disk", "MISCONF");
  }

  @Test
  void aServerThatCannotSaveIsReadAndNotWritten() {
    failToSave();
    assertThat(one.get("new", key -> 2L)).isEqualTo(2);
    assertThat(one.get("a", key -> 2L)).isEqualTo(1);
    assertThat(one.getAll(Set.of("b", "x", "y"), keys -> Map.of("x", 2L, "y", 3L)))
        .isEqualTo(Map.of("b", 1L, "x", 2L, "y", 3L));
    assertThat(one.getAll(Set.of("new", "x", "y"))).isEmpty();
    assertCannotSave(() -> one.put("a", 2L));
    assertCannotSave(() -> one.putAll(Map.of("a", 2L, "x", 2L)));
    assertCannotSave(() -> one.putIfAbsent("x", 2L));
    assertCannotSave(() -> one.invalidate("a"));
    assertCannotSave(() -> one.clear());
    assertCannotSave(() -> mine.cache("other", String.class, Long.class));
    try (Rockpool third = Rockpool.open(server.uri("?timeout=10s"))) {
      assertThat(cache(third).get("a")).isEqualTo(1);
      assertThat(cache(third).get("x", key -> 2L)).isEqualTo(2);
    }
    assertThat(server.command("CONFIG", "SET", "save", "")).isEqualTo("OK");
    one.put("a", 2L);
    assertThat(one.get("new", key -> 3L)).isEqualTo(3);
    assertThat(other.get("new")).isEqualTo(3);
  }

  @Test
  void aServerMayFailToSaveDuringALoad() {
    assertThat(
            one.get(
                "new",
                key -> {
                  failToSave();
                  return 2L;
                }))
        .isEqualTo(2);
    assertThat(one.get("new")).isNull();
  }

  /** The memory that the server needs for itself is more than it may use. It is logged once. */
  @Test
  void aServerThatEvictsAllAtOnce() {
    ByteArrayOutputStream log = new ByteArrayOutputStream();
    PrintStream standardError = System.err;
    System.setErr(new PrintStream(log, true, UTF_8));
    try {
      useWhileAllIsEvicted();
    } finally {
      System.setErr(standardError);
    }
    assertThat(log.toString(UTF_8).lines().filter(line -> line.contains("Raise maxmemory")))
        .singleElement()
        .asString()
        .contains("WARN", "evicts", "reads miss");
    makeRoom();
    Failover.await(() -> mine.state().upkeep().failing().isEmpty());
    one.put("a", 3L);
    Failover.await(() -> Long.valueOf(3).equals(other.get("a")));
  }

  private void useWhileAllIsEvicted() {
    assertThat(server.command("CONFIG", "SET", "maxmemory-policy", "allkeys-lru")).isEqualTo("OK");
    assertThat(server.command("CONFIG", "SET", "maxmemory", "1")).isEqualTo("OK");
    Failover.await(() -> server.command("DBSIZE").equals("0") && one.hotSize() == 0);
    assertThatThrownBy(() -> one.put("a", 2L))
        .isInstanceOf(StoreFullException.class)
        .hasMessageContaining("maxmemory");
    assertThat(one.get("a")).isNull();
    assertThat(one.get("b", key -> 2L)).isEqualTo(2);
    assertThat(one.getAll(Set.of("a", "b"))).isEmpty();
  }
}
