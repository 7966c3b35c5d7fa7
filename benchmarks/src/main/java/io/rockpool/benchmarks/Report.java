package io.rockpool.benchmarks;

import com.sun.management.OperatingSystemMXBean;
import io.rockpool.benchmarks.Comparison.Goal;
import io.rockpool.benchmarks.Comparison.Measured;
import io.rockpool.benchmarks.Rounds.Score;
import java.lang.management.ManagementFactory;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.IntToLongFunction;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
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

  /** A title, what it was measured on, and the command with these arguments that does it again. */
  void machine(String title, Class<?> command, List<String> arguments) {
    RocksDB.loadLibrary();
    OperatingSystemMXBean system = ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
    line("# %s", title);
    line("");
    line("Written by this command, after `mvn verify`:");
    line("");
    line("```");
    line(
        "java -cp benchmarks/target/benchmarks.jar %s %s",
        command.getName(), String.join(" ", arguments));
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
        "%,d entries with keys of 16 and values of %d bytes. Everyone reads and writes the same"
            + " bytes in copies of the same files, with the same settings of RocksDB and the"
            + " write-ahead log on.",
        entries, Row.VALUE_BYTES);
    line("");
    line("- `ROCKPOOL` is Rockpool's cache; how much it keeps in memory depends on the row.");
    line("- `ENGINE` is Rockpool's engine without the cache, so without codecs and memory.");
    line(
        "- `ROCKSDB` is RocksDB alone. What it writes was encoded beforehand; what it reads is"
            + " decoded. It counts what each thread does, as is its default; Rockpool tells it not"
            + " to.");
    line("- `CAFFEINE` is Caffeine alone.");
    line("- `NAIVE` is RocksDB behind a Caffeine of a tenth of the entries, and puts go to both.");
    line("");
    line(
        "A ratio is the first one's operations in a second over the second one's: above 1, the"
            + " first is faster. Each is the median of %d rounds, with the least and the greatest."
            + " Processor time is that of all Java threads: it hardly depends on what else the"
            + " machine does, but leaves out waiting and RocksDB's own threads. By the clock, a run"
            + " during which RocksDB compacts or the machine is busy counts as slow. Goals against"
            + " `ROCKSDB` and `CAFFEINE` are judged by the clock, those against `NAIVE` by"
            + " processor time. YCSB's workload A reads half of the time and writes half of the"
            + " time, B writes 5 times of 100; keys are chosen as for zipf 0.99.",
        rounds);
    line("");
    ratios(comparisons, scores);
  }

  /** The table of ratios alone. */
  void ratios(List<Comparison> comparisons, Map<Measured, List<Score>> scores) {
    line(
        "| row | first | second | ratio by processor time | from–to | ratio by the clock | from–to"
            + " | goal | first, ops/s | second, ops/s |");
    line("|---|---|---|---|---|---|---|---|---|---|");
    for (Comparison comparison : comparisons) {
      List<Score> ours = scores.get(comparison.ours());
      List<Score> theirs = scores.get(comparison.theirs());
      List<Double> ratios = ratios(ours, theirs, Score::perSecond);
      List<Double> cpuRatios = ratios(ours, theirs, Score::perCpuSecond);
      line(
          "| %s | %s | %s | **%.2f** | %s | %.2f | %s | %s | %,.0f | %,.0f |",
          comparison.row(),
          comparison.ours().peer().name(),
          comparison.ours().benchmark() == comparison.theirs().benchmark()
              ? comparison.theirs().peer().name()
              : "without TTL",
          median(cpuRatios),
          spread(cpuRatios),
          median(ratios),
          spread(ratios),
          goal(comparison.goal(), median(ratios), median(cpuRatios)),
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

  private static String goal(@Nullable Goal goal, double ratio, double cpuRatio) {
    return goal == null
        ? ""
        : String.format(
            Locale.ROOT,
            "≥ %.2f%s %s",
            goal.ratio(),
            goal.byTheClock() ? " by the clock" : "",
            verdict((goal.byTheClock() ? ratio : cpuRatio) >= goal.ratio()));
  }

  private static String verdict(boolean met) {
    return met ? "met" : "**missed**";
  }

  /** The peers of Rockpool's collections, and how it compares with each. */
  void peers(List<Comparison> comparisons, Map<Measured, List<Score>> scores, int entries) {
    line("## Peers");
    line("");
    line(
        "Every collection has %,d elements, but the queues, in which 1,000 wait. Keys and elements"
            + " of sorted sets are strings of 16 characters, values and elements of queues %d"
            + " bytes, elements of scored sets numbers. One thread; put returns what was there."
            + " Files are copies of what each peer made of the same elements; everyone has 256 MiB"
            + " of memory for them, or the system's; Rockpool has half of it on the heap.",
        entries, Row.VALUE_BYTES);
    line("");
    line("| peer | version | after `kill -9` | after a power loss |");
    line("|---|---|---|---|");
    for (CollectionPeer peer : CollectionPeer.values()) {
      if (peer != CollectionPeer.SCAN && peer != CollectionPeer.ROCKPOOL_NATIVE) {
        line(
            "| %s | %s | %s | %s |",
            peer.title(), Versions.of(peer.library()), peer.afterKill(), peer.afterPowerLoss());
      }
    }
    line("");
    line(
        "What it says of kills and power losses is what each documents. MVStore has sorted maps"
            + " only: its queue is a map by number, its scored set two maps, of which it counts the"
            + " keys. MapDB has neither. Chronicle Queue keeps what was read until its files are"
            + " deleted. Redis holds everything in memory, in a process of its own. A message of a"
            + " queue is sent, received and acknowledged, in three transactions. SQLite has a table"
            + " of messages, with its log synchronized at checkpoints, and claims them by an update."
            + " With Redisson a message moves to a list of those in work and is removed there;"
            + " nothing returns it after a timeout.");
    line("");
    line("| row | by | after `kill -9` | operations a second | Rockpool's to that |");
    line("|---|---|---|---|---|");
    String row = "";
    for (Comparison comparison : comparisons) {
      if (!comparison.row().equals(row)) {
        row = comparison.row();
        peer(row, comparison.ours(), comparison.ours(), scores);
      }
      peer(row, comparison.ours(), comparison.theirs(), scores);
    }
    line("");
  }

  private void peer(
      String row, Measured ours, Measured measured, Map<Measured, List<Score>> scores) {
    CollectionPeer peer = (CollectionPeer) measured.peer();
    List<Score> found = scores.get(measured);
    line(
        "| %s | %s | %s | %s | %s |",
        row,
        peer.title(),
        peer.afterKill(),
        found == null
            ? "not measured: " + RedisServer.PROGRAM + " is not installed"
            : perSecond(found),
        measured.equals(ours) || found == null ? "" : ratio(scores.get(ours), found));
  }

  /** How fast collections are built, beside RocksDB. */
  void bulkBuilds(List<Comparison> comparisons, Map<Measured, List<Score>> scores, int entries) {
    line("## Bulk builds");
    line("");
    line(
        "One call that fills an empty collection with %,d elements, in no order; and the same"
            + " records, as bytes made before, put into RocksDB in `WriteBatch`es of as many bytes."
            + " Elements in a second.",
        entries);
    line("");
    ratios(comparisons, scores);
  }

  private static String perSecond(List<Score> scores) {
    return String.format(
        Locale.ROOT, "%,.0f", median(scores.stream().map(Score::perSecond).toList()));
  }

  private static String ratio(List<Score> ours, List<Score> theirs) {
    List<Double> ratios = ratios(ours, theirs, Score::perSecond);
    return String.format(Locale.ROOT, "%.2f × (%s)", median(ratios), spread(ratios));
  }

  /** What is measured in milliseconds. */
  void singleShots(int clearEntries, List<Double> clears, int reopenEntries, List<Double> reopens) {
    line("## Single shots");
    line("");
    line("By the clock.");
    line("");
    line("| what | median | least | greatest | goal |");
    line("|---|---|---|---|---|");
    shot(
        String.format(Locale.ROOT, "clear of %,d entries", clearEntries), clears, MAX_CLEAR_MILLIS);
    shot(
        String.format(
            Locale.ROOT,
            "reopen of %,d small entries and one get, in a new process",
            reopenEntries),
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
        "What an open store takes of the heap after a collection, when every entry was read once,"
            + " with a hot tier of 10,000 entries. It is not to grow with the entries on disk.");
    line("");
    line("| entries on disk | heap of the open store |");
    line("|---|---|");
    for (int count : counts) {
      line("| %,d | %,d KiB |", count, bytesTaken.applyAsLong(count) / 1024);
    }
  }

  /** Begins a section with a table. */
  void section(String title, String explanation, String columns) {
    line("");
    line("## %s", title);
    line("");
    text.append(explanation).append("\n\n| ").append(columns).append(" |\n");
    line("%s|", "|---".repeat(columns.split("\\|").length));
  }

  /** A row of the table that was begun last. */
  void row(String format, Object... cells) {
    line("| " + format + " |", cells);
  }

  /** A paragraph. */
  void text(String paragraph) {
    text.append('\n').append(paragraph).append('\n');
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
