package io.rockpool.compatibility.machines;

import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A server of a test on loopback, which is killed, stopped and started again on its data. */
abstract class FaultyServer implements AutoCloseable {
  private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(60);

  private final Path directory;
  private final int port;
  private @Nullable Process process;

  FaultyServer(Path directory) throws IOException {
    this.directory = directory;
    try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      port = free.getLocalPort();
    }
    // For a test whose process is ended.
    Runtime.getRuntime().addShutdownHook(new Thread(this::kill));
  }

  final int port() {
    return port;
  }

  final Path directory() {
    return directory;
  }

  /** The URI of the store by way of a port. */
  abstract URI uri(int at);

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
    List<ProcessHandle> all = processes();
    all.forEach(ProcessHandle::destroyForcibly);
    while (all.stream().anyMatch(ProcessHandle::isAlive)) {
      pause();
    }
  }

  /** Sends a signal to all processes of the server. */
  final void signal(String name) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of("kill", "-" + name));
    processes().forEach(each -> command.add(Long.toString(each.pid())));
    new ProcessBuilder(command).inheritIO().start().waitFor();
  }

  @Override
  public void close() throws IOException {
    kill();
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
