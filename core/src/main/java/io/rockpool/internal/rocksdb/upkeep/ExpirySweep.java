package io.rockpool.internal.rocksdb.upkeep;

import io.rockpool.engine.Expiry;
import io.rockpool.error.CorruptStoreException;
import io.rockpool.internal.format.EntryKeyFormat;
import io.rockpool.internal.format.ExpiryIndexFormat;
import io.rockpool.internal.format.Generation;
import io.rockpool.internal.format.RowKeyFormat;
import io.rockpool.internal.format.RowRecordFormat;
import io.rockpool.internal.logging.LoggerNames;
import io.rockpool.internal.rocksdb.natives.Batch;
import io.rockpool.internal.rocksdb.natives.Chore;
import io.rockpool.internal.rocksdb.natives.ColumnFamily;
import io.rockpool.internal.rocksdb.natives.Compactions;
import io.rockpool.internal.rocksdb.natives.Database;
import io.rockpool.internal.rocksdb.natives.NativeScan;
import io.rockpool.internal.rocksdb.natives.WritePath;
import io.rockpool.internal.rocksdb.rows.RowLocks;
import io.rockpool.internal.rocksdb.rows.SpaceCatalog;
import io.rockpool.internal.rocksdb.rows.SpaceState;
import io.rockpool.store.Durability;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Deletes expired row records, in the order of the expiry index. Under the lock of its row, it
 * deletes a record if it is still the one of the index record. One batch deletes the record and its
 * index record, and updates the row's count. Of other index records it deletes only the index
 * record.
 *
 * <p>It continues after the last position, because a scan from the start would pass its own
 * deletions for a while. Sometimes it starts over, for records that had already expired when they
 * were put.
 *
 * <p>RocksDB soon compacts files with many deletions, which reclaims their disk space. But the
 * deletions must be flushed to files first, which takes long in a store with few writes. So this
 * class requests the flush.
 */
final class ExpirySweep implements Chore {
  private static final Logger LOG = LoggerFactory.getLogger(LoggerNames.STORE);

  /** The number of index records that one step reads: a few milliseconds. */
  private static final int PAGE_RECORDS = 512;

  /**
   * The number of records deleted under one lock hold: a writer waits for this many reads and one
   * write.
   */
  private static final int LOCKED_RECORDS = 8;

  /** How often it reaches the end before it starts over. */
  private static final int ROUNDS_UNTIL_START = 60;

  /** The number of deletions that is worth a flush. */
  private static final int FLUSHED_RECORDS = 10_000;

  private static final List<ColumnFamily> FAMILIES =
      List.of(ColumnFamily.ROWS, ColumnFamily.EXPIRIES);

  private static final int BATCH_BYTES = 8 << 10;

  private final Database database;
  private final WritePath writePath;
  private final RowLocks locks;
  private final InstantSource clock;
  private final SpaceCatalog catalog;
  private final Compactions compactions;
  private final ReclaimTotals totals;
  private long unsettled;
  private byte[] from = new byte[Long.BYTES];
  private int rounds;
  private boolean damageSeen;
  private long leastOverdueMillis = Long.MAX_VALUE;
  private volatile long behindMillis;

  ExpirySweep(
      Database database,
      WritePath writePath,
      RowLocks locks,
      InstantSource clock,
      SpaceCatalog catalog,
      Compactions compactions,
      ReclaimTotals totals) {
    this.database = database;
    this.writePath = writePath;
    this.locks = locks;
    this.clock = clock;
    this.catalog = catalog;
    this.compactions = compactions;
    this.totals = totals;
  }

  /** A record that is due according to the index. */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record Due(byte[] indexKey, byte[] key, byte[] hashKey, SpaceState space) {}

  /**
   * How much the delay of expired records has grown; if it grows further, the sweep is too slow.
   * Records that expired while the store was closed do not count.
   */
  long behindMillis() {
    return behindMillis;
  }

  private void noteOverdue(long millis) {
    leastOverdueMillis = Math.min(leastOverdueMillis, millis);
    behindMillis = millis - leastOverdueMillis;
  }

  @Override
  public void startOver() {
    from = new byte[Long.BYTES];
  }

  @Override
  public boolean step(boolean thorough) {
    long nowMillis = clock.millis();
    List<byte[]> page = page(nowMillis);
    if (page.isEmpty()) {
      noteOverdue(0);
    } else {
      noteOverdue(nowMillis - ExpiryIndexFormat.expiryMillis(page.get(0)));
      sweep(page);
      byte[] last = page.get(page.size() - 1);
      from = Arrays.copyOf(last, last.length + 1);
    }
    unsettled += page.size();
    boolean more = page.size() == PAGE_RECORDS;
    if (!more) {
      settle(thorough);
    }
    if (!more && ++rounds % ROUNDS_UNTIL_START == 0) {
      startOver();
    }
    return more;
  }

  /**
   * Reclaims the disk space of deleted records: now if thorough, else by a flush if there are many.
   */
  private void settle(boolean thorough) {
    if (thorough && unsettled > 0) {
      for (ColumnFamily family : FAMILIES) {
        compactions.settle(family, Generation.prefix(0), Generation.prefix(Long.MAX_VALUE));
      }
      unsettled = 0;
    } else if (unsettled >= FLUSHED_RECORDS) {
      database.flush(FAMILIES, /* waits= */ false);
      unsettled = 0;
    }
  }

  private List<byte[]> page(long nowMillis) {
    byte[] end = ExpiryIndexFormat.behind(Math.min(nowMillis, Expiry.MAX_MILLIS));
    List<byte[]> page = new ArrayList<>();
    if (Arrays.compareUnsigned(from, end) >= 0) {
      return page; // the clock was set back
    }
    try (NativeScan due =
        database.scan(database.now(), ColumnFamily.EXPIRIES, from, end, false, true)) {
      while (page.size() < PAGE_RECORDS && due.next()) {
        page.add(due.key());
      }
    }
    return page;
  }

  private void sweep(List<byte[]> indexKeys) {
    Map<Long, Optional<SpaceState>> spaces = new HashMap<>();
    Map<Integer, List<Due>> byLock = new TreeMap<>();
    Batch strays = newBatch();
    for (byte[] indexKey : indexKeys) {
      byte[] key = ExpiryIndexFormat.recordKey(indexKey);
      SpaceState space =
          spaces
              .computeIfAbsent(
                  Generation.of(key),
                  generation -> Optional.ofNullable(catalog.withGeneration(generation)))
              .orElse(null);
      if (space == null) {
        strays.delete(ColumnFamily.EXPIRIES, indexKey);
      } else {
        byte[] hashKey = RowKeyFormat.hashKey(key);
        byLock
            .computeIfAbsent(RowLocks.indexOf(space, hashKey), lock -> new ArrayList<>())
            .add(new Due(indexKey, key, hashKey, space));
      }
    }
    write(strays);
    byLock.forEach(
        (lock, due) -> {
          for (int i = 0; i < due.size(); i += LOCKED_RECORDS) {
            sweep(lock, due.subList(i, Math.min(due.size(), i + LOCKED_RECORDS)));
          }
        });
  }

  private void sweep(int lock, List<Due> due) {
    Batch batch = newBatch();
    Map<byte[], Long> uncounted = new TreeMap<>(Arrays::compareUnsigned);
    long removed = 0;
    locks.lock(lock);
    try {
      for (Due one : due) {
        removed += add(one, batch, uncounted) ? 1 : 0;
      }
      uncounted.forEach((row, count) -> batch.addToCount(row, -count));
      write(batch);
    } finally {
      locks.unlock(lock);
    }
    totals.addExpired(removed);
  }

  /**
   * Adds the deletions for a due record to a batch; returns whether they include the record. The
   * caller holds the row's lock.
   */
  private boolean add(Due due, Batch batch, Map<byte[], Long> uncounted) {
    byte[] start = new byte[RowRecordFormat.MAX_HEADER_BYTES];
    int length = database.peek(database.now(), ColumnFamily.ROWS, due.key(), start);
    try {
      boolean expired = length != Database.NOT_FOUND && isMeant(due, start, length);
      if (expired) {
        batch.delete(ColumnFamily.ROWS, due.key());
        if (RowRecordFormat.isCounted(start, length)) {
          long generation = Generation.of(due.key());
          uncounted.merge(EntryKeyFormat.encode(generation, due.hashKey()), 1L, Long::sum);
        }
      }
      batch.delete(ColumnFamily.EXPIRIES, due.indexKey());
      return expired;
    } catch (CorruptStoreException e) {
      warn(due, e);
      return false;
    }
  }

  /** Whether a record is the one of its index record, and has expired. */
  private boolean isMeant(Due due, byte[] start, int length) {
    long expiryMillis = RowRecordFormat.expiryMillis(start, length);
    return due.space().isOf(Generation.of(due.key()))
        && expiryMillis == ExpiryIndexFormat.expiryMillis(due.indexKey())
        && Expiry.isPast(expiryMillis, clock);
  }

  private void warn(Due due, CorruptStoreException e) {
    if (!damageSeen) {
      damageSeen = true;
      LOG.warn(
          "Expired records that cannot be read stay where they are. The first: {}",
          database.corrupt(due.space().name(), due.key(), e).getMessage());
    }
  }

  private Batch newBatch() {
    return new Batch(database.familyIds(), BATCH_BYTES);
  }

  private void write(Batch batch) {
    if (!batch.isEmpty()) {
      writePath.write(batch, Durability.BUFFERED);
    }
  }
}
