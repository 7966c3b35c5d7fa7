package io.rockpool.sample.world;

import static io.rockpool.sample.world.Patience.until;
import static org.assertj.core.api.Assertions.assertThat;

import io.rockpool.sample.testing.Stores;
import io.rockpool.testing.tools.Needs;
import io.rockpool.testing.tools.Tool;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** The service as its users have it: a process, which is killed, and a page in a browser. */
@Timeout(240)
final class WorldApplicationTest {
  @TempDir private Path directory;

  @Test
  void aKilledServiceIsWarmWhenItIsBack() throws Exception {
    List<JsonNode> first = new ArrayList<>();
    List<String> paths =
        List.of(
            "api/countries/CH?language=de",
            "api/countries/IN?language=fr",
            "api/countries/AQ?language=en",
            "api/clocks?zone=Europe/Zurich&language=de");
    try (Service service = Service.start(directory.resolve("store"))) {
      for (String path : paths) {
        first.add(service.get(path));
      }
      assertThat(first.get(0).at("/name").asString()).isEqualTo("Schweiz");
      assertThat(first.get(0).at("/customs").size()).isGreaterThanOrEqualTo(4);
      assertThat(first.get(0).at("/sameCurrency/0").asString()).isEqualTo("Liechtenstein");
      assertThat(first.get(3).at("/sameTime").toString()).contains("Europe/Berlin");
      service.get(paths.get(0));
      // Only some of these can be done when it is killed.
      service.send("POST", "api/preparations?language=sw");
      service.kill();
    }
    try (Service service = Service.start(directory.resolve("store"))) {
      for (int i = 0; i < paths.size(); i++) {
        // With the pid of the process that is dead.
        assertThat(service.get(paths.get(i))).isEqualTo(first.get(i));
      }
      JsonNode best = service.get("api/leaderboard").at("/0");
      assertThat(best.at("/code").asString()).isEqualTo("CH");
      assertThat(best.at("/times").asLong()).isEqualTo(3);

      // The first process may have prepared everything before it was killed.
      service.send("POST", "api/preparations?language=sw");
      until("everything is prepared", () -> service.get("api/preparations").asInt(), n -> n == 0);
      JsonNode queues = service.get("actuator/rockpool").at("/stores/rockpool/queues");
      assertThat(queues.at("/0/name").asString()).isEqualTo("world/popular");
      assertThat(Instant.parse(queues.at("/0/nextFiring").asString()))
          .isBefore(Instant.now().plus(Duration.ofMinutes(2)));
      assertThat(queues.at("/1/name").asString()).isEqualTo("world/prepare");
      assertThat(queues.at("/1/depth").asLong()).isZero();
      assertThat(queues.at("/1/acknowledged").asLong()).isPositive();
      JsonNode caches = service.get("actuator/rockpool").at("/cacheManagers/cacheManager");
      JsonNode clocks = caches.at("/0");
      assertThat(clocks.at("/name").asString()).isEqualTo("clocks");
      assertThat(clocks.at("/misses").asLong()).isZero();
      assertThat(clocks.at("/loads").asLong()).isZero();
      JsonNode week = service.get("actuator/rockpool/countries").at("/entries");
      assertThat(week.at("/sampled").asInt()).isGreaterThan(200);
      assertThat(week.at("/whole").asBoolean()).isTrue();
      assertThat(week.at("/ttls/0/upTo").asString()).isEqualTo("PT168H");
      assertThat(service.get("actuator/health").at("/components/rockpool/status").asString())
          .isEqualTo("UP");
      assertThat(
              service
                  .get("actuator/metrics/cache.hits?tag=tier:memory&tag=cache:clocks")
                  .at("/measurements/0/value")
                  .isNumber())
          .isTrue();
      assertThat(
              service
                  .get("actuator/metrics/rockpool.disk.used")
                  .at("/measurements/0/value")
                  .asDouble())
          .isPositive();
    }
    Stores.verify(directory.resolve("store"));
  }

  @Test
  @Needs(Tool.CHROMIUM)
  void thePageShowsWhatTheCachesDo() throws Exception {
    try (Service service = Service.start(directory.resolve("store"));
        Browser browser = Browser.start(directory.resolve("profile"))) {
      browser.open(service.address());
      until("the page has numbers", () -> browser.text("disk"), text -> text.endsWith(" MB"));
      assertThat(browser.text("memory-hits")).isEqualTo("0");

      browser.click("ask");
      until("answers", () -> browser.text("answer"), text -> text.contains("300 answers"));
      until("hits", () -> browser.text("hit-ratio"), text -> text.endsWith(" %"));
      until("hits in memory", () -> number(browser.text("memory-hits")), hits -> hits > 0);
      assertThat(number(browser.text("misses"))).isPositive();
      assertThat(browser.run("return document.querySelectorAll('#leaderboard li').length").asInt())
          .isEqualTo(10);
      assertThat(browser.run("return document.querySelectorAll('.uplot canvas').length").asInt())
          .isEqualTo(3);

      browser.click("prepare");
      until("the queue is done", () -> number(browser.text("waiting")), waiting -> waiting == 0);
      int countries = Locale.getISOCountries().length;
      until(
          "the queue has handled all countries",
          () -> browser.run("return document.querySelector('#queues tr:last-child').innerText"),
          row -> row.asString().startsWith("world/prepare\t0\t0\t" + countries + "\t0"));
      Path picture = Files.createDirectories(Path.of("target")).resolve("page.png");
      browser.screenshot(picture);
      assertThat(picture).isNotEmptyFile();
    }
  }

  private static long number(String text) {
    return Long.parseLong(text.replace(",", ""));
  }
}
