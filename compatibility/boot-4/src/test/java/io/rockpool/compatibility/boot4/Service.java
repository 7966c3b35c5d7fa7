package io.rockpool.compatibility.boot4;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** A service, or another program of its class path, as a process of its own. */
final class Service implements AutoCloseable {
  private static final Duration LIMIT = Duration.ofSeconds(90);
  private static final Pattern PORT = Pattern.compile("Tomcat started on port (\\d+)");

  /** What a case of {@link Cases} came to. */
  record Answer(String value, int calls) {}

  private final Process process;
  private final List<String> log = new ArrayList<>();
  private boolean ended;

  private Service(ProcessBuilder builder) throws IOException {
    this.process = builder.redirectErrorStream(true).start();
    Thread reader = new Thread(this::readLog, "log of " + process.pid());
    reader.setDaemon(true);
    reader.start();
  }

  /**
   * Starts the shop in a working directory, with no other configuration. Its temporary directory is
   * next to it, because a killed Tomcat leaves files there.
   */
  static Service start(Path directory, String... arguments) throws IOException {
    List<String> all = new ArrayList<>(List.of("--server.port=0"));
    all.addAll(List.of(arguments));
    Path temporary = Files.createDirectories(directory.resolveSibling("tmp"));
    List<String> options = List.of("-Djava.io.tmpdir=" + temporary);
    return start(directory, Shop.class, options, all.toArray(String[]::new));
  }

  /** Starts a program of this class path. */
  static Service start(Path directory, Class<?> main, List<String> jvmOptions, String... arguments)
      throws IOException {
    List<String> command = new ArrayList<>(java());
    command.addAll(jvmOptions);
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), main.getName()));
    command.addAll(List.of(arguments));
    return start(new ProcessBuilder(command).directory(directory.toFile()));
  }

  static Service start(ProcessBuilder builder) throws IOException {
    return new Service(builder);
  }

  /** The command of a JVM that starts soon. */
  static List<String> java() {
    return List.of(
        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
        "-Xmx256m",
        "-XX:TieredStopAtLevel=1",
        "-XX:+UseSerialGC");
  }

  private void readLog() {
    try (BufferedReader lines =
        new BufferedReader(
            new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        synchronized (log) {
          log.add(line);
          log.notifyAll();
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } finally {
      synchronized (log) {
        ended = true;
        log.notifyAll();
      }
    }
  }

  /** Waits for a line of the log, and fails if the process ends without one. */
  String awaitLine(String part) throws InterruptedException {
    return await(line -> line.contains(part), part);
  }

  private String await(Predicate<String> wanted, String name) throws InterruptedException {
    long end = System.nanoTime() + LIMIT.toNanos();
    synchronized (log) {
      for (int next = 0; ; ) {
        for (; next < log.size(); next++) {
          if (wanted.test(log.get(next))) {
            return log.get(next);
          }
        }
        long left = TimeUnit.NANOSECONDS.toMillis(end - System.nanoTime());
        assertThat(!ended && left > 0).as("%s is not in the log:%n%s", name, log()).isTrue();
        log.wait(left);
      }
    }
  }

  /** What it has said until now. */
  String log() {
    synchronized (log) {
      return String.join("\n", log);
    }
  }

  /** Has the service answer a request, as soon as it listens. */
  String get(String path) throws IOException, InterruptedException {
    Matcher port = PORT.matcher(await(line -> PORT.matcher(line).find(), PORT.pattern()));
    assertThat(port.find()).isTrue();
    HttpRequest request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port.group(1) + path))
            .timeout(LIMIT)
            .build();
    HttpResponse<String> response =
        HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString());
    assertThat(response.statusCode()).as("%s%n%s", response.body(), log()).isEqualTo(200);
    return response.body();
  }

  /** Calls each method twice; returns what became of each case. */
  Map<String, Answer> callAll() throws IOException, InterruptedException {
    return get("/cases")
        .lines()
        .map(line -> line.split("\t", -1))
        .collect(
            Collectors.toMap(
                it -> it[0],
                it -> new Answer(it[1], Integer.parseInt(it[2])),
                (a, b) -> a,
                TreeMap::new));
  }

  long pid() {
    return process.pid();
  }

  /** Kills it as {@code kill -9} does, and waits until it is gone. */
  void kill() throws InterruptedException {
    process.destroyForcibly().waitFor();
  }

  /** Ends it as the operating system does with services, and waits until it is gone. */
  void stop() throws InterruptedException {
    process.destroy();
    waitFor();
  }

  /** Waits until it is gone, and for the end of its log; returns its exit code. */
  int waitFor() throws InterruptedException {
    boolean gone = process.waitFor(LIMIT.toSeconds(), TimeUnit.SECONDS);
    assertThat(gone).as("has ended; its log:%n%s", log()).isTrue();
    long end = System.nanoTime() + LIMIT.toNanos();
    synchronized (log) {
      while (!ended && System.nanoTime() < end) {
        log.wait(1000);
      }
    }
    return process.exitValue();
  }

  @Override
  public void close() {
    process.descendants().forEach(ProcessHandle::destroyForcibly);
    process.destroyForcibly();
  }
}
