package io.rockpool.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.rockpool.engine.EngineOptions;
import java.time.InstantSource;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** One process at a time sweeps what any process can sweep. */
final class UpkeepOwnerTest {
  private static final EngineOptions OPTIONS =
      new EngineOptions(InstantSource.system(), null, Map.of());

  @Test
  void oneProcessSweepsUntilItIsSilent() throws Exception {
    try (RedisServer server = RedisServer.start();
        RedisEngine one = RedisEngine.open(server.uri(""), OPTIONS);
        RedisEngine other = RedisEngine.open(server.uri(""), OPTIONS)) {
      assertThat(one.garbage().own()).isTrue();
      assertThat(other.garbage().own()).isFalse();
      assertThat(one.garbage().own()).isTrue();
      long millis = Long.parseLong(server.command("PTTL", "rockpool:{owner}").strip());
      assertThat(millis).isBetween(30 * 60_000L, 40 * 60_000L);

      assertThat(other.reclaim()).isNotNull(); // what is no entry stays
      assertThat(other.garbage().own()).isFalse();
      one.close();
      server.command("PEXPIRE", "rockpool:{owner}", "1");
      RedisServer.awaitAnswer(() -> other.garbage().own());
      try (RedisEngine third = RedisEngine.open(server.uri(""), OPTIONS)) {
        assertThat(third.garbage().own()).isFalse();
      }
    }
  }
}
