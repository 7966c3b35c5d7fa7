package io.rockpool.benchmarks;

import io.rockpool.benchmarks.Comparison.Measured;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.VerboseMode;

/**
 * Runs all who are compared in turn, round after round, every other round the other way about; each
 * run is a process of its own.
 */
final class Rounds {
  private Rounds() {}

  /**
   * What one run found.
   *
   * @param perSecond operations a second; of what is measured once as a whole, elements
   * @param perCpuSecond see {@link CpuTime}
   */
  record Score(double perSecond, double perCpuSecond) {}

  /** The scores of all that are compared, round by round. */
  static Map<Measured, List<Score>> run(List<Comparison> comparisons, int rounds, int entries)
      throws RunnerException {
    Set<Measured> all = new LinkedHashSet<>();
    comparisons.stream().flatMap(c -> Stream.of(c.theirs(), c.ours())).forEach(all::add);
    List<Measured> order = new ArrayList<>(all);
    Map<Measured, List<Score>> scores = new LinkedHashMap<>();
    for (int round = 1; round <= rounds; round++) {
      for (Measured measured : order) {
        Score score = run(measured, entries);
        System.err.printf(
            Locale.ROOT,
            "round %d of %d: %s: %,.0f/s, %,.0f/s of processor time%n",
            round,
            rounds,
            measured,
            score.perSecond(),
            score.perCpuSecond());
        scores.computeIfAbsent(measured, key -> new ArrayList<>()).add(score);
      }
      Collections.reverse(order);
    }
    return scores;
  }

  private static Score run(Measured measured, int entries) throws RunnerException {
    ChainedOptionsBuilder options =
        options(measured.benchmark(), measured.method(), entries)
            .param("peer", measured.peer().name())
            .addProfiler(CpuTime.class);
    RunResult result = new Runner(options.build()).runSingle();
    double score = result.getPrimaryResult().getScore();
    double perCpuSecond = result.getSecondaryResults().get(CpuTime.LABEL).getScore();
    return result.getParams().getMode() == Mode.SingleShotTime
        ? new Score(entries * TimeUnit.SECONDS.toMillis(1) / score, entries * perCpuSecond)
        : new Score(score, perCpuSecond);
  }

  /** Options to run a benchmark, or one method of it, with so many entries. */
  static ChainedOptionsBuilder options(Class<?> benchmark, String method, int entries) {
    return new OptionsBuilder()
        .include(Pattern.quote(benchmark.getName() + "." + method))
        .param("entries", Integer.toString(entries))
        .verbosity(VerboseMode.SILENT)
        .shouldFailOnError(true);
  }
}
