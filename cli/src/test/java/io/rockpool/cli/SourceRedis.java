package io.rockpool.cli;

import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/** A Redis server on loopback from which tests import. It needs redis-server on the path. */
final class SourceRedis implements AutoCloseable {
  private static final String PROGRAM = "redis-server";

  private final Process process;
  private final URI uri;

  private SourceRedis(Process process, URI uri) {
    this.process = process;
    this.uri = uri;
  }

  /** Starts a server; skips the test if its program is not installed. */
  static SourceRedis start(Path directory) throws Exception {
    assumeThat(
            Stream.of(System.getenv("PATH").split(File.pathSeparator, -1))
                .anyMatch(path -> Files.isExecutable(Path.of(path, PROGRAM))))
        .isTrue();
    int port = freePort();
    Process process =
        new ProcessBuilder(PROGRAM, "--port", "" + port, "--bind", "127.0.0.1", "--save", "")
            .directory(directory.toFile())
            .redirectErrorStream(true)
            .redirectOutput(directory.resolve("redis.log").toFile())
            .start();
    SourceRedis server = new SourceRedis(process, URI.create("redis://127.0.0.1:" + port));
    server.connect().close();
    return server;
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  URI uri() {
    return uri;
  }

  /** Connects once the server answers. */
  RedisSource connect() throws Exception {
    while (true) {
      try {
        RedisSource redis = new RedisSource(uri);
        redis.call("PING");
        return redis;
      } catch (IOException e) {
        Thread.sleep(20);
      }
    }
  }

  @Override
  public void close() throws InterruptedException {
    process.destroy();
    process.waitFor();
  }
}
