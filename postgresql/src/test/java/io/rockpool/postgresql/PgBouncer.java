package io.rockpool.postgresql;

import io.rockpool.testing.tools.Processes;
import io.rockpool.testing.tools.Tool;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A PgBouncer in front of a server, on loopback and a free port. */
final class PgBouncer implements AutoCloseable {
  private final Path directory;
  private final int port;
  private final Process process;

  private PgBouncer(Path directory, int port, Process process) {
    this.directory = directory;
    this.port = port;
    this.process = process;
  }

  /** Starts one. */
  static PgBouncer start(PostgresServer server, String mode) throws IOException {
    return start(server, mode, 20);
  }

  /** Starts one with so many sessions of the server. */
  static PgBouncer start(PostgresServer server, String mode, int size) throws IOException {
    Path program = Tool.PGBOUNCER.program();
    Path directory = Processes.newDirectory("rockpool-pgbouncer");
    Processes.give(directory);
    int port = Processes.freePort();
    Path settings = directory.resolve("pgbouncer.ini");
    Files.writeString(
        settings,
        """
        [databases]
        postgres = host=127.0.0.1 port=%s user=rockpool
        [pgbouncer]
        listen_addr = 127.0.0.1
        listen_port = %s
        unix_socket_dir =
        auth_type = any
        pool_mode = %s
        default_pool_size = %s
        max_client_conn = 200
        ignore_startup_parameters = extra_float_digits
        """
            .formatted(server.port(), port, mode, size));
    Process process =
        new ProcessBuilder(Processes.unprivileged(List.of(program.toString(), settings.toString())))
            .redirectErrorStream(true)
            .redirectOutput(directory.resolve("log").toFile())
            .start();
    PgBouncer bouncer = new PgBouncer(directory, port, process);
    Runtime.getRuntime().addShutdownHook(new Thread(process::destroyForcibly));
    bouncer.awaitAnswer();
    return bouncer;
  }

  private void awaitAnswer() throws IOException {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
    while (true) {
      try (Connection connection = DriverManager.getConnection(PostgresServer.url(port))) {
        return;
      } catch (SQLException e) {
        if (System.nanoTime() > end || !process.isAlive()) {
          throw new IOException(Files.readString(directory.resolve("log")), e);
        }
        Thread.onSpinWait();
      }
    }
  }

  int port() {
    return port;
  }

  @Override
  public void close() {
    Processes.kill(process);
    Processes.delete(directory);
  }
}
