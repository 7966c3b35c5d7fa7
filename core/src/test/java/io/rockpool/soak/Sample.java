package io.rockpool.soak;

import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;

/**
 * How a store did in one interval of a soak.
 *
 * @param seconds since the beginning
 * @param operations how many were done
 * @param p50Micros what half of them took at most, in microseconds
 * @param p99Micros what 99 of 100 of them took at most
 * @param heapMib the heap in use after a collection, in MiB
 * @param residentMib the process's resident memory
 * @param diskMib what the store's files take
 * @param files how many there are
 * @param evictions how many entries were evicted since the beginning
 */
record Sample(
    long seconds,
    long operations,
    double p50Micros,
    double p99Micros,
    double heapMib,
    double residentMib,
    double diskMib,
    long files,
    long evictions) {
  /** What a chart shows. */
  record Series(String title, ToDoubleFunction<Sample> value) {}

  static final List<Series> SERIES =
      List.of(
          new Series("p99 of an operation, µs", Sample::p99Micros),
          new Series("heap in use after a collection, MiB", Sample::heapMib),
          new Series("resident memory, MiB", Sample::residentMib),
          new Series("disk, MiB", Sample::diskMib),
          new Series("files", Sample::files),
          new Series("entries evicted for want of disk", Sample::evictions));

  static final String HEADER =
      "seconds,operations,p50_micros,p99_micros,heap_mib,resident_mib,disk_mib,files,evictions";

  String line() {
    return String.format(
        Locale.ROOT,
        "%d,%d,%.0f,%.0f,%.1f,%.1f,%.1f,%d,%d",
        seconds,
        operations,
        p50Micros,
        p99Micros,
        heapMib,
        residentMib,
        diskMib,
        files,
        evictions);
  }
}
