package io.rockpool.sample.atlas;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class AcknowledgementsTest {
  @TempDir private Path directory;
  private Path file;

  @BeforeEach
  void setUp() {
    file = directory.resolve("record");
  }

  @Test
  void whatWasAddedIsFoundByTheNextRun() throws IOException {
    try (Acknowledgements first = Acknowledgements.open(file)) {
      assertThat(first.keys()).isEmpty();
      first.add("17 Some Vendor/java.base/A", Duration.ofMillis(5));
      first.add("17 Some Vendor/java.base/B", Duration.ofMillis(9));
    }
    try (Acknowledgements second = Acknowledgements.open(file)) {
      assertThat(second.keys())
          .containsExactly("17 Some Vendor/java.base/A", "17 Some Vendor/java.base/B");
      assertThat(second.earlier()).isEqualTo(Duration.ofMillis(9));
    }
  }

  @Test
  void timeAddsUpOverKilledRuns() throws IOException {
    try (Acknowledgements first = Acknowledgements.open(file)) {
      first.add("A", Duration.ofMillis(5));
    }
    try (Acknowledgements second = Acknowledgements.open(file)) {
      second.add("B", Duration.ofMillis(7));
    }
    try (Acknowledgements third = Acknowledgements.open(file)) {
      assertThat(third.keys()).containsExactly("A", "B");
      assertThat(third.earlier()).isEqualTo(Duration.ofMillis(12));
    }
  }

  @Test
  void aLineCutByTheKillIsNotAcknowledged() throws IOException {
    try (Acknowledgements first = Acknowledgements.open(file)) {
      first.add("A", Duration.ofMillis(5));
    }
    Files.writeString(file, "6 java.ba", StandardOpenOption.APPEND);
    try (Acknowledgements second = Acknowledgements.open(file)) {
      assertThat(second.keys()).containsExactly("A");
      second.add("B", Duration.ZERO);
    }
    try (Acknowledgements third = Acknowledgements.open(file)) {
      assertThat(third.keys()).containsExactly("A", "B");
    }
  }

  @Test
  void aFinishedRunLeavesNothing() throws IOException {
    try (Acknowledgements run = Acknowledgements.open(file)) {
      run.add("A", Duration.ofMillis(5));
      run.finish();
    }
    assertThat(file).doesNotExist();
  }
}
