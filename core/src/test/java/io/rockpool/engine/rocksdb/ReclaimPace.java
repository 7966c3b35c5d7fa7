package io.rockpool.engine.rocksdb;

import io.rockpool.engine.Expiry;
import io.rockpool.engine.Layout;
import io.rockpool.engine.RecordKey;
import io.rockpool.engine.RowRecord;
import io.rockpool.engine.Space;
import io.rockpool.engine.SpaceSpec;
import io.rockpool.internal.engine.BackgroundThread;
import io.rockpool.internal.engine.Evictor;
import io.rockpool.store.ReclaimState;
import java.io.PrintStream;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.rocksdb.RocksDBException;

/**
 * Measures what reads and writes of one space take while nothing is reclaimed, and while the store
 * is at each kind of such work in another. Arguments: a directory for stores, how many seconds to
 * measure each, and how many rounds.
 */
final class ReclaimPace {
  private static final int RECORDS = 1_000_000;
  private static final int LIVE = 200_000;
  private static final int VALUE_BYTES = 100;
  private static final int FEW = 1_000;
  private static final int LARGE_VALUE_BYTES = 32 << 10;
  private static final int BATCH = 1_000;
  private static final int ROWS = 16;
  private static final Duration LARGE_PERIOD = Duration.ofMillis(3);

  /** What expires does so later than this after a store was begun, which is filled by then. */
  private static final Duration DUE_AFTER = Duration.ofSeconds(12);

  private static final int OPERATIONS_PER_LOOK = 256;

  /** What the store is at meanwhile. */
  private enum Work {
    NOTHING,
    /** A million records of rows have expired. */
    SWEEP,
    /** A million records of rows were cleared. */
    CLEAR,
    /** Every second entry of two million expires; files are written anew each second. */
    PURGE,
    /** Nothing to reclaim, while large values are added: what {@link #BLOBS} is held against. */
    LARGE,
    /** The same few large values are written over and over. */
    BLOBS,
    /** A cache of a million entries is to give up half of its bytes, bit by bit. */
    EVICTIONS
  }

  private final Random random = new Random(1);
  private final PrintStream out = System.out;
  private final Duration time;
  private int looks;
  private int busyLooks;

  private ReclaimPace(Duration time) {
    this.time = time;
  }

  public static void main(String[] arguments) {
    Path directory = Path.of(arguments[0]);
    ReclaimPace pace = new ReclaimPace(Duration.ofSeconds(Long.parseLong(arguments[1])));
    for (int round = 0; round < Integer.parseInt(arguments[2]); round++) {
      for (Work work : Work.values()) {
        pace.measure(directory.resolve(work.toString() + round), work);
      }
    }
  }

  private void measure(Path directory, Work work) {
    long dueMillis = System.currentTimeMillis() + DUE_AFTER.toMillis();
    try (RocksDbEngine engine = open(directory, Duration.ofDays(1))) {
      fillRows(create(engine, "live", Layout.ROWS), LIVE, Expiry.NEVER);
      prepare(engine, work, dueMillis);
    }
    try (RocksDbEngine engine = open(directory, Duration.ofSeconds(1));
        BackgroundThread beside = beside(engine, work)) {
      Space live = engine.open("live");
      // So that what is measured is compiled.
      run(engine, live, Duration.ofMillis(dueMillis - System.currentTimeMillis()));
      long bytes = engine.diskBytes();
      ReclaimState before = engine.reclaimState();
      if (work == Work.CLEAR) {
        engine.open("other").clear();
      } else if (work == Work.EVICTIONS) {
        engine.evictBy(new Shrinking(time));
      }
      long[] nanos = run(engine, live, time);
      ReclaimState after = engine.reclaimState();
      out.printf(
          Locale.ROOT,
          "%-10s %8d ops  p50 %6.1f  p90 %6.1f  p99 %7.1f  p99.9 %8.1f us; swept %d, cleared %d, overdue %d ms,"
              + " %d MiB to %d, merging %d %% of the time%n",
          directory.getFileName(),
          nanos.length,
          micros(nanos, 0.5),
          micros(nanos, 0.9),
          micros(nanos, 0.99),
          micros(nanos, 0.999),
          after.total().since(before.total()).expiredRecords(),
          after.total().since(before.total()).clears(),
          after.overdueMillis(),
          bytes >> 20,
          engine.diskBytes() >> 20,
          100 * busyLooks / looks);
    }
  }

  private void prepare(RocksDbEngine engine, Work work, long dueMillis) {
    switch (work) {
      case NOTHING -> {}
      case SWEEP -> fillRows(create(engine, "other", Layout.ROWS), RECORDS, dueMillis);
      case CLEAR -> fillRows(create(engine, "other", Layout.ROWS), RECORDS, Expiry.NEVER);
      case PURGE ->
          fill(
              create(engine, "other", Layout.ENTRIES),
              2 * RECORDS,
              i -> entry(i, i % 2 == 0 ? dueMillis : Expiry.NEVER));
      case LARGE, BLOBS -> create(engine, "other", Layout.ROWS);
      case EVICTIONS ->
          fill(create(engine, "other", Layout.ENTRIES), RECORDS, i -> entry(i, Expiry.NEVER));
    }
  }

  /** Writes large values, where that is part of {@code work}. */
  private static BackgroundThread beside(RocksDbEngine engine, Work work) {
    AtomicInteger next = new AtomicInteger();
    Random bytes = new Random(2);
    return new BackgroundThread(
            "writer",
            work == Work.LARGE || work == Work.BLOBS ? LARGE_PERIOD : Duration.ofDays(1),
            () -> {
              int i = next.getAndIncrement();
              byte[] value = new byte[LARGE_VALUE_BYTES];
              bytes.nextBytes(value);
              int key = work == Work.BLOBS ? i % FEW : i;
              engine.open("other").put(row(key), key(key), value, Expiry.NEVER);
            },
            engine.upkeep())
        .start();
  }

  /** Lets a space take half of what it has, at the end of some time; keeps nothing it is shown. */
  private static final class Shrinking implements Evictor {
    private static final long BYTES = (long) RECORDS * VALUE_BYTES;
    private final long start = System.nanoTime();
    private final double nanosToNothing;

    Shrinking(Duration time) {
      this.nanosToNothing = 2.0 * time.toNanos();
    }

    @Override
    public Map<String, Long> budgets() {
      double left = Math.max(0, 1 - (System.nanoTime() - start) / nanosToNothing);
      return Map.of("other", (long) (BYTES * left));
    }

    @Override
    public int evict(Space space, List<byte[]> hashKeys, boolean all) {
      space.deleteAll(hashKeys.stream().map(key -> new RecordKey(key, Space.NO_SORT_KEY)).toList());
      return hashKeys.size();
    }
  }

  private static double micros(long[] sorted, double share) {
    return sorted[(int) (sorted.length * share)] / 1_000.0;
  }

  private static RocksDbEngine open(Path directory, Duration period) {
    return RocksDbEngine.open(
        directory, RocksDbOptions.builder().reclaimPeriod(period).entryPurgePeriod(period).build());
  }

  private static Space create(RocksDbEngine engine, String name, Layout layout) {
    return engine.create(new SpaceSpec(name, layout, Map.of()));
  }

  private static byte[] row(int number) {
    return new byte[] {(byte) (number % ROWS)};
  }

  private static byte[] key(int number) {
    return ByteBuffer.allocate(Integer.BYTES).putInt(number).array();
  }

  private void fillRows(Space space, int records, long expiryMillis) {
    fill(space, records, i -> new RowRecord(row(i), key(i), value(), expiryMillis));
  }

  private void fill(Space space, int records, IntFunction<RowRecord> record) {
    for (int i = 0; i < records; i += BATCH) {
      space.putAll(IntStream.range(i, Math.min(records, i + BATCH)).mapToObj(record).toList());
    }
  }

  private byte[] value() {
    byte[] value = new byte[VALUE_BYTES];
    random.nextBytes(value);
    return value;
  }

  private RowRecord entry(int number, long expiryMillis) {
    return new RowRecord(key(number), Space.NO_SORT_KEY, value(), expiryMillis);
  }

  /** Half reads, half row transactions; the sorted times of all. */
  private long[] run(RocksDbEngine engine, Space space, Duration duration) {
    long[] nanos = new long[1 << 20];
    int count = 0;
    looks = 0;
    busyLooks = 0;
    long end = System.nanoTime() + duration.toNanos();
    byte[] value = new byte[VALUE_BYTES];
    while (true) {
      if (count % OPERATIONS_PER_LOOK == 0) {
        look(engine);
      }
      int number = random.nextInt(LIVE);
      long start = System.nanoTime();
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
      if (now >= end) {
        Arrays.sort(nanos, 0, count);
        return Arrays.copyOf(nanos, count);
      }
    }
  }

  private void look(RocksDbEngine engine) {
    looks++;
    try {
      if (engine
              .internals()
              .database()
              .nativeDatabase()
              .getLongProperty("rocksdb.num-running-compactions")
          > 0) {
        busyLooks++;
      }
    } catch (RocksDBException e) {
      throw new AssertionError(e);
    }
  }
}
