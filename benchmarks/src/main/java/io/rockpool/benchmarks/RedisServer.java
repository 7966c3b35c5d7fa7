package io.rockpool.benchmarks;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;

/**
 * A new Redis server on a free port of the loopback, which logs each change before it answers, and
 * forces the log to the disk once in a second: what Rockpool does by default.
 */
final class RedisServer implements AutoCloseable {
  /** What is started; Debian has it in a package of the same name. */
  static final String PROGRAM = "redis-server";

  private static final long START_SECONDS = 60;
  private static final long STOP_SECONDS = 30;
  private static final long LOOK_MILLIS = 20;

  private final Process process;
  private final int port;

  /** Starts a server on the data of a directory. */
  RedisServer(Path directory) {
    try {
      port = freePort();
      process =
          new ProcessBuilder(
                  PROGRAM,
                  "--port",
                  Integer.toString(port),
                  "--bind",
                  "127.0.0.1",
                  "--dir",
                  directory.toAbsolutePath().toString(),
                  "--save",
                  "",
                  "--appendonly",
                  "yes",
                  "--appendfsync",
                  "everysec")
              .redirectErrorStream(true)
              .redirectOutput(directory.resolve("redis.log").toFile())
              .start();
      awaitReady();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Whether there is a server to start. */
  static boolean isInstalled() {
    return Arrays.stream(System.getenv("PATH").split(File.pathSeparator))
        .anyMatch(directory -> Files.isExecutable(Path.of(directory, PROGRAM)));
  }

  int port() {
    return port;
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  /** A server that still reads its log answers, too, but not with a pong. */
  private void awaitReady() {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(START_SECONDS);
    while (!answersPing()) {
      if (!process.isAlive() || System.nanoTime() > end) {
        close();
        throw new IllegalStateException(
            PROGRAM + " was started on port " + port + " and does not answer; see its redis.log.");
      }
      sleep();
    }
  }

  private boolean answersPing() {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      socket.getOutputStream().write("PING\r\n".getBytes(US_ASCII));
      return new String(socket.getInputStream().readNBytes(5), US_ASCII).equals("+PONG");
    } catch (IOException e) {
      return false;
    }
  }

  private static void sleep() {
    try {
      Thread.sleep(LOOK_MILLIS);
    } catch (InterruptedException e) {
      throw new IllegalStateException("Interrupted while " + PROGRAM + " started.", e);
    }
  }

  /** Ends the server; its data stays in its directory. */
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
