package io.rockpool.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.rockpool.engine.EngineOptions;
import io.rockpool.testing.tools.Needs;
import io.rockpool.testing.tools.Tool;
import java.net.URI;
import java.time.InstantSource;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The server of the test has this machine's clock, so an engine must have it, too. */
@Needs(Tool.REDIS)
final class ServerTimeOnRedisTest {
  private static final long LATE_NANOS = TimeUnit.MILLISECONDS.toNanos(200);
  private static final long ERROR_MILLIS = 50;

  private RedisServer server;
  private StallingProxy proxy;

  @BeforeEach
  void begin() throws Exception {
    server = RedisServer.start();
    proxy = new StallingProxy(server.port());
  }

  @AfterEach
  void end() {
    proxy.close();
    server.close();
  }

  private RedisEngine open() {
    URI uri = URI.create("redis://127.0.0.1:" + proxy.port() + "?timeout=20s");
    return RedisEngine.open(uri, new EngineOptions(InstantSource.system(), null, Map.of()));
  }

  /** The least of some: this thread may be held up between the two clocks. */
  private static long offMillis(InstantSource clock) {
    return LongStream.generate(() -> Math.abs(clock.millis() - System.currentTimeMillis()))
        .limit(10)
        .min()
        .getAsLong();
  }

  @Test
  void oneLateAnswerDoesNotCount() {
    proxy.delayAnswer("\r\nTIME\r\n", LATE_NANOS);
    try (RedisEngine engine = open()) {
      assertThat(offMillis(engine.clock())).isLessThan(ERROR_MILLIS);
    }
  }

  @Test
  void lateAnswersAtTheOpeningAreReplacedSoon() {
    proxy.delayAnswers(LATE_NANOS);
    try (RedisEngine engine = open()) {
      assertThat(offMillis(engine.clock())).isGreaterThan(ERROR_MILLIS);
      proxy.delayAnswers(0);
      Failover.await(() -> offMillis(engine.clock()) < ERROR_MILLIS);
    }
  }
}
