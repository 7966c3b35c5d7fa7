package io.rockpool.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import io.rockpool.engine.EngineOptions;
import io.rockpool.internal.engine.LayerSweeps;
import io.rockpool.testing.tools.Needs;
import io.rockpool.testing.tools.Tool;
import java.time.InstantSource;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A sweep that meets an outage is no failure of the store: its next run may be far away. */
@Timeout(60)
@Needs(Tool.REDIS)
final class SweepOutageTest {
  private static final String THREAD = "rockpool-redis-garbage";

  private static RedisEngine open(RedisServer server) {
    return RedisEngine.open(
        server.uri("?timeout=1s&feed-timeout=20s"),
        new EngineOptions(InstantSource.system(), null, Map.of()));
  }

  /** Whether the thread of sweeps waits until it sweeps again. */
  private static boolean isResting() {
    return Thread.getAllStackTraces().entrySet().stream()
        .filter(thread -> thread.getKey().getName().equals(THREAD))
        .flatMap(thread -> Stream.of(thread.getValue()))
        .anyMatch(frame -> frame.getMethodName().equals("rest"));
  }

  @Test
  void nothingFailsOnceTheServerIsBack() throws Exception {
    try (RedisServer server = RedisServer.start();
        RedisEngine engine = open(server)) {
      server.kill();
      Failover.await(() -> !engine.serverState().orElseThrow().connected());
      engine.garbage().sweepLater();
      Failover.await(SweepOutageTest::isResting);
      assertThat(engine.upkeep().state().failing()).doesNotContainKey(THREAD);
      server.restart();
      Failover.await(() -> engine.serverState().orElseThrow().connected());
      Failover.await(() -> engine.upkeep().state().failing().isEmpty());
    }
  }

  @Test
  void aPeriodicSweepMeetsAnOutage() throws Exception {
    try (RedisServer server = RedisServer.start();
        RedisEngine engine = open(server)) {
      Runnable sweep = () -> engine.garbage().sweepPeriodically(new LayerSweeps());
      server.signal("STOP");
      assertThatCode(sweep::run).as("silent").doesNotThrowAnyException();
      server.kill();
      Failover.await(() -> !engine.serverState().orElseThrow().connected());
      assertThatCode(sweep::run).as("away").doesNotThrowAnyException();
    }
  }
}
