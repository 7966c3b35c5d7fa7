package io.rockpool.engine.rocksdb;

import io.rockpool.engine.Cursor;
import io.rockpool.engine.Direction;
import io.rockpool.engine.Expiry;
import io.rockpool.engine.Layout;
import io.rockpool.engine.RowRecord;
import io.rockpool.engine.SortRange;
import io.rockpool.engine.Space;
import io.rockpool.engine.SpaceSpec;
import io.rockpool.internal.rocksdb.natives.NativeHeap;
import io.rockpool.store.StoreStatistics;
import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SplittableRandom;
import javax.management.JMException;
import javax.management.ObjectName;

/**
 * Measures what open cursors take of memory beyond the budget, each at another place of a store
 * that is larger than that. To be run with {@code -XX:+AlwaysPreTouch}, so that the Java heap is
 * the same from the beginning. Arguments: a directory, how many records of 100 bytes, the budget in
 * bytes, how many cursors, how many records each reads.
 */
final class CursorMemory {
  private static final int VALUE_BYTES = 100;
  private static final int BATCH = 1_000;
  private static final byte[] ROW = {0};

  /** By this keys are in no order. */
  private static final long SPREAD = 0x9E3779B97F4A7C15L;

  private final SplittableRandom random = new SplittableRandom(1);
  private final PrintStream out = System.out;
  private final RocksDbEngine engine;
  private final long records;
  private final int steps;

  private CursorMemory(RocksDbEngine engine, long records, int steps) {
    this.steps = steps;
    this.engine = engine;
    this.records = records;
  }

  public static void main(String[] arguments) throws JMException {
    RocksDbOptions options =
        RocksDbOptions.builder().memoryBudgetBytes(Long.parseLong(arguments[2])).build();
    try (RocksDbEngine engine = RocksDbEngine.open(Path.of(arguments[0]), options)) {
      CursorMemory memory =
          new CursorMemory(engine, Long.parseLong(arguments[1]), Integer.parseInt(arguments[4]));
      Space space = engine.open("rows") == null ? memory.fill() : engine.open("rows");
      memory.measure(space, Integer.parseInt(arguments[3]));
    }
  }

  private Space fill() {
    Space space = engine.create(new SpaceSpec("rows", Layout.ROWS, Map.of()));
    for (long from = 0; from < records; from += BATCH) {
      List<RowRecord> batch = new ArrayList<>();
      for (long number = from; number < from + BATCH; number++) {
        byte[] value = new byte[VALUE_BYTES];
        random.nextBytes(value);
        batch.add(new RowRecord(ROW, key(number * SPREAD), value, Expiry.NEVER));
      }
      space.putAll(batch);
    }
    return space;
  }

  private static byte[] key(long number) {
    return ByteBuffer.allocate(Long.BYTES).putLong(number).array();
  }

  private void measure(Space space, int cursors) throws JMException {
    for (long i = 0; i < records; i++) { // so that the cache is full
      space.get(ROW, key(random.nextLong(records) * SPREAD));
    }
    long before = say("no cursor", 0, 0);
    List<Cursor> open = new ArrayList<>();
    for (int number = 1; number <= cursors; number++) {
      open.add(open(space));
      if (number == 100 || number == 1_000 || number == 10_000) {
        say(number + " cursors", number, before);
      }
    }
    open.forEach(Cursor::close);
    say("closed", 0, before);
  }

  private Cursor open(Space space) {
    byte[] from = key(random.nextLong());
    Cursor cursor =
        space.scan(ROW, SortRange.all().from(from, true), Direction.FORWARD, Integer.MAX_VALUE);
    for (int i = 0; i < steps; i++) {
      cursor.next();
    }
    return cursor;
  }

  /** What is free goes back to the system, so that only what is in use is measured. */
  private static void trim() throws JMException {
    ManagementFactory.getPlatformMBeanServer()
        .invoke(
            new ObjectName("com.sun.management:type=DiagnosticCommand"),
            "systemTrimNativeHeap",
            new Object[0],
            new String[0]);
  }

  private long say(String what, int cursors, long beforeKib) throws JMException {
    System.gc();
    trim();
    long kib = NativeHeap.residentBytes() >> 10;
    StoreStatistics statistics = engine.statistics();
    out.printf(
        Locale.ROOT,
        "%-14s %,9d KiB resident, cache %,d of %,d KiB, files %,d KiB",
        what,
        kib,
        statistics.cacheBytes() >> 10,
        statistics.cacheCapacityBytes() >> 10,
        statistics.fileBytes() >> 10);
    out.println(
        cursors == 0
            ? ""
            : String.format(Locale.ROOT, ", each %.1f KiB", (kib - beforeKib) / (double) cursors));
    return kib;
  }
}
