package io.rockpool.soak;

import io.rockpool.Rockpool;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;

/**
 * Keeps a store busy for a long time, and writes down every ten seconds what it takes and how fast
 * it is: {@code soak.csv}, and {@code soak.svg} in the end. {@code mvn -Psoak -pl core
 * process-test-classes} runs it for half an hour, and fails where something grows or becomes slow.
 */
public final class Soak {
  private static final long MEMORY_BYTES = 128L << 20;
  private static final long DISK_BYTES = 2L << 30;
  private static final int THREADS = 2;

  /** Each thread rests so long after an operation: this is about latency, not throughput. */
  private static final long REST_NANOS = 200_000;

  private static final int SAMPLE_SECONDS = 10;
  private static final double MIB = 1 << 20;

  private final Rockpool pool;
  private final Path store;
  private final Load load;

  /** How many operations took how long, in microseconds to two digits. */
  private volatile Map<Long, LongAdder> durations = new ConcurrentSkipListMap<>();

  private volatile boolean ended;

  private Soak(Path store) {
    this.store = store;
    this.pool = Rockpool.at(store).memoryBytes(MEMORY_BYTES).diskBudgetBytes(DISK_BYTES).open();
    this.load = new Load(pool);
  }

  /** Three arguments: how long, in seconds; where the store is to be; where the results go. */
  public static void main(String[] arguments) throws IOException, InterruptedException {
    int seconds = Integer.parseInt(arguments[0]);
    Path results = Files.createDirectories(Path.of(arguments[2]));
    List<String> lines = new ArrayList<>(List.of(Sample.HEADER));
    List<Sample> samples = new ArrayList<>();
    Soak soak = new Soak(Path.of(arguments[1]));
    List<Thread> workers = soak.start();
    for (int at = SAMPLE_SECONDS; at <= seconds; at += SAMPLE_SECONDS) {
      Sample sample = soak.sample(at);
      samples.add(sample);
      lines.add(sample.line());
      System.out.println(sample.line());
      Files.write(results.resolve("soak.csv"), lines);
    }
    soak.ended = true;
    for (Thread worker : workers) {
      worker.join();
    }
    boolean clean = soak.pool.verify().isClean();
    soak.pool.close();
    Files.writeString(results.resolve("soak.svg"), Figure.of(samples, caption(seconds, clean)));
    if (!clean) {
      throw new IllegalStateException("The store is not whole after the soak.");
    }
    List<String> problems = Flatness.problems(samples);
    if (!problems.isEmpty()) {
      throw new IllegalStateException("It could not go on like that for ever. " + problems);
    }
  }

  private static String caption(int seconds, boolean clean) {
    return "%d s of mixed load with TTL, disk budget %,d MiB, %d threads, %d processors, %s, JDK %s; verified: %s"
        .formatted(
            seconds,
            DISK_BYTES >> 20,
            THREADS,
            Runtime.getRuntime().availableProcessors(),
            System.getProperty("os.name") + " " + System.getProperty("os.arch"),
            System.getProperty("java.version"),
            clean ? "nothing wrong" : "damaged");
  }

  private List<Thread> start() {
    List<Thread> workers = new ArrayList<>();
    for (int number = 0; number < THREADS; number++) {
      SplittableRandom random = new SplittableRandom(number);
      Thread worker = new Thread(() -> work(random));
      worker.setDaemon(true);
      worker.start();
      workers.add(worker);
    }
    return workers;
  }

  private void work(SplittableRandom random) {
    while (!ended) {
      long started = System.nanoTime();
      load.step(random);
      long micros = TimeUnit.NANOSECONDS.toMicros(System.nanoTime() - started);
      durations.computeIfAbsent(rounded(micros), same -> new LongAdder()).increment();
      LockSupport.parkNanos(REST_NANOS);
    }
  }

  private static long rounded(long micros) {
    long unit = 1;
    while (micros / unit >= 100) {
      unit *= 10;
    }
    return micros / unit * unit;
  }

  private Sample sample(int seconds) throws IOException, InterruptedException {
    TimeUnit.SECONDS.sleep(SAMPLE_SECONDS);
    Map<Long, LongAdder> past = durations;
    durations = new ConcurrentSkipListMap<>();
    long operations = past.values().stream().mapToLong(LongAdder::sum).sum();
    System.gc(); // Without a collection the heap in use is a sawtooth that says nothing of leaks.
    long heapBytes = ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
    try (Stream<Path> files = Files.list(store.resolve("db"))) {
      return new Sample(
          seconds,
          operations,
          quantile(past, operations / 2),
          quantile(past, operations * 99 / 100),
          heapBytes / MIB,
          residentKib() / 1024.0,
          pool.state().diskBytes() / MIB,
          files.count(),
          load.evictions());
    }
  }

  private static double quantile(Map<Long, LongAdder> durations, long rank) {
    long seen = 0;
    for (Map.Entry<Long, LongAdder> entry : durations.entrySet()) {
      seen += entry.getValue().sum();
      if (seen > rank) {
        return entry.getKey();
      }
    }
    return 0;
  }

  private static long residentKib() throws IOException {
    try (Stream<String> lines = Files.lines(Path.of("/proc/self/status"))) {
      return lines
          .filter(line -> line.startsWith("VmRSS:"))
          .mapToLong(line -> Long.parseLong(line.replaceAll("[^0-9]", "")))
          .findFirst()
          .orElse(0);
    }
  }
}
