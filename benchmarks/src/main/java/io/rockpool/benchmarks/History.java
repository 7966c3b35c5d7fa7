package io.rockpool.benchmarks;

import io.rockpool.Rockpool;
import io.rockpool.structure.PersistentDeque;
import io.rockpool.structure.PersistentScoredSet;
import io.rockpool.structure.PersistentTable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.function.BiFunction;
import java.util.function.IntConsumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/**
 * Measures what looks at a structure cost after many elements came and went, and what a name costs
 * among many.
 */
@Command(
    name = "history",
    description = "Compares structures through which elements came and went with fresh ones.",
    mixinStandardHelpOptions = true,
    showDefaultValues = true)
public final class History implements Callable<Integer> {
  private static final double MICRO = 1_000;

  /** Of so many looks the median counts. */
  private static final int LOOKS = 101;

  @Option(names = "--gone", description = "how many elements came and went")
  private int gone = 1_000_000;

  @Option(names = "--left", description = "how many elements are left")
  private int left = 500;

  @Option(names = "--seconds", description = "how long the elements have been gone")
  private int seconds = 30;

  @Option(names = "--names", split = ",", description = "how many names there are")
  private List<Integer> names = List.of(1_000, 5_000, 20_000);

  @Option(names = "--output", description = "where to write the table besides the console")
  private Path output = Path.of("docs", "benchmarks-history.md");

  @Spec private @Nullable CommandSpec spec;

  private History() {}

  /** Runs; {@code --help} says what with. */
  public static void main(String[] args) {
    System.exit(run(args));
  }

  static int run(String... args) {
    return new CommandLine(new History()).execute(args);
  }

  /** How to add and to remove an element by its number, and all elements. */
  private record Elements(IntConsumer add, IntConsumer remove, Collection<?> all) {
    private static Elements of(Collection<Integer> all) {
      return new Elements(all::add, all::remove, all);
    }

    private static Elements of(Map<Integer, Integer> map) {
      return new Elements(i -> map.put(i, i), map::remove, map.entrySet());
    }

    private static Elements of(PersistentDeque<Integer> deque) {
      return new Elements(deque::add, i -> deque.pollLast(), deque);
    }

    private static Elements of(PersistentScoredSet<Integer> set) {
      return new Elements(i -> set.add(i, i), set::remove, set);
    }

    private static Elements of(PersistentTable<Integer, Integer, Integer> table) {
      return new Elements(i -> table.put(i, i, i), i -> table.remove(i, i), table.rowKeys());
    }
  }

  private static final Map<String, BiFunction<Rockpool, String, Elements>> KINDS =
      new LinkedHashMap<>();

  static {
    Class<Integer> type = Integer.class;
    KINDS.put("map", (pool, name) -> Elements.of(pool.map(name, type, type)));
    KINDS.put("sorted map", (pool, name) -> Elements.of(pool.sortedMap(name, type, type)));
    KINDS.put("set", (pool, name) -> Elements.of(pool.set(name, type)));
    KINDS.put("sorted set", (pool, name) -> Elements.of(pool.sortedSet(name, type)));
    KINDS.put("scored set", (pool, name) -> Elements.of(pool.scoredSet(name, type)));
    KINDS.put("deque", (pool, name) -> Elements.of(pool.deque(name, type)));
    KINDS.put("rows of a table", (pool, name) -> Elements.of(pool.table(name, type, type, type)));
  }

  @Override
  public Integer call() throws IOException, InterruptedException {
    Report report = new Report();
    report.machine(
        "Cost of what is gone",
        History.class,
        Objects.requireNonNull(spec).commandLine().getParseResult().originalArgs());
    report.section(
        "Looks",
        "%s elements came and went, and %s are left since %s s; times are medians in microseconds"
                .formatted(gone, left, seconds)
            + " of %s looks, beside those at a fresh structure with the same elements."
                .formatted(LOOKS),
        "structure | isEmpty | fresh | first | fresh | all | fresh | size | fresh");
    for (Map.Entry<String, BiFunction<Rockpool, String, Elements>> kind : KINDS.entrySet()) {
      Path directory = Files.createTempDirectory("history");
      try (Rockpool pool = Rockpool.open(directory)) {
        Elements old = kind.getValue().apply(pool, "old");
        for (int i = 0; i < left + gone; i++) {
          old.add().accept(i);
        }
        for (int i = left + gone - 1; i >= left; i--) {
          old.remove().accept(i);
        }
        Elements fresh = kind.getValue().apply(pool, "fresh");
        for (int i = 0; i < left; i++) {
          fresh.add().accept(i);
        }
        micros(old.all()::isEmpty);
        Thread.sleep(seconds * 1_000L);
        report.row(
            "%s | %,.1f | %,.1f | %,.1f | %,.1f | %,.1f | %,.1f | %,.1f | %,.1f",
            kind.getKey(),
            micros(old.all()::isEmpty),
            micros(fresh.all()::isEmpty),
            micros(() -> old.all().iterator().next()),
            micros(() -> fresh.all().iterator().next()),
            micros(() -> List.copyOf(old.all())),
            micros(() -> List.copyOf(fresh.all())),
            micros(old.all()::size),
            micros(fresh.all()::size));
      }
      PreparedStore.delete(directory);
    }
    ManyNames.measure(report, names);
    System.out.println(report);
    Files.writeString(output, report.toString());
    return 0;
  }

  private static double micros(Supplier<?> look) {
    long[] nanos = new long[LOOKS];
    for (int i = 0; i < LOOKS; i++) {
      long begun = System.nanoTime();
      Objects.requireNonNull(look.get());
      nanos[i] = System.nanoTime() - begun;
    }
    Arrays.sort(nanos);
    return nanos[LOOKS / 2] / MICRO;
  }
}
