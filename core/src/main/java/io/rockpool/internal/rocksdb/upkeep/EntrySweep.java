package io.rockpool.internal.rocksdb.upkeep;

import io.rockpool.engine.Expiry;
import io.rockpool.internal.concurrent.Durations;
import io.rockpool.internal.format.EntryFormat;
import io.rockpool.internal.format.EntryKeyFormat;
import io.rockpool.internal.format.Generation;
import io.rockpool.internal.rocksdb.natives.Batch;
import io.rockpool.internal.rocksdb.natives.Chore;
import io.rockpool.internal.rocksdb.natives.ColumnFamily;
import io.rockpool.internal.rocksdb.natives.Database;
import io.rockpool.internal.rocksdb.natives.NativeScan;
import io.rockpool.internal.rocksdb.natives.WritePath;
import io.rockpool.internal.rocksdb.rows.RowLocks;
import io.rockpool.internal.rocksdb.rows.SpaceCatalog;
import io.rockpool.internal.rocksdb.rows.SpaceState;
import io.rockpool.store.Durability;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.locks.Lock;

/**
 * Deletes expired entries in a store whose clock is not the system clock, which RocksDB's filter
 * uses. Once each period it reads all entries, and checks expired ones again under the lock of
 * their row.
 */
final class EntrySweep implements Chore {
  /** The number of entries that one step reads: some milliseconds. */
  private static final int PAGE_ENTRIES = 1_024;

  private static final byte[] START = new byte[Long.BYTES];
  private static final int BATCH_BYTES = 256;

  private final Database database;
  private final WritePath writePath;
  private final RowLocks locks;
  private final InstantSource clock;
  private final SpaceCatalog catalog;
  private final ReclaimTotals totals;
  private final long periodMillis;
  private byte[] from = START;
  private long lastStartMillis;

  EntrySweep(
      Database database,
      WritePath writePath,
      RowLocks locks,
      InstantSource clock,
      SpaceCatalog catalog,
      ReclaimTotals totals,
      Duration period) {
    this.database = database;
    this.writePath = writePath;
    this.locks = locks;
    this.clock = clock;
    this.catalog = catalog;
    this.totals = totals;
    this.periodMillis = Durations.millis(period);
    this.lastStartMillis = clock.millis();
  }

  @Override
  public void startOver() {
    from = START;
  }

  @Override
  public boolean step(boolean thorough) {
    long nowMillis = clock.millis();
    boolean starting = Arrays.equals(from, START);
    if (starting && !thorough && Math.abs(nowMillis - lastStartMillis) < periodMillis) {
      return false;
    }
    if (starting) {
      lastStartMillis = nowMillis;
    }
    List<byte[]> due = page();
    due.forEach(this::deleteIfOver);
    return !Arrays.equals(from, START);
  }

  /** Returns the keys of the expired entries on the next page, and moves past the page. */
  private List<byte[]> page() {
    List<byte[]> due = new ArrayList<>();
    try (NativeScan entries =
        database.scan(
            database.now(),
            ColumnFamily.ENTRIES,
            from,
            Generation.prefix(Long.MAX_VALUE),
            false,
            true)) {
      byte[] last = START;
      int left = PAGE_ENTRIES;
      while (left > 0 && entries.next()) {
        left--;
        last = entries.key();
        int length = entries.readValue();
        if (isOver(entries.value(), length)) {
          due.add(last);
        }
      }
      from = left > 0 ? START : Arrays.copyOf(last, last.length + 1);
    }
    return due;
  }

  private boolean isOver(byte[] entry, int length) {
    return Expiry.isPast(EntryFormat.expiryMillis(entry, length), clock);
  }

  private void deleteIfOver(byte[] key) {
    SpaceState space = catalog.withGeneration(Generation.of(key));
    if (space == null) {
      return; // a dead generation is reclaimed as a whole
    }
    Lock lock = locks.acquire(RowLocks.indexOf(space, EntryKeyFormat.hashKey(key)));
    try {
      byte[] entry = database.get(ColumnFamily.ENTRIES, key);
      if (entry != null && isOver(entry, entry.length)) {
        Batch batch = new Batch(database.familyIds(), BATCH_BYTES);
        batch.delete(ColumnFamily.ENTRIES, key);
        writePath.write(batch, Durability.BUFFERED);
        totals.addExpired(1);
      }
    } finally {
      lock.unlock();
    }
  }
}
