package io.rockpool.benchmarks;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** A new PostgreSQL server on the loopback, which forces each commit to the disk. */
final class PostgresCluster implements AutoCloseable {
  private static final Path VERSIONS = Path.of("/usr/lib/postgresql");
  private static final long START_SECONDS = 60;

  private final Path directory;
  private final int port;
  private final Process process;

  /** Creates and starts a server below /tmp, which its user may enter. */
  PostgresCluster() throws IOException {
    Path programs = programs().orElseThrow();
    directory = Files.createTempDirectory(Path.of("/tmp"), "rockpool-postgres");
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      port = socket.getLocalPort();
    }
    if (isRoot()) {
      run(List.of("chown", "nobody", directory.toString()));
    }
    String data = directory.resolve("data").toString();
    run(
        asUser(
            programs.resolve("initdb").toString(),
            "-D",
            data,
            "-U",
            "rockpool",
            "-A",
            "trust",
            "-E",
            "UTF8",
            "--no-locale"));
    process =
        builder(
                asUser(
                    programs.resolve("postgres").toString(),
                    "-D",
                    data,
                    "-p",
                    Integer.toString(port),
                    "-c",
                    "listen_addresses=127.0.0.1",
                    "-c",
                    "unix_socket_directories=",
                    "-c",
                    "synchronous_commit=on"))
            .start();
    awaitReady();
  }

  private static Optional<Path> programs() {
    try (Stream<Path> versions = Files.list(VERSIONS)) {
      return versions
          .map(version -> version.resolve("bin"))
          .filter(bin -> Files.isExecutable(bin.resolve("initdb")))
          .max(Comparator.naturalOrder());
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  /** Whether there is a server to start. */
  static boolean isInstalled() {
    return programs().isPresent();
  }

  private static boolean isRoot() {
    return "root".equals(System.getProperty("user.name"));
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

  private ProcessBuilder builder(List<String> command) {
    return new ProcessBuilder(command)
        .directory(directory.toFile())
        .redirectErrorStream(true)
        .redirectOutput(ProcessBuilder.Redirect.DISCARD);
  }

  private void run(List<String> command) throws IOException {
    try {
      if (builder(command).start().waitFor() != 0) {
        throw new IOException("A command failed: " + command);
      }
    } catch (InterruptedException e) {
      throw new IllegalStateException("Interrupted while a server was created.", e);
    }
  }

  private void awaitReady() throws IOException {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(START_SECONDS);
    while (true) {
      try (Connection connection = DriverManager.getConnection(url())) {
        return;
      } catch (SQLException e) {
        if (System.nanoTime() > end || !process.isAlive()) {
          close();
          throw new IOException("The server does not answer.", e);
        }
      }
    }
  }

  /** For JDBC. */
  String url() {
    return "jdbc:postgresql://127.0.0.1:" + port + "/postgres?user=rockpool";
  }

  /** For a store. */
  URI uri() {
    return URI.create("postgresql://rockpool@127.0.0.1:" + port + "/postgres");
  }

  /** Ends the server and deletes its data. */
  @Override
  public void close() throws IOException {
    List<ProcessHandle> children = process.descendants().toList();
    process.destroyForcibly();
    children.forEach(ProcessHandle::destroyForcibly);
    try {
      process.waitFor();
      for (ProcessHandle child : children) {
        while (child.isAlive()) {
          TimeUnit.MILLISECONDS.sleep(10);
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    try (Stream<Path> files = Files.walk(directory)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(file);
      }
    }
  }
}
