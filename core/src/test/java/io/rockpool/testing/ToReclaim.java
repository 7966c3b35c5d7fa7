package io.rockpool.testing;

import io.rockpool.Rockpool;
import io.rockpool.engine.rocksdb.RocksDbEngine;
import io.rockpool.engine.rocksdb.RocksDbOptions;
import io.rockpool.structure.PersistentMap;
import io.rockpool.structure.Snapshot;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Random;

/**
 * A store with something of each kind to give back, none of which happens by itself: a map that was
 * cleared and is held by a snapshot, one that was dropped, and two entries that have expired.
 */
public final class ToReclaim implements AutoCloseable {
  /** What each of the two maps takes on disk, at least. */
  public static final int MAP_BYTES = 1_000_000;

  /** What was cleared and dropped. */
  public static final int CLEARS = 2;

  /** How many entries have expired. */
  public static final int EXPIRED = 2;

  /** How long ago the first of them did. */
  public static final Duration OVERDUE = Duration.ofMillis(1_234);

  private static final int VALUES = 100;

  private final Path directory;
  private final FakeClock clock = new FakeClock();
  private final Rockpool pool;
  private final Snapshot<Map<Integer, byte[]>> snapshot;

  /** Makes one in a directory that is empty. */
  public ToReclaim(Path directory) {
    this.directory = directory;
    try (Rockpool filled = open()) {
      fill(map(filled, "cleared"));
      fill(map(filled, "dropped"));
    }
    pool = open(); // makes files of what was in the log
    PersistentMap<Integer, byte[]> cleared = map(pool, "cleared");
    snapshot = cleared.snapshot();
    cleared.clear();
    pool.reclaim();
    pool.names().drop("dropped");
    PersistentMap<Integer, byte[]> kept = map(pool, "kept");
    kept.put(1, new byte[1], Duration.ofSeconds(2));
    kept.put(2, new byte[1], Duration.ofSeconds(1));
    kept.put(3, new byte[1]);
    clock.advanceMillis(Duration.ofSeconds(1).plus(OVERDUE).toMillis());
  }

  private Rockpool open() {
    RocksDbOptions.Builder options = RocksDbOptions.builder().clock(clock);
    return Rockpool.at(
            o -> RocksDbEngine.open(directory, options.reclaimPeriod(Duration.ofDays(1)).build()))
        .open();
  }

  private static PersistentMap<Integer, byte[]> map(Rockpool pool, String name) {
    return pool.map(name, Integer.class, byte[].class);
  }

  private static void fill(PersistentMap<Integer, byte[]> map) {
    Random random = new Random(1);
    for (int key = 0; key < VALUES; key++) {
      byte[] value = new byte[MAP_BYTES / VALUES];
      random.nextBytes(value);
      map.put(key, value);
    }
  }

  /** The store. */
  public Rockpool pool() {
    return pool;
  }

  /** Its clock. */
  public FakeClock clock() {
    return clock;
  }

  /** Closes the snapshot. */
  public void release() {
    snapshot.close();
  }

  @Override
  public void close() {
    release();
    pool.close();
  }
}
