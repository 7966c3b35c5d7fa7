package io.rockpool.sample.world;

import static org.assertj.core.api.Assertions.assertThat;

import io.rockpool.testing.tools.Tool;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Chromium without a window, driven through ChromeDriver's protocol. It and all it starts end with
 * {@link #close}, or when its time is over.
 */
final class Browser implements AutoCloseable {
  /** So long everything that is done with a browser may take; then it is killed. */
  private static final Duration LIMIT = Duration.ofMinutes(3);

  private static final Duration ANSWER_LIMIT = Duration.ofSeconds(60);

  private static final Pattern STARTED = Pattern.compile("started successfully on port (\\d+)");

  /** No profile, no sandbox (which root has none of), no look at any host but the one asked for. */
  private static final List<String> FLAGS =
      List.of(
          "--headless",
          "--no-sandbox",
          "--disable-gpu",
          "--disable-quic",
          "--disable-dev-shm-usage",
          "--no-first-run",
          "--disable-background-networking",
          "--disable-component-update",
          "--disable-sync",
          "--window-size=1200,1040");

  private final Process driver;
  private final HttpClient client = HttpClient.newHttpClient();
  private final String session;

  private Browser(Process driver, Path profile) throws IOException, InterruptedException {
    this.driver = driver;
    CompletableFuture.delayedExecutor(LIMIT.toMillis(), TimeUnit.MILLISECONDS).execute(this::kill);
    String address = "http://127.0.0.1:" + port(driver) + "/session";
    List<String> flags =
        Stream.concat(FLAGS.stream(), Stream.of("--user-data-dir=" + profile)).toList();
    Map<String, Object> wanted =
        Map.of("browserName", "chrome", "goog:chromeOptions", Map.of("args", flags));
    JsonNode answer = send(address, "POST", Map.of("capabilities", Map.of("alwaysMatch", wanted)));
    this.session = address + "/" + answer.at("/sessionId").asString();
  }

  /** Starts a browser with an empty profile. */
  static Browser start(Path profile) throws IOException, InterruptedException {
    Process driver =
        new ProcessBuilder(Tool.CHROMIUM.program().toString(), "--port=0")
            .redirectErrorStream(true)
            .start();
    try {
      return new Browser(driver, profile);
    } catch (IOException | InterruptedException | RuntimeException | Error e) {
      kill(driver);
      throw e;
    }
  }

  private static String port(Process driver) throws IOException {
    BufferedReader said =
        new BufferedReader(new InputStreamReader(driver.getInputStream(), StandardCharsets.UTF_8));
    for (String line = said.readLine(); line != null; line = said.readLine()) {
      Matcher started = STARTED.matcher(line);
      if (started.find()) {
        // It says a few lines more at most, which its pipe holds.
        return started.group(1);
      }
    }
    throw new IOException("chromedriver ended, or was killed, before it was started.");
  }

  void open(String url) throws IOException, InterruptedException {
    send(session + "/url", "POST", Map.of("url", url));
  }

  /** What a script returns, which may be null. */
  JsonNode run(String script) throws IOException, InterruptedException {
    return send(session + "/execute/sync", "POST", Map.of("script", script, "args", List.of()));
  }

  /** The text of the element with this id. */
  String text(String id) throws IOException, InterruptedException {
    return run("return document.getElementById('" + id + "').textContent").asString();
  }

  /** Clicks where a user would. */
  void click(String id) throws IOException, InterruptedException {
    JsonNode found =
        send(session + "/element", "POST", Map.of("using", "css selector", "value", "#" + id));
    String element = found.properties().iterator().next().getValue().asString();
    send(session + "/element/" + element + "/click", "POST", Map.of());
  }

  void screenshot(Path file) throws IOException, InterruptedException {
    String png = send(session + "/screenshot", "GET", null).asString();
    Files.write(file, Base64.getDecoder().decode(png));
  }

  private JsonNode send(String url, String method, @Nullable Object body)
      throws IOException, InterruptedException {
    HttpRequest.BodyPublisher published =
        body == null
            ? HttpRequest.BodyPublishers.noBody()
            : HttpRequest.BodyPublishers.ofString(JsonMapper.shared().writeValueAsString(body));
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(url))
            .method(method, published)
            .timeout(ANSWER_LIMIT)
            .build();
    HttpResponse<String> response = client.send(request, HttpResponse.BodyHandlers.ofString());
    assertThat(response.statusCode()).as("%s %s: %s", method, url, response.body()).isEqualTo(200);
    return JsonMapper.shared().readTree(response.body()).at("/value");
  }

  private void kill() {
    kill(driver);
  }

  private static void kill(Process driver) {
    List<ProcessHandle> started = driver.descendants().toList();
    driver.destroyForcibly();
    started.forEach(ProcessHandle::destroyForcibly);
  }

  @Override
  public void close() throws InterruptedException {
    kill();
    driver.waitFor(ANSWER_LIMIT.toSeconds(), TimeUnit.SECONDS);
  }
}
