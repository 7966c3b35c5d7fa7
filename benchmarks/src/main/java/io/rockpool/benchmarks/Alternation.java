package io.rockpool.benchmarks;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.IntConsumer;

/**
 * Measures subjects in turn, round after round in one process, so that what else the machine does
 * changes all of them alike.
 */
final class Alternation {
  /** Code that has just begun to run is compiled meanwhile, which takes as much time as it. */
  private static final int WARM_UPS = 10;

  private final int rounds;
  private final long nanos;
  private final int threads;

  /** What is measured: a call of one thread, which gets its number. */
  record Subject(String name, IntConsumer call) {}

  /**
   * A measurement.
   *
   * @param millis how long one subject runs in one round
   */
  Alternation(int rounds, long millis, int threads) {
    this.rounds = rounds;
    this.nanos = millis * 1_000_000;
    this.threads = threads;
  }

  /** The median of each subject's calls a second, after ten rounds that warm up. */
  Map<String, Double> measure(List<Subject> subjects) throws InterruptedException {
    Map<String, List<Double>> all = new LinkedHashMap<>();
    for (int round = 0; round < WARM_UPS + rounds; round++) {
      for (Subject subject : subjects) {
        double perSecond = run(subject);
        if (round >= WARM_UPS) {
          all.computeIfAbsent(subject.name(), any -> new ArrayList<>()).add(perSecond);
        }
      }
    }
    Map<String, Double> medians = new LinkedHashMap<>();
    all.forEach((name, each) -> medians.put(name, median(each)));
    return medians;
  }

  private static double median(List<Double> numbers) {
    double[] sorted = numbers.stream().mapToDouble(Double::doubleValue).sorted().toArray();
    return sorted[sorted.length / 2];
  }

  private double run(Subject subject) throws InterruptedException {
    LongAdder done = new LongAdder();
    Thread[] running = new Thread[threads];
    long start = System.nanoTime();
    for (int i = 0; i < threads; i++) {
      int thread = i;
      running[i] =
          new Thread(
              () -> {
                long calls = 0;
                // The time is asked for every 16 calls: a hot get takes as long as that.
                while (System.nanoTime() - start < nanos) {
                  for (int call = 0; call < 16; call++) {
                    subject.call.accept(thread);
                  }
                  calls += 16;
                }
                done.add(calls);
              });
      running[i].start();
    }
    for (Thread each : running) {
      each.join();
    }
    return done.sum() * 1e9 / (System.nanoTime() - start);
  }

  /** Times in milliseconds as "p50 / p99". */
  static String percentiles(long[] times) {
    long[] sorted = times.clone();
    Arrays.sort(sorted);
    return String.format(
        Locale.ROOT,
        "%.2f | %.2f",
        sorted[sorted.length / 2] / 1e6,
        sorted[sorted.length * 99 / 100] / 1e6);
  }
}
