package io.rockpool.internal.rocksdb.upkeep;

import io.rockpool.internal.format.Generation;
import io.rockpool.internal.rocksdb.natives.Chore;
import io.rockpool.internal.rocksdb.natives.ColumnFamily;
import io.rockpool.internal.rocksdb.natives.Compactions;
import io.rockpool.internal.rocksdb.natives.Database;
import io.rockpool.internal.rocksdb.natives.LongScans;
import io.rockpool.internal.rocksdb.natives.Measures;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Drops removed records that scans pass. RocksDB keeps a removal until a compaction reaches the
 * last file that may have the record: so it passes all removals in memory, and those in a file that
 * nothing else overlaps. Where a scan was long, the memtable is written to a file if it has many
 * removals, and the files are compacted if many of their records are removals.
 */
final class RemovedRecords implements Chore {
  /** A scan passes so many removals in a tenth of a millisecond. */
  private static final int MANY = 1_024;

  /**
   * If so much of the files is removals, the compaction writes at most three times what it frees.
   */
  private static final int MIN_SHARE = 4;

  /** After a compaction that dropped nothing, as for an open snapshot. */
  private static final long REST_NANOS = TimeUnit.MINUTES.toNanos(1);

  private final Database database;
  private final Compactions compactions;
  private long restsSinceNanos = System.nanoTime() - REST_NANOS;

  RemovedRecords(Database database, Compactions compactions) {
    this.database = database;
    this.compactions = compactions;
  }

  /** Looks at everything. */
  @Override
  public void startOver() {
    for (ColumnFamily family : DeadRange.FAMILIES) {
      database.longScans().add(family, Generation.prefix(0), Generation.prefix(Long.MAX_VALUE));
    }
  }

  @Override
  public boolean step(boolean thorough) {
    LongScans.Part part = database.longScans().poll();
    if (part == null) {
      return false;
    }
    Measures measures = database.measures();
    if (measures.removalsInMemory(part.family()) >= MANY) {
      database.flush(List.of(part.family()), /* waits= */ true);
    }
    if (isWorthIt(part) && (thorough || System.nanoTime() - restsSinceNanos >= REST_NANOS)) {
      compactions.rewrite(part.family(), part.from().array(), part.to().array());
      if (isWorthIt(part)) {
        restsSinceNanos = System.nanoTime();
      }
    }
    return true;
  }

  private boolean isWorthIt(LongScans.Part part) {
    return database
        .measures()
        .hasRemovals(part.family(), part.from().array(), part.to().array(), MANY, MIN_SHARE);
  }
}
