package io.rockpool.engine.rocksdb;

import static org.assertj.core.api.Assertions.assertThat;

import io.rockpool.testing.Child;
import io.rockpool.testing.Rounds;
import io.rockpool.testing.Slow;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** However much is stored, a process takes no more memory than its store's budget allows. */
@Slow
@EnabledOnOs(OS.LINUX)
final class MemoryBudgetTest {
  private static final List<String> JVM =
      List.of("-Xms64m", "-Xmx64m", "-XX:+AlwaysPreTouch", "-XX:+UseSerialGC");

  @TempDir Path directory;

  /**
   * Of a store of three times its budget, which would be in memory as a whole without one: neither
   * what is written nor what is read makes the process larger by more than the budget, and what the
   * JVM takes meanwhile.
   */
  @Test
  @Timeout(60)
  void whatIsWrittenAndReadStaysWithinASmallBudget() throws Exception {
    long entries = 50_000;
    long budget = 16 << 20;
    try (Child child = Child.start(MemoryLoader.class, JVM, directory, entries, 1_000, budget)) {
      long begun = residentKib(child, "begun");
      for (String when : List.of("loaded", "read", "walked")) {
        assertThat(residentKib(child, when) - begun)
            .as("KiB that were added, %s", when)
            .isLessThan((2 * budget) >> 10);
      }
      assertThat(child.waitFor()).isZero();
    }
  }

  /** With a small heap, budget and 200 MiB are enough. Takes minutes. */
  @ParameterizedTest
  @ValueSource(longs = {10_000_000, 50_000_000})
  @EnabledIfSystemProperty(named = Rounds.PROPERTY, matches = "true")
  @Timeout(value = 60, unit = TimeUnit.MINUTES)
  void theProcessStaysSmall(long entries) throws Exception {
    long budget = 256 << 20;
    List<String> jvm = List.of("-Xmx64m", "-XX:TieredStopAtLevel=4", "-XX:+UseSerialGC");
    try (Child child = Child.start(MemoryLoader.class, jvm, directory, entries, 100, budget)) {
      for (String when : List.of("begun", "loaded", "read", "walked")) {
        long resident = residentKib(child, when);
        System.out.println(entries + " entries: " + when + " " + resident + " KiB resident");
        assertThat(resident)
            .as("KiB resident with %d entries, %s", entries, when)
            .isLessThan((budget >> 10) + (200 << 10));
      }
      assertThat(child.waitFor()).isZero();
    }
  }

  private static long residentKib(Child child, String when) throws IOException {
    String said = child.readLine();
    assertThat(said).isNotNull().startsWith(when + " ");
    return Long.parseLong(said.substring(when.length() + 1));
  }
}
