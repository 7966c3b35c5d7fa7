package io.rockpool.tck;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.concurrent.TimeUnit;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestPlan;

/**
 * A redis-server on a free port of the loopback interface, which has the default store for as long
 * as tests run, where {@link #PROPERTY} asks for it.
 */
public final class RedisOfTheKit implements TestExecutionListener {
  static final String PROPERTY = "kit.redis";
  private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(20);

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
    int port;
    try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      port = free.getLocalPort();
    }
    server =
        new ProcessBuilder("redis-server", "--port", "" + port, "--bind", "127.0.0.1", "--save", "")
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start();
    Runtime.getRuntime().addShutdownHook(new Thread(server::destroyForcibly));
    long end = System.nanoTime() + PATIENCE_NANOS;
    while (!answers(port)) {
      if (System.nanoTime() > end) {
        throw new IOException("redis-server does not answer.");
      }
      Thread.onSpinWait();
    }
    System.setProperty("rockpool.uri", "redis://127.0.0.1:" + port);
  }

  private static boolean answers(int port) {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      return socket.isConnected();
    } catch (IOException e) {
      return false;
    }
  }

  @Override
  public void testPlanExecutionFinished(TestPlan plan) {
    if (server != null) {
      server.destroyForcibly();
    }
  }
}
