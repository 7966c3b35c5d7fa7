package io.rockpool.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.rockpool.jcache.RockpoolCachingProvider;
import io.rockpool.spring.RockpoolCacheManager;
import io.rockpool.testing.SlimProgram;
import io.rockpool.testing.tools.Needs;
import io.rockpool.testing.tools.Tool;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** An application that excludes {@code rocksdbjni} uses caches on a server. */
@Timeout(120)
final class WithoutRocksDbOnRedisTest {
  @Test
  void noClassNeedsIt() throws Exception {
    assertThat(
            SlimProgram.loads(
                RedisEngine.class, RockpoolCachingProvider.class, RockpoolCacheManager.class))
        .isEmpty();
  }

  @Test
  @Needs(Tool.REDIS)
  void cachesWork() throws Exception {
    try (RedisServer server = RedisServer.start()) {
      assertThat(SlimProgram.uses("redis://127.0.0.1:" + server.port())).isEqualTo("1");
    }
  }
}
