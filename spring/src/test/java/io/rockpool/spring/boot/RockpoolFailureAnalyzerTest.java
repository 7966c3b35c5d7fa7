package io.rockpool.spring.boot;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rockpool.Rockpool;
import io.rockpool.error.CorruptStoreException;
import io.rockpool.error.RockpoolException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.support.DefaultListableBeanFactory;
import org.springframework.boot.Banner;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.cache.autoconfigure.CacheAutoConfiguration;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.diagnostics.FailureAnalyzer;
import org.springframework.cache.annotation.EnableCaching;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.core.io.support.SpringFactoriesLoader;
import org.springframework.core.io.support.SpringFactoriesLoader.ArgumentResolver;

/** Applications that do not start, and what their operators are told. */
final class RockpoolFailureAnalyzerTest {
  @Configuration
  @EnableCaching
  @ImportAutoConfiguration({
    RockpoolAutoConfiguration.class,
    RockpoolCacheAutoConfiguration.class,
    CacheAutoConfiguration.class
  })
  static class Application {
    public static void main(String[] args) {
      SpringApplication application = new SpringApplication(Application.class);
      application.setWebApplicationType(WebApplicationType.NONE);
      application.run(args);
    }
  }

  @TempDir private Path directory;

  /** That of the application that has just been started. */
  private Environment environment = new StandardEnvironment();

  @Test
  void aLockedDirectoryNamesTheProcess() throws Exception {
    Process other =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                StoreHolder.class.getName(),
                directory.toString())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    try {
      assertThat(other.getInputStream().read()).isEqualTo('!');
      FailureAnalysis analysis = analysis("--rockpool.lock-wait=0s");
      assertThat(analysis.getDescription()).contains(directory.toString(), "pid " + other.pid());
      assertThat(analysis.getAction())
          .contains("Stop process " + other.pid(), "rockpool.directory", "rockpool.lock-wait")
          .contains("rockpool.when-locked=temporary");
    } finally {
      other.destroyForcibly().waitFor(10, TimeUnit.SECONDS);
    }
  }

  @Test
  void anOlderBootIsNamedAndSoIsTheWayThatWorksThere() {
    assertThatThrownBy(() -> BootVersionCheck.check("3.5.7"))
        .isInstanceOfSatisfying(
            RockpoolException.class,
            refused -> {
              assertThat(refused)
                  .hasMessage(
                      "rockpool-spring needs Spring Boot 4. This application runs on Spring Boot"
                          + " 3.5.7.");
              assertThat(new RockpoolFailureAnalyzer().analyze(refused).getAction())
                  .contains("rockpool-jcache", "spring.cache.type=jcache");
            });
    BootVersionCheck.check("4.1.1");
    BootVersionCheck.check("10.0.0-M1");
    BootVersionCheck.check(null);
  }

  @Test
  void aNewerFormatAsksForTheNewerLibrary() throws Exception {
    Rockpool.open(directory).close();
    Files.writeString(directory.resolve("ROCKPOOL"), "Rockpool store\nformat 999\n", ISO_8859_1);
    FailureAnalysis analysis = analysis();
    assertThat(analysis.getDescription()).contains("format 999");
    assertThat(analysis.getAction()).contains("newer");
  }

  @Test
  void aDamagedStoreAsksForACopy() throws Exception {
    Rockpool.open(directory).close();
    Files.writeString(directory.resolve("ROCKPOOL"), "Rockpool stxre\nformat 1\n", ISO_8859_1);
    FailureAnalysis analysis = analysis();
    assertThat(analysis.getDescription()).contains(directory.toString());
    assertThat(analysis.getCause()).isInstanceOf(CorruptStoreException.class);
    assertThat(analysis.getAction()).contains("Restore the directory from a copy");
  }

  @Test
  void aForeignDirectoryIsLeftAlone() throws Exception {
    Files.writeString(directory.resolve("letter.txt"), "dear");
    assertThat(analysis().getAction()).contains("empty or missing directory");
    assertThat(directory.resolve("letter.txt")).hasContent("dear");
  }

  @Test
  void aNameThatHoldsSomethingElseAsksForAPrefix() {
    try (Rockpool pool = Rockpool.open(directory)) {
      pool.map("stock", String.class, Long.class);
    }
    FailureAnalysis analysis = analysis("--spring.cache.cache-names=stock");
    assertThat(analysis.getDescription()).contains("stock");
    assertThat(analysis.getAction()).contains("key-prefix");
  }

  @Test
  void aMachineWithoutNativeCodeNamesThePlatforms() throws Exception {
    assertThat(report("-Dos.arch=ppc64"))
        .contains("APPLICATION FAILED TO START", "RocksDB has no native code for this machine")
        .contains("Run on Linux (glibc or musl), macOS or Windows", "rocksdbjni");
  }

  @Test
  void nowhereToLoadNativeCodeFromAsksForATemporaryDirectory() throws Exception {
    Rockpool.open(directory).close();
    Files.createFile(directory.resolve("native")); // nor can the store keep it
    assertThat(report("-Djava.io.tmpdir=/proc/none", "-Duser.home=/proc/none"))
        .contains("APPLICATION FAILED TO START", "could not be loaded from /proc/none")
        .contains("-Djava.io.tmpdir");
  }

  /** What an application of its own says, which Boot's own report of the failure is part of. */
  private String report(String... flags) throws Exception {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"));
    // The developer tools, which another test wants on the class path, end what fails with 0.
    command.add("-Dspring.devtools.restart.enabled=false");
    command.addAll(List.of(flags));
    command.addAll(List.of("-cp", System.getProperty("java.class.path")));
    command.addAll(List.of(Application.class.getName(), "--rockpool.directory=" + directory));
    Path output = Files.createTempFile("rockpool-report", ".txt");
    Process process =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start();
    try {
      assertThat(process.waitFor(60, TimeUnit.SECONDS)).as("it has ended").isTrue();
      assertThat(process.exitValue()).isEqualTo(1);
      return Files.readString(output);
    } finally {
      process.destroyForcibly();
      Files.delete(output);
    }
  }

  @Test
  void aDirectoryThatCannotBeUsedAsksForRights() throws Exception {
    Path file = Files.writeString(directory.resolve("letter.txt"), "dear");
    assertThat(analysis("--rockpool.directory=" + file).getAction())
        .contains("rockpool.directory", "empty or missing directory");
    assertThat(analysis("--rockpool.directory=" + file.resolve("below")).getAction())
        .contains("rockpool.directory")
        .containsAnyOf(
            "empty or missing directory", "exists or can be created"); // as the JDK has it
    FailureAnalysis analysis = analysis("--rockpool.directory=/proc/none/store");
    assertThat(analysis.getDescription()).contains("/proc/none/store");
    assertThat(analysis.getAction()).contains("rockpool.directory", "read and write");
    assertThat(file).hasContent("dear");
  }

  @Test
  void whatIsNotAboutStartingIsLeftToOthers() {
    assertThat(new RockpoolFailureAnalyzer().analyze(new RockpoolException("else"))).isNull();
    assertThat(new RockpoolFailureAnalyzer().analyze(new IOException("else"))).isNull();
  }

  @Test
  void mistakesInPropertiesAreToldByTheirNames() {
    for (String wrong :
        List.of(
            "rockpool.engine=postgres",
            "rockpool.lock-wait=-1s",
            "rockpool.caches.a.ttl=-1s",
            "rockpool.caches.a.ttl=0",
            "rockpool.caches.a.jitter=2",
            "rockpool.caches.a.hot-size=lots",
            "rockpool.caches.a.write-behind.delay=-1s",
            "rockpool.idempotency.ttl=-1s")) {
      String[] parts = wrong.split("=", -1);
      FailureAnalysis analysis = analysis("--" + wrong);
      assertThat(analysis.getDescription())
          .startsWith(
              "Invalid value '%s' for configuration property '%s'".formatted(parts[1], parts[0]))
          .contains("Give ");
      assertThat(analysis.getAction()).isEqualTo("Correct the property " + parts[0] + ".");
    }
    assertThat(analysis("--rockpool.engine=postgres").getDescription())
        .endsWith("Give embedded, redis or postgresql.");
    assertThat(
            analysis("--rockpool.caches.a.soft-ttl=1h", "--rockpool.caches.a.ttl=1h")
                .getDescription())
        .startsWith("Invalid value '1h' for configuration property 'rockpool.caches.a.soft-ttl'")
        .endsWith("Give less than rockpool.caches.a.ttl, or leave it out.");
    assertThat(analysis("--rockpool.caches[by-*].ttl=0s").getDescription())
        .startsWith("Invalid value 'PT0S' for configuration property 'rockpool.caches.by-*.ttl'");
    assertThat(analysis("--rockpool.durability=forever").getDescription())
        .contains("rockpool.durability", "forever");
    assertThat(analysis("--rockpool.defaults.ttl=soon").getDescription())
        .contains("rockpool.defaults.ttl", "soon");
    assertThat(analysis("--rockpool.caches.orders.ttl=0s").getDescription())
        .contains("rockpool.caches.orders.ttl", "more than 0");
    assertThat(analysis("--rockpool.defaults.null-ttl=-1s").getDescription())
        .contains("rockpool.defaults.null-ttl");
    assertThat(analysis("--rockpool.memory=-1").getDescription()).contains("rockpool.memory");
    assertThat(analysis("--rockpool.defaults.hot-size=-1").getDescription())
        .contains("rockpool.defaults.hot-size", "0 for none");
    assertThat(analysis("--rockpool.defaults.maximum-size=0").getDescription())
        .contains("rockpool.defaults.maximum-size");
    assertThat(analysis("--rockpool.heap-budget=0B").getDescription())
        .contains("rockpool.heap-budget");
    for (String wrong : List.of("-1MB", "many", "1.5", "64 hats")) {
      assertThat(analysis("--rockpool.caches.a.hot-size=" + wrong).getDescription())
          .contains("rockpool.caches.a.hot-size", "Give ");
    }
    assertThat(directory).isEmptyDirectory();
  }

  @Test
  void aSoftTtlIsLessThanTheTtlWhereverEachIsSet() {
    FailureAnalysis soft =
        analysis("--rockpool.defaults.ttl=10s", "--rockpool.caches.a.soft-ttl=20s");
    assertThat(soft.getDescription())
        .startsWith("Invalid value '20s' for configuration property 'rockpool.caches.a.soft-ttl'")
        .endsWith("Give less than rockpool.defaults.ttl, or leave it out.");
    FailureAnalysis ttl =
        analysis("--rockpool.defaults.soft-ttl=10s", "--rockpool.caches[by-*].ttl=10s");
    assertThat(ttl.getDescription())
        .startsWith("Invalid value 'PT10S' for configuration property 'rockpool.caches.by-*.ttl'")
        .endsWith(
            "Give more than rockpool.defaults.soft-ttl, or set rockpool.caches.by-*.soft-ttl to"
                + " less.");
    assertThat(
            analysis("--rockpool.defaults.soft-ttl=2s", "--rockpool.defaults.ttl=1s")
                .getDescription())
        .startsWith("Invalid value '2s' for configuration property 'rockpool.defaults.soft-ttl'")
        .endsWith("Give less than rockpool.defaults.ttl, or leave it out.");
    assertThat(directory).isEmptyDirectory();
  }

  @Test
  void aTtlThatTheCacheReplacesDoesNotCount() {
    start(
        "--rockpool.defaults.ttl=10s",
        "--rockpool.defaults.soft-ttl=5s",
        "--rockpool.caches.idle.tti=1s",
        "--rockpool.caches.idle.soft-ttl=20s",
        "--rockpool.caches.long.ttl=1h",
        "--rockpool.caches.long.soft-ttl=20s",
        "--rockpool.caches.short.ttl=1s",
        "--rockpool.caches.short.soft-ttl=500ms");
  }

  @Test
  void mistakesInAUriAreToldWithoutItsPasswords() {
    FailureAnalysis analysis =
        analysis("--rockpool.uri=//me:secret@h/d?password=secret&timeout=1s#secret");
    assertThat(analysis.getDescription())
        .startsWith(
            "Invalid value '//******@h/d?password=******&timeout=1s' for configuration property"
                + " 'rockpool.uri' (originating from ")
        .endsWith("The URI //h/d has no scheme. Give one such as redis://localhost:6379.");
    assertThat(analysis.getAction()).isEqualTo("Correct the property rockpool.uri.");
  }

  private FailureAnalysis analysis(String... arguments) {
    try {
      start(arguments);
    } catch (RuntimeException e) {
      return analyze(e);
    }
    throw new AssertionError("started with " + List.of(arguments));
  }

  private void start(String... arguments) {
    List<String> all = new ArrayList<>(List.of(arguments));
    if (all.stream().noneMatch(argument -> argument.startsWith("--rockpool.directory"))) {
      all.add("--rockpool.directory=" + directory);
    }
    SpringApplication application = new SpringApplication(Application.class);
    application.setWebApplicationType(WebApplicationType.NONE);
    application.setLogStartupInfo(false);
    application.setRegisterShutdownHook(false);
    application.setBannerMode(Banner.Mode.OFF);
    application.addInitializers(context -> environment = context.getEnvironment());
    application.run(all.toArray(String[]::new)).close();
  }

  /** As Boot does: the first of all its analyzers and ours that has something to say. */
  private FailureAnalysis analyze(Throwable failure) {
    return SpringFactoriesLoader.forDefaultResourceLocation()
        .load(
            FailureAnalyzer.class,
            ArgumentResolver.of(BeanFactory.class, new DefaultListableBeanFactory())
                .and(Environment.class, environment),
            (type, name, unusable) -> {}) // some of Boot's are for web applications
        .stream()
        .map(analyzer -> analyzer.analyze(failure))
        .filter(Objects::nonNull)
        .findFirst()
        .orElseThrow(() -> new AssertionError("nobody knew", failure));
  }
}
