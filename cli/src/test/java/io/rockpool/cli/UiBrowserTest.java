package io.rockpool.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.rockpool.Rockpool;
import io.rockpool.testing.NotEncrypted;
import io.rockpool.testing.Slow;
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
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The pages of {@code ui} in Chromium: on a wide and on a narrow screen, in light and in dark. */
@Slow
@Timeout(240)
@Needs(Tool.CHROMIUM)
@NotEncrypted("the command opens the store without keys")
final class UiBrowserTest {
  private static final Pattern STARTED = Pattern.compile("started successfully on port (\\d+)");
  private static final Duration LIMIT = Duration.ofSeconds(60);
  private static final int NARROW = 360;

  @TempDir Path parent;

  private final HttpClient client = HttpClient.newHttpClient();
  private Process driver;
  private String session = "";

  /** No profile, no sandbox (which root has none of), no look at any host but the one asked for. */
  private Map<String, Object> wanted() {
    List<String> flags =
        List.of(
            "--headless",
            "--no-sandbox",
            "--disable-gpu",
            "--disable-dev-shm-usage",
            "--no-first-run",
            "--disable-background-networking",
            "--disable-component-update",
            "--disable-sync",
            "--window-size=1000,640",
            "--user-data-dir=" + parent.resolve("profile"));
    return Map.of(
        "browserName",
        "chrome",
        "goog:chromeOptions",
        Map.of("args", flags),
        "goog:loggingPrefs",
        Map.of("browser", "ALL"));
  }

  @BeforeEach
  void startBrowser() throws Exception {
    driver =
        new ProcessBuilder(Tool.CHROMIUM.program().toString(), "--port=0")
            .redirectErrorStream(true)
            .start();
    BufferedReader said =
        new BufferedReader(new InputStreamReader(driver.getInputStream(), StandardCharsets.UTF_8));
    Matcher started = STARTED.matcher("");
    for (String line = said.readLine(); line != null && !started.reset(line).find(); ) {
      line = said.readLine();
    }
    session = "http://127.0.0.1:" + started.group(1) + "/session";
    JsonNode made = send("", Map.of("capabilities", Map.of("alwaysMatch", wanted())));
    session += "/" + made.at("/sessionId").asString();
  }

  @AfterEach
  void endBrowser() throws Exception {
    List<ProcessHandle> started = driver.descendants().toList();
    driver.destroyForcibly();
    started.forEach(ProcessHandle::destroyForcibly);
    driver.waitFor(LIMIT.toSeconds(), TimeUnit.SECONDS);
  }

  private JsonNode send(String command, Map<String, ?> body)
      throws IOException, InterruptedException {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(session + command))
            .timeout(LIMIT)
            .POST(HttpRequest.BodyPublishers.ofString(JsonMapper.shared().writeValueAsString(body)))
            .build();
    HttpResponse<String> response = client.send(request, HttpResponse.BodyHandlers.ofString());
    assertThat(response.statusCode()).as(command + response.body()).isEqualTo(200);
    return JsonMapper.shared().readTree(response.body()).at("/value");
  }

  private String element(String selector) throws Exception {
    JsonNode found = send("/element", Map.of("using", "css selector", "value", selector));
    return "/element/" + found.properties().iterator().next().getValue().asString();
  }

  /**
   * Clicks, and waits for the page that follows: a form's may begin after the click is answered.
   */
  private void click(String selector) throws Exception {
    run("window.left = true");
    send(element(selector) + "/click", Map.of());
    while (!run("!window.left && document.readyState === 'complete'").asBoolean()) {
      TimeUnit.MILLISECONDS.sleep(10);
    }
  }

  private JsonNode run(String script) throws Exception {
    return send("/execute/sync", Map.of("script", "return " + script, "args", List.of()));
  }

  private void devTools(String command, Map<String, ?> parameters) throws Exception {
    send("/goog/cdp/execute", Map.of("cmd", command, "params", parameters));
  }

  private void screenshot(String name) throws Exception {
    JsonNode picture =
        send("/goog/cdp/execute", Map.of("cmd", "Page.captureScreenshot", "params", Map.of()));
    Path file = Files.createDirectories(Path.of("target")).resolve(name);
    Files.write(file, Base64.getDecoder().decode(picture.at("/data").asString()));
  }

  private Path filled() {
    Path store = parent.resolve("store");
    try (Rockpool pool = Rockpool.open(store)) {
      UiTest.fill(pool);
      var stock = pool.map("shop/stock", String.class, Long.class);
      for (long fruit = 0; fruit < 250; fruit++) {
        stock.put((fruit % 50 == 0 ? "apple-" : "pear-") + fruit, fruit);
      }
    }
    return store;
  }

  @Test
  void aNameIsFollowedAPrefixSearchedAndACopyMade() throws Exception {
    try (UiRun ui = UiRun.start(filled())) {
      send("/url", Map.of("url", ui.address().toString()));
      assertThat(run("document.title").asString()).isEqualTo("Names - Rockpool");
      assertThat(run("location.search").asString()).as("no token is left").isEmpty();
      assertThat(run("document.querySelectorAll('#names tbody tr').length").asInt()).isEqualTo(13);
      assertThat(run("getComputedStyle(document.querySelector('#home')).fontWeight").asString())
          .as("the style sheet")
          .isEqualTo("700");
      screenshot("ui-names.png");

      click("a[href*='shop%2Fstock']");
      assertThat(run("document.querySelector('h1').textContent").asString())
          .isEqualTo("shop/stock");
      assertThat(run("document.querySelectorAll('#elements tbody tr').length").asInt())
          .isEqualTo(UiPages.SIZE);
      click("#next");
      assertThat(run("document.querySelectorAll('#elements tbody tr').length").asInt())
          .isEqualTo(UiPages.SIZE);
      send(element("#prefix") + "/value", Map.of("text", "apple"));
      click("#search");
      assertThat(run("document.querySelector('#elements tbody').innerText").asString().lines())
          .hasSize(5)
          .allMatch(line -> line.startsWith("apple-"));

      String opened = run("document.querySelector('#opened').textContent").asString();
      TimeUnit.SECONDS.sleep(1); // the time of a copy is shown in seconds
      click("#refresh");
      assertThat(run("document.querySelector('#opened').textContent").asString())
          .isGreaterThan(opened);
      assertThat(run("document.querySelectorAll('#elements tbody tr').length").asInt())
          .as("the same page of the new copy")
          .isEqualTo(5);
      assertQuiet();
    }
  }

  @Test
  void aNarrowScreenIsNotScrolledSidewaysAndMayBeDark() throws Exception {
    Path store = filled();
    try (Rockpool pool = Rockpool.open(store)) {
      pool.map("x".repeat(200), String.class, String.class).put("y".repeat(400), "z".repeat(400));
    }
    try (UiRun ui = UiRun.start(store)) {
      devTools(
          "Emulation.setDeviceMetricsOverride",
          Map.of("width", NARROW, "height", 740, "deviceScaleFactor", 1, "mobile", true));
      send("/url", Map.of("url", ui.address().toString()));
      String light = run("getComputedStyle(document.body).backgroundColor").asString();
      devTools(
          "Emulation.setEmulatedMedia",
          Map.of("features", List.of(Map.of("name", "prefers-color-scheme", "value", "dark"))));
      assertThat(run("getComputedStyle(document.body).backgroundColor").asString())
          .isNotEqualTo(light);
      assertNarrow();
      for (String link :
          List.of(
              "a[href*='xxxx']",
              "a[href^='entry']",
              "a[href*='xxxx']",
              "#home",
              "a[href*='sortedMap']")) {
        click(link);
        assertNarrow();
      }
      screenshot("ui-narrow.png");
      assertQuiet();
    }
  }

  private void assertNarrow() throws Exception {
    assertThat(run("document.documentElement.scrollWidth").asInt())
        .as(run("location.href + document.body.innerText").asString())
        .isLessThanOrEqualTo(NARROW);
    assertThat(run("window.innerWidth").asInt()).isEqualTo(NARROW);
  }

  /** The console is empty, and nothing but the page's own server was asked. */
  private void assertQuiet() throws Exception {
    assertThat(send("/se/log", Map.of("type", "browser")).toString()).isEqualTo("[]");
    assertThat(
            run("performance.getEntriesByType('resource').map(each => new URL(each.name).origin)"
                    + ".filter(each => each !== location.origin).length")
                .asInt())
        .isZero();
  }
}
