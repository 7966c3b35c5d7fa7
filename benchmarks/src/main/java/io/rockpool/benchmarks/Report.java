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

  private final StringBuilder text = new StringBuilder();

  private void line(String format, Object... arguments) {
    text.append(String.format(Locale.ROOT, format, arguments)).append('\n');
  }

  /** What it was measured on and how to do that again. */
  void machine() {
    RocksDB.loadLibrary();
    OperatingSystemMXBean system = ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
    line("# Benchmarks");
    line("");
    line("Written by this command, after `mvn verify`:");
    line("");
    line("```");
    line("java -cp benchmarks/target/benchmarks.jar io.rockpool.benchmarks.Ratios");
    line("```");
    line("");
    line(
        "Machine: %d cores (%s), %,d MiB of memory, %s; %s %s; RocksDB %s. The cores were shared with other work: trust the"
            + " ratios, not the absolute numbers.",
        system.getAvailableProcessors(),
        system.getArch(),
        system.getTotalMemorySize() / MIB,
        system.getName(),
        System.getProperty("java.vm.name"),
        System.getProperty("java.vm.version"),
        RocksDB.rocksdbVersion());
    line("");
  }

  /** The table of ratios. */
  void ratios(
      List<Comparison> comparisons, Map<Measured, List<Score>> scores, int rounds, int entries) {
    line("## Ratios");
    line("");
    line(
        "%,d entries with keys of 16 and values of %d bytes. Everyone reads and writes the same bytes in copies of the same"
            + " files, with the same RocksDB settings and the write-ahead log on. `ROCKSDB` is RocksDB alone, with keys and"
            + " records encoded beforehand and values decoded after a get; `CAFFEINE` is Caffeine alone; `NAIVE` is a"
            + " Caffeine of a tenth of the entries in front of RocksDB; `ENGINE` is Rockpool's engine without the cache."
            + " Ratios are medians of %d rounds, with the least and the greatest; more is better for the first. Those by"
            + " processor time, by which goals are judged, count what Java threads took: they hardly depend on what else the"
            + " machine did, but leave out waiting and RocksDB's own threads. The last columns are medians, of the first and the second.",
        entries, Row.VALUE_BYTES, rounds);
    line("");
    line(
        "| row | who | against | by processor time | spread | by the clock | spread | goal | ops/s | ops/s |");
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
        : String.format(Locale.ROOT, "≥ %.2f %s", goal, ratio >= goal ? "met" : "**missed**");
  }

  /** What is measured in milliseconds. */
  void singleShots(int clearEntries, List<Double> clears, int reopenEntries, List<Double> reopens) {
    line("## Single shots");
    line("");
    line("| what | median | least | greatest | goal |");
    line("|---|---|---|---|---|");
    shot("clear of %,d entries".formatted(clearEntries), clears, "< 1 ms");
    shot(
        "reopen of %,d small entries and one get, in a new process".formatted(reopenEntries),
        reopens,
        "< 1,000 ms");
    line("");
  }

  private void shot(String what, List<Double> millis, String goal) {
    line(
        "| %s | %,.3f ms | %,.3f ms | %,.3f ms | %s |",
        what, median(millis), Collections.min(millis), Collections.max(millis), goal);
  }

  /** How much heap is taken with so many entries. */
  void heap(int[] counts, IntToLongFunction bytesTaken) {
    line("## Heap");
    line("");
    line(
        "Used after a collection, with a hot tier of 10,000 entries, when every entry was read once:");
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
