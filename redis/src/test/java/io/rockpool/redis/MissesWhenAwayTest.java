package io.rockpool.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rockpool.Rockpool;
import io.rockpool.cache.PersistentCache;
import io.rockpool.error.ServerUnavailableException;
import io.rockpool.store.ServerState;
import io.rockpool.testing.Slow;
import io.rockpool.testing.tools.Needs;
import io.rockpool.testing.tools.Tool;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Caches that answer while their server is away: it is stopped, and keeps its entries. */
@Slow
@Timeout(120)
@Needs(Tool.REDIS)
final class MissesWhenAwayTest {
  private RedisServer server;
  private Rockpool mine;
  private Rockpool theirs;

  @BeforeEach
  void open() throws Exception {
    server = RedisServer.start();
    mine = Rockpool.open(server.uri("?when-away=miss&timeout=2s&feed-timeout=2s"));
    theirs = Rockpool.open(server.uri("?timeout=2s&feed-timeout=2s"));
  }

  @AfterEach
  void close() {
    if (theirs != null) {
      theirs.close();
    }
    if (mine != null) {
      mine.close();
    }
    if (server != null) {
      server.close();
    }
  }

  private static PersistentCache<String, Long> cache(Rockpool pool) {
    return pool.cache("c", String.class, Long.class);
  }

  private ServerState state() {
    return mine.state().server().orElseThrow();
  }

  private void stop(PersistentCache<String, Long> one) {
    server.signal("STOP");
    Failover.await(() -> !state().connected() && one.hotSize() == 0);
  }

  private void goOn() {
    server.signal("CONT");
    Failover.await(() -> state().connected() && state().breaker() == ServerState.Breaker.CLOSED);
    Failover.await(() -> theirs.state().server().orElseThrow().connected());
  }

  private static void assertUnavailable(ThrowingCallable call) {
    assertThatThrownBy(call).isInstanceOf(ServerUnavailableException.class);
  }

  @Test
  void readsAreMissesLoadsReturnAndPutsAreDropped() {
    PersistentCache<String, Long> one = cache(mine);
    PersistentCache<String, Long> other = cache(theirs);
    for (String key : List.of("read", "loaded", "put", "removed", "all")) {
      one.put(key, 1L);
    }
    stop(one);
    assertThat(one.get("read")).isNull();
    assertThat(state().breaker()).isEqualTo(ServerState.Breaker.OPEN);
    assertThat(one.get("loaded", key -> 2L)).isEqualTo(2);
    assertThat(one.getAll(Set.of("read", "put"))).isEmpty();
    assertThat(one.getAll(Set.of("all"), keys -> Map.of("all", 2L))).containsEntry("all", 2L);
    one.put("put", 2L);
    one.putAll(Map.of("put", 3L, "new", 3L));
    assertThat(one.get("put")).isNull();
    assertUnavailable(() -> other.get("read"));
    goOn();
    assertThat(one.get("read")).isEqualTo(1);
    for (String key : List.of("loaded", "put", "all", "new")) {
      assertThat(one.get(key)).as(key).isNull();
      assertThat(other.get(key)).as(key).isNull();
    }
    ServerState after = state();
    assertThat(after.droppedPuts()).isEqualTo(5);
    assertThat(after.missedReads()).isPositive();
    assertThat(after.connections()).isGreaterThan(1);
    assertThat(after.feedLosses()).isPositive();
  }

  @Test
  void whatDecidesOrRemovesThrows() {
    PersistentCache<String, Long> one = cache(mine);
    one.put("k", 1L);
    stop(one);
    assertThat(one.get("k")).isNull();
    assertUnavailable(() -> one.putIfAbsent("k", 2L));
    assertUnavailable(() -> one.replace("k", 1L, 2L));
    assertUnavailable(() -> one.compute("k", (key, value) -> 2L));
    assertUnavailable(() -> one.getAndPut("k", 2L));
    assertUnavailable(() -> one.invalidate("k"));
    assertUnavailable(one::clear);
    assertUnavailable(() -> one.containsKey("k"));
    goOn();
    assertThat(one.get("k")).isEqualTo(1);
    assertThat(state().droppedPuts()).isZero();
  }

  @Test
  void callsDoNotWaitWhileTheServerIsAway() {
    PersistentCache<String, Long> one = cache(mine);
    stop(one);
    assertThat(one.get("k")).isNull();
    long begun = System.nanoTime();
    for (long i = 0; i < 200; i++) {
      one.put("k" + i, i);
      assertThat(one.get("k" + i, key -> 1L)).isEqualTo(1);
    }
    assertThat(System.nanoTime() - begun).isLessThan(TimeUnit.SECONDS.toNanos(10));
    goOn();
  }

  @Test
  void aPutAfterTheOutageStays() {
    PersistentCache<String, Long> one = cache(mine);
    for (long round = 0; round < 3; round++) {
      one.put("k", 1L);
      stop(one);
      one.put("k", 2L);
      server.signal("CONT");
      long written = 3 + round;
      Failover.await(
          () -> {
            long before = state().droppedPuts();
            one.put("k", written);
            return state().droppedPuts() == before;
          });
      goOn();
      assertThat(one.get("k")).isEqualTo(written);
      assertThat(cache(theirs).get("k")).isEqualTo(written);
    }
  }

  @Test
  void manyDroppedPutsEndAllEntries() {
    PersistentCache<String, Long> one = cache(mine);
    one.put("other", 1L);
    Map<String, Long> many = new HashMap<>();
    for (long i = 0; i <= DroppedPuts.MAX_KEYS; i++) {
      many.put("k" + i, i);
    }
    stop(one);
    one.putAll(many);
    goOn();
    assertThat(one.getAll(many.keySet().stream().limit(500).collect(Collectors.toSet()))).isEmpty();
    assertThat(cache(theirs).get("other")).isNull();
    one.put("other", 2L);
    assertThat(cache(theirs).get("other")).isEqualTo(2);
  }

  @Test
  void aCacheThatIsDroppedDuringTheOutageIsNoProblem() {
    PersistentCache<String, Long> one = cache(mine);
    stop(one);
    one.put("k", 1L);
    server.signal("CONT");
    Failover.await(() -> theirs.state().server().orElseThrow().connected());
    theirs.names().drop("c");
    goOn();
    assertThat(cache(mine).get("k")).isNull();
  }

  @Test
  void anotherValueIsRefused() {
    assertThatThrownBy(() -> Rockpool.open(server.uri("?when-away=never")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("fail or miss");
  }
}
