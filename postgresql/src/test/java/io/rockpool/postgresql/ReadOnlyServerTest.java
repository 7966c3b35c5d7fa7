package io.rockpool.postgresql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import com.zaxxer.hikari.HikariDataSource;
import io.rockpool.Rockpool;
import io.rockpool.error.RockpoolException;
import io.rockpool.internal.access.Internals;
import io.rockpool.internal.engine.EngineUpkeep;
import io.rockpool.structure.PersistentMap;
import io.rockpool.testing.tools.Needs;
import io.rockpool.testing.tools.Tool;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A server that answers and takes no writes, as one that became a standby. */
@Timeout(60)
@Needs(Tool.POSTGRESQL)
final class ReadOnlyServerTest {
  private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(20);

  private static PostgresServer server;

  @BeforeAll
  static void start() {
    server = PostgresServer.startNew();
  }

  @AfterAll
  static void delete() {
    server.delete();
  }

  @Test
  void aProbeMeetsWhatWritesMeet() throws Exception {
    try (HikariDataSource source = server.pool();
        Rockpool pool =
            Rockpool.at(PostgresEngine.factory(source, PostgresServer.newSchema())).open()) {
      PersistentMap<String, Long> map = pool.map("map", String.class, Long.class);
      EngineUpkeep upkeep = EngineUpkeep.of(Internals.store(pool).engine());
      map.put("a", 1L);
      upkeep.probeWrite();

      setReadOnly("on");
      assertThatThrownBy(() -> map.put("a", 2L)).isInstanceOf(RockpoolException.class);
      await(() -> refusal(upkeep) != null);
      assertThat(refusal(upkeep))
          .isInstanceOf(RockpoolException.class)
          .hasMessageContaining("read-only");

      setReadOnly("off");
      map.put("a", 3L);
      await(() -> refusal(upkeep) == null);
      assertThat(pool.verify().isClean()).isTrue();
    }
  }

  /** The store tries a write every few seconds, and a probe tells how that went. */
  private static void await(BooleanSupplier condition) {
    long end = System.nanoTime() + PATIENCE_NANOS;
    while (!condition.getAsBoolean()) {
      assertThat(System.nanoTime()).isLessThan(end);
      Thread.onSpinWait();
    }
  }

  private static Throwable refusal(EngineUpkeep upkeep) {
    return catchThrowable(upkeep::probeWrite);
  }

  /** Each session has the new setting before its next statement. */
  private static void setReadOnly(String value) throws Exception {
    server.execute("ALTER SYSTEM SET default_transaction_read_only = " + value);
    server.execute("SELECT pg_reload_conf()");
    long end = System.nanoTime() + PATIENCE_NANOS;
    while (server.number(
            "SELECT count(*) FROM pg_settings WHERE name = 'default_transaction_read_only'"
                + " AND setting = '"
                + value
                + "'")
        == 0) {
      assertThat(System.nanoTime()).isLessThan(end);
    }
  }
}
