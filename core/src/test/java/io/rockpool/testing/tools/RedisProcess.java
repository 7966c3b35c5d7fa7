package io.rockpool.testing.tools;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** A Redis server, or a sentinel, on a free port of loopback. The test that starts it closes it. */
public final class RedisProcess implements AutoCloseable {
  private static final int ANSWER_MILLIS = 1_000;

  private final int port;
  private final Path directory;
  private final List<String> options;
  private final Thread end = new Thread(this::kill);
  private Process process;

  private RedisProcess(Path directory, List<String> options) throws IOException {
    this.port = Processes.freePort();
    this.directory = directory;
    this.options = options;
    this.process = run();
    Runtime.getRuntime().addShutdownHook(end); // for a test whose JVM is ended
  }

  /** Starts a server that keeps nothing, unless an option says so. */
  public static RedisProcess start(String... options) throws IOException {
    return new RedisProcess(Processes.newDirectory("rockpool-redis"), List.of(options));
  }

  /**
   * Starts a sentinel.
   *
   * @param name the name of the master
   * @param silenceMillis how long the master is silent before a replica is promoted
   */
  public static RedisProcess startSentinel(
      String name, int master, int silenceMillis, int failoverMillis) throws IOException {
    Path directory = Processes.newDirectory("rockpool-sentinel");
    Path file =
        Files.write(
            directory.resolve("sentinel.conf"),
            List.of(
                "sentinel monitor " + name + " 127.0.0.1 " + master + " 1",
                "sentinel down-after-milliseconds " + name + " " + silenceMillis,
                "sentinel failover-timeout " + name + " " + failoverMillis));
    return new RedisProcess(directory, List.of(file.toString(), "--sentinel"));
  }

  private Process run() throws IOException {
    List<String> command = new ArrayList<>(List.of(Tool.REDIS.program().toString()));
    List<String> place = List.of("--port", "" + port, "--bind", "127.0.0.1");
    if (options.contains("--sentinel")) {
      command.addAll(options);
      command.addAll(place);
    } else {
      command.addAll(place);
      command.addAll(List.of("--save", "", "--dir", directory.toString()));
      command.addAll(options);
    }
    return Processes.start(command, directory.resolve("log"), this::answers);
  }

  private boolean answers() {
    try (RespClient client = new RespClient(port)) {
      client.limit(ANSWER_MILLIS);
      return !client.text("PING").startsWith("LOADING");
    } catch (IOException e) {
      return false;
    }
  }

  /** Its port, the same after a restart. */
  public int port() {
    return port;
  }

  /** The process. */
  public long pid() {
    return process.pid();
  }

  /**
   * Runs a command and returns what redis-cli would print. Its options {@code -a PASSWORD}, {@code
   * -n DATABASE} and {@code --scan --pattern PATTERN} are known, too.
   */
  public String command(String... words) {
    List<String> rest = new ArrayList<>(List.of(words));
    try (RespClient client = new RespClient(port)) {
      while (Stream.of("-a", "-n").anyMatch(rest.get(0)::equals)) {
        String option = rest.remove(0);
        Object unused = client.call(option.equals("-a") ? "AUTH" : "SELECT", rest.remove(0));
      }
      return rest.get(0).equals("--scan")
          ? String.join("\n", client.scan(rest.get(2)))
          : client.text(rest.toArray(String[]::new));
    } catch (IOException e) {
      return "The connection failed: " + e.getMessage(); // redis-cli prints it, too
    }
  }

  /** Removes all keys. */
  public void empty() {
    String unused = command("FLUSHALL");
  }

  /** Kills the server, whose data is lost. */
  public void kill() {
    Processes.kill(process);
  }

  /** All processes of the server, the first one first. */
  public List<ProcessHandle> processes() {
    List<ProcessHandle> all = new ArrayList<>(List.of(process.toHandle()));
    all.addAll(process.descendants().toList());
    return all;
  }

  /** Sends all its processes a signal, such as STOP. */
  public void signal(String name) {
    Processes.signal(name, processes());
  }

  /** Starts it again on the same port, empty unless it has saved its data. */
  public void restart() throws IOException {
    process = run();
  }

  /** Where it has its files. */
  public Path directory() {
    return directory;
  }

  @Override
  public void close() {
    if (Runtime.getRuntime().removeShutdownHook(end)) {
      kill();
      Processes.delete(directory);
    }
  }
}
