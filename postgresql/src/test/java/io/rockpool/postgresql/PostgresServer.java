package io.rockpool.postgresql;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;

/**
 * A real server for the tests of this JVM, on loopback and a free port, with a new data directory.
 * It is ended by its process id with the JVM. Tests without the server's programs are skipped.
 */
final class PostgresServer {
  private static final AtomicInteger SCHEMAS = new AtomicInteger();

  private static PostgresServer running;

  private final Path bin;
  private final Path directory;
  private final int port;
  private Process process;

  private PostgresServer(Path bin, Path directory, int port) {
    this.bin = bin;
    this.directory = directory;
    this.port = port;
  }

  /** The server of this JVM. */
  static synchronized PostgresServer running() {
    if (running == null) {
      running = startNew();
    }
    return running;
  }

  /** Another server, which the caller stops. */
  static PostgresServer startNew(String... options) {
    Path bin = programs();
    Assumptions.assumeTrue(bin != null, "PostgreSQL's initdb and postgres are not installed");
    try {
      PostgresServer server = inNewDirectory(bin);
      server.initialize();
      server.start(options);
      return server;
    } catch (IOException e) {
      throw new AssertionError("The server cannot be started.", e);
    }
  }

  private static PostgresServer inNewDirectory(Path bin) throws IOException {
    // The user of the server may not enter the directory for temporary files of this process.
    Path directory =
        isRoot()
            ? Files.createTempDirectory(Path.of("/tmp"), "rockpool-postgres")
            : Files.createTempDirectory("rockpool-postgres");
    PostgresServer server = new PostgresServer(bin, directory, freePort());
    Runtime.getRuntime().addShutdownHook(new Thread(server::delete));
    if (isRoot()) {
      server.run(List.of("chown", "nobody", directory.toString()));
    }
    return server;
  }

  /** Another server that follows this one, which the caller deletes. */
  PostgresServer newStandby() throws IOException {
    PostgresServer standby = inNewDirectory(bin);
    standby.run(
        asUser(
            bin.resolve("pg_basebackup").toString(),
            "--pgdata=" + standby.data(),
            "--dbname=host=127.0.0.1 port=" + port + " user=rockpool",
            "--write-recovery-conf",
            "--checkpoint=fast"));
    standby.start();
    return standby;
  }

  /** Makes a standby the primary. */
  void promote() throws SQLException {
    execute("SELECT pg_promote()");
  }

  private static Path programs() {
    try (Stream<Path> versions = Files.list(Path.of("/usr/lib/postgresql"))) {
      return versions
          .map(version -> version.resolve("bin"))
          .filter(bin -> Files.isExecutable(bin.resolve("initdb")))
          .max(Comparator.naturalOrder())
          .orElse(null);
    } catch (IOException e) {
      return null;
    }
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  private void initialize() throws IOException {
    run(
        asUser(
            bin.resolve("initdb").toString(),
            "-D",
            data(),
            "-U",
            "rockpool",
            "-A",
            "trust",
            "-E",
            "UTF8",
            "--no-locale",
            "--no-sync"));
  }

  private static boolean isRoot() {
    return "root".equals(System.getProperty("user.name"));
  }

  private String data() {
    return directory.resolve("data").toString();
  }

  /** The server refuses to run as root. */
  private static List<String> asUser(String... command) {
    List<String> all = new ArrayList<>();
    if (isRoot()) {
      all.addAll(List.of("setpriv", "--reuid=nobody", "--clear-groups"));
    }
    all.addAll(List.of(command));
    return all;
  }

  private void run(List<String> command) throws IOException {
    Path log = Files.createTempFile("rockpool-postgres", ".log");
    try {
      Process done = builder(command, log).start();
      if (!done.waitFor(120, TimeUnit.SECONDS) || done.exitValue() != 0) {
        throw new IOException(command + " failed: " + Files.readString(log));
      }
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    } finally {
      Files.deleteIfExists(log);
    }
  }

  private ProcessBuilder builder(List<String> command, Path log) {
    return new ProcessBuilder(command)
        .directory(directory.toFile())
        .redirectErrorStream(true)
        .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()));
  }

  /** Starts the server, on the data and the port it had. */
  void start(String... options) throws IOException {
    List<String> command =
        asUser(
            bin.resolve("postgres").toString(),
            "-D",
            data(),
            "-p",
            Integer.toString(port),
            "-c",
            "listen_addresses=127.0.0.1",
            "-c",
            "unix_socket_directories=",
            "-c",
            "max_connections=200",
            // A killed server loses nothing that the system has; no test cuts the power.
            "-c",
            "fsync=off");
    for (String option : options) {
      command.add("-c");
      command.add(option);
    }
    process = builder(command, directory.resolve("log")).start();
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
    while (true) {
      try (Connection connection = DriverManager.getConnection(url())) {
        return;
      } catch (SQLException e) {
        if (System.nanoTime() > end || !process.isAlive()) {
          throw new IOException("The server did not start: " + e.getMessage(), e);
        }
        sleep();
      }
    }
  }

  private static void sleep() {
    try {
      Thread.sleep(20);
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  /** Kills the server as {@code kill -9} does. */
  void kill() throws InterruptedException {
    List<ProcessHandle> children = process.descendants().toList();
    process.destroyForcibly().waitFor();
    for (ProcessHandle child : children) {
      child.destroyForcibly();
      while (child.isAlive()) {
        sleep();
      }
    }
  }

  /** Ends the server and deletes its data. */
  void delete() {
    try {
      if (process != null) {
        kill();
      }
      if (!Files.exists(directory)) {
        return;
      }
      try (Stream<Path> files = Files.walk(directory)) {
        for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
          Files.deleteIfExists(file);
        }
      }
    } catch (IOException | InterruptedException e) {
      throw new AssertionError("The server's directory remains.", e);
    }
  }

  int port() {
    return port;
  }

  String url() {
    return url(port);
  }

  /** The URL through a proxy at another port. */
  static String url(int port) {
    return "jdbc:postgresql://127.0.0.1:" + port + "/postgres?user=rockpool";
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
