package io.rockpool.sample.testing;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A program that runs in a JVM of its own, and what it says. */
public final class Program implements AutoCloseable {
  /** What a shell reports for a process that SIGKILL ended: 128 and the signal's number. */
  public static final int KILLED = 137;

  private final Process process;
  private final BufferedReader reader;
  private final StringBuilder said = new StringBuilder();

  private Program(Process process) {
    this.process = process;
    this.reader =
        new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
  }

  /** Starts a program with the class path of this JVM. */
  public static Program start(Class<?> main, Object... arguments) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    // The flags that this JDK requires for native code are among this JVM's own.
    ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
        .filter(flag -> flag.startsWith("--"))
        .forEach(command::add);
    // It lives for a second or two: better started soon than optimized well.
    command.addAll(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"));
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), main.getName()));
    for (Object argument : arguments) {
      command.add(argument.toString());
    }
    // What is logged goes where this JVM's errors go.
    return new Program(
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start());
  }

  /** Kills it if it still runs then, so that a waiting thread sees its end. */
  public void killAfter(Duration limit) {
    CompletableFuture.delayedExecutor(limit.toMillis(), TimeUnit.MILLISECONDS)
        .execute(process.toHandle()::destroyForcibly);
  }

  /** The next line it says, waited for; null if it says no more. */
  public @Nullable String readLine() throws IOException {
    String line = reader.readLine();
    if (line != null) {
      said.append(line).append('\n');
    }
    return line;
  }

  /** All it says from its beginning to its end, which is waited for. */
  public String output() throws IOException {
    while (readLine() != null) {
      // What was read is kept.
    }
    return said.toString();
  }

  /**
   * Kills it as {@code kill -9} does, and waits until it is gone; what it said can still be read.
   */
  public void kill() throws InterruptedException {
    // Process.destroyForcibly would also close the pipe, and what is still in it with that.
    process.toHandle().destroyForcibly();
    process.waitFor();
  }

  /** Waits for its exit code. Read its output first: a full pipe blocks the process. */
  public int exitCode() throws InterruptedException {
    return process.waitFor();
  }

  /** Kills it if it still runs, and waits until it is gone. */
  @Override
  public void close() {
    process.destroyForcibly().onExit().join();
  }
}
