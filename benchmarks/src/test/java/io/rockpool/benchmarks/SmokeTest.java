package io.rockpool.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Collection;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.Options;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

/** Runs every benchmark for a moment, so that none rots. */
class SmokeTest {
  private static final int ENTRIES = 1_000;

  @TempDir Path root;

  @BeforeEach
  void keepStoresHere() {
    System.setProperty(PreparedStore.ROOT_PROPERTY, root.toString());
  }

  @AfterEach
  void keepStoresHereNoMore() {
    System.clearProperty(PreparedStore.ROOT_PROPERTY);
  }

  @Test
  void everyBenchmarkRuns() throws RunnerException {
    Options options =
        new OptionsBuilder()
            .include(getClass().getPackageName())
            .param("entries", Integer.toString(ENTRIES))
            .param("statistics", "true")
            .forks(0)
            .warmupIterations(0)
            .measurementIterations(1)
            .measurementTime(TimeValue.milliseconds(20))
            .verbosity(VerboseMode.SILENT)
            .shouldFailOnError(true)
            .build();

    Collection<RunResult> results = new Runner(options).run();

    assertThat(results).hasSize(49);
    assertThat(results)
        .allSatisfy(result -> assertThat(result.getPrimaryResult().getScore()).isPositive());
  }

  @Test
  void everyComparisonNamesABenchmark() throws NoSuchMethodException {
    for (Comparison comparison : Comparison.all()) {
      for (Comparison.Measured measured :
          new Comparison.Measured[] {comparison.ours(), comparison.theirs()}) {
        assertThat(measured.benchmark().getMethod(measured.method(), Row.Cursor.class)).isNotNull();
      }
    }
  }

  @Test
  void heapIsMeasured() {
    assertThat(HeapGrowth.bytesTaken(ENTRIES)).isPositive();
  }
}
