package io.rockpool.sample.atlas;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What a run has to say at its end.
 *
 * @param directory where its caches are
 * @param survey what it went over
 * @param acknowledgedBefore how many puts killed runs had acknowledged
 * @param foundAgain how many of those the cache still had
 * @param elapsed how long this run took
 * @param first the run that filled the cache with these classes; null if they came from several
 */
record Report(
    Path directory,
    Survey survey,
    int acknowledgedBefore,
    int foundAgain,
    Duration elapsed,
    @Nullable FirstRun first) {
  private static final int MOST_USED = 3;

  /** For people. */
  String table(long diskBytes) {
    Totals totals = survey.totals();
    StringBuilder table = new StringBuilder();
    table.append(
        String.format(Locale.ROOT, "%nJDK %s, kept in %s%n%n", ClassFile.jdk(), directory));
    count(table, "classes", totals.classes());
    count(table, "methods", totals.methods());
    count(table, "fields", totals.fields());
    count(table, "instructions", totals.instructions());
    count(table, "string constants", totals.strings());
    row(
        table,
        "most complex method",
        String.format(Locale.ROOT, "%,d  %s", totals.deepestComplexity(), totals.deepestMethod()));
    row(
        table,
        "most used classes",
        totals.mostUsed(MOST_USED).stream()
            .map(use -> String.format(Locale.ROOT, "%,d  %s", use.getValue(), use.getKey()))
            .collect(Collectors.joining(System.lineSeparator() + " ".repeat(24))));
    table.append(System.lineSeparator());
    count(table, "hits", survey.hits());
    count(table, "misses", survey.parsed());
    count(table, "parsed", survey.parsed());
    count(table, "bytes on disk", diskBytes);
    table.append(System.lineSeparator());
    row(table, "this run", seconds(elapsed.toMillis()));
    if (first != null) {
      row(
          table,
          "first run",
          String.format(Locale.ROOT, "%s, parsed %,d", seconds(first.millis()), first.parsed()));
      if (survey.parsed() == 0) {
        double ratio = (double) first.millis() / Math.max(1, elapsed.toMillis());
        row(table, "speed", String.format(Locale.ROOT, "%.1f times the first run's", ratio));
      }
    }
    table.append(next());
    return table.toString();
  }

  /** What the run did with its results, and what to do next. */
  private String next() {
    boolean parsedAll = survey.hits() == 0;
    boolean parsedNone = survey.parsed() == 0;
    String done =
        parsedNone
            ? "This process parsed nothing: an earlier one stored all %,d results, and ended."
            : parsedAll
                ? "All %,d results are on disk now."
                : "All %,d results are on disk now; those of earlier runs were not parsed again.";
    String what = String.format(Locale.ROOT, done, survey.totals().classes());
    String next =
        """
          Run it again:      mvn -q -Patlas
          Kill it midway:    mvn -q -Patlas -Dargs="--clear --crash-after 5000", then run it again
          Read how:          README.md, docs/tutorial.md, and samples/jdk-atlas, which uses only javax.cache
        """;
    return ("\n  " + what + "\n" + next).replace("\n", System.lineSeparator());
  }

  /** For programs: one line of names and numbers. */
  String numbers(long diskBytes) {
    return String.format(
        Locale.ROOT,
        "atlas: classes=%d methods=%d hits=%d misses=%d parsed=%d acknowledgedBefore=%d"
            + " foundAgain=%d diskBytes=%d millis=%d firstMillis=%d",
        survey.totals().classes(),
        survey.totals().methods(),
        survey.hits(),
        survey.parsed(),
        survey.parsed(),
        acknowledgedBefore,
        foundAgain,
        diskBytes,
        elapsed.toMillis(),
        first == null ? 0 : first.millis());
  }

  private static String seconds(long millis) {
    return String.format(Locale.ROOT, "%.1f s", millis / 1_000.0);
  }

  private static void count(StringBuilder table, String name, long count) {
    row(table, name, String.format(Locale.ROOT, "%,d", count));
  }

  private static void row(StringBuilder table, String name, String value) {
    table.append(String.format(Locale.ROOT, "  %-20s  %s%n", name, value));
  }
}
