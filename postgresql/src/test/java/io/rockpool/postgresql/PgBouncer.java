package io.rockpool.postgresql;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;

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

  /** Starts one; ends the test as not applicable if it is not installed. */
  static PgBouncer start(PostgresServer server, String mode) throws IOException {
    return start(server, mode, 20);
  }

  /** Starts one with so many sessions of the server. */
  static PgBouncer start(PostgresServer server, String mode, int size) throws IOException {
    Path program =
        Stream.of("/usr/sbin/pgbouncer", "/usr/bin/pgbouncer")
            .map(Path::of)
            .filter(Files::isExecutable)
            .findFirst()
            .orElse(null);
    Assumptions.assumeTrue(program != null, "pgbouncer is not installed");
    boolean isRoot = "root".equals(System.getProperty("user.name"));
    Path directory =
        isRoot
            ? Files.createTempDirectory(Path.of("/tmp"), "rockpool-pgbouncer")
            : Files.createTempDirectory("rockpool-pgbouncer");
    int port;
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      port = socket.getLocalPort();
    }
    Path settings = directory.resolve("pgbouncer.ini");
    Files.writeString(
        settings,
        """
        [databases]
        postgres = host=127.0.0.1 port=%d user=rockpool
        [pgbouncer]
        listen_addr = 127.0.0.1
        listen_port = %d
        unix_socket_dir =
        auth_type = any
        pool_mode = %s
        default_pool_size = %d
        max_client_conn = 200
        ignore_startup_parameters = extra_float_digits
        """
            .formatted(server.port(), port, mode, size));
    List<String> command = new ArrayList<>();
    if (isRoot) {
      // It refuses to run as root, and may not enter root's directories.
      command.addAll(List.of("setpriv", "--reuid=nobody", "--clear-groups"));
      directory.toFile().setExecutable(true, false);
      directory.toFile().setReadable(true, false);
    }
    command.addAll(List.of(program.toString(), settings.toString()));
    Process process =
        new ProcessBuilder(command)
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
  public void close() throws IOException, InterruptedException {
    process.destroyForcibly().waitFor();
    try (Stream<Path> files = Files.walk(directory)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(file);
      }
    }
  }
}
