package io.rockpool.sample.atlas;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import javax.cache.Cache;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * Draws an atlas of the running JDK: parses each of its classes once, and finds what it learned in
 * a cache from then on, also after {@code kill -9}. It knows nothing but the JCache API.
 */
@Command(
    name = "jdk-atlas",
    description = "Reads every class of the running JDK, once; later runs are answered from disk.")
public final class JdkAtlas implements Callable<Integer> {
  private static final int LOST = 1;

  @Option(
      names = "--directory",
      paramLabel = "DIR",
      description = "Where the caches are kept (default: the caching provider's).")
  private @Nullable Path directory;

  @Option(
      names = "--crash-after",
      paramLabel = "N",
      description = "Kill this process with kill -9 after N acknowledged puts.")
  private int crashAfter = Integer.MAX_VALUE;

  @Option(names = "--limit", paramLabel = "N", description = "Read the first N classes only.")
  private int limit = Integer.MAX_VALUE;

  @Option(names = "--clear", description = "Forget everything first.")
  private boolean clear;

  @SuppressWarnings("unused") // picocli reads it before call() is reached
  @Option(names = "--help", usageHelp = true, description = "Say this and do nothing.")
  private boolean help;

  private JdkAtlas() {}

  /**
   * Runs the atlas and ends the JVM with its exit code: 1 if something acknowledged was lost.
   *
   * @param args see {@code --help}
   */
  public static void main(String[] args) {
    System.exit(new CommandLine(new JdkAtlas()).execute(args));
  }

  @Override
  public Integer call() throws IOException {
    Stopwatch stopwatch = new Stopwatch();
    Report report;
    try (Caches caches = new Caches(directory)) {
      report = run(caches, stopwatch);
    }
    long diskBytes = Caches.diskBytes(report.directory());
    System.out.println(report.table(diskBytes));
    System.out.println(report.numbers(diskBytes));
    return report.foundAgain() == report.acknowledgedBefore() ? 0 : LOST;
  }

  private Report run(Caches caches, Stopwatch stopwatch) throws IOException {
    Path kept = caches.directory();
    Path record = kept.resolveSibling(kept.getFileName() + ".acknowledged");
    Cache<String, ClassSummary> summaries = caches.summaries();
    if (clear) {
      summaries.clear();
      caches.firstRuns().clear();
      Files.deleteIfExists(record);
    }
    try (Acknowledgements acknowledgements = Acknowledgements.open(record)) {
      List<String> before = acknowledgements.keys();
      int foundAgain = (int) before.stream().filter(key -> summaries.get(key) != null).count();
      if (!before.isEmpty()) {
        System.out.printf(
            Locale.ROOT,
            "%,d acknowledged before the crash, %,d found again.%n",
            before.size(),
            foundAgain);
      }
      Survey survey = new Survey(summaries, acknowledgements, stopwatch);
      survey.run(ClassFile.ofRunningJdk(limit), crashAfter);
      Duration elapsed = stopwatch.elapsed();
      FirstRun first =
          firstRun(
              caches.firstRuns(),
              survey.totals().classes(),
              new FirstRun(
                  foundAgain + survey.parsed(),
                  acknowledgements.earlier().plus(elapsed).toMillis()));
      acknowledgements.finish();
      return new Report(kept, survey, before.size(), foundAgain, elapsed, first);
    }
  }

  /**
   * The run that filled the cache with these classes, kept for every later one; null if unknown.
   */
  private @Nullable FirstRun firstRun(
      Cache<String, FirstRun> firstRuns, int classes, FirstRun thisRun) {
    String key = ClassFile.jdk() + "/" + limit;
    if (thisRun.parsed() == classes) {
      firstRuns.putIfAbsent(key, thisRun);
    }
    return firstRuns.get(key);
  }
}
