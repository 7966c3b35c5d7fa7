package io.rockpool.engine.rocksdb;

import io.rockpool.engine.Expiry;
import io.rockpool.engine.Layout;
import io.rockpool.engine.ReclaimState;
import io.rockpool.engine.RowRecord;
import io.rockpool.engine.Space;
import io.rockpool.engine.SpaceSpec;
import java.io.PrintStream;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;

/**
 * Measures what reads and writes take while nothing is reclaimed, while a million records are
 * swept, and while a million that were cleared are given back. Arguments: a directory for stores,
 * and how many seconds to measure each.
 */
final class ReclaimPace {
  private static final int RECORDS = 1_000_000;
  private static final int LIVE = 200_000;
  private static final int VALUE_BYTES = 100;
  private static final int BATCH = 1_000;
  private static final int ROWS = 16;

  private final Random random = new Random(1);
  private final PrintStream out = System.out;
  private final Duration time;

  private ReclaimPace(Duration time) {
    this.time = time;
  }

  public static void main(String[] arguments) {
    Path directory = Path.of(arguments[0]);
    ReclaimPace pace = new ReclaimPace(Duration.ofSeconds(Long.parseLong(arguments[1])));
    for (int round = 0; round < 2; round++) {
      pace.measure(directory.resolve("idle" + round), 0, false);
      pace.measure(directory.resolve("sweep" + round), RECORDS, false);
      pace.measure(directory.resolve("clear" + round), RECORDS, true);
    }
  }

  private void measure(Path directory, int records, boolean clearing) {
    try (RocksDbEngine engine = open(directory, Duration.ofDays(1))) {
      fill(create(engine, "live"), LIVE, Expiry.NEVER);
      Space other = create(engine, "other");
      fill(other, records, clearing ? Expiry.NEVER : engine.clock().millis() + 1);
      if (clearing) {
        other.clear();
      }
    }
    try (RocksDbEngine engine = open(directory, Duration.ofSeconds(1))) {
      Space live = engine.open("live");
      run(live, time.dividedBy(4)); // so that what is measured is compiled
      ReclaimState before = engine.reclaimState();
      long[] nanos = run(live, time);
      ReclaimState after = engine.reclaimState();
      out.printf(
          Locale.ROOT,
          "%-8s %9d ops  p50 %6.1f  p90 %6.1f  p99 %7.1f  p99.9 %8.1f us; swept %d, cleared %d, overdue %d ms%n",
          directory.getFileName(),
          nanos.length,
          micros(nanos, 0.5),
          micros(nanos, 0.9),
          micros(nanos, 0.99),
          micros(nanos, 0.999),
          after.total().since(before.total()).expiredRecords(),
          after.total().clears(),
          after.overdueMillis());
      long start = System.nanoTime();
      long swept = engine.reclaim().expiredRecords();
      out.printf(
          Locale.ROOT, "the rest: %d in %d ms%n", swept, (System.nanoTime() - start) / 1_000_000);
    }
  }

  private static double micros(long[] sorted, double share) {
    return sorted[(int) (sorted.length * share)] / 1_000.0;
  }

  private static RocksDbEngine open(Path directory, Duration reclaimPeriod) {
    return RocksDbEngine.open(
        directory, RocksDbOptions.builder().reclaimPeriod(reclaimPeriod).build());
  }

  private static Space create(RocksDbEngine engine, String name) {
    return engine.create(new SpaceSpec(name, Layout.ROWS, Map.of()));
  }

  private static byte[] row(int number) {
    return new byte[] {(byte) (number % ROWS)};
  }

  private static byte[] key(int number) {
    return ByteBuffer.allocate(Integer.BYTES).putInt(number).array();
  }

  private void fill(Space space, int records, long expiryMillis) {
    List<RowRecord> batch = new ArrayList<>();
    for (int i = 0; i < records; i++) {
      byte[] value = new byte[VALUE_BYTES];
      random.nextBytes(value);
      batch.add(new RowRecord(row(i), key(i), value, expiryMillis));
      if (batch.size() == BATCH) {
        space.putAll(batch);
        batch.clear();
      }
    }
  }

  /** Half reads, half row transactions; the sorted times of all. */
  private long[] run(Space space, Duration duration) {
    long[] nanos = new long[1 << 20];
    int count = 0;
    long end = System.nanoTime() + duration.toNanos();
    byte[] value = new byte[VALUE_BYTES];
    for (long start = System.nanoTime(); start < end; ) {
      int number = random.nextInt(LIVE);
      if (number % 2 == 0) {
        space.get(row(number), key(number));
      } else {
        space.transact(
            row(number),
            row -> {
              row.putCounted(key(number), value, Expiry.NEVER);
              return number;
            });
      }
      long now = System.nanoTime();
      if (count == nanos.length) {
        nanos = Arrays.copyOf(nanos, 2 * count);
      }
      nanos[count++] = now - start;
      start = now;
    }
    long[] all = Arrays.copyOf(nanos, count);
    Arrays.sort(all);
    return all;
  }
}
