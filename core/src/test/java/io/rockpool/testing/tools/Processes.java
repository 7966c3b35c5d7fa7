package io.rockpool.testing.tools;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.UserPrincipalLookupService;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;

/** Processes of servers, their ports and directories. */
public final class Processes {
  private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(120);
  private static final long PAUSE_MILLIS = 10;

  private Processes() {}

  /** A port on which nothing listens; the one that is 10,000 higher exists, too. */
  public static int freePort() throws IOException {
    while (true) {
      try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
        if (free.getLocalPort() < 55_000) { // members of a cluster of Redis use both
          return free.getLocalPort();
        }
      }
    }
  }

  /** A new directory for a server, which the server's user may enter. */
  public static Path newDirectory(String name) throws IOException {
    if (!Programs.IS_ROOT) {
      return Files.createTempDirectory(name);
    }
    return Files.createTempDirectory(Path.of("/tmp"), name);
  }

  /** A command for a program that refuses to run as root. */
  public static List<String> unprivileged(List<String> command) {
    List<String> all = new ArrayList<>();
    if (Programs.IS_ROOT) {
      all.addAll(prefix().orElseThrow(() -> new AssertionError("nothing here drops privileges")));
    }
    all.addAll(command);
    return all;
  }

  private static Optional<List<String>> prefix() {
    try {
      return Optional.ofNullable(Programs.unprivileged());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  /** Gives a directory to the user of {@link #unprivileged}. */
  public static void give(Path directory) throws IOException {
    if (Programs.IS_ROOT && unprivileged(List.of()).get(0).equals("setpriv")) {
      UserPrincipalLookupService users = directory.getFileSystem().getUserPrincipalLookupService();
      Files.setOwner(directory, users.lookupPrincipalByName("nobody"));
    }
  }

  /** Waits until a condition holds. */
  public static void await(String what, BooleanSupplier condition) {
    long end = System.nanoTime() + PATIENCE_NANOS;
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() > end) {
        throw new IllegalStateException("It lasts too long until " + what + ".");
      }
      pause();
    }
  }

  static void pause() {
    try {
      TimeUnit.MILLISECONDS.sleep(PAUSE_MILLIS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  /**
   * Starts a server and waits until it answers.
   *
   * @param log where it writes
   */
  public static Process start(List<String> command, Path log, BooleanSupplier answers)
      throws IOException {
    Process started = begin(command, log);
    long end = System.nanoTime() + PATIENCE_NANOS;
    while (!answers.getAsBoolean()) {
      if (System.nanoTime() > end || !started.isAlive()) {
        kill(started);
        throw new IOException(command + " does not answer: " + Files.readString(log));
      }
      pause();
    }
    return started;
  }

  private static Process begin(List<String> command, Path log) throws IOException {
    return new ProcessBuilder(command)
        .directory(log.toAbsolutePath().resolveSibling("").toFile())
        .redirectErrorStream(true)
        .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()))
        .start();
  }

  /** Runs a command to its end. */
  public static void run(List<String> command, Path log) throws IOException {
    Process started = begin(command, log);
    try {
      if (started.waitFor() != 0) {
        throw new IOException(command + " failed: " + Files.readString(log));
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  /** Kills a process and what it has started, as {@code kill -9} does. */
  public static void kill(Process process) {
    if (process.isAlive()) {
      // A process that it starts meanwhile would stay, and keep the data from the next server.
      signal("STOP", List.of(process.toHandle()));
    }
    List<ProcessHandle> all = new ArrayList<>(process.descendants().toList());
    all.add(process.toHandle());
    all.forEach(ProcessHandle::destroyForcibly);
    while (all.stream().anyMatch(ProcessHandle::isAlive)) {
      pause();
    }
  }

  /** Sends processes a signal, such as STOP; one that has ended is left out. */
  public static void signal(String name, List<ProcessHandle> to) {
    StringBuilder command = new StringBuilder("kill -" + name); // of the shell: it is everywhere
    to.forEach(each -> command.append(' ').append(each.pid()));
    try {
      int unused =
          new ProcessBuilder("sh", "-c", command.toString())
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .start()
              .waitFor();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  /** Deletes a directory; what another process deletes meanwhile is no error. */
  public static void delete(Path directory) {
    if (!Files.exists(directory)) {
      return;
    }
    try (Stream<Path> files = Files.walk(directory)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(file);
      }
    } catch (NoSuchFileException e) {
      delete(directory);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
