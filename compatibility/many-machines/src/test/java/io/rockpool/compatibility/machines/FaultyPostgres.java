package io.rockpool.compatibility.machines;

import io.rockpool.testing.tools.PostgresProcess;
import io.rockpool.testing.tools.Processes;
import java.io.IOException;
import java.net.URI;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A PostgreSQL server that forces each commit to the disk. */
final class FaultyPostgres extends FaultyServer {
  private final PostgresProcess server;

  FaultyPostgres(PostgresProcess server) {
    this.server = server;
  }

  /** Starts a server. */
  static FaultyPostgres create() throws IOException {
    return new FaultyPostgres(PostgresProcess.start());
  }

  PostgresProcess process() {
    return server;
  }

  /** Makes a standby the primary. */
  void promote() {
    execute("SELECT pg_promote()");
    Processes.await(
        "the standby is promoted", () -> "f".equals(text("SELECT pg_is_in_recovery()")));
  }

  /** Ends it as an operator does: it sends all to its standby before. */
  void shutDown() {
    server.shutDown();
  }

  /** Runs a statement. */
  void execute(String sql) {
    try (Connection connection = DriverManager.getConnection(url());
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    } catch (SQLException e) {
      throw new AssertionError(sql, e);
    }
  }

  /** The first column of the first row; null if there is none. */
  @Nullable String text(String sql) {
    try (Connection connection = DriverManager.getConnection(url());
        Statement statement = connection.createStatement();
        ResultSet result = statement.executeQuery(sql)) {
      return result.next() ? result.getString(1) : null;
    } catch (SQLException e) {
      throw new AssertionError(sql, e);
    }
  }

  @Override
  public URI uri(int at) {
    return URI.create("postgresql://rockpool@127.0.0.1:" + at + "/postgres?schema=machines");
  }

  private String url() {
    return server.url();
  }

  @Override
  public int port() {
    return server.port();
  }

  @Override
  List<ProcessHandle> processes() {
    return server.processes();
  }

  @Override
  void start() throws IOException {
    server.restart();
  }

  @Override
  void kill() {
    server.kill();
  }

  @Override
  public void close() {
    server.close();
  }

  /** The last statement of a feed's connection has the snapshot of what was seen. */
  @Override
  void endFeeds() {
    execute(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid()"
            + " AND (query LIKE '%pg_visible_in_snapshot%' OR query LIKE 'LISTEN%')");
  }
}
