package io.rockpool.sample.world;

import static org.assertj.core.api.Assertions.assertThat;

import io.rockpool.sample.testing.Program;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The service as a process of its own, on a port that the system has chosen. */
final class Service implements AutoCloseable {
  /** So long a service may live; then it is killed, and whatever waits for it fails. */
  private static final Duration LIMIT = Duration.ofMinutes(4);

  private static final Duration ANSWER_LIMIT = Duration.ofSeconds(20);

  private final Program program;
  private final String address;
  private final HttpClient client = HttpClient.newHttpClient();

  private Service(Program program, String address) {
    this.program = program;
    this.address = address;
  }

  /** Starts it on a directory, and returns once it listens. */
  static Service start(Path directory) throws IOException {
    return start(List.of("--rockpool.directory=" + directory, "--server.port=0"));
  }

  /** Starts it with these arguments, and returns once it listens. */
  static Service start(List<String> arguments) throws IOException {
    Program program = Program.start(WorldApplication.class, arguments.toArray());
    program.killAfter(LIMIT);
    StringBuilder said = new StringBuilder();
    for (String line = program.readLine(); line != null; line = program.readLine()) {
      if (line.startsWith("Open ")) {
        return new Service(program, line.substring("Open ".length()));
      }
      said.append(line).append('\n');
    }
    throw new IOException("The service ended, or was killed, before it listened:\n" + said);
  }

  /** Where its page is. */
  String address() {
    return address;
  }

  int port() {
    return URI.create(address).getPort();
  }

  JsonNode get(String path) throws IOException, InterruptedException {
    return send("GET", path);
  }

  JsonNode send(String method, String path) throws IOException, InterruptedException {
    HttpResponse<String> response = answer(method, path);
    assertThat(response.statusCode()).as("%s %s: %s", method, path, response.body()).isEqualTo(200);
    return JsonMapper.shared().readTree(response.body());
  }

  /** Whatever it answers. */
  HttpResponse<String> answer(String method, String path) throws IOException, InterruptedException {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(address + path))
            .method(method, HttpRequest.BodyPublishers.noBody())
            .timeout(ANSWER_LIMIT)
            .build();
    return client.send(request, HttpResponse.BodyHandlers.ofString());
  }

  /** As {@code kill -9} does. */
  void kill() throws InterruptedException {
    program.kill();
  }

  @Override
  public void close() {
    program.close();
  }
}
