package io.rockpool.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rockpool.Rockpool;
import io.rockpool.cache.PersistentCache;
import io.rockpool.error.OutcomeUnknownException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A thread that is interrupted closes a store as any other, and stays interrupted. */
@Timeout(60)
final class InterruptedCloseTest {
  @Test
  void closingIsCompletedAndTheThreadStaysInterrupted() throws Exception {
    try (RedisServer server = RedisServer.start()) {
      Rockpool pool = Rockpool.open(server.uri("?timeout=10s"));
      pool.cache("c", String.class, Long.class).put("k", 1L);
      Thread.currentThread().interrupt();
      boolean interrupted;
      try {
        pool.close();
      } finally {
        interrupted = Thread.interrupted();
      }
      assertThat(interrupted).isTrue();
      Failover.await(() -> server.command("CLIENT", "LIST", "TYPE", "normal").lines().count() == 1);
    }
  }

  @Test
  void anAnswerThatIsLateNamesTheOption() throws Exception {
    try (RedisServer server = RedisServer.start();
        Rockpool pool = Rockpool.open(server.uri("?timeout=5s&feed-timeout=30s"))) {
      PersistentCache<String, Long> cache = pool.cache("c", String.class, Long.class);
      try (Rockpool hasty = Rockpool.open(server.uri("?timeout=2s&feed-timeout=30s"))) {
        PersistentCache<String, Long> same = hasty.cache("c", String.class, Long.class);
        same.put("k", 1L);
        server.signal("STOP");
        try {
          assertThatThrownBy(() -> same.put("k", 2L))
              .isInstanceOf(OutcomeUnknownException.class)
              .hasMessageContainingAll("did not answer within 2000 ms", "option timeout");
        } finally {
          server.signal("CONT");
        }
      }
      assertThat(cache.get("k")).isNotNull();
    }
  }
}
