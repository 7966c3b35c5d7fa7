package io.rockpool.soak;

import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;

/** Whether a store could have gone on like that for ever. */
final class Flatness {
  /** By how much the last third of the time may have more than the middle one. */
  private static final double MORE = 1.1;

  /** How much slower it may be than in the first minutes. */
  private static final double SLOWER = 2;

  private static final int FIRST_SECONDS = 300;

  private final List<Sample> samples;
  private final List<String> problems = new ArrayList<>();

  private Flatness(List<Sample> samples) {
    this.samples = samples;
  }

  /** What grew, or became slow; a sentence each. */
  static List<String> problems(List<Sample> samples) {
    Flatness flatness = new Flatness(samples);
    flatness.checkGrowth("heap in use after a collection, MiB", Sample::heapMib);
    flatness.checkGrowth("resident memory, MiB", Sample::residentMib);
    flatness.checkGrowth("files", Sample::files);
    flatness.checkPace();
    return flatness.problems;
  }

  private List<Sample> third(int number) {
    int size = samples.size();
    return samples.subList(size * number / 3, size * (number + 1) / 3);
  }

  private void checkGrowth(String what, ToDoubleFunction<Sample> value) {
    double middle = median(third(1), value);
    double last = median(third(2), value);
    if (last > MORE * middle) {
      problems.add(
          "%s: %.1f, and %.1f in the last third of the time.".formatted(what, middle, last));
    }
  }

  private void checkPace() {
    List<Sample> first =
        samples.stream().filter(sample -> sample.seconds() <= FIRST_SECONDS).toList();
    double before = median(first, Sample::p99Micros);
    double last = median(third(2), Sample::p99Micros);
    if (last > SLOWER * before) {
      problems.add(
          "p99 of an operation, µs: %.0f in the first minutes, and %.0f in the last third of the time."
              .formatted(before, last));
    }
  }

  private static double median(List<Sample> samples, ToDoubleFunction<Sample> value) {
    double[] sorted = samples.stream().mapToDouble(value).sorted().toArray();
    return sorted[sorted.length / 2];
  }
}
