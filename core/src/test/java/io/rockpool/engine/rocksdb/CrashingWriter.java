package io.rockpool.engine.rocksdb;

import io.rockpool.engine.Durability;
import io.rockpool.engine.Expiry;
import io.rockpool.engine.Layout;
import io.rockpool.engine.Space;
import io.rockpool.engine.SpaceSpec;
import java.io.PrintStream;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Map;

/** A process that writes until it is killed, and says the number of each write that returned. */
final class CrashingWriter {
  static final int WRITERS = 2;
  static final String ENTRIES = "entries";
  static final String ROWS = "rows";

  private CrashingWriter() {}

  public static void main(String[] arguments) throws InterruptedException {
    Durability durability = Durability.valueOf(arguments[1]);
    long first = Long.parseLong(arguments[2]);
    RocksDbEngine engine =
        RocksDbEngine.open(
            Path.of(arguments[0]), RocksDbOptions.builder().durability(durability).build());
    Space entries = space(engine, ENTRIES, Layout.ENTRIES);
    Space rows = space(engine, ROWS, Layout.ROWS);
    PrintStream acknowledged = new PrintStream(System.out, true);
    for (int writer = 0; writer < WRITERS; writer++) {
      long start = first + writer;
      new Thread(() -> write(engine, entries, rows, start, acknowledged)).start();
    }
    Thread.currentThread().join();
  }

  private static Space space(RocksDbEngine engine, String name, Layout layout) {
    Space space = engine.open(name);
    return space == null ? engine.create(new SpaceSpec(name, layout, Map.of())) : space;
  }

  private static void write(
      RocksDbEngine engine, Space entries, Space rows, long start, PrintStream acknowledged) {
    for (long number = start; ; number += WRITERS) {
      byte[] key = key(number);
      if (!isInRows(number)) {
        entries.put(key, Space.NO_SORT_KEY, key, Expiry.NEVER);
      } else if (!isInEntries(number)) {
        putCounted(rows, number);
      } else {
        long both = number;
        engine.atomically(
            () -> {
              entries.put(key, Space.NO_SORT_KEY, key, Expiry.NEVER);
              putCounted(rows, both);
              return both;
            });
      }
      acknowledged.println(number);
    }
  }

  private static void putCounted(Space rows, long number) {
    rows.transact(
        row(number),
        row -> {
          row.putCounted(key(number), key(number), Expiry.NEVER);
          return number;
        });
  }

  /** Whether a number goes to the space of entries: two of three do. */
  static boolean isInEntries(long number) {
    return number / WRITERS % 3 != 1;
  }

  /** Whether a number goes to the space of rows: two of three do, and so one of three to both. */
  static boolean isInRows(long number) {
    return number / WRITERS % 3 != 0;
  }

  static byte[] key(long number) {
    return ByteBuffer.allocate(Long.BYTES).putLong(number).array();
  }

  /** Each writer counts in a row of its own. */
  static byte[] row(long number) {
    return new byte[] {(byte) (number % WRITERS)};
  }
}
