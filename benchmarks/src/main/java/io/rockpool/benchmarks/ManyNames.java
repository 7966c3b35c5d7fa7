package io.rockpool.benchmarks;

import com.sun.management.OperatingSystemMXBean;
import io.rockpool.Rockpool;
import io.rockpool.cache.PersistentCache;
import io.rockpool.queue.PersistentQueue;
import io.rockpool.structure.PersistentDeque;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.StringJoiner;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.stream.IntStream;

/** Measures what a name costs among many: time for each step of its life, and heap while open. */
final class ManyNames {
  private static final double MICRO = 1_000;

  private static final OperatingSystemMXBean SYSTEM =
      ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);

  /** How to open a name of each kind; returns how to write an element. */
  private static final Map<String, BiFunction<Rockpool, String, Runnable>> KINDS =
      new LinkedHashMap<>();

  static {
    Class<String> type = String.class;
    KINDS.put(
        "map",
        (pool, name) -> {
          Map<String, String> map = pool.map(name, type, type);
          return () -> map.put("key", "value");
        });
    KINDS.put(
        "cache",
        (pool, name) -> {
          PersistentCache<String, String> cache = pool.cache(name, type, type);
          return () -> cache.put("key", "value");
        });
    KINDS.put(
        "deque",
        (pool, name) -> {
          PersistentDeque<String> deque = pool.deque(name, type);
          return () -> deque.addLast("value");
        });
    KINDS.put(
        "queue",
        (pool, name) -> {
          PersistentQueue<String> queue = pool.queue(name, type);
          return () -> queue.send("value");
        });
  }

  /** The microseconds for each name of each step, by the clock and of processor time, as text. */
  private final Map<String, StringJoiner> times = new LinkedHashMap<>();

  private Rockpool pool = Rockpool.inMemory();

  private ManyNames() {}

  /** Adds two tables to a report. */
  static void measure(Report report, List<Integer> counts) throws IOException {
    ManyNames measured = new ManyNames();
    measured.steps(Math.min(1_000, counts.get(0))); // compiles
    measured.times.clear();
    for (int names : counts) {
      measured.steps(names);
    }
    report.section(
        "Many names",
        "A name of each of %s kinds for each tenant. Microseconds for each name, by the clock; in"
                .formatted(KINDS.size())
            + " brackets those of processor time of the process. To create, rename or drop a name"
            + " forces the log to disk.",
        "step | " + String.join(" | ", counts.stream().map(ManyNames::names).toList()));
    measured.times.forEach((step, cells) -> report.row("%s | %s", step, cells));
    int names = counts.get(counts.size() - 1) / KINDS.size();
    report.section(
        "Heap of open names",
        "Bytes of heap for each of " + names(names) + " of a kind that are open, after a start.",
        "kind | opened | with one element, which is in memory");
    for (Map.Entry<String, BiFunction<Rockpool, String, Runnable>> kind : KINDS.entrySet()) {
      report.row("%s | %s", kind.getKey(), heap(kind.getValue(), names));
    }
  }

  private static String names(int number) {
    return String.format(Locale.ROOT, "%,d names", number);
  }

  private void steps(int names) throws IOException {
    Path directory = Files.createTempDirectory("names");
    pool = Rockpool.open(directory);
    step("create", names, () -> each(names, this::open));
    step("open again", names, () -> each(names, this::open));
    step("find", names, () -> each(names, name -> pool.names().find(name)));
    step("list", names, () -> pool.names().list());
    step("close the store", names, () -> pool.close());
    step("open the store", names, () -> pool = Rockpool.open(directory));
    step("open after a start", names, () -> each(names, this::open));
    step("write one element", names, () -> each(names, name -> open(name).run()));
    step("close the store after that", names, () -> pool.close());
    pool = Rockpool.open(directory);
    each(names, this::open);
    step("reclaim", names, () -> pool.reclaim());
    step("drop each", names, () -> each(names, name -> pool.names().drop(name)));
    pool.close();
    PreparedStore.delete(directory);
  }

  /** Calls an action with the name of each kind of each tenant. */
  private static void each(int names, Consumer<String> action) {
    List<String> kinds = List.copyOf(KINDS.keySet());
    for (int i = 0; i < names; i++) {
      action.accept("tenant-" + i / kinds.size() + "/" + kinds.get(i % kinds.size()));
    }
  }

  private Runnable open(String name) {
    String kind = name.substring(name.indexOf('/') + 1);
    return Objects.requireNonNull(KINDS.get(kind)).apply(pool, name);
  }

  private void step(String step, int names, Runnable work) {
    long processor = SYSTEM.getProcessCpuTime();
    long begun = System.nanoTime();
    work.run();
    long nanos = System.nanoTime() - begun;
    processor = SYSTEM.getProcessCpuTime() - processor;
    times
        .computeIfAbsent(step, absent -> new StringJoiner(" | "))
        .add(
            String.format(
                Locale.ROOT, "%.1f (%.1f)", nanos / MICRO / names, processor / MICRO / names));
  }

  private static String heap(BiFunction<Rockpool, String, Runnable> kind, int names)
      throws IOException {
    Path directory = Files.createTempDirectory("names");
    try (Rockpool first = Rockpool.open(directory)) {
      openAll(first, kind, names);
    }
    String bytes;
    try (Rockpool pool = Rockpool.open(directory)) {
      kind.apply(pool, "other").run();
      long before = HeapGrowth.usedBytes();
      openAll(pool, kind, names);
      long opened = HeapGrowth.usedBytes();
      openAll(pool, kind, names).forEach(Runnable::run);
      long used = HeapGrowth.usedBytes();
      bytes =
          String.format(
              Locale.ROOT, "%,d | %,d", (opened - before) / names, (used - before) / names);
    }
    PreparedStore.delete(directory);
    return bytes;
  }

  private static List<Runnable> openAll(
      Rockpool pool, BiFunction<Rockpool, String, Runnable> kind, int names) {
    return IntStream.range(0, names)
        .mapToObj(i -> kind.apply(pool, "tenant-" + i + "/name"))
        .toList();
  }
}
