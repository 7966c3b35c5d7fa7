package io.rockpool.sample.world;

import static io.rockpool.sample.world.Patience.until;
import static org.assertj.core.api.Assertions.assertThat;

import io.rockpool.testing.tools.Needs;
import io.rockpool.testing.tools.Tool;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The one command that starts a server and three instances, as a user runs it. */
@Timeout(240)
@Needs(Tool.REDIS)
final class ThreeCommandTest {
  private final HttpClient client = HttpClient.newHttpClient();

  @Test
  void theCommandStartsAllAndTheyEndWithItsParent() throws Exception {
    // The shell is in the place of Maven, which does not end what it runs.
    Process parent =
        new ProcessBuilder(
                "sh",
                "-c",
                "\"$@\" & wait",
                "sh",
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                WorldApplication.class.getName(),
                "--three",
                "redis")
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    List<ProcessHandle> all = List.of();
    try (BufferedReader said =
        new BufferedReader(
            new InputStreamReader(parent.getInputStream(), StandardCharsets.UTF_8))) {
      Set<String> addresses = new HashSet<>();
      while (addresses.size() < Three.INSTANCES) {
        String line = said.readLine();
        assertThat(line).as("what the command says before three instances listen").isNotNull();
        if (line.startsWith("Open ")) {
          addresses.add(line.substring("Open ".length()));
        }
      }
      for (String address : addresses) {
        until("all are seen", () -> alive(address), alive -> alive == Three.INSTANCES);
      }
      all = parent.descendants().toList();
      assertThat(all).hasSize(1 + 1 + Three.INSTANCES); // the command and the server, too
      parent.destroyForcibly().waitFor();
      for (ProcessHandle each : all) {
        until(each + " has ended", each::isAlive, alive -> !alive);
      }
    } finally {
      parent.destroyForcibly();
      all.forEach(ProcessHandle::destroyForcibly);
    }
  }

  private long alive(String address) throws InterruptedException {
    HttpRequest request = HttpRequest.newBuilder(URI.create(address + "api/instances")).build();
    try {
      HttpResponse<String> answer = client.send(request, HttpResponse.BodyHandlers.ofString());
      JsonNode instances = JsonMapper.shared().readTree(answer.body()).at("/instances");
      return instances.valueStream().filter(each -> !each.at("/report").isNull()).count();
    } catch (IOException e) {
      return 0; // it has failed to start, and is started again
    }
  }
}
