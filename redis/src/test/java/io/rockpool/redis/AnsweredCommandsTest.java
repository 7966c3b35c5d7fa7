package io.rockpool.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.lettuce.core.RedisClient;
import io.lettuce.core.resource.ClientResources;
import io.lettuce.core.resource.DefaultClientResources;
import io.rockpool.engine.EngineOptions;
import io.rockpool.testing.Slow;
import io.rockpool.testing.tools.Needs;
import io.rockpool.testing.tools.Tool;
import java.lang.ref.WeakReference;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Memory has nothing of commands that the server has answered. */
@Slow
@Needs(Tool.REDIS)
final class AnsweredCommandsTest {
  private static byte[] key(int number) {
    return ("p" + number).getBytes(StandardCharsets.UTF_8);
  }

  /** Sends commands together; returns what memory would have of them. */
  private static List<WeakReference<Object>> send(Link link, int commands) {
    List<WeakReference<Object>> sent = new ArrayList<>();
    RedisBatch batch = new RedisBatch();
    for (int i = 0; i < commands; i++) {
      byte[] value = new byte[1_000];
      CompletableFuture<String> answer = batch.set(key(i), value);
      sent.add(new WeakReference<>(value));
      sent.add(new WeakReference<>(answer));
    }
    link.send(batch);
    return sent;
  }

  @Test
  void areNotKeptUntilTheTimeout() throws Exception {
    ClientResources resources =
        DefaultClientResources.builder().nettyCustomizer(new CommandGroup.Customizer()).build();
    try (RedisServer server = RedisServer.start()) {
      RedisSettings settings =
          RedisSettings.of(
              server.uri("?timeout=10m"),
              new EngineOptions(InstantSource.system(), null, Map.of()));
      RedisClient client = RedisClients.client(resources, settings, null);
      try (Link link =
          new Link(
              client,
              RedisClients.server(settings, settings.hosts().get(0)),
              settings,
              key(0),
              Link.Observer.NONE,
              false)) {
        link.connect(Duration.ofSeconds(20), () -> true);
        List<WeakReference<Object>> sent = new ArrayList<>(send(link, 1));
        sent.addAll(send(link, 20));
        List<WeakReference<Object>> last = send(link, 1); // the connection may have the newest one
        Failover.await(
            () -> {
              System.gc();
              return sent.stream().allMatch(each -> each.refersTo(null));
            });
        assertThat(last).hasSize(2);
      } finally {
        client.shutdown();
      }
    } finally {
      Object unused = resources.shutdown();
    }
  }
}
