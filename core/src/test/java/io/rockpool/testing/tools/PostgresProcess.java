package io.rockpool.testing.tools;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A PostgreSQL server on a free port of loopback, with a superuser {@code rockpool} and no
 * passwords. The test that starts it closes it; it ends with the JVM at the latest.
 */
public final class PostgresProcess implements AutoCloseable {
  private static final int ANSWER_MILLIS = 5_000;
  private static final int PROTOCOL = 3 << 16;

  private final Path directory;
  private final int port = Processes.freePort();
  private final Thread end = new Thread(this::end);
  private @Nullable Process process;

  PostgresProcess() throws IOException {
    directory = Processes.newDirectory("rockpool-postgres");
    Processes.give(directory);
    Runtime.getRuntime().addShutdownHook(end);
  }

  /**
   * Starts a server with new data.
   *
   * @param options settings, such as {@code fsync=off}
   */
  public static PostgresProcess start(String... options) throws IOException {
    PostgresProcess server = new PostgresProcess();
    server.run(
        "initdb",
        List.of(
            "-D",
            server.data(),
            "-U",
            "rockpool",
            "-A",
            "trust",
            "-E",
            "UTF8",
            "--no-locale",
            "--no-sync"));
    server.restart(options);
    return server;
  }

  private void run(String program, List<String> arguments) throws IOException {
    Processes.run(command(program, arguments), log());
  }

  private static List<String> command(String program, List<String> arguments) {
    List<String> all = new ArrayList<>();
    all.add(Tool.POSTGRESQL.program().resolve(program).toString());
    all.addAll(arguments);
    return Processes.unprivileged(all);
  }

  /** Starts it again, on the data and the port it had. */
  public void restart(String... options) throws IOException {
    List<String> arguments = new ArrayList<>(List.of("-D", data(), "-p", "" + port));
    List<String> settings =
        new ArrayList<>(
            List.of(
                "listen_addresses=127.0.0.1", "unix_socket_directories=", "max_connections=200"));
    settings.addAll(List.of(options));
    for (String setting : settings) {
      arguments.add("-c");
      arguments.add(setting);
    }
    process = Processes.start(command("postgres", arguments), log(), this::answers);
  }

  /** Whether the server accepts a session. It then asks for no password. */
  private boolean answers() {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      socket.setSoTimeout(ANSWER_MILLIS);
      byte[] parameters =
          "user\0rockpool\0database\0postgres\0\0".getBytes(StandardCharsets.US_ASCII);
      DataOutputStream out = new DataOutputStream(socket.getOutputStream());
      out.writeInt(2 * Integer.BYTES + parameters.length);
      out.writeInt(PROTOCOL);
      out.write(parameters);
      out.flush();
      return new DataInputStream(socket.getInputStream()).readByte() == 'R';
    } catch (IOException e) {
      return false;
    }
  }

  String data() {
    return directory.resolve("data").toString();
  }

  Path log() {
    return directory.resolve("log");
  }

  /** Its port, the same after a restart. */
  public int port() {
    return port;
  }

  /** Its address for a driver. */
  public String url() {
    return url(port);
  }

  /** The address of a server, or of a proxy before it. */
  public static String url(int port) {
    return "jdbc:postgresql://127.0.0.1:" + port + "/postgres?user=rockpool";
  }

  /** All processes of the server, the first one first. */
  public List<ProcessHandle> processes() {
    Process started = process;
    List<ProcessHandle> all = new ArrayList<>();
    if (started != null) {
      all.add(started.toHandle());
      all.addAll(started.descendants().toList());
    }
    return all;
  }

  /** Sends all its processes a signal. */
  public void signal(String name) {
    Processes.signal(name, processes());
  }

  /** Ends it as an operator does: it sends all to its standby before. */
  public void shutDown() {
    List<ProcessHandle> all = processes();
    Processes.signal("INT", all.subList(0, 1));
    Processes.await("the server ends", () -> all.stream().noneMatch(ProcessHandle::isAlive));
  }

  /** Kills it as {@code kill -9} does. */
  public void kill() {
    Process started = process;
    if (started != null) {
      Processes.kill(started);
    }
  }

  private void end() {
    kill();
    Processes.delete(directory);
  }

  @Override
  public void close() {
    if (Runtime.getRuntime().removeShutdownHook(end)) {
      end();
    }
  }
}
