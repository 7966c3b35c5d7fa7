package io.rockpool.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rockpool.Rockpool;
import io.rockpool.cache.PersistentCache;
import io.rockpool.error.ServerUnavailableException;
import io.rockpool.testing.tools.Needs;
import io.rockpool.testing.tools.Tool;
import java.util.List;
import java.util.Map;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** While a server is away, a call waits for its connection once. */
@Timeout(120)
@Needs(Tool.REDIS)
final class WaitForConnectionTest {
  private static final long TIMEOUT_MILLIS = 1_000;
  private static final long MOST_MILLIS = TIMEOUT_MILLIS + TIMEOUT_MILLIS * 4 / 5;
  private static final int TRIES = 3;

  /** A busy machine may hold a call up, but not each time. */
  private static void assertWaitsOnce(String what, ThrowingCallable call) {
    long shortest = Long.MAX_VALUE;
    for (int i = 0; i < TRIES && shortest > MOST_MILLIS; i++) {
      long begun = System.nanoTime();
      assertThatThrownBy(call).as(what).isInstanceOf(ServerUnavailableException.class);
      shortest = Math.min(shortest, (System.nanoTime() - begun) / 1_000_000);
    }
    assertThat(shortest).as(what).isBetween(TIMEOUT_MILLIS - 100, MOST_MILLIS);
  }

  @Test
  void eachCallWaitsOnce() throws Exception {
    try (RedisServer server = RedisServer.start();
        Rockpool pool = Rockpool.open(server.uri("?timeout=" + TIMEOUT_MILLIS + "ms"))) {
      PersistentCache<String, Long> cache = pool.cache("c", String.class, Long.class);
      cache.put("k", 1L);
      server.kill();
      Failover.await(
          () -> !pool.state().server().orElseThrow().connected() && cache.hotSize() == 0);
      assertWaitsOnce("get", () -> cache.get("k"));
      assertWaitsOnce("getAll", () -> cache.getAll(List.of("k", "l")));
      assertWaitsOnce("load", () -> cache.get("l", key -> 1L));
      assertWaitsOnce("loads", () -> cache.getAll(List.of("k", "l"), keys -> Map.of("l", 1L)));
      assertWaitsOnce("put", () -> cache.put("k", 2L));
      assertWaitsOnce("putAll", () -> cache.putAll(Map.of("k", 2L, "l", 2L)));
      assertWaitsOnce("invalidate", () -> cache.invalidate("k"));
      assertWaitsOnce("invalidateAll", () -> cache.invalidateAll(List.of("k", "l")));
      assertWaitsOnce("remove", () -> cache.remove("k"));
      assertWaitsOnce("putIfAbsent", () -> cache.putIfAbsent("k", 1L));
      assertWaitsOnce("compute", () -> cache.compute("k", (key, value) -> 1L));
      assertWaitsOnce("clear", cache::clear);
      assertWaitsOnce("open", () -> pool.cache("other", String.class, Long.class));
      server.restart();
      Failover.await(() -> pool.state().server().orElseThrow().connected());
      cache.put("k", 3L);
      assertThat(cache.get("k")).isEqualTo(3);
    }
  }
}
