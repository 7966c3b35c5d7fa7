package io.rockpool.sample.testing;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A server of this machine's installation, on loopback and a free port, with a temporary directory.
 * It is ended by its process handle, at the latest when this JVM ends in order.
 */
public final class LocalServer implements AutoCloseable {
  /** The servers that can be started. */
  public enum Kind {
    REDIS,
    POSTGRESQL;

    /**
     * The kind with this name, in any case.
     *
     * @throws IllegalArgumentException if there is none
     */
    public static Kind of(String name) {
      return valueOf(name.toUpperCase(Locale.ROOT));
    }

    /** Whether its programs are on this machine. */
    public boolean isInstalled() {
      return program(this).isPresent();
    }
  }

  private static final Duration LIMIT = Duration.ofSeconds(60);
  private static final long PAUSE_MILLIS = 20;

  /** Where Debian has the versions of PostgreSQL; their programs are not on the path. */
  private static final Path VERSIONS = Path.of("/usr/lib/postgresql");

  private static final boolean IS_ROOT = "root".equals(System.getProperty("user.name"));

  private final Kind kind;
  private final Path program;
  private final Path directory;
  private final int port;
  private final Thread hook = new Thread(this::end);
  private Process process;

  private LocalServer(Kind kind, Path program, Path directory) throws IOException {
    this.kind = kind;
    this.program = program;
    this.directory = directory;
    try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      this.port = free.getLocalPort();
    }
    if (kind == Kind.POSTGRESQL) {
      initialize();
    }
    this.process = run();
    Runtime.getRuntime().addShutdownHook(hook);
  }

  /**
   * Starts a server, and returns once it answers.
   *
   * @throws IOException if it is not installed or does not start
   */
  public static LocalServer start(Kind kind) throws IOException {
    Path program =
        program(kind).orElseThrow(() -> new IOException("The server of " + kind + " is not here."));
    // PostgreSQL's user may not enter root's own directory for temporary files.
    Path directory = Files.createTempDirectory(Path.of("/tmp"), "rockpool-server");
    try {
      return new LocalServer(kind, program, directory);
    } catch (IOException | RuntimeException e) {
      delete(directory);
      throw e;
    }
  }

  private static Optional<Path> program(Kind kind) {
    if (kind == Kind.REDIS) {
      return Stream.of("redis-server", "valkey-server").flatMap(LocalServer::onPath).findFirst();
    }
    try (Stream<Path> versions = Files.list(VERSIONS)) {
      return versions
          .map(version -> version.resolve("bin/postgres"))
          .filter(Files::isExecutable)
          .max(Comparator.naturalOrder());
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  private static Stream<Path> onPath(String name) {
    return Stream.of(System.getenv("PATH").split(File.pathSeparator, -1))
        .map(place -> Path.of(place, name))
        .filter(Files::isExecutable);
  }

  private void initialize() throws IOException {
    if (IS_ROOT) {
      finish(new ProcessBuilder("chown", "nobody", directory.toString()));
    }
    String initdb = program.resolveSibling("initdb").toString();
    finish(
        new ProcessBuilder(
            asUser(
                List.of(initdb, "-D", data(), "-U", "rockpool"),
                List.of("-A", "trust", "-E", "UTF8", "--no-locale", "--no-sync"))));
  }

  private String data() {
    return directory.resolve("data").toString();
  }

  /** PostgreSQL refuses to run as root. */
  private static List<String> asUser(List<String> program, List<String> options) {
    List<String> command = new ArrayList<>();
    if (IS_ROOT) {
      command.addAll(List.of("setpriv", "--reuid=nobody", "--clear-groups"));
    }
    command.addAll(program);
    command.addAll(options);
    return command;
  }

  private Process start(ProcessBuilder builder) throws IOException {
    return builder
        .directory(directory.toFile())
        .redirectErrorStream(true)
        .redirectOutput(ProcessBuilder.Redirect.appendTo(directory.resolve("log").toFile()))
        .start();
  }

  private void finish(ProcessBuilder builder) throws IOException {
    if (wait(start(builder)) != 0) {
      throw new IOException(
          builder.command() + " failed: " + Files.readString(directory.resolve("log")));
    }
  }

  private static int wait(Process started) {
    try {
      return started.waitFor();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  private Process run() throws IOException {
    List<String> command =
        kind == Kind.REDIS
            ? List.of(
                program.toString(),
                "--port",
                "" + port,
                "--bind",
                "127.0.0.1",
                "--save",
                "",
                "--dir",
                directory.toString())
            : asUser(
                List.of(program.toString(), "-D", data(), "-p", "" + port),
                List.of("-c", "listen_addresses=127.0.0.1", "-c", "unix_socket_directories="));
    Process started = start(new ProcessBuilder(command));
    Instant end = Instant.now().plus(LIMIT);
    while (!answers()) {
      if (Instant.now().isAfter(end) || !started.isAlive()) {
        kill(started);
        throw new IOException(
            "The server does not answer: " + Files.readString(directory.resolve("log")));
      }
      pause();
    }
    return started;
  }

  private boolean answers() throws IOException {
    if (kind == Kind.POSTGRESQL) {
      Path ready = program.resolveSibling("pg_isready");
      return wait(start(new ProcessBuilder(ready.toString(), "-h", "127.0.0.1", "-p", "" + port)))
          == 0;
    }
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      socket.getOutputStream().write("PING\r\n".getBytes(StandardCharsets.US_ASCII));
      return socket.getInputStream().read() == '+';
    } catch (IOException e) {
      return false;
    }
  }

  private static void pause() {
    try {
      Thread.sleep(PAUSE_MILLIS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  /** The port it listens on, the same after a restart. */
  public int port() {
    return port;
  }

  /**
   * The URI of a store on it.
   *
   * @param store the name of the store: a prefix of keys, or a schema
   */
  public URI uri(String store) {
    return URI.create(
        kind == Kind.REDIS
            ? "redis://127.0.0.1:" + port + "?prefix=" + store
            : "postgresql://rockpool@127.0.0.1:" + port + "/postgres?schema=" + store);
  }

  /** Kills it as {@code kill -9} does. Redis then has lost everything, PostgreSQL nothing. */
  public void kill() {
    kill(process);
  }

  private static void kill(Process started) {
    List<ProcessHandle> children = started.descendants().toList();
    started.destroyForcibly();
    children.forEach(ProcessHandle::destroyForcibly);
    started.onExit().join();
    children.forEach(child -> child.onExit().join());
  }

  /** Starts a killed one again, on the same port. */
  public void restart() throws IOException {
    process = run();
  }

  private void end() {
    kill();
    delete(directory);
  }

  private static void delete(Path directory) {
    try (Stream<Path> files = Files.walk(directory)) {
      files.sorted(Comparator.reverseOrder()).forEach(file -> file.toFile().delete());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Kills it and deletes its directory. */
  @Override
  public void close() {
    if (Runtime.getRuntime().removeShutdownHook(hook)) {
      end();
    }
  }
}
