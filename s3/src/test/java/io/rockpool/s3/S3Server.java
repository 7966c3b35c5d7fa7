package io.rockpool.s3;

import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/** A server of the S3 protocol in a process of its own, which keeps its objects in files. */
final class S3Server implements AutoCloseable {
  static final String ACCESS_KEY = "rockpool";
  static final String SECRET_KEY = "secret-of-the-test";
  static final String BUCKET = "bucket";

  /** Short, so that tests that kill holders of locks need not wait. */
  static final Duration LEASE = Duration.ofSeconds(3);

  private static final Duration SILENCE = Duration.ofSeconds(5);

  private final Path directory;
  private final int port;
  private Process process;

  private S3Server(Path directory, int port) {
    this.directory = directory;
    this.port = port;
  }

  static S3Server start(Path directory) throws Exception {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      S3Server server = new S3Server(directory, socket.getLocalPort());
      Files.createDirectories(directory.resolve("data").resolve(BUCKET));
      Files.writeString(
          directory.resolve("server.properties"),
          """
          s3proxy.endpoint=http://127.0.0.1:%s
          s3proxy.authorization=aws-v2-or-v4
          s3proxy.identity=%s
          s3proxy.credential=%s
          jclouds.provider=filesystem-nio2
          jclouds.filesystem.basedir=%s
          """
              .formatted(server.port, ACCESS_KEY, SECRET_KEY, directory.resolve("data")));
      socket.close();
      server.begin();
      return server;
    }
  }

  /** Starts the process. */
  void begin() throws Exception {
    process =
        new ProcessBuilder(
                List.of(
                    Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                    "-Xmx256m",
                    "-XX:TieredStopAtLevel=1",
                    "-XX:+UseSerialGC",
                    "-cp",
                    System.getProperty("java.class.path"),
                    "org.gaul.s3proxy.Main",
                    "--properties",
                    directory.resolve("server.properties").toString()))
            .redirectErrorStream(true)
            .redirectOutput(
                ProcessBuilder.Redirect.appendTo(directory.resolve("server.log").toFile()))
            .start();
    while (!answers()) {
      if (!process.isAlive()) {
        throw new IOException(Files.readString(directory.resolve("server.log")));
      }
      Thread.sleep(20);
    }
  }

  private boolean answers() {
    try {
      HttpURLConnection connection =
          (HttpURLConnection) URI.create("http://127.0.0.1:" + port).toURL().openConnection();
      connection.setReadTimeout(1_000);
      return connection.getResponseCode() > 0;
    } catch (IOException e) {
      return false;
    }
  }

  int port() {
    return port;
  }

  long pid() {
    return process.pid();
  }

  URI uri(String prefix) {
    return uri(prefix, port);
  }

  static URI uri(String prefix, int port) {
    return URI.create("s3://" + BUCKET + "/" + prefix + "?endpoint=http://127.0.0.1:" + port);
  }

  S3Target target(String prefix) {
    return target(uri(prefix));
  }

  /** A target for tests in which no process is killed, as users open it. */
  S3Target patientTarget(String prefix) {
    return S3Target.at(uri(prefix), ACCESS_KEY, SECRET_KEY);
  }

  /** A target with a short lease and a short patience. */
  static S3Target target(URI uri) {
    return S3Target.at(uri, S3Target.key(ACCESS_KEY, SECRET_KEY), LEASE, SILENCE);
  }

  /** Kills the process. */
  void kill() throws InterruptedException {
    process.destroyForcibly().waitFor();
  }

  @Override
  public void close() throws InterruptedException {
    kill();
  }
}
