package io.rockpool.spring.boot;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import io.rockpool.Rockpool;
import io.rockpool.error.CorruptStoreException;
import io.rockpool.error.RockpoolException;
import io.rockpool.error.StoreIoException;
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
  static class Application {}

  @TempDir private Path directory;

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
      FailureAnalysis analysis = analysis();
      assertThat(analysis.getDescription()).contains(directory.toString(), "pid " + other.pid());
      assertThat(analysis.getAction())
          .contains("Stop process " + other.pid(), "rockpool.directory");
    } finally {
      other.destroyForcibly().waitFor(10, TimeUnit.SECONDS);
    }
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
  void missingNativeCodeNamesThePlatforms() {
    StoreIoException failure =
        new StoreIoException("RocksDB has no native code for this machine: x is missing.", null);
    FailureAnalysis analysis =
        new RockpoolFailureAnalyzer().analyze(new IllegalStateException(failure));
    assertThat(analysis.getDescription()).contains("no native code");
    assertThat(analysis.getAction()).contains("rocksdbjni", "java.io.tmpdir");
  }

  @Test
  void aDirectoryThatCannotBeUsedAsksForRights() {
    StoreIoException failure = new StoreIoException("The directory x cannot be created.", null);
    FailureAnalysis analysis = new RockpoolFailureAnalyzer().analyze(failure);
    assertThat(analysis.getDescription()).contains("cannot be created");
    assertThat(analysis.getAction()).contains("rockpool.directory", "read and write");
  }

  @Test
  void whatIsNotAboutStartingIsLeftToOthers() {
    assertThat(new RockpoolFailureAnalyzer().analyze(new RockpoolException("else"))).isNull();
    assertThat(new RockpoolFailureAnalyzer().analyze(new IOException("else"))).isNull();
  }

  @Test
  void mistakesInPropertiesAreToldByTheirNames() {
    assertThat(analysis("--rockpool.durability=forever").getDescription())
        .contains("rockpool.durability", "forever");
    assertThat(analysis("--rockpool.defaults.ttl=soon").getDescription())
        .contains("rockpool.defaults.ttl", "soon");
    assertThat(analysis("--rockpool.caches.orders.ttl=0s").getDescription())
        .contains("rockpool.caches.orders.ttl", "more than 0");
    assertThat(analysis("--rockpool.defaults.null-ttl=-1s").getDescription())
        .contains("rockpool.defaults.null-ttl");
    assertThat(analysis("--rockpool.memory=-1").getDescription()).contains("rockpool.memory");
    assertThat(analysis("--rockpool.defaults.hot-entries=-1").getDescription())
        .contains("rockpool.defaults.hot-entries");
    assertThat(analysis("--rockpool.defaults.hot-bytes=-1").getDescription())
        .contains("rockpool.defaults.hot-bytes");
    assertThat(
            analysis("--rockpool.defaults.ttl=1h", "--rockpool.defaults.tti=1h").getDescription())
        .contains("rockpool.defaults.ttl", "rockpool.defaults.tti", "mutually exclusive");
    assertThat(
            analysis("--rockpool.caches.a.hot-entries=1", "--rockpool.caches.a.hot-bytes=1MB")
                .getDescription())
        .contains("rockpool.caches.a.hot-entries", "mutually exclusive");
    assertThat(directory).isEmptyDirectory();
  }

  private FailureAnalysis analysis(String... arguments) {
    List<String> all = new ArrayList<>(List.of("--rockpool.directory=" + directory));
    all.addAll(List.of(arguments));
    SpringApplication application = new SpringApplication(Application.class);
    application.setWebApplicationType(WebApplicationType.NONE);
    application.setLogStartupInfo(false);
    application.setRegisterShutdownHook(false);
    application.setBannerMode(Banner.Mode.OFF);
    try {
      application.run(all.toArray(String[]::new)).close();
    } catch (RuntimeException e) {
      return analyze(e);
    }
    throw new AssertionError("started with " + all);
  }

  /** As Boot does: the first of all its analyzers and ours that has something to say. */
  private static FailureAnalysis analyze(Throwable failure) {
    return SpringFactoriesLoader.forDefaultResourceLocation()
        .load(
            FailureAnalyzer.class,
            ArgumentResolver.of(BeanFactory.class, new DefaultListableBeanFactory())
                .and(Environment.class, new StandardEnvironment()),
            (type, name, unusable) -> {}) // some of Boot's are for web applications
        .stream()
        .map(analyzer -> analyzer.analyze(failure))
        .filter(Objects::nonNull)
        .findFirst()
        .orElseThrow(() -> new AssertionError("nobody knew", failure));
  }
}
