package io.rockpool.benchmarks;

import com.sun.management.OperatingSystemMXBean;
import io.rockpool.benchmarks.Comparison.Measured;
import io.rockpool.benchmarks.Ratios.Score;
import java.lang.management.ManagementFactory;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.IntToLongFunction;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;
import org.rocksdb.RocksDB;

/** What {@link Ratios} found, as Markdown. */
final class Report {
  private static final long MIB = 1 << 20;
  private static final double MAX_CLEAR_MILLIS = 1;
  private static final double MAX_REOPEN_MILLIS = 1_000;

  private final StringBuilder text = new StringBuilder();

  private void line(String format, Object... arguments) {
    text.append(String.format(Locale.ROOT, format, arguments)).append('\n');
  }

  /** What it was measured on, and the command with these arguments that does it again. */
  void machine(List<String> arguments) {
    RocksDB.loadLibrary();
    OperatingSystemMXBean system = ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
    line("# Benchmarks");
    line("");
    line("Written by this command, after `mvn verify`:");
    line("");
    line("```");
    line(
        "java -cp benchmarks/target/benchmarks.jar io.rockpool.benchmarks.Ratios %s",
        String.join(" ", arguments));
    line("```");
    line("");
    line("- Processor: %d cores, %s", system.getAvailableProcessors(), system.getArch());
    line("- Memory: %,d MiB", system.getTotalMemorySize() / MIB);
    line("- System: %s %s", system.getName(), system.getVersion());
    line(
        "- Java: %s %s", System.getProperty("java.vm.name"), System.getProperty("java.vm.version"));
    line("- RocksDB: %s", RocksDB.rocksdbVersion());
    line("- Load of the machine in the minute before: %.1f", system.getSystemLoadAverage());
    line("");
    line("Other machines give other numbers; the ratios are what to go by.");
    line("");
  }

  /** The table of ratios. */
  void ratios(
      List<Comparison> comparisons, Map<Measured, List<Score>> scores, int rounds, int entries) {
    line("## Ratios");
    line("");
    line(
        "%,d entries with keys of 16 and values of %d bytes. Everyone reads and writes the same bytes in copies of the same"
            + " files, with the same settings of RocksDB and the write-ahead log on.",
        entries, Row.VALUE_BYTES);
    line("");
    line("- `ROCKPOOL` is Rockpool's cache; how much it keeps in memory depends on the row.");
    line("- `ENGINE` is Rockpool's engine without the cache, so without codecs and memory.");
    line(
        "- `ROCKSDB` is RocksDB alone. What it writes was encoded beforehand; what it reads is decoded."
            + " It counts what each thread does, as is its default; Rockpool tells it not to.");
    line("- `CAFFEINE` is Caffeine alone.");
    line("- `NAIVE` is RocksDB behind a Caffeine of a tenth of the entries, and puts go to both.");
    line("");
    line(
        "A ratio is the first one's operations in a second over the second one's: above 1, the first is faster. Each is the"
            + " median of %d rounds, with the least and the greatest. **Goals are judged by processor time**, which is that of"
            + " all Java threads: it hardly depends on what else the machine does, but leaves out waiting and RocksDB's own"
            + " threads. By the clock, a run during which RocksDB compacts or the machine is busy counts as slow.",
        rounds);
    line("");
    line(
        "| row | first | second | ratio by processor time | from–to | ratio by the clock | from–to | goal | first, ops/s | second, ops/s |");
    line("|---|---|---|---|---|---|---|---|---|---|");
    for (Comparison comparison : comparisons) {
      List<Score> ours = scores.get(comparison.ours());
      List<Score> theirs = scores.get(comparison.theirs());
      List<Double> ratios = ratios(ours, theirs, Score::perSecond);
      List<Double> cpuRatios = ratios(ours, theirs, Score::perCpuSecond);
      line(
          "| %s | %s | %s | **%.2f** | %s | %.2f | %s | %s | %,.0f | %,.0f |",
          comparison.row(),
          comparison.ours().peer(),
          comparison.ours().benchmark() == comparison.theirs().benchmark()
              ? comparison.theirs().peer()
              : "without TTL",
          median(cpuRatios),
          spread(cpuRatios),
          median(ratios),
          spread(ratios),
          goal(comparison, median(cpuRatios)),
          median(ours.stream().map(Score::perSecond).toList()),
          median(theirs.stream().map(Score::perSecond).toList()));
    }
    line("");
  }

  private static List<Double> ratios(
      List<Score> ours, List<Score> theirs, ToDoubleFunction<Score> kind) {
    return IntStream.range(0, ours.size())
        .mapToObj(i -> kind.applyAsDouble(ours.get(i)) / kind.applyAsDouble(theirs.get(i)))
        .toList();
  }

  private static String spread(List<Double> ratios) {
    return String.format(
        Locale.ROOT, "%.2f–%.2f", Collections.min(ratios), Collections.max(ratios));
  }

  private static String goal(Comparison comparison, double ratio) {
    Double goal = comparison.goal();
    return goal == null
        ? ""
        : String.format(Locale.ROOT, "≥ %.2f %s", goal, verdict(ratio >= goal));
  }

  private static String verdict(boolean met) {
    return met ? "met" : "**missed**";
  }

  /** What is measured in milliseconds. */
  void singleShots(int clearEntries, List<Double> clears, int reopenEntries, List<Double> reopens) {
    line("## Single shots");
    line("");
    line("By the clock.");
    line("");
    line("| what | median | least | greatest | goal |");
    line("|---|---|---|---|---|");
    shot("clear of %,d entries".formatted(clearEntries), clears, MAX_CLEAR_MILLIS);
    shot(
        "reopen of %,d small entries and one get, in a new process".formatted(reopenEntries),
        reopens,
        MAX_REOPEN_MILLIS);
    line("");
  }

  private void shot(String what, List<Double> millis, double most) {
    line(
        "| %s | %,.3f ms | %,.3f ms | %,.3f ms | < %,.0f ms %s |",
        what,
        median(millis),
        Collections.min(millis),
        Collections.max(millis),
        most,
        verdict(median(millis) < most));
  }

  /** How much heap is taken with so many entries. */
  void heap(int[] counts, IntToLongFunction bytesTaken) {
    line("## Heap");
    line("");
    line(
        "What an open store takes of the heap after a collection, when every entry was read once, with a hot tier of 10,000"
            + " entries. It is not to grow with the entries on disk.");
    line("");
    line("| entries on disk | heap of the open store |");
    line("|---|---|");
    for (int count : counts) {
      line("| %,d | %,d KiB |", count, bytesTaken.applyAsLong(count) / 1024);
    }
  }

  private static double median(List<Double> values) {
    List<Double> sorted = values.stream().sorted().toList();
    int middle = sorted.size() / 2;
    return sorted.size() % 2 == 1
        ? sorted.get(middle)
        : (sorted.get(middle - 1) + sorted.get(middle)) / 2;
  }

  @Override
  public String toString() {
    return text.toString();
  }
}
