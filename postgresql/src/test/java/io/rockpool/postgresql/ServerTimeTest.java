package io.rockpool.postgresql;

import static org.assertj.core.api.Assertions.assertThat;

import io.rockpool.testing.tools.Needs;
import io.rockpool.testing.tools.Tool;
import java.time.InstantSource;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.postgresql.ds.PGSimpleDataSource;

/** The server of the test has this machine's clock, so an engine must have it, too. */
@Needs(Tool.POSTGRESQL)
final class ServerTimeTest {
  private static final long LATE_NANOS = TimeUnit.MILLISECONDS.toNanos(200);
  private static final long ERROR_MILLIS = 50;
  private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(15);

  private final String schema = PostgresServer.newSchema();
  private final PostgresServer server = PostgresServer.running();
  private CuttingProxy proxy;

  @BeforeEach
  void begin() throws Exception {
    proxy = new CuttingProxy(server.port());
    open().close(); // creates the schema
  }

  @AfterEach
  void end() throws Exception {
    proxy.close();
    server.execute("DROP SCHEMA " + schema + " CASCADE");
  }

  private PostgresEngine open() {
    PGSimpleDataSource source = new PGSimpleDataSource();
    source.setUrl(PostgresServer.url(proxy.port()));
    return PostgresEngine.open(source, PostgresOptions.defaults().schema(schema));
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
    proxy.delayAnswer("clock_timestamp()) * 1000", LATE_NANOS);
    try (PostgresEngine engine = open()) {
      assertThat(offMillis(engine.clock())).isLessThan(ERROR_MILLIS);
    }
  }

  @Test
  void lateAnswersAtTheOpeningAreReplacedSoon() throws Exception {
    proxy.delayAnswers(LATE_NANOS);
    try (PostgresEngine engine = open()) {
      assertThat(offMillis(engine.clock())).isGreaterThan(ERROR_MILLIS);
      proxy.delayAnswers(0);
      long end = System.nanoTime() + PATIENCE_NANOS;
      while (offMillis(engine.clock()) >= ERROR_MILLIS && System.nanoTime() < end) {
        Thread.sleep(10);
      }
      assertThat(offMillis(engine.clock())).isLessThan(ERROR_MILLIS);
    }
  }
}
