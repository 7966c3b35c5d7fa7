package io.rockpool.redis;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;

/** A redis-server on a free port of the loopback interface. The test that starts it closes it. */
final class RedisServer implements AutoCloseable {
  private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(20);

  private final int port;
  private final Path directory;
  private final List<String> options;
  private Process process;

  private RedisServer(int port, Path directory, List<String> options) throws IOException {
    this.port = port;
    this.directory = directory;
    this.options = options;
    this.process = run();
  }

  /** Starts a server that keeps nothing; ends the test as not applicable if there is none. */
  static RedisServer start(String... options) throws IOException {
    Assumptions.assumeTrue(isInstalled("redis-server"), "redis-server is not installed");
    return new RedisServer(
        freePort(), Files.createTempDirectory("rockpool-redis"), List.of(options));
  }

  /** Starts a replica of this server. */
  RedisServer startReplica() throws IOException {
    return startReplica(port);
  }

  /** Starts a replica that reaches this server at another port. */
  RedisServer startReplica(int at) throws IOException {
    RedisServer replica =
        start("--replicaof", "127.0.0.1 " + at, "--repl-diskless-sync-delay", "0");
    awaitAnswer(() -> replica.command("INFO", "replication").contains("master_link_status:up"));
    return replica;
  }

  /** Starts a sentinel that promotes a replica of this server soon after it stops to answer. */
  RedisServer startSentinel(String name) throws IOException {
    Path directory = Files.createTempDirectory("rockpool-sentinel");
    Path configuration = directory.resolve("sentinel.conf");
    Files.writeString(
        configuration,
        "sentinel monitor "
            + name
            + " 127.0.0.1 "
            + port
            + " 1\n"
            + "sentinel down-after-milliseconds "
            + name
            + " 700\n"
            + "sentinel failover-timeout "
            + name
            + " 3000\n");
    return new RedisServer(freePort(), directory, List.of(configuration.toString(), "--sentinel"));
  }

  static void awaitAnswer(BooleanSupplier answered) {
    long end = System.nanoTime() + PATIENCE_NANOS;
    while (!answered.getAsBoolean()) {
      if (System.nanoTime() > end) {
        throw new IllegalStateException("the servers do not get ready");
      }
      pause();
    }
  }

  /** A free port; the one that is 10,000 higher exists too, for the members of a cluster. */
  static int freePort() throws IOException {
    while (true) {
      try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
        if (free.getLocalPort() < 55_000) {
          return free.getLocalPort();
        }
      }
    }
  }

  static boolean isInstalled(String program) {
    return Stream.of(System.getenv("PATH").split(java.io.File.pathSeparator))
        .anyMatch(it -> Files.isExecutable(Path.of(it, program)));
  }

  private Process run() throws IOException {
    List<String> command = new ArrayList<>();
    if (options.contains("--sentinel")) {
      command.addAll(List.of("redis-server", options.get(0), "--sentinel"));
      command.addAll(List.of("--port", "" + port, "--bind", "127.0.0.1"));
    } else {
      command.addAll(List.of("redis-server", "--port", "" + port, "--bind", "127.0.0.1"));
      command.addAll(List.of("--save", "", "--dir", directory.toString()));
      command.addAll(options);
    }
    Process started =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(directory.resolve("log").toFile())
            .start();
    long end = System.nanoTime() + PATIENCE_NANOS;
    while (!answers()) {
      if (System.nanoTime() > end || !started.isAlive()) {
        throw new IOException(
            "redis-server does not answer: " + Files.readString(directory.resolve("log")));
      }
      pause();
    }
    return started;
  }

  /** Makes a cluster of servers that were started with {@code --cluster-enabled yes}. */
  static void join(List<RedisServer> masters) {
    join(masters, 0);
  }

  /** Makes a cluster whose masters have replicas. */
  static void join(List<RedisServer> members, int replicas) {
    List<String> words = new ArrayList<>(List.of("create"));
    members.forEach(member -> words.add("127.0.0.1:" + member.port));
    words.addAll(List.of("--cluster-replicas", "" + replicas, "--cluster-yes"));
    String unused = cluster(words.toArray(String[]::new));
    for (RedisServer member : members) {
      awaitAnswer(() -> member.command("CLUSTER", "INFO").contains("cluster_state:ok"));
    }
    if (replicas > 0) {
      awaitAnswer(
          () ->
              members.stream()
                  .map(member -> member.command("INFO", "replication"))
                  .noneMatch(info -> info.contains("master_link_status:down")));
    }
  }

  /** Runs a command of {@code redis-cli --cluster}. */
  static String cluster(String... words) {
    List<String> command = new ArrayList<>(List.of("redis-cli", "--cluster"));
    command.addAll(List.of(words));
    try {
      Process cli = new ProcessBuilder(command).redirectErrorStream(true).start();
      String answer = new String(cli.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      if (cli.waitFor() != 0) {
        throw new IllegalStateException("redis-cli failed: " + answer);
      }
      return answer;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  private boolean answers() {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      socket.setSoTimeout(1_000);
      socket.getOutputStream().write("PING\r\n".getBytes(StandardCharsets.US_ASCII));
      return socket.getInputStream().read() > 0;
    } catch (IOException e) {
      return false;
    }
  }

  private static void pause() {
    try {
      Thread.sleep(20);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  int port() {
    return port;
  }

  long pid() {
    return process.pid();
  }

  URI uri(String query) {
    return URI.create("redis://127.0.0.1:" + port + query);
  }

  /** Kills the server, whose data is lost. */
  void kill() {
    process.destroyForcibly();
    try {
      process.waitFor();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Sends the process a signal, such as STOP. */
  void signal(String name) {
    try {
      if (new ProcessBuilder("kill", "-" + name, "" + pid()).start().waitFor() != 0) {
        throw new IllegalStateException("the server cannot be sent " + name);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  /** Starts it again, empty, on the same port. */
  void restart() throws IOException {
    process = run();
  }

  /** Runs a command, as redis-cli would. */
  String command(String... words) {
    try {
      List<String> all = new ArrayList<>(List.of("redis-cli", "-p", "" + port));
      all.addAll(List.of(words));
      Process cli = new ProcessBuilder(all).redirectErrorStream(true).start();
      String answer = new String(cli.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      cli.waitFor();
      return answer.strip();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  /** Removes all keys. */
  void empty() {
    String unused = command("FLUSHALL");
  }

  @Override
  public void close() {
    kill();
    try (Stream<Path> files = Files.walk(directory)) {
      files.sorted(Comparator.reverseOrder()).forEach(file -> file.toFile().delete());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
