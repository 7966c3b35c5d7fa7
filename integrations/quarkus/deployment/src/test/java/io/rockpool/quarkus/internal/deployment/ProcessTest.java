package io.rockpool.quarkus.internal.deployment;

import static org.assertj.core.api.Assertions.assertThat;

import io.quarkus.builder.Version;
import io.quarkus.maven.dependency.Dependency;
import io.quarkus.runtime.QuarkusApplication;
import io.quarkus.runtime.annotations.QuarkusMain;
import io.quarkus.test.QuarkusProdModeTest;
import io.rockpool.testing.Slow;
import jakarta.inject.Inject;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.apache.commons.io.FileUtils;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The jar that Quarkus builds of an application, as a process that is started twice. */
@Slow
final class ProcessTest {
  private static final Path DIRECTORY = Path.of("target", "process-store").toAbsolutePath();

  @RegisterExtension
  static final QuarkusProdModeTest APPLICATION =
      new QuarkusProdModeTest()
          .withApplicationRoot(jar -> jar.addClasses(Library.class, Main.class))
          .setApplicationName("library")
          .overrideConfigKey("quarkus.cache.type", "rockpool")
          .overrideConfigKey("quarkus.http.host-enabled", "false")
          .overrideConfigKey("quarkus.rockpool.directory", DIRECTORY.toString())
          .setForcedDependencies(
              List.of(extension("quarkus-smallrye-health"), extension("quarkus-micrometer")))
          .setExpectExit(true);

  /** Those of the tests' class path, which Quarkus leaves out of the jar unless they are named. */
  private static Dependency extension(String name) {
    return Dependency.of("io.quarkus", name, Version.getVersion());
  }

  @QuarkusMain
  static class Main implements QuarkusApplication {
    @Inject Library library;

    @Override
    public int run(String... args) {
      System.out.println(
          "found " + library.find("1") + library.byRecord(new Library.Shelf("a", 5)));
      return library.calls();
    }
  }

  @Test
  void theSecondProcessHasTheValuesOfTheFirst() throws IOException {
    FileUtils.deleteDirectory(DIRECTORY.toFile());
    for (int calls : new int[] {2, 0}) {
      APPLICATION.start();
      assertThat(APPLICATION.getStartupConsoleOutput()).contains("found " + Library.book("1"));
      assertThat(APPLICATION.getExitCode()).isEqualTo(calls);
    }
  }
}
