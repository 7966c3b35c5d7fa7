package io.rockpool.sample.world;

import io.rockpool.sample.testing.LocalServer;
import io.rockpool.sample.testing.Program;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Starts a server of this machine and three instances of the service on it. An instance that is
 * killed is started again after a few seconds. All end with this process, which ends with the one
 * that has started it: Maven does not end what it runs.
 */
final class Three {
  static final int INSTANCES = 3;
  private static final long PAUSE_MILLIS = 5_000;

  private final LocalServer.Kind kind;
  private final LocalServer server;
  private final List<Program> running = new ArrayList<>();
  private boolean ended;

  private Three(LocalServer.Kind kind, LocalServer server) {
    this.kind = kind;
    this.server = server;
  }

  /** Runs until the process is ended. */
  static void run(String engine) throws IOException, InterruptedException {
    LocalServer.Kind kind = LocalServer.Kind.of(engine);
    ProcessHandle.current().parent().ifPresent(Three::endWith);
    Three three = new Three(kind, LocalServer.start(kind));
    Runtime.getRuntime().addShutdownHook(new Thread(three::end));
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < INSTANCES; i++) {
      int port = freePort();
      Thread thread = new Thread(() -> three.keepRunning(port), "instance-" + i);
      thread.start();
      threads.add(thread);
    }
    for (Thread thread : threads) {
      thread.join();
    }
  }

  /** On a thread of its own: on one of the common pool, the end waits for another of that pool. */
  private static void endWith(ProcessHandle parent) {
    Thread thread =
        new Thread(
            () -> {
              ProcessHandle unused = parent.onExit().join();
              System.exit(0);
            },
            "end-with-parent");
    thread.setDaemon(true);
    thread.start();
  }

  /** The arguments of an instance on a server: no more than which store it has. */
  static List<String> arguments(LocalServer.Kind kind, LocalServer server) {
    return kind == LocalServer.Kind.REDIS
        ? List.of("--spring.profiles.active=redis", "--spring.data.redis.port=" + server.port())
        : List.of("--spring.profiles.active=postgresql", "--rockpool.uri=" + server.uri("world"));
  }

  private static int freePort() throws IOException {
    try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return free.getLocalPort();
    }
  }

  private void keepRunning(int port) {
    try {
      Program program = start(port);
      while (program != null) {
        for (String line = program.readLine(); line != null; line = program.readLine()) {
          System.out.println(line);
        }
        Thread.sleep(PAUSE_MILLIS);
        program = start(port);
      }
    } catch (IOException e) {
      System.err.println("An instance has ended: " + e.getMessage());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Starts an instance; null if all has ended. */
  private synchronized @Nullable Program start(int port) throws IOException {
    if (ended) {
      return null;
    }
    Program program =
        Program.start(
            WorldApplication.class,
            Stream.concat(arguments(kind, server).stream(), Stream.of("--server.port=" + port))
                .toArray());
    running.add(program);
    return program;
  }

  private synchronized void end() {
    ended = true;
    running.forEach(Program::close);
  }
}
