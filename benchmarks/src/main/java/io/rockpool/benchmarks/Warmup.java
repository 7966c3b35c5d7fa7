package io.rockpool.benchmarks;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Measures what a service costs after a restart, until its code is compiled. */
@Command(
    name = "warmup",
    description = "Compares the first seconds of processor time of fresh JVMs.",
    mixinStandardHelpOptions = true,
    showDefaultValues = true)
public final class Warmup implements Callable<Integer> {
  private static final double NANOS = 1e9;
  private static final double MICROS = 1e6;

  private static final String CLASS_PATH = System.getProperty("java.class.path");

  /** The first JDK that makes a cache of loaded and profiled code in one run. */
  private static final int AOT_CACHE_IN_ONE_RUN = 25;

  /** An operation that costs at most so many times what it costs at the end is warm. */
  private static final double WARM = 2;

  @Option(names = "--entries", description = "how many entries there are")
  private int entries = 200_000;

  @Option(names = "--seconds", description = "the processor time of each JVM")
  private double seconds = 30;

  @Option(names = "--rounds", description = "how often each JVM is started")
  private int rounds = 5;

  @Option(names = "--output", description = "where to write the table besides the console")
  private Path output = Path.of("docs", "benchmarks-warmup.md");

  @Spec private @Nullable CommandSpec spec;

  private Warmup() {}

  /** Runs; {@code --help} says what with. */
  public static void main(String[] args) {
    System.exit(run(args));
  }

  static int run(String... args) {
    return new CommandLine(new Warmup()).execute(args);
  }

  /** One way to start a peer. */
  private record Start(String name, WarmupProgram.Peer peer, List<String> flags) {}

  /** A line of {@link WarmupProgram}: what was done since the line before, and times in all. */
  private record Window(long operations, double cpuSeconds, double compilerSeconds) {
    private static Window of(String line) {
      String[] cells = line.split("\t", -1);
      return new Window(
          Long.parseLong(cells[0]),
          Long.parseLong(cells[1]) / NANOS,
          Long.parseLong(cells[2]) / 1_000.0);
    }
  }

  /** A JVM's life. */
  private record Run(List<Window> windows) {
    private double ready() {
      return windows.get(0).cpuSeconds();
    }

    private double compilerSeconds() {
      return windows.get(windows.size() - 1).compilerSeconds();
    }

    /** Microseconds of processor time for an operation, between two moments after it was ready. */
    private double cost(double from, double to) {
      long operations = 0;
      double spent = 0;
      for (int i = 1; i < windows.size(); i++) {
        double begun = windows.get(i - 1).cpuSeconds() - ready();
        if (begun >= from && begun < to) {
          operations += windows.get(i).operations();
          spent += windows.get(i).cpuSeconds() - windows.get(i - 1).cpuSeconds();
        }
      }
      return spent * MICROS / operations;
    }

    private double steadyCost() {
      double all = windows.get(windows.size() - 1).cpuSeconds() - ready();
      return cost(all * 0.75, all);
    }

    /** Processor seconds since the start, after which no window costs more than a warm one. */
    private double warm() {
      double most = steadyCost() * WARM;
      int last = windows.size() - 1;
      while (last > 1 && costOfWindow(last) <= most) {
        last--;
      }
      return windows.get(last).cpuSeconds();
    }

    private double costOfWindow(int index) {
      double spent = windows.get(index).cpuSeconds() - windows.get(index - 1).cpuSeconds();
      return spent * MICROS / windows.get(index).operations();
    }
  }

  @Override
  public Integer call() throws IOException, InterruptedException {
    Report report = new Report();
    report.machine(
        "Warm-up",
        Warmup.class,
        Objects.requireNonNull(spec).commandLine().getParseResult().originalArgs());
    report.section(
        "Fresh JVMs",
        """
        Each JVM opens a store that another one filled with %s entries, and reads them and writes one time of 20 with one
        thread, until it used %s s of processor time; a tenth of the entries fit in memory. Times are processor time of
        the whole process: that of the JVM's compilers, collector and of RocksDB's threads is in it. *Ready* is after the
        first operation. *Warm* is when the last quarter of a second passed in which an operation cost more than twice
        what it cost in the end. Medians of %s rounds."""
            .formatted(entries, seconds, rounds),
        "JVM | ready s | first ½ s µs/op | until 2 s | 2 to 6 s | in the end | warm s | compilers s");
    Path archives = Files.createTempDirectory("warmup");
    Map<Start, List<Run>> runs = new LinkedHashMap<>();
    try {
      for (Start start : starts(archives)) {
        runs.put(start, new ArrayList<>());
      }
      for (int round = 0; round < rounds; round++) {
        for (Map.Entry<Start, List<Run>> each : runs.entrySet()) {
          each.getValue().add(run(each.getKey().peer(), each.getKey().flags()));
        }
      }
    } finally {
      PreparedStore.delete(archives);
    }
    runs.forEach(
        (start, all) ->
            report.row(
                "%s | %.2f | %.1f | %.1f | %.1f | %.2f | %.1f | %.1f",
                start.name(),
                median(all, Run::ready),
                median(all, run -> run.cost(0, 0.5)),
                median(all, run -> run.cost(0.5, 2)),
                median(all, run -> run.cost(2, 6)),
                median(all, Run::steadyCost),
                median(all, Run::warm),
                median(all, Run::compilerSeconds)));
    System.out.println(report);
    Files.writeString(output, report.toString());
    return 0;
  }

  private List<Start> starts(Path archives) throws IOException, InterruptedException {
    List<Start> starts = new ArrayList<>();
    for (WarmupProgram.Peer peer : WarmupProgram.Peer.values()) {
      starts.add(new Start("`" + peer + "`", peer, List.of()));
    }
    if (CLASS_PATH.contains(File.pathSeparator) || !CLASS_PATH.endsWith(".jar")) {
      return starts; // the JVM archives no classes of directories
    }
    WarmupProgram.Peer ours = WarmupProgram.Peer.ROCKPOOL;
    Path classes = archives.resolve("classes.jsa");
    run(ours, List.of("-XX:ArchiveClassesAtExit=" + classes));
    starts.add(
        new Start(
            "`ROCKPOOL`, class-data archive", ours, List.of("-XX:SharedArchiveFile=" + classes)));
    if (Runtime.version().feature() >= AOT_CACHE_IN_ONE_RUN) {
      Path cache = archives.resolve("cache.aot");
      run(ours, List.of("-XX:AOTCacheOutput=" + cache));
      starts.add(new Start("`ROCKPOOL`, AOT cache", ours, List.of("-XX:AOTCache=" + cache)));
    }
    return starts;
  }

  private Run run(WarmupProgram.Peer peer, List<String> flags)
      throws IOException, InterruptedException {
    Path store =
        PreparedStore.copy(
            "warmup-" + peer + "-" + entries,
            directory -> {
              try {
                WarmupProgram.fill(peer, Files.createDirectories(directory), entries);
              } catch (IOException e) {
                throw new UncheckedIOException(e);
              }
            });
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(flags);
    command.addAll(List.of("-Xmx1g", "-cp", CLASS_PATH));
    command.add(WarmupProgram.class.getName());
    command.addAll(
        List.of(
            peer.name(), store.toString(), Integer.toString(entries), Double.toString(seconds)));
    Process process =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.DISCARD).start();
    List<Window> windows = new ArrayList<>();
    try (BufferedReader lines = process.inputReader(StandardCharsets.UTF_8)) {
      lines
          .lines()
          .filter(line -> line.matches("\\d+\t\\d+\t\\d+"))
          .forEach(line -> windows.add(Window.of(line)));
    }
    if (process.waitFor() != 0 || windows.size() < 2) {
      throw new IOException("The JVM of %s with %s failed.".formatted(peer, flags));
    }
    PreparedStore.delete(store);
    return new Run(windows);
  }

  private static double median(List<Run> runs, ToDoubleFunction<Run> figure) {
    return runs.stream()
        .map(figure::applyAsDouble)
        .sorted(Comparator.naturalOrder())
        .toList()
        .get(runs.size() / 2);
  }
}
