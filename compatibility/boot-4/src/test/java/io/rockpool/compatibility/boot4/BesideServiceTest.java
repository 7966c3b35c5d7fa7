package io.rockpool.compatibility.boot4;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.junit.platform.launcher.listeners.SummaryGeneratingListener;
import org.junit.platform.launcher.listeners.TestExecutionSummary;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.test.context.TestPropertySource;

/**
 * Tests of an application, in two processes at once, while the application itself runs: all in one
 * working directory, and with the application's own files.
 */
@Tag("slow")
final class BesideServiceTest {
  private static final String MEETING = "shop.meeting";

  @TempDir Path parent;

  /** What each of the application's tests tries. */
  abstract static class ShopTests {
    @Autowired Catalog catalog;

    @Value("${shop.owner}")
    String owner;

    @Test
    void itsCachesAreItsOwn() throws Exception {
      assertThat(catalog.owner("key")).isEqualTo(owner);
      assertThat(catalog.calls()).isEqualTo(1);
      meet();
      assertThat(catalog.owner("key")).isEqualTo(owner);
      catalog.owner(owner);
      assertThat(catalog.calls()).isEqualTo(2);
    }

    /** Waits until the other process has a store open, too. */
    private static void meet() throws Exception {
      Path here = Path.of(System.getProperty(MEETING));
      Files.writeString(here.resolve("" + ProcessHandle.current().pid()), "");
      long end = System.nanoTime() + 60_000_000_000L;
      while (names(here).size() < 2) {
        assertThat(System.nanoTime()).isLessThan(end);
        Thread.sleep(20);
      }
    }
  }

  @SpringBootTest(properties = "shop.owner=one")
  static class One extends ShopTests {}

  @SpringBootTest(webEnvironment = WebEnvironment.RANDOM_PORT, properties = "shop.owner=two")
  static class Two extends ShopTests {}

  @SpringBootTest(classes = Shop.class, args = "--rockpool.memory=32MB")
  @TestPropertySource(properties = "shop.owner=three")
  static class Three extends ShopTests {}

  @SpringBootTest(properties = {"shop.owner=four", "rockpool.defaults.ttl=1h"})
  static class Four extends ShopTests {}

  /** Runs test classes, as a build tool's process does. */
  static final class Fork {
    private Fork() {}

    public static void main(String[] classes) {
      SummaryGeneratingListener listener = new SummaryGeneratingListener();
      LauncherFactory.create()
          .execute(
              LauncherDiscoveryRequestBuilder.request()
                  .selectors(Arrays.stream(classes).map(name -> selectClass(name)).toList())
                  // Extensions of this project's own tests are none of the application's.
                  .configurationParameter("junit.jupiter.extensions.autodetection.enabled", "false")
                  .build(),
              listener);
      TestExecutionSummary summary = listener.getSummary();
      summary.printFailuresTo(new PrintWriter(System.out, true, UTF_8));
      System.out.println("passed: " + summary.getTestsSucceededCount());
      System.exit(0); // Contexts that are still open, with their web servers, end with the process.
    }
  }

  private Service fork(Path directory, Path temporary, Class<?>... tests) throws IOException {
    return Service.start(
        directory,
        Fork.class,
        List.of("-D" + MEETING + "=" + parent.resolve("meeting"), "-Djava.io.tmpdir=" + temporary),
        Arrays.stream(tests).map(Class::getName).toArray(String[]::new));
  }

  private static List<String> names(Path directory) throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files.map(it -> it.getFileName().toString()).sorted().toList();
    }
  }

  @Test
  void testsNeitherDisturbTheServiceNorEachOtherNorLeaveAnything() throws Exception {
    Path directory = Files.createDirectory(parent.resolve("application"));
    Path temporary = Files.createDirectory(parent.resolve("temporary"));
    Files.createDirectory(parent.resolve("meeting"));
    Files.writeString(
        directory.resolve("application.properties"),
        "rockpool.directory=shop-data\nrockpool.lock-wait=0s\n");
    List<String> files;
    try (Service service = Service.start(directory)) {
      assertThat(service.get("/owner")).isEqualTo("the service, calls 1");
      files = names(directory);
      assertThat(files).containsExactly("application.properties", "shop-data");
      try (Service one = fork(directory, temporary, One.class, Two.class);
          Service other = fork(directory, temporary, Three.class, Four.class)) {
        for (Service fork : List.of(one, other)) {
          assertThat(fork.waitFor()).as(fork.log()).isZero();
          assertThat(fork.log()).contains("passed: 2");
        }
      }
      assertThat(names(directory)).isEqualTo(files);
      assertThat(names(temporary)).singleElement().asString().startsWith("rockpool-native-");
      assertThat(service.get("/owner")).isEqualTo("the service, calls 1");
      service.kill();
    }
    try (Service service = Service.start(directory)) {
      assertThat(service.get("/owner")).isEqualTo("the service, calls 0");
    }
  }
}
