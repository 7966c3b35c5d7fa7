package io.rockpool.sample.atlas;

import static org.assertj.core.api.Assertions.assertThat;

import io.rockpool.sample.testing.Program;
import io.rockpool.sample.testing.Stores;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Runs the application as its users do, each time in a JVM of its own. */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
final class JdkAtlasTest {
  private static final long CLASSES = 2_000;
  private static final long CRASH_AFTER = 1_000;
  private static final String NUMBERS = "atlas: ";

  @TempDir private Path directory;

  @Test
  void aSecondRunIsAnsweredFromDisk() throws Exception {
    Run cold = atlas();
    assertThat(cold.exitCode()).as(cold.output()).isZero();
    assertThat(cold.numbers())
        .containsEntry("classes", CLASSES)
        .containsEntry("hits", 0L)
        .containsEntry("misses", CLASSES)
        .containsEntry("parsed", CLASSES)
        .containsEntry("acknowledgedBefore", 0L)
        .containsEntry("foundAgain", 0L);
    assertThat(cold.number("methods")).isGreaterThan(CLASSES);
    assertThat(cold.number("diskBytes")).isPositive();
    assertThat(cold.number("firstMillis")).isEqualTo(cold.number("millis")).isPositive();

    Run warm = atlas();
    assertThat(warm.exitCode()).as(warm.output()).isZero();
    assertThat(warm.numbers())
        .containsEntry("classes", CLASSES)
        .containsEntry("methods", cold.number("methods"))
        .containsEntry("hits", CLASSES)
        .containsEntry("misses", 0L)
        .containsEntry("parsed", 0L)
        .containsEntry("firstMillis", cold.number("millis"));
    assertThat(warm.output()).contains("times the first run's");

    Run cleared = atlas("--clear");
    assertThat(cleared.exitCode()).as(cleared.output()).isZero();
    assertThat(cleared.numbers()).containsEntry("hits", 0L).containsEntry("parsed", CLASSES);
  }

  @Test
  void aKilledRunLosesNothingThatWasAcknowledged() throws Exception {
    Run killed = atlas("--crash-after", CRASH_AFTER);
    assertThat(killed.exitCode()).as(killed.output()).isEqualTo(Program.KILLED);
    assertThat(killed.output()).contains("Killed by kill -9 after 1,000 acknowledged puts.");
    assertThat(killed.numbers()).isEmpty();
    assertThat(record()).exists();
    assertThat(Files.readAllLines(record())).hasSize((int) CRASH_AFTER);

    Run resumed = atlas();
    assertThat(resumed.exitCode()).as(resumed.output()).isZero();
    assertThat(resumed.output())
        .contains("1,000 acknowledged before the crash, 1,000 found again.");
    assertThat(resumed.numbers())
        .containsEntry("classes", CLASSES)
        .containsEntry("hits", CRASH_AFTER)
        .containsEntry("misses", CLASSES - CRASH_AFTER)
        .containsEntry("parsed", CLASSES - CRASH_AFTER)
        .containsEntry("acknowledgedBefore", CRASH_AFTER)
        .containsEntry("foundAgain", CRASH_AFTER);
    assertThat(resumed.number("firstMillis"))
        .as("the first run is the killed part and the resumed one")
        .isGreaterThan(resumed.number("millis"));
    assertThat(record()).doesNotExist();

    Run warm = atlas();
    assertThat(warm.exitCode()).as(warm.output()).isZero();
    assertThat(warm.numbers())
        .containsEntry("methods", resumed.number("methods"))
        .containsEntry("hits", CLASSES)
        .containsEntry("parsed", 0L)
        .containsEntry("acknowledgedBefore", 0L);
    Stores.verify(data());
  }

  private Path data() {
    return directory.resolve("data");
  }

  private Path record() {
    return directory.resolve("data.acknowledged");
  }

  private Run atlas(Object... options) throws IOException, InterruptedException {
    List<Object> arguments = new ArrayList<>();
    arguments.addAll(List.of("--directory", data(), "--limit", CLASSES));
    arguments.addAll(List.of(options));
    try (Program atlas = Program.start(JdkAtlas.class, arguments.toArray())) {
      String output = atlas.output();
      return new Run(atlas.exitCode(), output);
    }
  }

  private record Run(int exitCode, String output) {
    Map<String, Long> numbers() {
      return output
          .lines()
          .filter(line -> line.startsWith(NUMBERS))
          .flatMap(line -> Arrays.stream(line.substring(NUMBERS.length()).split(" ", -1)))
          .map(pair -> pair.split("=", 2))
          .collect(Collectors.toMap(pair -> pair[0], pair -> Long.valueOf(pair[1])));
    }

    long number(String name) {
      return numbers().get(name);
    }
  }
}
