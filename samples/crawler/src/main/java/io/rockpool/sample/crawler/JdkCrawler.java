package io.rockpool.sample.crawler;

import io.rockpool.Rockpool;
import io.rockpool.structure.ScoredElement;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * Crawls the packages of the running JDK with several threads, and finds out which of them most
 * others use. It may be killed at any time: the next run continues where it was.
 */
@Command(
    name = "crawler",
    description = "Finds out which packages of the running JDK most others use.")
public final class JdkCrawler implements Callable<Integer> {
  private static final int KILLED = 137;
  private static final int MOST_USED = 10;

  /** How many directories are read between two lines that say so. */
  private static final int LINE_INTERVAL = 100;

  /** How long a thread rests when nothing waits, but what is under way may bring more. */
  private static final int REST_MILLIS = 2;

  @Option(
      names = "--directory",
      paramLabel = "DIR",
      description = "Where the crawl is kept (default: ${DEFAULT-VALUE}).")
  private Path directory = Path.of("sample-data", "crawler");

  @Option(
      names = "--threads",
      paramLabel = "N",
      description = "How many read at once (default: ${DEFAULT-VALUE}).")
  private int threads = 4;

  @Option(
      names = "--crash-after",
      paramLabel = "N",
      description = "End this process as kill -9 does after N directories.")
  private int crashAfter = Integer.MAX_VALUE;

  @Option(names = "--clear", description = "Forget everything first.")
  private boolean clear;

  @SuppressWarnings("unused") // picocli reads it before call() is reached
  @Option(names = "--help", usageHelp = true, description = "Say this and do nothing.")
  private boolean help;

  private final AtomicInteger done = new AtomicInteger();

  private JdkCrawler() {}

  /**
   * Crawls what is left to crawl, and ends the JVM.
   *
   * @param args see {@code --help}
   */
  public static void main(String[] args) {
    System.exit(new CommandLine(new JdkCrawler()).execute(args));
  }

  @Override
  public Integer call() {
    try (Rockpool pool = Rockpool.open(directory)) {
      if (clear) {
        pool.names().dropLevel("crawler");
      }
      Crawl crawl = new Crawl(pool);
      int again = crawl.begin();
      say(
          "%,d directories are done, %,d wait, %,d of them were under way when a run was killed.",
          crawl.results().size(), crawl.waiting(), again);
      crawl(crawl);
      report(crawl);
    }
    return 0;
  }

  private void crawl(Crawl crawl) {
    ExecutorService workers = Executors.newFixedThreadPool(threads);
    try {
      CompletableFuture.allOf(
              Stream.generate(() -> CompletableFuture.runAsync(() -> work(crawl), workers))
                  .limit(threads)
                  .toArray(CompletableFuture[]::new))
          .join();
    } finally {
      workers.shutdown();
    }
  }

  /** What one thread does. Reading is done outside of transactions: these are short. */
  private void work(Crawl crawl) {
    try {
      while (!crawl.isFinished()) {
        String path = crawl.next();
        if (path == null) {
          Thread.sleep(REST_MILLIS);
        } else {
          crawl.finish(path, Directory.read(path));
          countOne();
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void countOne() {
    int count = done.incrementAndGet();
    if (count == crashAfter) {
      say("Killed after %,d directories. Run it again.", count);
      Runtime.getRuntime().halt(KILLED);
    }
    if (count % LINE_INTERVAL == 0) {
      say("%,d directories are read.", count);
    }
  }

  private void report(Crawl crawl) {
    int classes = crawl.results().values().stream().mapToInt(PackageSummary::classes).sum();
    say(
        "%,d directories with %,d classes are done, %,d of them by this run.",
        crawl.results().size(), classes, done.get());
    say("What most other packages use:");
    for (ScoredElement<String> used : crawl.mostUsed(MOST_USED)) {
      say("  %,5.0f  %s", used.score(), used.element());
    }
  }

  private static void say(String format, Object... arguments) {
    System.out.printf(Locale.ROOT, format + "%n", arguments);
  }
}
