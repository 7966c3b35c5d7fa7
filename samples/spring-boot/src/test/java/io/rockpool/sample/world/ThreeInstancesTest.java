package io.rockpool.sample.world;

import static io.rockpool.sample.world.Patience.until;
import static org.assertj.core.api.Assertions.assertThat;

import io.rockpool.sample.testing.LocalServer;
import io.rockpool.testing.tools.Tool;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Three instances of the service share a store on a server; instances and server are killed. */
@Timeout(300)
final class ThreeInstancesTest {
  private static final String SWISS = "api/countries/CH?language=de";
  private static final int COUNTRIES = Locale.getISOCountries().length;

  @TempDir private Path directory;
  private final List<Service> services = new CopyOnWriteArrayList<>();

  @AfterEach
  void close() {
    services.forEach(Service::close);
  }

  private Service start(LocalServer.Kind kind, LocalServer server, int port) throws IOException {
    Service service =
        Service.start(
            Stream.concat(
                    Three.arguments(kind, server).stream(),
                    Stream.of("--server.port=" + port, "--world.popular-every=2s"))
                .toList());
    services.add(service);
    return service;
  }

  /** Each runs four processes, so the change that a test run checks has one. */
  private static List<LocalServer.Kind> kinds() {
    return Boolean.getBoolean("rockpool.test.longRuns")
        ? List.of(LocalServer.Kind.values())
        : List.of(LocalServer.Kind.POSTGRESQL);
  }

  /**
   * Together, as a deployment starts them, so that they also race for the creation of the store.
   */
  private List<Service> startAll(LocalServer.Kind kind, LocalServer server) throws Exception {
    Callable<Service> one = () -> start(kind, server, 0);
    ExecutorService starting = Executors.newFixedThreadPool(Three.INSTANCES);
    try {
      List<Service> three = new ArrayList<>();
      for (Future<Service> each : starting.invokeAll(Collections.nCopies(Three.INSTANCES, one))) {
        three.add(each.get());
      }
      return three;
    } finally {
      starting.shutdown();
    }
  }

  @ParameterizedTest
  @MethodSource("kinds")
  void threeInstancesShareAStore(LocalServer.Kind kind) throws Exception {
    kind.tool().orSkip();
    boolean collections = kind == LocalServer.Kind.POSTGRESQL;
    try (LocalServer server = LocalServer.start(kind)) {
      List<Service> three = new ArrayList<>();
      three.addAll(startAll(kind, server));
      for (Service each : three) {
        until("all are seen", () -> alive(each), alive -> alive == Three.INSTANCES);
      }

      aChangeIsSeen(three);
      if (collections) {
        allWorkOffTheQueue(three);
      }
      anInstanceIsKilledUnderLoad(kind, server, three);
      aChangeIsSeen(three);

      server.kill();
      server.restart();
      for (Service each : three) {
        until("it answers again", () -> each.answer("GET", SWISS).statusCode(), ok -> ok == 200);
        until(
            "all are seen again",
            () -> each.answer("GET", "api/instances").statusCode() == 200 ? alive(each) : 0,
            alive -> alive == Three.INSTANCES);
      }
      aChangeIsSeen(three);
      // Queues are on PostgreSQL only.
      assertThat(three.get(0).answer("POST", "api/preparations?language=en").statusCode())
          .isEqualTo(collections ? 200 : 501);
      for (Service each : three) {
        until("it is up", () -> health(each), "UP"::equals);
      }
      thePageShowsAll(three, kind);
    }
  }

  private static String health(Service service) throws Exception {
    String body = service.answer("GET", "actuator/health").body();
    return JsonMapper.shared().readTree(body).at("/components/rockpool/status").asString();
  }

  private static JsonNode instances(Service service) throws Exception {
    return service.get("api/instances").at("/instances");
  }

  private static long alive(Service service) throws Exception {
    return instances(service).valueStream().filter(each -> !each.at("/report").isNull()).count();
  }

  /** Each of the instances changes a country in turn, and the others have that. */
  private static void aChangeIsSeen(List<Service> three) throws Exception {
    for (Service each : three) {
      until("it reads from memory", () -> hitsAfterRead(each), number -> number > 0);
    }
    for (Service changing : three) {
      JsonNode made = changing.send("POST", SWISS);
      for (Service each : three) {
        until("the change is seen", () -> each.get(SWISS), made::equals);
      }
    }
    for (Service each : three) {
      until(
          "the page tells of the changes of others",
          () -> sum(each, "invalidations"),
          number -> number >= 2);
    }
  }

  /** Memory is passed by until the changes of others are followed, so the first reads may miss. */
  private static long hitsAfterRead(Service service) throws Exception {
    service.get(SWISS);
    return sum(service, "memoryHits");
  }

  /** A number of an instance's caches, as its own page has it. */
  private static long sum(Service service, String number) throws Exception {
    return instances(service)
        .valueStream()
        .filter(each -> each.at("/here").asBoolean())
        .flatMap(each -> each.at("/report/caches").valueStream())
        .mapToLong(cache -> cache.at("/" + number).asLong())
        .sum();
  }

  private static void allWorkOffTheQueue(List<Service> three) throws Exception {
    for (String language : List.of("sw", "fr", "ja", "ar")) {
      three.get(0).send("POST", "api/preparations?language=" + language);
    }
    until("the queue is done", () -> three.get(1).get("api/preparations").asInt(), n -> n == 0);
    for (Service each : three) {
      until(
          "the reports have all",
          () -> reported(each, "prepared"),
          all -> all.stream().mapToLong(n -> n).sum() >= 4L * COUNTRIES);
      List<Long> shares = until("each has a share", () -> shares(each), all -> !all.contains(0L));
      assertThat(shares).hasSize(Three.INSTANCES);
      until(
          "the timer fires once for all",
          () -> reported(each, "firings"),
          all -> all.stream().mapToLong(n -> n).sum() >= 2);
    }
  }

  /** An instance that was held up may have found nothing to do, so there is more until it does. */
  private static List<Long> shares(Service service) throws Exception {
    List<Long> all = reported(service, "prepared");
    if (all.contains(0L) && service.get("api/preparations").asInt() == 0) {
      service.send("POST", "api/preparations?language=sw");
    }
    return all;
  }

  private static List<Long> reported(Service service, String number) throws Exception {
    return instances(service).valueStream().map(i -> i.at("/report/" + number).asLong()).toList();
  }

  private void anInstanceIsKilledUnderLoad(
      LocalServer.Kind kind, LocalServer server, List<Service> three) throws Exception {
    Map<String, Integer> failures = new ConcurrentHashMap<>();
    List<Thread> load =
        IntStream.range(0, 2)
            .mapToObj(i -> new Thread(() -> load(three.get(i), failures), "load-" + i))
            .toList();
    load.forEach(Thread::start);
    try {
      Service killed = three.get(2);
      killed.kill();
      for (Service each : three.subList(0, 2)) {
        until("it is seen to be gone", () -> alive(each), alive -> alive == 2);
      }
      three.set(2, start(kind, server, killed.port()));
      for (Service each : three) {
        until("it is back", () -> alive(each), alive -> alive == Three.INSTANCES);
      }
    } finally {
      load.forEach(Thread::interrupt);
      for (Thread thread : load) {
        thread.join();
      }
    }
    assertThat(failures).isEmpty();
  }

  private static void load(Service service, Map<String, Integer> failures) {
    String[] codes = Locale.getISOCountries();
    try {
      for (int i = 0; ; i++) {
        String path = "api/countries/" + codes[i % codes.length] + "?language=de";
        int status = service.answer(i % 10 == 0 ? "POST" : "GET", path).statusCode();
        if (status != 200) {
          failures.merge(path + ": " + status, 1, Integer::sum);
        }
        Thread.sleep(2);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (IOException e) {
      failures.merge(e.toString(), 1, Integer::sum);
    }
  }

  private void thePageShowsAll(List<Service> three, LocalServer.Kind kind) throws Exception {
    if (!Tool.CHROMIUM.isPresent()) {
      return; // WorldApplicationTest says that it is missing
    }
    try (Browser browser = Browser.start(directory.resolve("profile"))) {
      browser.open(three.get(0).address());
      until(
          "three rows",
          () -> browser.run("return document.querySelectorAll('#instances tr').length").asInt(),
          rows -> rows == Three.INSTANCES);
      until(
          "none is gone",
          () -> browser.run("return document.querySelectorAll('#instances .gone').length").asInt(),
          gone -> gone == 0);
      browser.click("again");
      until("it was made", () -> browser.text("made"), text -> text.contains("was made again"));
      browser.click("ask");
      until("answers", () -> browser.text("answer"), text -> text.contains("300 answers"));
      boolean noteHidden = browser.run("return document.getElementById('note').hidden").asBoolean();
      assertThat(noteHidden).isEqualTo(kind == LocalServer.Kind.POSTGRESQL);
      Path picture =
          Files.createDirectories(Path.of("target"))
              .resolve("page-" + kind.name().toLowerCase(Locale.ROOT) + ".png");
      browser.screenshot(picture);
      assertThat(picture).isNotEmptyFile();
    }
  }
}
