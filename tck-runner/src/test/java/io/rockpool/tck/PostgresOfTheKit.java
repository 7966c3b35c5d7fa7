package io.rockpool.tck;

import java.io.IOException;
import java.io.UncheckedIOException;
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
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestPlan;

/**
 * A PostgreSQL server on a free port of the loopback interface, which has the default store for as
 * long as tests run, where {@link #PROPERTY} asks for it.
 */
public final class PostgresOfTheKit implements TestExecutionListener {
  static final String PROPERTY = "kit.postgresql";
  private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(60);
  private static final boolean ROOT = "root".equals(System.getProperty("user.name"));

  private Path directory;
  private Process server;

  @Override
  public void testPlanExecutionStarted(TestPlan plan) {
    if (Boolean.getBoolean(PROPERTY)) {
      try {
        start();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  private void start() throws IOException {
    Path bin = programs();
    // The server runs as another user, who may not enter root's directories.
    directory = Files.createTempDirectory(Path.of("/tmp"), "rockpool-kit");
    Runtime.getRuntime().addShutdownHook(new Thread(this::end));
    if (ROOT) {
      await(new ProcessBuilder("chown", "nobody", directory.toString()));
    }
    String data = directory.resolve("data").toString();
    String initdb = bin.resolve("initdb").toString();
    await(command(initdb, "-D", data, "-U", "rockpool", "-A", "trust", "-E", "UTF8", "--no-sync"));
    int port;
    try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      port = free.getLocalPort();
    }
    String postgres = bin.resolve("postgres").toString();
    String host = "--listen_addresses=127.0.0.1";
    String noSocket = "--unix_socket_directories=";
    server =
        quiet(command(postgres, "-D", data, "-p", "" + port, host, noSocket, "--fsync=off"))
            .start();
    long end = System.nanoTime() + PATIENCE_NANOS;
    while (!answers(port)) {
      if (System.nanoTime() > end || !server.isAlive()) {
        throw new IOException("PostgreSQL does not answer.");
      }
      Thread.onSpinWait();
    }
    System.setProperty("rockpool.uri", "postgresql://rockpool@127.0.0.1:" + port + "/postgres");
  }

  private static Path programs() throws IOException {
    try (Stream<Path> versions = Files.list(Path.of("/usr/lib/postgresql"))) {
      return versions
          .map(version -> version.resolve("bin"))
          .filter(bin -> Files.isExecutable(bin.resolve("initdb")))
          .max(Comparator.naturalOrder())
          .orElseThrow(() -> new IOException("PostgreSQL's initdb is not installed."));
    }
  }

  /** The server refuses to run as root. */
  private ProcessBuilder command(String... command) {
    List<String> all = new ArrayList<>();
    if (ROOT) {
      all.addAll(List.of("setpriv", "--reuid=nobody", "--clear-groups"));
    }
    all.addAll(List.of(command));
    return new ProcessBuilder(all).directory(directory.toFile());
  }

  private static void await(ProcessBuilder command) throws IOException {
    Process done = quiet(command).start();
    try {
      if (done.waitFor() != 0) {
        throw new IOException(command.command() + " failed.");
      }
    } catch (InterruptedException e) {
      throw new IOException(e);
    }
  }

  private static ProcessBuilder quiet(ProcessBuilder command) {
    return command.redirectErrorStream(true).redirectOutput(ProcessBuilder.Redirect.DISCARD);
  }

  private static boolean answers(int port) {
    String url = "jdbc:postgresql://127.0.0.1:" + port + "/postgres?user=rockpool";
    try (Connection connection = DriverManager.getConnection(url)) {
      return connection.isValid(1);
    } catch (SQLException e) {
      return false;
    }
  }

  @Override
  public void testPlanExecutionFinished(TestPlan plan) {
    end();
  }

  private synchronized void end() {
    if (directory == null) {
      return;
    }
    if (server != null) {
      List<ProcessHandle> children = server.descendants().toList();
      server.destroyForcibly().onExit().join();
      children.forEach(ProcessHandle::destroyForcibly);
      children.forEach(child -> child.onExit().join());
    }
    try (Stream<Path> files = Files.walk(directory)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(file);
      }
      directory = null;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
