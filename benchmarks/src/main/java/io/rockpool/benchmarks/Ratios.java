package io.rockpool.benchmarks;

import io.rockpool.benchmarks.Comparison.Measured;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.VerboseMode;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/**
 * Runs the contestants in turn, round after round, and prints how they compare. A ratio is taken
 * within a round, of runs that follow each other, so that whatever else the machine does weighs on
 * both; every other round goes the other way about. Each run is a process of its own on a fresh
 * copy of the same store.
 */
@Command(
    name = "ratios",
    description =
        "Measures Rockpool against the libraries it stands on, and writes a table of ratios.",
    mixinStandardHelpOptions = true,
    showDefaultValues = true)
public final class Ratios implements Callable<Integer> {
  @Option(names = "--rounds", description = "how often everyone runs")
  private int rounds = 5;

  @Option(names = "--entries", description = "how many entries of 100 bytes there are")
  private int entries = 1_000_000;

  @Option(
      names = "--reopen-entries",
      description = "how many entries of 10 bytes the store has that is reopened")
  private int reopenEntries = 10_000_000;

  @Option(
      names = "--heap-entries",
      split = ",",
      description = "numbers of entries with which the heap is measured")
  private int[] heapEntries = {100_000, 5_000_000};

  @Option(names = "--rows", description = "a pattern of the rows to run")
  private Pattern rows = Pattern.compile(".*");

  @Option(
      names = "--single-shots",
      negatable = true,
      description = "whether to measure clear, reopen and the heap",
      defaultValue = "true",
      fallbackValue = "true")
  private boolean singleShots = true;

  @Option(names = "--output", description = "where to write the table besides the console")
  private Path output = Path.of("docs", "benchmarks.md");

  @Spec private @Nullable CommandSpec spec;

  private Ratios() {}

  /** Runs; {@code --help} says what with. */
  public static void main(String[] args) {
    CommandLine command = new CommandLine(new Ratios());
    System.exit(command.execute(args));
  }

  @Override
  public Integer call() throws IOException, RunnerException {
    List<Comparison> comparisons =
        Comparison.all().stream()
            .filter(comparison -> rows.matcher(comparison.row()).find())
            .toList();
    Report report = new Report();
    report.machine(Objects.requireNonNull(spec).commandLine().getParseResult().originalArgs());
    report.ratios(comparisons, measure(comparisons), rounds, entries);
    if (singleShots) {
      report.singleShots(
          entries,
          singleShot(Clear.class, entries),
          reopenEntries,
          singleShot(Reopen.class, reopenEntries));
      report.heap(heapEntries, HeapGrowth::bytesTaken);
    }
    System.out.println(report);
    Files.writeString(output, report.toString());
    return 0;
  }

  /**
   * What one run found.
   *
   * @param perSecond operations a second
   * @param perCpuSecond see {@link CpuTime}
   */
  record Score(double perSecond, double perCpuSecond) {}

  /** The scores of everyone who is compared, round by round. */
  private Map<Measured, List<Score>> measure(List<Comparison> comparisons) throws RunnerException {
    Set<Measured> all = new LinkedHashSet<>();
    comparisons.stream().flatMap(c -> Stream.of(c.theirs(), c.ours())).forEach(all::add);
    List<Measured> order = new ArrayList<>(all);
    Map<Measured, List<Score>> scores = new LinkedHashMap<>();
    for (int round = 1; round <= rounds; round++) {
      for (Measured measured : order) {
        Score score = run(measured);
        System.err.printf(
            "round %d of %d: %s.%s by %s: %,.0f/s, %,.0f/s of processor time%n",
            round,
            rounds,
            measured.benchmark().getSimpleName(),
            measured.method(),
            measured.peer(),
            score.perSecond(),
            score.perCpuSecond());
        scores.computeIfAbsent(measured, key -> new ArrayList<>()).add(score);
      }
      Collections.reverse(order);
    }
    return scores;
  }

  private Score run(Measured measured) throws RunnerException {
    ChainedOptionsBuilder options =
        options(measured.benchmark(), measured.method())
            .param("peer", measured.peer().name())
            .param("entries", Integer.toString(entries))
            .addProfiler(CpuTime.class);
    RunResult result = new Runner(options.build()).runSingle();
    return new Score(
        result.getPrimaryResult().getScore(),
        result.getSecondaryResults().get(CpuTime.LABEL).getScore());
  }

  private List<Double> singleShot(Class<?> benchmark, int count) throws RunnerException {
    System.err.printf("%s of %,d entries%n", benchmark.getSimpleName(), count);
    ChainedOptionsBuilder options =
        options(benchmark, "").param("entries", Integer.toString(count));
    List<Double> millis = new ArrayList<>();
    new Runner(options.build())
        .runSingle()
        .getBenchmarkResults()
        .forEach(
            fork ->
                fork.getIterationResults()
                    .forEach(shot -> millis.add(shot.getPrimaryResult().getScore())));
    return millis;
  }

  private static ChainedOptionsBuilder options(Class<?> benchmark, String method) {
    return new OptionsBuilder()
        .include(Pattern.quote(benchmark.getName() + "." + method))
        .verbosity(VerboseMode.SILENT)
        .shouldFailOnError(true);
  }
}
