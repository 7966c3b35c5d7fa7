package io.rockpool.postgresql;

import com.zaxxer.hikari.HikariDataSource;
import io.rockpool.Rockpool;
import io.rockpool.engine.QuietOutageContract;
import io.rockpool.testing.Slow;
import io.rockpool.testing.tools.Needs;
import io.rockpool.testing.tools.Tool;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** The log while a PostgreSQL server refuses all connections. */
@Slow
@Needs(Tool.POSTGRESQL)
final class QuietOutageTest extends QuietOutageContract {
  private final String schema = PostgresServer.newSchema();
  private final PostgresServer server = PostgresServer.running();
  private CuttingProxy proxy;
  private HikariDataSource source;

  @BeforeEach
  void start() throws Exception {
    proxy = new CuttingProxy(server.port());
    source = PostgresServer.pool(PostgresServer.url(proxy.port()));
    source.setConnectionTimeout(1_000);
  }

  @AfterEach
  void stop() throws Exception {
    source.close();
    proxy.close();
    server.execute("DROP SCHEMA " + schema + " CASCADE");
  }

  @Override
  protected Rockpool open() {
    return Rockpool.at(o -> PostgresEngine.open(source, PostgresOptions.defaults().schema(schema)))
        .open();
  }

  @Override
  protected void away(boolean away) {
    proxy.refuse(away);
  }

  @Override
  protected boolean hasCollections() {
    return true;
  }
}
