package io.rockpool.comparison;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A Redis server in memory on a free port of the loopback; closing it ends its process. */
final class LoopbackRedis implements AutoCloseable {
  /** The program, which Debian has in a package of the same name. */
  static final String PROGRAM = "redis-server";

  private static final long START_SECONDS = 60;
  private static final long STOP_SECONDS = 30;
  private static final long LOOK_MILLIS = 20;

  /** How often the server looks for timeouts of blocking commands; by default 10 times a second. */
  private static final int TIMER_HERTZ = 500;

  private final Process process;
  private final int port;

  /** Starts a server that logs into a directory. */
  LoopbackRedis(Path directory) throws IOException, InterruptedException {
    port = freePort();
    process =
        new ProcessBuilder(
                List.of(
                    PROGRAM,
                    "--port",
                    Integer.toString(port),
                    "--bind",
                    "127.0.0.1",
                    "--dir",
                    directory.toString(),
                    "--hz",
                    Integer.toString(TIMER_HERTZ),
                    "--save",
                    "",
                    "--appendonly",
                    "no"))
            .redirectErrorStream(true)
            .redirectOutput(directory.resolve("redis.log").toFile())
            .start();
    awaitReady();
  }

  /** Whether there is a server to start. */
  static boolean isInstalled() {
    return Arrays.stream(System.getenv("PATH").split(File.pathSeparator, -1))
        .anyMatch(directory -> Files.isExecutable(Path.of(directory, PROGRAM)));
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  private void awaitReady() throws InterruptedException {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(START_SECONDS);
    while (!answersPing()) {
      if (!process.isAlive() || System.nanoTime() > end) {
        close();
        throw new IllegalStateException(
            PROGRAM + " was started on port " + port + " and does not answer; see its redis.log.");
      }
      TimeUnit.MILLISECONDS.sleep(LOOK_MILLIS);
    }
  }

  private boolean answersPing() {
    try (RedisClient client = connect()) {
      return "PONG".equals(client.text("PING"));
    } catch (UncheckedIOException e) {
      return false;
    }
  }

  /** A new connection. */
  RedisClient connect() {
    return new RedisClient(port);
  }

  @Override
  public void close() {
    process.destroy();
    try {
      if (!process.waitFor(STOP_SECONDS, TimeUnit.SECONDS)) {
        process.destroyForcibly().waitFor();
      }
    } catch (InterruptedException e) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
    }
  }
}
