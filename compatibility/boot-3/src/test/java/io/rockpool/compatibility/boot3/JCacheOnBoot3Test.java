package io.rockpool.compatibility.boot3;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.SpringBootVersion;
import org.springframework.context.ConfigurableApplicationContext;

/** The way that works with Spring Boot 3. */
final class JCacheOnBoot3Test {
  private static final String DIRECTORY = "rockpool.directory";

  @TempDir Path directory;

  @AfterEach
  void forget() {
    System.clearProperty(DIRECTORY);
  }

  @Test
  void anApplicationIsWarmAfterARestart() {
    assertThat(SpringBootVersion.getVersion()).startsWith("3.5.");
    System.setProperty(DIRECTORY, directory.resolve("store").toString());
    for (int expectedCalls : new int[] {2, 0}) {
      try (ConfigurableApplicationContext context = Application.start()) {
        Application application = context.getBean(Application.class);
        for (int round = 0; round < 2; round++) {
          assertThat(application.square(3, "m")).isEqualTo("9m");
          assertThat(application.square(3, "km")).isEqualTo("9km");
        }
        assertThat(application.calls()).isEqualTo(expectedCalls);
      }
    }
  }
}
