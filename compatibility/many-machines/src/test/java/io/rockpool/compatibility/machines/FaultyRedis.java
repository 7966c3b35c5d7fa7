package io.rockpool.compatibility.machines;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Assumptions;

/** A Redis server that keeps what it is told to keep. */
final class FaultyRedis extends FaultyServer {
  private final List<String> options;

  /** Whether it may lose acknowledged writes when it is killed. */
  private final boolean isLossy;

  private FaultyRedis(Path directory, List<String> options, boolean isLossy) throws IOException {
    super(directory);
    this.options = options;
    this.isLossy = isLossy;
  }

  /** Starts a server; ends the test as not applicable if there is none. */
  static FaultyRedis start(String... options) throws IOException {
    return start(false, options);
  }

  /** Starts a server that may lose its last writes when it is killed. */
  static FaultyRedis startLossy(String... options) throws IOException {
    return start(true, options);
  }

  private static FaultyRedis start(boolean isLossy, String... options) throws IOException {
    Assumptions.assumeTrue(isInstalled("redis-server"), "redis-server is not installed");
    FaultyRedis server =
        new FaultyRedis(Files.createTempDirectory("rockpool-redis"), List.of(options), isLossy);
    server.start();
    return server;
  }

  /**
   * Starts a sentinel of a master, which promotes a replica when the master was silent for 1.5 s.
   *
   * @param name the master's name
   */
  static FaultyRedis startSentinel(String name, FaultyRedis master) throws IOException {
    Path directory = Files.createTempDirectory("rockpool-sentinel");
    Path file =
        Files.write(
            directory.resolve("sentinel.conf"),
            List.of(
                "sentinel monitor " + name + " 127.0.0.1 " + master.port() + " 1",
                "sentinel down-after-milliseconds " + name + " 1500",
                "sentinel failover-timeout " + name + " 1000"));
    FaultyRedis sentinel =
        new FaultyRedis(directory, List.of(file.toString(), "--sentinel"), false);
    sentinel.start();
    return sentinel;
  }

  /** Makes it a replica, and waits until it has the master's data. */
  void follow(FaultyRedis master) throws IOException {
    await(
        "it is a replica",
        () -> run("REPLICAOF", "127.0.0.1", "" + master.port()).startsWith("OK"));
    awaitData();
  }

  void awaitData() throws IOException {
    await("a replica has its data", () -> info().contains("master_link_status:up"));
  }

  boolean isMaster() {
    return info().contains("role:master");
  }

  String info() {
    return run("INFO", "replication");
  }

  @Override
  public URI uri(int at) {
    return URI.create("redis://127.0.0.1:" + at);
  }

  @Override
  List<String> command() {
    List<String> all = new ArrayList<>();
    all.add("redis-server");
    if (options.contains("--sentinel")) {
      all.addAll(options);
    }
    all.addAll(List.of("--port", "" + port(), "--bind", "127.0.0.1"));
    if (!options.contains("--sentinel")) {
      all.addAll(List.of("--save", "", "--dir", directory().toString()));
      all.addAll(options);
    }
    return all;
  }

  @Override
  boolean answers() {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port())) {
      socket.setSoTimeout(1_000);
      socket.getOutputStream().write("PING\r\n".getBytes(US_ASCII));
      return new String(socket.getInputStream().readNBytes(5), US_ASCII).equals("+PONG");
    } catch (IOException e) {
      return false;
    }
  }

  /** The line of an answer that follows a text. */
  static String after(String answer, String text) {
    return answer.substring(answer.indexOf(text) + text.length()).lines().findFirst().orElse("");
  }

  @Override
  public @Nullable Loss fail(ServerFault fault, Random random)
      throws IOException, InterruptedException {
    long from = System.nanoTime();
    Loss none = super.fail(fault, random);
    long now = System.nanoTime();
    return isLossy ? new Loss(from, now, now) : none;
  }

  @Override
  void endFeeds() {
    String unused = run("CLIENT", "KILL", "TYPE", "normal", "SKIPME", "yes");
  }

  /** Runs a command, as redis-cli would. */
  String run(String... words) {
    try {
      List<String> all = new ArrayList<>(List.of("redis-cli", "-p", "" + port()));
      all.addAll(List.of(words));
      Process cli = new ProcessBuilder(all).redirectErrorStream(true).start();
      String answer = new String(cli.getInputStream().readAllBytes(), UTF_8);
      cli.waitFor();
      return answer.strip();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }
}
