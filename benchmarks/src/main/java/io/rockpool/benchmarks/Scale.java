package io.rockpool.benchmarks;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Measures what a cache costs as the work grows: entries, the size of values, threads, load. */
@Command(
    name = "scale",
    description = "Measures a cache with more and larger entries, more threads, and other work.",
    mixinStandardHelpOptions = true,
    showDefaultValues = true)
public final class Scale implements Callable<Integer> {
  private static final int VALUE_BYTES = 100;
  private static final long VALUES_TOTAL_BYTES = 1L << 30;
  private static final long SCANNED = 500_000;
  private static final long SMALL = 1_000_000;
  private static final int LOAD_THREADS = 2;
  private static final long EVICTING_BYTES = 96L << 20;
  private static final long MIB = 1 << 20;
  private static final long KIB = 1 << 10;
  private static final long REST_NANOS = 1_000_000;

  @Option(names = "--entries", split = ",", description = "how many entries")
  private List<Long> entries = List.of(1_000_000L, 10_000_000L, 100_000_000L);

  @Option(names = "--value-bytes", split = ",", description = "how large values are")
  private List<Integer> valueBytes = List.of(100, 1_000, 10_000, 100_000, 1_000_000);

  @Option(names = "--threads", split = ",", description = "how many threads")
  private List<Integer> threads = List.of(1, 2, 4, 8, 16);

  @Option(names = "--seconds", description = "how long each number is measured")
  private int seconds = 5;

  @Option(names = "--rate", description = "the fixed rate, operations a second")
  private int rate = 20_000;

  @Option(names = "--output", description = "where to write the tables besides the console")
  private Path output = Path.of("docs", "benchmarks-scale.md");

  @Option(names = "--figure", description = "where to draw the first table")
  private Path figure = Path.of("docs", "scale.svg");

  @Spec private @Nullable CommandSpec spec;

  private final Report report = new Report();

  private Scale() {}

  /** Runs; {@code --help} says what with. */
  public static void main(String[] args) {
    System.exit(new CommandLine(new Scale()).execute(args));
  }

  @Override
  public Integer call() throws IOException, InterruptedException {
    report.machine(
        "Cost as the work grows",
        Scale.class,
        Objects.requireNonNull(spec).commandLine().getParseResult().originalArgs());
    byEntries();
    byValueBytes();
    byThreads();
    atFixedRate();
    System.out.println(report);
    Files.writeString(output, report.toString());
    return 0;
  }

  private void byEntries() throws IOException, InterruptedException {
    report.section(
        "Entries",
        "A cache of entries with numbers as keys and random values of %s bytes, 10,000 of them in"
                .formatted(VALUE_BYTES)
            + " memory; 256 MiB of native memory. One thread gets and puts random entries for %s s"
                .formatted(seconds)
            + " each, right after the store was filled in batches, and iterates over 500,000."
            + " Compaction debt is what RocksDB still has to rewrite after the puts. Resident"
            + " memory is that of the whole process.",
        "entries | fill/s | get/s | put/s | scan/s | get p99 µs | put p99 µs | reopen ms | resident"
            + " MiB | disk MiB | debt MiB");
    List<ScaleFigure.Point> points = new ArrayList<>();
    for (long count : entries) {
      try (ScaleStore store = new ScaleStore(VALUE_BYTES, 0)) {
        double fill = store.fill("entries", 0, count);
        Load gets = Load.unlimited(1, seconds, store.gets(count));
        Load puts = Load.unlimited(1, seconds, store.puts(count));
        long debt = store.pool().state().statistics().orElseThrow().pendingCompactionBytes();
        double scan = store.scan(SCANNED);
        long disk = store.pool().state().diskBytes();
        report.row(
            "%,d | %,.0f | %,.0f | %,.0f | %,.0f | %.0f | %.0f | %,.0f | %,d | %,d | %,d",
            count,
            fill,
            gets.perSecond(),
            puts.perSecond(),
            scan,
            gets.micros(99),
            puts.micros(99),
            store.reopenMillis(),
            residentBytes() / MIB,
            disk / MIB,
            debt / MIB);
        points.add(new ScaleFigure.Point(count, fill, gets.perSecond(), puts.perSecond(), scan));
      }
    }
    report.text("![Operations a second by entries](%s)".formatted(figure.getFileName()));
    Files.writeString(figure, ScaleFigure.of(points));
  }

  private static long residentBytes() throws IOException {
    Path status = Path.of("/proc/self/status");
    if (!Files.exists(status)) {
      return 0;
    }
    return Files.readAllLines(status).stream()
        .filter(line -> line.startsWith("VmRSS:"))
        .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")) * KIB)
        .sum();
  }

  private void byValueBytes() throws IOException, InterruptedException {
    report.section(
        "Sizes of values",
        "One GiB of values in all, at most a million; one thread, random entries.",
        "value bytes | entries | fill MiB/s | get/s | put/s | get p99 µs | put p99 µs | get MiB/s |"
            + " put MiB/s");
    for (int bytes : valueBytes) {
      long count = Math.min(SMALL, VALUES_TOTAL_BYTES / bytes);
      try (ScaleStore store = new ScaleStore(bytes, 0)) {
        double fill = store.fill("entries", 0, count);
        Load gets = Load.unlimited(1, seconds, store.gets(count));
        Load puts = Load.unlimited(1, seconds, store.puts(count));
        double mib = (double) bytes / MIB;
        report.row(
            "%,d | %,d | %,.0f | %,.0f | %,.0f | %,.0f | %,.0f | %,.0f | %,.0f",
            bytes,
            count,
            fill * mib,
            gets.perSecond(),
            puts.perSecond(),
            gets.micros(99),
            puts.micros(99),
            gets.perSecond() * mib,
            puts.perSecond() * mib);
      }
    }
  }

  private void byThreads() throws IOException, InterruptedException {
    report.section(
        "Threads",
        "A million entries, nearly all of them not in memory; hot gets are of 5,000 that are.",
        "threads | get/s | put/s | hot get/s | get p99.9 µs | put p99.9 µs | hot get p99.9 µs");
    for (int count : threads) {
      try (ScaleStore store = new ScaleStore(VALUE_BYTES, 0)) {
        store.fill("entries", 0, SMALL);
        Load gets = Load.unlimited(count, seconds, store.gets(SMALL));
        Load puts = Load.unlimited(count, seconds, store.puts(SMALL));
        Load warm = Load.unlimited(count, 1, store.gets(5_000));
        Load hot = Load.unlimited(count, seconds, store.gets(5_000));
        report.row(
            "%d | %,.0f | %,.0f | %,.0f | %,.1f | %,.1f | %,.1f",
            count,
            gets.perSecond(),
            puts.perSecond(),
            Math.max(warm.perSecond(), hot.perSecond()),
            gets.micros(99.9),
            puts.micros(99.9),
            hot.micros(99.9));
      }
    }
  }

  /** What else the store does meanwhile. */
  private interface OtherWork {
    void run(ScaleStore store);
  }

  private void atFixedRate() throws IOException, InterruptedException {
    report.section(
        "Latency at a fixed rate",
        String.format(
                Locale.ROOT,
                "%,d operations a second by %d threads, every second one a put, over a million entries, for",
                rate,
                LOAD_THREADS)
            + " %s s. A time counts from when the operation was due (HdrHistogram), so a pause is"
                .formatted(4 * seconds)
            + " counted for each operation that it delays.",
        "while | done/s | p50 µs | p99 µs | p99.9 µs | p99.99 µs | max ms");
    fixedRate("nothing else", 0, store -> {});
    fixedRate(
        "reclaiming a million cleared entries, again and again",
        0,
        store -> {
          store.fill("other", 0, SMALL);
          store.clear("other");
          store.pool().reclaim();
        });
    fixedRate("compacting: batches of new entries", 0, store -> store.fill("other", 0, SMALL));
    fixedRate(
        "evicting from a budget of 96 MiB: batches of new entries",
        EVICTING_BYTES,
        store -> store.fill("other", 0, SMALL / 10));
  }

  private void fixedRate(String what, long diskBudgetBytes, OtherWork other)
      throws IOException, InterruptedException {
    try (ScaleStore store = new ScaleStore(VALUE_BYTES, diskBudgetBytes)) {
      store.fill("entries", 0, SMALL);
      Consumer<SplittableRandom> get = store.gets(SMALL);
      Consumer<SplittableRandom> put = store.puts(SMALL);
      Load.at(rate, LOAD_THREADS, 2, get.andThen(put));
      AtomicBoolean ended = new AtomicBoolean();
      Thread worker =
          new Thread(
              () -> {
                while (!ended.get()) {
                  other.run(store);
                  LockSupport.parkNanos(REST_NANOS);
                }
              });
      worker.start();
      Load load =
          Load.at(
              rate,
              LOAD_THREADS,
              4 * seconds,
              random -> (random.nextBoolean() ? get : put).accept(random));
      ended.set(true);
      worker.join();
      report.row(
          "%s | %,.0f | %,.1f | %,.1f | %,.0f | %,.0f | %,.1f",
          what,
          load.perSecond(),
          load.micros(50),
          load.micros(99),
          load.micros(99.9),
          load.micros(99.99),
          load.micros(100) / 1e3);
    }
  }
}
