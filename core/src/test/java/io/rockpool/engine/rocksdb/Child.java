package io.rockpool.engine.rocksdb;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Another JVM that runs a main class of the tests, and what it says. */
final class Child implements AutoCloseable {
  private final Process process;
  private final BufferedReader output;

  private Child(Process process) {
    this.process = process;
    this.output =
        new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
  }

  static Child start(Class<?> main, List<String> jvmOptions, Object... arguments)
      throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(
        List.of(
            "-Xmx256m", "-XX:TieredStopAtLevel=1", "-cp", System.getProperty("java.class.path")));
    command.addAll(jvmOptions);
    command.add(main.getName());
    for (Object argument : arguments) {
      command.add(argument.toString());
    }
    return new Child(
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start());
  }

  /** The next line it says, or null if it says no more. */
  @Nullable String readLine() throws IOException {
    return output.readLine();
  }

  long pid() {
    return process.pid();
  }

  /** Lets it end what it waits for. */
  void release() throws IOException {
    process.getOutputStream().close();
  }

  /**
   * Kills it as {@code kill -9} does, and waits until it is gone; what it said can still be read.
   */
  void kill() throws InterruptedException {
    process.toHandle().destroyForcibly();
    process.waitFor();
  }

  int waitFor() throws InterruptedException {
    return process.waitFor();
  }

  @Override
  public void close() {
    process.destroyForcibly();
  }
}
