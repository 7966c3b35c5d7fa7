package io.rockpool.internal.rocksdb.upkeep;

import io.rockpool.engine.SortRange;
import io.rockpool.error.CorruptStoreException;
import io.rockpool.internal.format.EntryKeyFormat;
import io.rockpool.internal.format.Generation;
import io.rockpool.internal.format.RowKeyFormat;
import io.rockpool.internal.format.RowRecordFormat;
import io.rockpool.internal.logging.LoggerNames;
import io.rockpool.internal.rocksdb.files.DamagedTables;
import io.rockpool.internal.rocksdb.natives.Batch;
import io.rockpool.internal.rocksdb.natives.Chore;
import io.rockpool.internal.rocksdb.natives.ColumnFamily;
import io.rockpool.internal.rocksdb.natives.DamagedTable;
import io.rockpool.internal.rocksdb.natives.Database;
import io.rockpool.internal.rocksdb.natives.NativeScan;
import io.rockpool.internal.rocksdb.natives.RowsLayout;
import io.rockpool.internal.rocksdb.natives.WritePath;
import io.rockpool.internal.rocksdb.rows.RowLocks;
import io.rockpool.internal.rocksdb.rows.SpaceCatalog;
import io.rockpool.internal.rocksdb.rows.SpaceState;
import io.rockpool.store.Durability;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Counts the rows of names of which records or counts were lost with a damaged table. A row is
 * counted under its lock, once in each opening of the store until nothing is lost any longer.
 */
final class Recount implements Chore {
  private static final Logger LOG = LoggerFactory.getLogger(LoggerNames.STORE);

  private static final long STEP_NANOS = TimeUnit.MILLISECONDS.toNanos(5);
  private static final int BATCH_BYTES = 256;

  private final Database database;
  private final WritePath writePath;
  private final RowLocks locks;
  private final SpaceCatalog catalog;

  /** Whose rows were counted, or are being counted. */
  private final Set<String> seen = new HashSet<>();

  private final Deque<Long> generations = new ArrayDeque<>();
  private boolean inCounts;
  private byte @Nullable [] from;

  Recount(Database database, WritePath writePath, RowLocks locks, SpaceCatalog catalog) {
    this.database = database;
    this.writePath = writePath;
    this.locks = locks;
    this.catalog = catalog;
  }

  @Override
  public boolean step(boolean thorough) {
    if (database.damagedTables().isEmpty()) {
      return false;
    }
    if (generations.isEmpty()) {
      begin();
    }
    long start = System.nanoTime();
    while (!generations.isEmpty() && System.nanoTime() - start < STEP_NANOS) {
      countNext(generations.element());
    }
    if (generations.isEmpty()) {
      database.forgetLost(lost -> isOfCounts(lost) && seen.contains(lost.line()));
      return false;
    }
    return true;
  }

  private static boolean isOfCounts(DamagedTables.Lost lost) {
    return lost.family().equals(ColumnFamily.COUNTS.name());
  }

  private void begin() {
    for (DamagedTables.Lost lost : database.damagedTables().lost()) {
      boolean isOfRows = lost.family().equals(ColumnFamily.ROWS.name());
      if ((isOfRows || isOfCounts(lost))
          && !database.damagedTables().setAside().containsKey(lost.table())
          && seen.add(lost.line())) {
        generations.addAll(AffectedNames.of(database, DamagedTable.of(lost)).values());
      }
    }
  }

  /** Counts the next row of a generation: of those with records, then of those with a count. */
  private void countNext(long generation) {
    SpaceState space = catalog.withGeneration(generation);
    byte[] key = space == null ? null : nextKey(generation);
    if (space != null && key != null) {
      byte[] row = inCounts ? EntryKeyFormat.hashKey(key) : RowKeyFormat.hashKey(key);
      from =
          inCounts
              ? Arrays.copyOf(key, key.length + 1)
              : RowsLayout.INSTANCE.upperBound(generation, row, SortRange.all());
      count(space, generation, row);
      return;
    }
    from = null;
    inCounts = space != null && !inCounts;
    if (!inCounts) {
      generations.remove();
    }
  }

  private byte @Nullable [] nextKey(long generation) {
    byte[] first = from == null ? Generation.prefix(generation) : from;
    ColumnFamily family = inCounts ? ColumnFamily.COUNTS : ColumnFamily.ROWS;
    try (NativeScan scan =
        database.scan(
            database.now(), family, first, Generation.prefix(generation + 1), false, true)) {
      return scan.next() ? scan.key() : null;
    }
  }

  private void count(SpaceState space, long generation, byte[] row) {
    int lock = RowLocks.indexOf(space, row);
    locks.lock(lock);
    try {
      byte[] key = EntryKeyFormat.encode(generation, row);
      byte[] kept = database.get(ColumnFamily.COUNTS, key);
      long before =
          kept == null || kept.length != Long.BYTES
              ? 0
              : ByteBuffer.wrap(kept).order(ByteOrder.LITTLE_ENDIAN).getLong();
      long delta = counted(generation, row) - before;
      if (delta != 0) {
        Batch batch = new Batch(database.familyIds(), BATCH_BYTES);
        batch.addToCount(key, delta);
        writePath.write(batch, Durability.SYNC);
      }
    } catch (CorruptStoreException e) {
      LOG.warn("A row of \"{}\" cannot be counted again.", space.name(), e);
    } finally {
      locks.unlock(lock);
    }
  }

  private long counted(long generation, byte[] row) {
    long counted = 0;
    try (NativeScan scan =
        RowsLayout.INSTANCE.scan(
            database, database.now(), generation, row, SortRange.all(), true)) {
      while (scan.next()) {
        int length = scan.readValue();
        counted += RowRecordFormat.isCounted(scan.value(), length) ? 1 : 0;
      }
    }
    return counted;
  }
}
