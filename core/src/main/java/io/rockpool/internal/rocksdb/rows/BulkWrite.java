package io.rockpool.internal.rocksdb.rows;

import io.rockpool.engine.Expiry;
import io.rockpool.engine.Limits;
import io.rockpool.engine.RecordKey;
import io.rockpool.engine.RowRecord;
import io.rockpool.internal.rocksdb.natives.Batch;
import io.rockpool.internal.rocksdb.natives.RecordLayout;
import io.rockpool.store.Durability;
import java.util.BitSet;
import java.util.List;
import java.util.function.IntSupplier;

/**
 * Puts or deletes many records in batches of up to {@link Limits#MAX_BATCH_BYTES}. Each batch
 * acquires the locks of its rows in ascending order and makes one write.
 */
final class BulkWrite {
  /**
   * The most bytes of a record in a batch besides hash key, sort key and value, its index record
   * included.
   */
  private static final int FRAME_BYTES = 128;

  private final StoreParts store;
  private final SpaceState space;
  private final RecordLayout layout;
  private final Durability durability;

  BulkWrite(StoreParts store, SpaceState space, Durability durability) {
    this.store = store;
    this.space = space;
    this.layout = space.recordLayout();
    this.durability = durability;
  }

  /** One record of a bulk write. */
  private interface Item {
    byte[] hashKey();

    long bytes();

    byte[] sortKey();

    void addTo(Batch batch, long generation);
  }

  /** Puts records in batches, and calls {@code pay} after each, with no lock held. */
  void putAll(List<RowRecord> records, Runnable pay) {
    write(records.stream().map(this::put).toList(), store.writePath().toll()::partBytes, pay);
  }

  void deleteAll(List<RecordKey> keys) {
    write(keys.stream().map(this::delete).toList(), () -> Limits.MAX_BATCH_BYTES, () -> {});
  }

  private Item put(RowRecord record) {
    return new Item() {
      @Override
      public byte[] hashKey() {
        return record.hashKey();
      }

      @Override
      public byte[] sortKey() {
        return record.sortKey();
      }

      @Override
      public long bytes() {
        return FRAME_BYTES
            + 2L * (record.hashKey().length + record.sortKey().length)
            + record.value().length;
      }

      @Override
      public void addTo(Batch batch, long generation) {
        if (layout.hasRows()) {
          store.putsBlindly(generation, record.hashKey(), record.sortKey());
        }
        byte[] key = layout.key(generation, record.hashKey(), record.sortKey());
        batch.putRecord(
            layout, key, record.value(), Expiry.normalize(record.expiryMillis()), false);
      }
    };
  }

  private Item delete(RecordKey key) {
    return new Item() {
      @Override
      public byte[] hashKey() {
        return key.hashKey();
      }

      @Override
      public byte[] sortKey() {
        return key.sortKey();
      }

      @Override
      public long bytes() {
        return (long) FRAME_BYTES + key.hashKey().length + key.sortKey().length;
      }

      @Override
      public void addTo(Batch batch, long generation) {
        batch.delete(layout.family(), layout.key(generation, key.hashKey(), key.sortKey()));
      }
    };
  }

  private void write(List<Item> items, IntSupplier most, Runnable afterPart) {
    int from = 0;
    while (from < items.size()) {
      long mostBytes = most.getAsInt();
      long bytes = items.get(from).bytes();
      int to = from + 1;
      while (to < items.size() && bytes + items.get(to).bytes() <= mostBytes) {
        bytes += items.get(to).bytes();
        to++;
      }
      store.guard().enter();
      try {
        writeBatch(items.subList(from, to), (int) bytes);
      } finally {
        store.guard().leave();
      }
      afterPart.run();
      from = to;
    }
  }

  private void writeBatch(List<Item> items, int bytes) {
    BitSet locks = new BitSet(RowLocks.COUNT);
    items.forEach(item -> locks.set(RowLocks.indexOf(space, item.hashKey())));
    Batch batch = new Batch(store.database().familyIds(), bytes);
    store.locks().lockAll(locks);
    try {
      long generation = space.generationToWrite();
      items.forEach(item -> item.addTo(batch, generation));
      RowMemory memory = store.memory(layout);
      try (RowMemory.Change change = memory == null ? null : memory.begin(locks)) {
        if (change != null) {
          items.forEach(
              item -> change.forget(layout.key(generation, item.hashKey(), item.sortKey())));
        }
        store.writePath().write(batch, durability);
      }
    } finally {
      store.locks().unlockAll(locks);
    }
  }
}
