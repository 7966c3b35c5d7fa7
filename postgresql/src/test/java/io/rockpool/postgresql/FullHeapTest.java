package io.rockpool.postgresql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import io.rockpool.Rockpool;
import io.rockpool.cache.PersistentCache;
import io.rockpool.error.OutcomeUnknownException;
import io.rockpool.error.RockpoolException;
import io.rockpool.error.ServerUnavailableException;
import io.rockpool.structure.PersistentMap;
import io.rockpool.testing.tools.Needs;
import io.rockpool.testing.tools.Tool;
import java.sql.SQLException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.postgresql.util.PSQLException;
import org.postgresql.util.PSQLState;

/** A heap that is too full for an answer of the server, or for the feed of changes. */
@Needs(Tool.POSTGRESQL)
final class FullHeapTest {
  private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(20);

  private final PostgresServer server = PostgresServer.running();
  private final String schema = PostgresServer.newSchema();
  private final HikariDataSource source = server.pool();
  private final FailingSource failing = new FailingSource(source);
  private final Rockpool pool =
      Rockpool.at(PostgresEngine.factory(failing.source(), schema)).open();
  private final PersistentMap<String, String> map = pool.map("map", String.class, String.class);

  @AfterEach
  void close() throws SQLException {
    pool.close();
    source.close();
    server.execute("DROP SCHEMA " + schema + " CASCADE");
  }

  private static OutOfMemoryError outOfMemory() {
    return new OutOfMemoryError("of the test");
  }

  /** What the driver throws if a value does not fit. */
  private static PSQLException tooLarge() {
    return new PSQLException(
        "Ran out of memory retrieving query results.", PSQLState.OUT_OF_MEMORY, outOfMemory());
  }

  private static NullPointerException ofDriver() {
    NullPointerException failure = new NullPointerException("of the test");
    failure.setStackTrace(
        new StackTraceElement[] {
          new StackTraceElement("org.postgresql.jdbc.PgResultSet", "next", null, 1)
        });
    return failure;
  }

  private void aborts(Throwable thrown, ThrowingCallable call) throws SQLException {
    failing.failNext(thrown);
    assertThatThrownBy(call).isSameAs(thrown);
    assertThat(failing.isAborted()).isTrue();
    assertThat(map.get("a")).isEqualTo("1");
  }

  @Test
  void anErrorInTheDriverEndsItsConnection() throws SQLException {
    map.put("a", "1");
    aborts(outOfMemory(), () -> map.get("a"));
    aborts(outOfMemory(), () -> map.put("a", "1"));
    aborts(outOfMemory(), () -> map.merge("b", "1", String::concat));
    aborts(outOfMemory(), () -> pool.atomically(tx -> map.get("a")));
    aborts(ofDriver(), () -> map.get("a"));
    assertThat(source.getHikariPoolMXBean().getActiveConnections()).isLessThanOrEqualTo(1);
  }

  @Test
  void anErrorOfAFunctionKeepsItsConnection() throws SQLException {
    map.put("a", "1");
    OutOfMemoryError thrown = outOfMemory();
    assertThatThrownBy(
            () ->
                pool.atomically(
                    tx -> {
                      String unused = map.get("a");
                      throw thrown;
                    }))
        .isSameAs(thrown);
    assertThat(failing.isOwnAborted()).isFalse();
  }

  @Test
  void theOutcomeOfAWriteWhoseAnswerIsTooLargeIsSettled() throws SQLException {
    PersistentCache<String, String> cache = pool.cache("cache", String.class, String.class);
    cache.put("a", "1");
    failing.failNext(tooLarge());
    cache.put("a", "2");
    assertThat(failing.isAborted()).isTrue();
    failing.failNext(tooLarge());
    assertThat(map.putIfAbsent("k", "v")).isNull();
    assertThat(failing.isAborted()).isTrue();
    failing.failNext(tooLarge());
    assertThatThrownBy(() -> cache.asMap().remove("a"))
        .isInstanceOf(OutcomeUnknownException.class)
        .hasMessageContaining("the heap of this process is too small");
    assertThat(failing.isAborted()).isTrue();
    assertThat(cache.get("a")).isNull();
    assertThat(map.get("k")).isEqualTo("v");
  }

  @Test
  void aReadOfAValueThatIsTooLargeSaysSo() throws SQLException {
    map.put("a", "1");
    for (ThrowingCallable read :
        new ThrowingCallable[] {
          () -> map.get("a"), () -> pool.atomically(tx -> map.get("a")),
        }) {
      failing.failNext(tooLarge());
      assertThatThrownBy(read)
          .isInstanceOf(RockpoolException.class)
          .isNotInstanceOf(ServerUnavailableException.class)
          .hasMessageContaining("the heap of this process is too small");
      assertThat(failing.isAborted()).isTrue();
    }
  }

  @Test
  void anErrorOfTheFeedDropsWhatIsInMemory() throws Exception {
    PersistentCache<String, String> cache = pool.cache("cache", String.class, String.class);
    cache.put("a", "1");
    try (Rockpool other = Rockpool.at(PostgresEngine.factory(source, schema)).open()) {
      PersistentCache<String, String> same = other.cache("cache", String.class, String.class);
      for (int round = 0; round < 3; round++) {
        failing.failNext(
            thread -> thread.getName().equals("rockpool-postgresql-changes-reader"), outOfMemory());
        await(failing::hasFailed);
        same.put("a", "of round " + round);
        String expected = "of round " + round;
        await(() -> expected.equals(cache.get("a")));
      }
    }
  }

  private static void await(BooleanSupplier condition) {
    long end = System.nanoTime() + PATIENCE_NANOS;
    while (!condition.getAsBoolean()) {
      assertThat(System.nanoTime()).isLessThan(end);
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(10));
    }
  }
}
