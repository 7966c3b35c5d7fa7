package io.rockpool.postgresql;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.rockpool.Rockpool;
import io.rockpool.testing.EveryCall;
import io.rockpool.testing.Slow;
import io.rockpool.testing.Threads;
import io.rockpool.testing.tools.Needs;
import io.rockpool.testing.tools.Tool;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Every public call ends soon, and says why, whatever its server does. */
@Slow
@Timeout(600)
@Needs(Tool.POSTGRESQL)
final class EveryCallOnPostgresTest {
  /** How long the pool waits for a connection; a call waits for one or two of them. */
  private static final long CONNECTION_MILLIS = 250;

  /** Its own limit for an answer, in seconds. */
  private static final int ANSWER_SECONDS = 1;

  /** Several times those, for a busy machine. */
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

    void begin(PostgresServer server, CuttingProxy proxy) throws Exception {
      switch (this) {
        case STOPPED -> server.kill();
        case REFUSING -> proxy.refuse(true);
        case PAUSED -> proxy.part(true);
        case SLOW -> proxy.delayRoundTrips(TimeUnit.MILLISECONDS.toNanos(20));
        case READ_ONLY -> {
          server.execute("ALTER SYSTEM SET default_transaction_read_only = on");
          server.execute("SELECT pg_reload_conf()");
        }
        case RESTARTED -> server.kill();
      }
    }
  }

  private static HikariDataSource source(int port) {
    HikariConfig config = new HikariConfig();
    config.setJdbcUrl(PostgresServer.url(port));
    config.addDataSourceProperty("socketTimeout", String.valueOf(ANSWER_SECONDS));
    config.setMaximumPoolSize(32);
    config.setMinimumIdle(0);
    config.setConnectionTimeout(CONNECTION_MILLIS);
    return new HikariDataSource(config);
  }

  @ParameterizedTest
  @EnumSource(State.class)
  void endsAndSaysWhy(State state) throws Exception {
    PostgresServer server = PostgresServer.startNew();
    try (CuttingProxy proxy = new CuttingProxy(server.port());
        HikariDataSource source = source(proxy.port());
        Rockpool pool =
            Rockpool.at(PostgresEngine.factory(source, PostgresServer.newSchema())).open()) {
      EveryCall calls = EveryCall.of(pool);
      state.begin(server, proxy);
      Threads.Running<?> restart =
          Threads.start(
              () -> {
                if (state == State.RESTARTED) {
                  Thread.sleep(1_000);
                  server.start();
                }
                return null;
              });
      assertThat(calls.problems(LIMIT, state.isAway())).isEmpty();
      restart.result();
      proxy.part(false); // closing asks the server
    } finally {
      server.delete();
    }
  }
}
