package io.rockpool.compatibility.machines;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A server of a test on loopback, which is killed, stopped and started again on its data. */
abstract class FaultyServer implements FaultTarget {
  private static final long STOPPED_MILLIS = 5_000;
  private static final int FEED_LOSSES = 5;
  private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(60);

  private final Path directory;
  private final int port;
  private @Nullable Process process;

  FaultyServer(Path directory) throws IOException {
    this.directory = directory;
    port = freePort();
    // For a test whose process is ended.
    Runtime.getRuntime().addShutdownHook(new Thread(this::kill));
  }

  static int freePort() throws IOException {
    try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return free.getLocalPort();
    }
  }

  @Override
  public final int port() {
    return port;
  }

  final Path directory() {
    return directory;
  }

  /** The command that runs the server. */
  abstract List<String> command();

  /** Whether the server answers. */
  abstract boolean answers();

  /** Ends the connections by which it reports changes, and perhaps others. */
  abstract void endFeeds();

  final void start() throws IOException {
    Process started =
        new ProcessBuilder(command())
            .directory(directory.toFile())
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.appendTo(directory.resolve("log").toFile()))
            .start();
    process = started;
    long end = System.nanoTime() + PATIENCE_NANOS;
    while (!answers()) {
      if (System.nanoTime() > end || !started.isAlive()) {
        throw new IOException(
            "The server does not answer: " + Files.readString(directory.resolve("log")));
      }
      pause();
    }
  }

  @Override
  public List<ServerFault> faults() {
    return List.of(
        ServerFault.KILL_SERVER,
        ServerFault.KILL_MACHINE,
        ServerFault.PARTITION,
        ServerFault.STOP_SERVER,
        ServerFault.STOP_MACHINE,
        ServerFault.SLOW_LINK,
        ServerFault.LOST_FEED,
        ServerFault.WRONG_CLOCK);
  }

  @Override
  public @Nullable Loss fail(ServerFault fault, Random random)
      throws IOException, InterruptedException {
    switch (fault) {
      case KILL_SERVER -> {
        kill();
        rest(50 + random.nextInt(450));
        start();
      }
      case STOP_SERVER -> {
        signal("STOP");
        rest(STOPPED_MILLIS);
        signal("CONT");
      }
      case LOST_FEED -> {
        for (int i = 0; i < FEED_LOSSES; i++) {
          endFeeds();
          rest(100 + random.nextInt(300));
        }
      }
      default -> throw new IllegalArgumentException("not of one server: " + fault);
    }
    return null;
  }

  @Override
  public void repair() {}

  static void rest(long millis) throws InterruptedException {
    TimeUnit.MILLISECONDS.sleep(millis);
  }

  /** Waits until a condition holds. */
  static void await(String what, BooleanSupplier condition) throws IOException {
    long end = System.nanoTime() + PATIENCE_NANOS;
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() > end) {
        throw new IOException("It lasts too long until " + what);
      }
      pause();
    }
  }

  static void pause() {
    try {
      TimeUnit.MILLISECONDS.sleep(20);
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  private List<ProcessHandle> processes() {
    Process running = process;
    if (running == null) {
      return List.of();
    }
    List<ProcessHandle> all = new ArrayList<>(List.of(running.toHandle()));
    all.addAll(running.descendants().toList());
    return all;
  }

  /** Kills all processes of the server as {@code kill -9} does. */
  final void kill() {
    Process running = process;
    if (running != null && running.isAlive()) {
      // A process that it starts meanwhile would stay, and keep the data from the next server.
      send("STOP", List.of(running.toHandle()));
    }
    List<ProcessHandle> all = processes();
    all.forEach(ProcessHandle::destroyForcibly);
    while (all.stream().anyMatch(ProcessHandle::isAlive)) {
      pause();
    }
  }

  /** Sends a signal to all processes of the server. */
  final void signal(String name) {
    send(name, processes());
  }

  private static void send(String signal, List<ProcessHandle> to) {
    List<String> command = new ArrayList<>(List.of("kill", "-" + signal));
    to.forEach(each -> command.add(Long.toString(each.pid())));
    try {
      int unused = new ProcessBuilder(command).start().waitFor();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  /** Sends the first process a signal that ends all, and waits until they have ended. */
  final void end(String signal) throws IOException {
    List<ProcessHandle> all = processes();
    send(signal, all.subList(0, 1));
    await("the server has ended", () -> all.stream().noneMatch(ProcessHandle::isAlive));
  }

  @Override
  public void close() throws IOException {
    kill();
    delete(directory);
  }

  static void delete(Path directory) throws IOException {
    if (!Files.exists(directory)) {
      return;
    }
    try (Stream<Path> files = Files.walk(directory)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(file);
      }
    }
  }

  static boolean isInstalled(String program) {
    return Stream.of(System.getenv("PATH").split(File.pathSeparator))
        .anyMatch(each -> Files.isExecutable(Path.of(each, program)));
  }
}
