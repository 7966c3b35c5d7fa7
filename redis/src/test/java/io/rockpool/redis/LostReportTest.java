package io.rockpool.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lettuce.core.RedisClient;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.resource.ClientResources;
import io.lettuce.core.resource.DefaultClientResources;
import io.rockpool.engine.EngineOptions;
import io.rockpool.testing.tools.Needs;
import io.rockpool.testing.tools.Tool;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** An Error while a report of the server is handled loses the feed. */
@Timeout(60)
@Needs(Tool.REDIS)
final class LostReportTest {
  private static final class Full implements Link.Observer {
    private final AtomicInteger armed = new AtomicInteger();
    private final AtomicInteger lost = new AtomicInteger();
    private volatile boolean isFullForLosses;

    @Override
    public void connected() {}

    @Override
    public void feedLost(Link link) {
      if (isFullForLosses) {
        throw new OutOfMemoryError("of the test");
      }
      lost.incrementAndGet();
    }

    @Override
    public void feedArmed(Link link) {
      armed.incrementAndGet();
    }

    @Override
    public void changed(@Nullable List<ByteBuffer> keys) {
      throw new OutOfMemoryError("of the test");
    }
  }

  @Test
  void theFeedIsLostAndComesBack() throws Exception {
    ClientResources resources = DefaultClientResources.create();
    try (RedisServer server = RedisServer.start()) {
      RedisSettings settings =
          RedisSettings.of(
              server.uri("?timeout=5s"), new EngineOptions(InstantSource.system(), null, Map.of()));
      RedisClient client = RedisClients.client(resources, settings, null);
      Full full = new Full();
      byte[] prefix = "p".getBytes(StandardCharsets.UTF_8);
      try (Link link =
              new Link(
                  client,
                  RedisClients.server(settings, settings.hosts().get(0)),
                  settings,
                  prefix,
                  full,
                  false);
          StatefulRedisConnection<String, String> other =
              client.connect(RedisClients.server(settings, settings.hosts().get(0)))) {
        link.connect(Duration.ofSeconds(20), () -> true);
        assertThat(full.armed.get()).isOne();
        other.sync().set("p1", "1");
        Failover.await(() -> full.lost.get() == 1 && !link.isConnected());

        // If there is no room for the loss either, the thread that watches reports it later.
        link.connect(Duration.ofSeconds(20), () -> true);
        assertThat(full.armed.get()).isEqualTo(2);
        full.isFullForLosses = true;
        other.sync().set("p1", "2");
        Failover.await(() -> !link.isConnected());
        assertThatThrownBy(() -> link.watch(null)).isInstanceOf(OutOfMemoryError.class);
        assertThatThrownBy(() -> link.connect(Duration.ofSeconds(20), () -> true))
            .isInstanceOf(OutOfMemoryError.class);
        assertThat(link.isConnected()).isFalse();
        full.isFullForLosses = false;
        link.watch(null);
        assertThat(full.lost.get()).isEqualTo(2);
        link.connect(Duration.ofSeconds(20), () -> true);
        assertThat(full.armed.get()).isEqualTo(3);
      } finally {
        client.shutdown();
      }
    } finally {
      Object unused = resources.shutdown();
    }
  }
}
