package io.rockpool.postgresql;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.rockpool.testing.tools.PostgresProcess;
import java.io.IOException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

/** A real server for the tests of this JVM, with new data. It ends with the JVM. */
final class PostgresServer {
  private static final AtomicInteger SCHEMAS = new AtomicInteger();

  /** A killed server loses nothing that the system has; no test cuts the power. */
  private static final String NO_SYNC = "fsync=off";

  private static PostgresServer running;

  private final PostgresProcess server;

  /** The server of this JVM. */
  static synchronized PostgresServer running() {
    if (running == null) {
      running = startNew();
    }
    return running;
  }

  static String[] settings(String... options) {
    return Stream.concat(Stream.of(NO_SYNC), Stream.of(options)).toArray(String[]::new);
  }

  /** Another server, which the caller stops. */
  static PostgresServer startNew(String... options) {
    try {
      return new PostgresServer(PostgresProcess.start(settings(options)));
    } catch (IOException e) {
      throw new AssertionError("The server cannot be started.", e);
    }
  }

  PostgresServer(PostgresProcess server) {
    this.server = server;
  }

  PostgresProcess process() {
    return server;
  }

  /** Makes a standby the primary. */
  void promote() throws SQLException {
    execute("SELECT pg_promote()");
  }

  /** Starts the server, on the data and the port it had. */
  void start(String... options) throws IOException {
    server.restart(settings(options));
  }

  /** Kills the server as {@code kill -9} does. */
  void kill() {
    server.kill();
  }

  /** Ends the server and deletes its data. */
  void delete() {
    server.close();
  }

  int port() {
    return server.port();
  }

  String url() {
    return server.url();
  }

  /** The URL through a proxy at another port. */
  static String url(int port) {
    return PostgresProcess.url(port);
  }

  /** The name of a schema that no other test uses. */
  static String newSchema() {
    return "test" + SCHEMAS.incrementAndGet();
  }

  /** A pool of connections, which the caller closes. */
  HikariDataSource pool() {
    return pool(url());
  }

  static HikariDataSource pool(String url) {
    HikariConfig config = new HikariConfig();
    config.setJdbcUrl(url);
    config.setMaximumPoolSize(16);
    config.setMinimumIdle(0);
    config.setConnectionTimeout(20_000);
    return new HikariDataSource(config);
  }

  /** Runs a statement as the server's superuser. */
  void execute(String sql) throws SQLException {
    try (Connection connection = DriverManager.getConnection(url());
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  /** Reads a number as the server's superuser. */
  long number(String sql) {
    try (Connection connection = DriverManager.getConnection(url())) {
      return Parameters.number(connection, sql);
    } catch (SQLException e) {
      throw new AssertionError(e);
    }
  }
}
