package io.rockpool.engine.rocksdb;

import io.rockpool.engine.Expiry;
import io.rockpool.engine.Layout;
import io.rockpool.engine.RowRecord;
import io.rockpool.engine.Space;
import io.rockpool.engine.SpaceSpec;
import java.io.PrintStream;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * A process that writes, clears, drops and lets expire until it is killed, while all is reclaimed;
 * it says the number of each record that stays.
 */
final class ReclaimingWriter {
  static final String KEPT = "kept";
  static final String CLEARED = "cleared";
  static final String DROPPED = "dropped";

  /** The row of what stays, and of what expires, in the space that is kept. */
  static final byte[] STAYING = {1};

  static final byte[] EXPIRING = {2};

  private static final int RECORDS = 300;
  private static final long TTL_MILLIS = 20;

  private ReclaimingWriter() {}

  public static void main(String[] arguments) {
    RocksDbEngine engine =
        RocksDbEngine.open(
            Path.of(arguments[0]),
            RocksDbOptions.builder()
                .memoryBudgetBytes(8 << 20)
                .reclaimPeriod(Duration.ofMillis(1))
                .build());
    Thread forcing = new Thread(() -> reclaim(engine));
    forcing.setDaemon(true);
    forcing.start();
    Space kept = space(engine, KEPT, Layout.ROWS);
    Space cleared = space(engine, CLEARED, Layout.ROWS);
    PrintStream said = new PrintStream(System.out, true);
    for (int number = Integer.parseInt(arguments[1]); ; number++) {
      Space dropped = space(engine, DROPPED, number % 2 == 0 ? Layout.ROWS : Layout.ENTRIES);
      fill(cleared);
      fill(dropped);
      cleared.clear();
      engine.drop(DROPPED);
      put(kept, STAYING, number, Expiry.NEVER);
      put(kept, EXPIRING, number % RECORDS, engine.clock().millis() + TTL_MILLIS);
      said.println(number);
    }
  }

  private static void reclaim(RocksDbEngine engine) {
    while (true) {
      engine.reclaim();
    }
  }

  private static Space space(RocksDbEngine engine, String name, Layout layout) {
    Space space = engine.open(name);
    return space == null ? engine.create(new SpaceSpec(name, layout, Map.of())) : space;
  }

  private static void fill(Space space) {
    List<RowRecord> records = new ArrayList<>();
    for (int i = 0; i < RECORDS; i++) {
      records.add(new RowRecord(key(i), Space.NO_SORT_KEY, new byte[RECORDS], Expiry.NEVER));
    }
    space.putAll(records);
  }

  private static void put(Space space, byte[] row, int number, long expiryMillis) {
    space.transact(
        row,
        transaction -> {
          transaction.putCounted(key(number), key(number), expiryMillis);
          return number;
        });
  }

  static byte[] key(int number) {
    return ByteBuffer.allocate(Integer.BYTES).putInt(number).array();
  }
}
