package io.rockpool.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.rockpool.Rockpool;
import io.rockpool.testing.EveryCall;
import io.rockpool.testing.Slow;
import io.rockpool.testing.Threads;
import io.rockpool.testing.tools.Needs;
import io.rockpool.testing.tools.Tool;
import java.net.URI;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Every public call ends soon, and says why, whatever its server does. */
@Slow
@Timeout(600)
@Needs(Tool.REDIS)
final class EveryCallOnRedisTest {
  /** A call waits for up to three times as long. */
  private static final String TIMEOUT = "?timeout=500ms";

  /** Several times that, for a busy machine. */
  private static final Duration LIMIT = Duration.ofSeconds(10);

  /** What a server does. */
  enum State {
    STOPPED,
    REFUSING,
    PAUSED,
    SLOW,
    READ_ONLY,
    RESTARTED;

    boolean isAway() {
      return this == STOPPED || this == REFUSING || this == PAUSED;
    }

    void begin(RedisServer server, StallingProxy proxy) throws Exception {
      switch (this) {
        case STOPPED -> server.kill();
        case REFUSING -> {
          server.command("CONFIG", "SET", "requirepass", "secret");
          server.command("-a", "secret", "CLIENT", "KILL", "TYPE", "normal");
        }
        case PAUSED -> server.signal("STOP");
        case SLOW -> proxy.delayAnswers(TimeUnit.MILLISECONDS.toNanos(20));
        case READ_ONLY -> server.command("CONFIG", "SET", "min-replicas-to-write", "1");
        case RESTARTED -> server.kill();
      }
    }
  }

  @ParameterizedTest
  @EnumSource(State.class)
  void endsAndSaysWhy(State state) throws Exception {
    try (RedisServer server = RedisServer.start();
        StallingProxy proxy = new StallingProxy(server.port());
        Rockpool pool = Rockpool.open(URI.create("redis://127.0.0.1:" + proxy.port() + TIMEOUT))) {
      EveryCall calls = EveryCall.ofCaches(pool);
      state.begin(server, proxy);
      Threads.Running<?> restart =
          Threads.start(
              () -> {
                if (state == State.RESTARTED) {
                  Thread.sleep(1_000);
                  server.restart();
                }
                return null;
              });
      assertThat(calls.problems(LIMIT, state.isAway())).isEmpty();
      restart.result();
      if (state == State.PAUSED) {
        server.signal("CONT");
      }
    }
  }
}
