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
import org.junit.jupiter.api.Assumptions;

/** A Redis server that keeps what it is told to keep. */
final class FaultyRedis extends FaultyServer {
  private final List<String> options;

  private FaultyRedis(Path directory, List<String> options) throws IOException {
    super(directory);
    this.options = options;
  }

  /** Starts a server; ends the test as not applicable if there is none. */
  static FaultyRedis start(String... options) throws IOException {
    Assumptions.assumeTrue(isInstalled("redis-server"), "redis-server is not installed");
    FaultyRedis server =
        new FaultyRedis(Files.createTempDirectory("rockpool-redis"), List.of(options));
    server.start();
    return server;
  }

  @Override
  URI uri(int at) {
    return URI.create("redis://127.0.0.1:" + at);
  }

  @Override
  List<String> command() {
    List<String> all = new ArrayList<>();
    all.addAll(List.of("redis-server", "--port", "" + port(), "--bind", "127.0.0.1"));
    all.addAll(List.of("--save", "", "--dir", directory().toString()));
    all.addAll(options);
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
