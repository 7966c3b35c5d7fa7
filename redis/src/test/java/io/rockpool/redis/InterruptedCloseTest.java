package io.rockpool.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.rockpool.Rockpool;
import io.rockpool.testing.tools.Needs;
import io.rockpool.testing.tools.Tool;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A thread that is interrupted closes a store as any other, and stays interrupted. */
@Timeout(60)
@Needs(Tool.REDIS)
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
}
