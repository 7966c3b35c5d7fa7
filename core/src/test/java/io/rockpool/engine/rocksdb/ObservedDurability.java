package io.rockpool.engine.rocksdb;

import io.rockpool.internal.rocksdb.natives.WritePath;
import io.rockpool.store.Durability;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.rocksdb.RocksDBException;

/** What a write survives, as it reaches RocksDB: whether that forced its log for it, or is to. */
public final class ObservedDurability {
  private static final Pattern FORCES =
      Pattern.compile("Cumulative WAL: \\d+ writes, (\\d+) syncs");
  private static final Duration NEVER = Duration.ofHours(1);

  private final RocksDbEngine engine;

  private ObservedDurability(RocksDbEngine engine) {
    this.engine = engine;
  }

  /** Opens an engine that does nothing by itself, which would be taken for what a write does. */
  public static ObservedDurability open(Path directory, Durability level, InstantSource clock) {
    return new ObservedDurability(
        RocksDbEngine.open(
            directory,
            RocksDbOptions.builder()
                .durability(level)
                .clock(clock)
                .syncPeriod(NEVER)
                .reclaimPeriod(NEVER)
                .build()));
  }

  /** The engine, to be closed. */
  public RocksDbEngine engine() {
    return engine;
  }

  /** What the writes survive that {@code work} makes, the strongest of them; no one else writes. */
  public Durability of(Runnable work) {
    WritePath writePath = engine.internals().writePath();
    boolean unused = writePath.takeUnsynced();
    long forces = forces();
    work.run();
    if (forces() > forces) {
      return Durability.SYNC;
    }
    return writePath.takeUnsynced() ? Durability.PERIODIC : Durability.BUFFERED;
  }

  private long forces() {
    try {
      String counts = engine.internals().database().nativeDatabase().getProperty("rocksdb.dbstats");
      Matcher matcher = FORCES.matcher(counts);
      if (!matcher.find()) {
        throw new AssertionError("RocksDB counts otherwise by now: " + counts);
      }
      return Long.parseLong(matcher.group(1));
    } catch (RocksDBException e) {
      throw new AssertionError(e);
    }
  }
}
