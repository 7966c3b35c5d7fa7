package io.rockpool.testing;

import io.rockpool.EncryptionExtension;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Another JVM that runs a main class of the tests, and what it says. */
public final class Child implements AutoCloseable {
  private final Process process;
  private final BufferedReader output;

  private Child(Process process) {
    this.process = process;
    this.output =
        new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
  }

  /**
   * Starts one that is not to outlive the test: close it.
   *
   * @param main its main class
   * @param jvmOptions what the JVM is told beyond what all are
   * @param arguments what {@code main} gets, as text
   */
  public static Child start(Class<?> main, List<String> jvmOptions, Object... arguments)
      throws IOException {
    return startUnder(List.of(), main, jvmOptions, arguments);
  }

  /** As {@link #start}, by another program, which is given the command to run. */
  public static Child startUnder(
      List<String> program, Class<?> main, List<String> jvmOptions, Object... arguments)
      throws IOException {
    List<String> command = new ArrayList<>(program);
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(
        List.of(
            "-Xmx256m",
            "-XX:TieredStopAtLevel=1",
            "-XX:+UseSerialGC",
            "-cp",
            System.getProperty("java.class.path")));
    command.addAll(jvmOptions);
    command.addAll(EncryptionExtension.before());
    command.add(main.getName());
    for (Object argument : arguments) {
      command.add(argument.toString());
    }
    return new Child(
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start());
  }

  /** Options for a JVM whose class path lacks the jars of an artifact. */
  public static List<String> without(String artifact) {
    return List.of(
        "-cp",
        Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
            .filter(entry -> !Path.of(entry).getFileName().toString().startsWith(artifact + "-"))
            .collect(Collectors.joining(File.pathSeparator)));
  }

  /** All that it says until it ends. */
  public List<String> readAll() throws IOException {
    List<String> lines = new ArrayList<>();
    for (String line = readLine(); line != null; line = readLine()) {
      lines.add(line);
    }
    return lines;
  }

  /** The next line it says, or null if it says no more. */
  public @Nullable String readLine() throws IOException {
    return output.readLine();
  }

  /** Says a line to it, on its standard input. */
  public void say(String line) throws IOException {
    process.getOutputStream().write((line + '\n').getBytes(StandardCharsets.UTF_8));
    process.getOutputStream().flush();
  }

  /** Its process id. */
  public long pid() {
    return process.pid();
  }

  /** Whether it has said something that was not read yet. */
  public boolean hasSaid() throws IOException {
    return output.ready();
  }

  /**
   * Stops it where it is, as {@code kill -STOP} does, and waits until each of its threads stands
   * still: one that is in a system call ends it first. The system goes on without it.
   */
  public void stop() throws IOException, InterruptedException {
    signal("STOP");
    while (!isStopped()) {
      Thread.sleep(1);
    }
  }

  private boolean isStopped() throws IOException {
    try (Stream<Path> threads = Files.list(Path.of("/proc/" + pid() + "/task"))) {
      return threads.allMatch(Child::standsStill);
    }
  }

  private static boolean standsStill(Path thread) {
    try {
      String stat = Files.readString(thread.resolve("stat"));
      return stat.startsWith("T", stat.lastIndexOf(')') + 2);
    } catch (IOException hasEnded) {
      return true;
    }
  }

  /** Lets it go on where it was stopped. */
  public void goOn() throws IOException, InterruptedException {
    signal("CONT");
  }

  private void signal(String signal) throws IOException, InterruptedException {
    int exit =
        new ProcessBuilder("kill", "-" + signal, Long.toString(pid()))
            .inheritIO()
            .start()
            .waitFor();
    if (exit != 0) {
      throw new IOException("kill -" + signal + " " + pid() + " has ended with " + exit);
    }
  }

  /** Lets it end what it waits for. */
  public void release() throws IOException {
    process.getOutputStream().close();
  }

  /**
   * Kills it as {@code kill -9} does, and waits until it is gone; what it said can still be read.
   */
  public void kill() throws InterruptedException {
    process.toHandle().destroyForcibly();
    process.waitFor();
  }

  /** Waits until it is gone; returns its exit code. */
  public int waitFor() throws InterruptedException {
    return process.waitFor();
  }

  @Override
  public void close() {
    process.descendants().forEach(ProcessHandle::destroyForcibly);
    process.destroyForcibly();
  }
}
