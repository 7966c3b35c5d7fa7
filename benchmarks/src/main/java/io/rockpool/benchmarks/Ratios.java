package io.rockpool.benchmarks;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
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
    report.machine(
        "Benchmarks",
        Ratios.class,
        Objects.requireNonNull(spec).commandLine().getParseResult().originalArgs());
    report.ratios(comparisons, Rounds.run(comparisons, rounds, entries), rounds, entries);
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

  private List<Double> singleShot(Class<?> benchmark, int count) throws RunnerException {
    System.err.printf(Locale.ROOT, "%s of %,d entries%n", benchmark.getSimpleName(), count);
    ChainedOptionsBuilder options = Rounds.options(benchmark, "", count);
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
}
