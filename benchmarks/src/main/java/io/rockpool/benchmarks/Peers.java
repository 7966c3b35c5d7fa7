package io.rockpool.benchmarks;

import io.rockpool.benchmarks.Comparison.Measured;
import io.rockpool.benchmarks.Rounds.Score;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.runner.RunnerException;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/**
 * Runs Rockpool's collections and those of other libraries in turn, as {@link Ratios} does caches.
 * It can be done row by row: the table is written of all scores that were ever found.
 */
@Command(
    name = "peers",
    description =
        "Measures Rockpool's collections against other libraries', and writes a table of them.",
    mixinStandardHelpOptions = true,
    showDefaultValues = true)
public final class Peers implements Callable<Integer> {
  @Option(names = "--rounds", description = "how often everyone runs")
  private int rounds = 3;

  @Option(names = "--entries", description = "how many elements a collection has")
  private int entries = 1_000_000;

  @Option(
      names = "--rows",
      description = "a pattern of the rows to measure; others keep the scores they have")
  private Pattern rows = Pattern.compile(".*");

  @Option(names = "--scores", description = "where scores are kept")
  private Path scores = Path.of("benchmarks", "target", "peers.tsv");

  @Option(names = "--output", description = "where to write the table besides the console")
  private Path output = Path.of("docs", "benchmarks-collections.md");

  @Spec private @Nullable CommandSpec spec;

  private Peers() {}

  /** Runs; {@code --help} says what with. */
  public static void main(String[] args) {
    System.exit(new CommandLine(new Peers()).execute(args));
  }

  @Override
  public Integer call() throws IOException, RunnerException {
    ScoreFile file = new ScoreFile(scores);
    file.replace(Rounds.run(toMeasure(Comparison.ofCollections()), rounds, entries));
    file.replace(Rounds.run(toMeasure(Comparison.ofBulkBuilds()), rounds, entries));
    Report report = new Report();
    report.machine(
        "Benchmarks of collections",
        Peers.class,
        Objects.requireNonNull(spec).commandLine().getParseResult().originalArgs());
    Map<Measured, List<Score>> found = file.of(Comparison.ofCollections());
    report.peers(withScores(Comparison.ofCollections(), found), found, entries);
    Map<Measured, List<Score>> built = file.of(Comparison.ofBulkBuilds());
    report.bulkBuilds(withScores(Comparison.ofBulkBuilds(), built), built, entries);
    System.out.println(report);
    Files.writeString(output, report.toString());
    return 0;
  }

  private List<Comparison> toMeasure(List<Comparison> comparisons) {
    return comparisons.stream()
        .filter(comparison -> rows.matcher(comparison.row()).find())
        .filter(comparison -> isThere(comparison.theirs().peer()))
        .toList();
  }

  private static boolean isThere(Enum<?> peer) {
    return !(peer instanceof CollectionPeer collections) || collections.isThere();
  }

  private static List<Comparison> withScores(
      List<Comparison> comparisons, Map<Measured, List<Score>> found) {
    return comparisons.stream().filter(comparison -> found.containsKey(comparison.ours())).toList();
  }
}
