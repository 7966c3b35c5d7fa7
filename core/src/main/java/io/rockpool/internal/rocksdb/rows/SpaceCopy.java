package io.rockpool.internal.rocksdb.rows;

import io.rockpool.engine.Space;
import io.rockpool.internal.concurrent.OrderedLock;
import io.rockpool.internal.format.EntryKeyFormat;
import io.rockpool.internal.rocksdb.natives.Batch;
import io.rockpool.internal.rocksdb.natives.RecordLayout;
import io.rockpool.store.Durability;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Copies the records of a space of rows, as of one snapshot, into an empty one. Also those that
 * have expired and were not swept: the records of some structures depend on each other until then.
 * Each batch has the counts of its records, so the target is sound at any time, though not
 * complete.
 */
final class SpaceCopy {
  /** Bytes in a batch. Other writes wait for one batch at most. */
  private static final int BATCH_BYTES = 1 << 20;

  private final StoreParts store;
  private final SpaceState target;
  private final RecordLayout layout;
  private final long generation;
  private Batch batch;
  private byte @Nullable [] row;
  private long counted;

  private SpaceCopy(StoreParts store, SpaceState target) {
    this.store = store;
    this.target = target;
    this.layout = target.recordLayout();
    this.generation = target.generation();
    this.batch = newBatch();
  }

  /** Copies all records. Call it outside of transactions. */
  static void run(StoreParts store, RocksDbSnapshot source, SpaceState target) {
    SpaceCopy copy = new SpaceCopy(store, target);
    try (RocksDbCursor records = source.scanStored()) {
      while (records.next()) {
        copy.add(records);
      }
    }
    copy.write();
  }

  private void add(RocksDbCursor record) {
    byte[] hashKey = record.hashKey();
    if (!Arrays.equals(hashKey, row)) {
      endRow();
      row = hashKey;
    }
    byte[] key = layout.key(generation, hashKey, record.sortKey());
    boolean isCounted = record.isCounted();
    batch.putRecord(layout, key, record.value(), record.expiryMillis(), isCounted);
    counted += isCounted ? 1 : 0;
    if (batch.length() >= BATCH_BYTES) {
      write();
    }
  }

  private void endRow() {
    if (row != null && counted > 0) {
      batch.addToCount(EntryKeyFormat.encode(generation, row), counted);
    }
    counted = 0;
  }

  private void write() {
    endRow();
    if (batch.isEmpty()) {
      return;
    }
    store.guard().enter();
    try {
      // The lock tells the reclaimer that a write runs, in case the target was dropped.
      OrderedLock lock = store.locks().acquire(RowLocks.indexOf(target, Space.NO_SORT_KEY));
      try {
        target.generation();
        store.writePath().write(batch, Durability.BUFFERED);
      } finally {
        lock.unlock();
      }
    } finally {
      store.guard().leave();
    }
    store.writePath().toll().pay(target.name());
    batch = newBatch();
  }

  private Batch newBatch() {
    return new Batch(store.database().familyIds(), BATCH_BYTES);
  }
}
