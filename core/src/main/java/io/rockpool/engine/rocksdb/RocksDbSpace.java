package io.rockpool.engine.rocksdb;

import io.rockpool.engine.Cursor;
import io.rockpool.engine.Direction;
import io.rockpool.engine.Durability;
import io.rockpool.engine.Expiry;
import io.rockpool.engine.Limits;
import io.rockpool.engine.RecordKey;
import io.rockpool.engine.RecordReader;
import io.rockpool.engine.RowRecord;
import io.rockpool.engine.RowTransaction;
import io.rockpool.engine.SortRange;
import io.rockpool.engine.Space;
import io.rockpool.engine.SpaceInfo;
import io.rockpool.error.CorruptStoreException;
import io.rockpool.internal.format.Generation;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.locks.Lock;
import org.jspecify.annotations.Nullable;

/**
 * A handle of a space.
 *
 * <p>What the frequent operations cost, besides the four uncontended atomic steps of the {@link
 * CloseGuard} and the {@link BufferPool}:
 *
 * <ul>
 *   <li>{@code get} with a reader: one native call (a second where the record is larger than the
 *       buffer at hand), no allocation, no lock.
 *   <li>{@code put} of a record that is not in the index: one native call, no allocation, the row's
 *       lock.
 *   <li>{@code put} of a row record that expires: three native calls for the batch with its index
 *       record.
 *   <li>{@code delete}: one native call, no allocation, the row's lock.
 *   <li>{@code transact}: one native call per {@code get}, one per changed record that was not read
 *       before, and three for the batch.
 * </ul>
 */
final class RocksDbSpace implements Space {
  private final Store store;
  private final SpaceCatalog catalog;
  private final SpaceState state;
  private final RecordLayout layout;
  private final Durability durability;

  RocksDbSpace(Store store, SpaceCatalog catalog, SpaceState state, Durability durability) {
    this.store = store;
    this.catalog = catalog;
    this.state = state;
    this.layout = RecordLayout.of(state.layout());
    this.durability = durability;
  }

  @Override
  public String name() {
    return state.name();
  }

  @Override
  public SpaceInfo info() {
    store.guard().enter();
    try {
      state.generation();
      SpaceInfo info = catalog.describe(state.name());
      if (info == null) {
        // Dropped between the two lines above.
        state.generation();
        throw new CorruptStoreException(
            "The catalog lost the open space \"" + state.name() + "\".", null);
      }
      return info;
    } finally {
      store.guard().leave();
    }
  }

  @Override
  public <R> @Nullable R get(byte[] hashKey, byte[] sortKey, RecordReader<R> reader) {
    check(hashKey, sortKey);
    Objects.requireNonNull(reader, "reader");
    store.guard().enter();
    try {
      Buffers buffers = store.buffers().take();
      try {
        int keyLength = layout.keyLength(hashKey, sortKey);
        byte[] key = buffers.key(keyLength);
        layout.writeKey(state.generation(), hashKey, sortKey, key);
        int length = store.database().read(layout.family(), key, keyLength, buffers);
        return length == Database.NOT_FOUND
            ? null
            : read(buffers.record(), length, reader, hashKey, sortKey);
      } finally {
        store.buffers().give(buffers);
      }
    } finally {
      store.guard().leave();
    }
  }

  private <R> @Nullable R read(
      byte[] record, int length, RecordReader<R> reader, byte[] hashKey, byte[] sortKey) {
    long expiryMillis;
    int valueLength;
    try {
      expiryMillis = layout.expiryMillis(record, length);
      valueLength = layout.valueLength(record, length, expiryMillis);
    } catch (CorruptStoreException e) {
      throw Failures.corrupt(state.name(), layout.key(state.generation(), hashKey, sortKey), e);
    }
    return Expiry.isPast(expiryMillis, store.clock())
        ? null
        : reader.read(record, layout.valueOffset(expiryMillis), valueLength, expiryMillis);
  }

  /** One native call for each {@link Limits#MAX_PAGE_RECORDS} keys. */
  @Override
  public List<@Nullable RowRecord> getAll(List<RecordKey> keys) {
    List<RecordKey> wanted = Arguments.copyOf(keys, "keys", "key");
    wanted.forEach(key -> check(key.hashKey(), key.sortKey()));
    store.guard().enter();
    try {
      long generation = state.generation();
      List<@Nullable RowRecord> found = new ArrayList<>(wanted.size());
      for (int from = 0; from < wanted.size(); from += Limits.MAX_PAGE_RECORDS) {
        List<RecordKey> page =
            wanted.subList(from, Math.min(wanted.size(), from + Limits.MAX_PAGE_RECORDS));
        addPage(generation, page, found);
      }
      return found;
    } finally {
      store.guard().leave();
    }
  }

  private void addPage(long generation, List<RecordKey> page, List<@Nullable RowRecord> found) {
    List<byte[]> keys = new ArrayList<>(page.size());
    page.forEach(key -> keys.add(layout.key(generation, key.hashKey(), key.sortKey())));
    List<byte @Nullable []> records = store.database().getAll(layout.family(), keys);
    for (int i = 0; i < page.size(); i++) {
      byte[] hashKey = page.get(i).hashKey();
      byte[] sortKey = page.get(i).sortKey();
      byte[] record = records.get(i);
      found.add(
          record == null
              ? null
              : read(
                  record,
                  record.length,
                  (bytes, offset, length, expiryMillis) ->
                      new RowRecord(
                          hashKey,
                          sortKey,
                          Arrays.copyOfRange(bytes, offset, offset + length),
                          expiryMillis),
                  hashKey,
                  sortKey));
    }
  }

  @Override
  public void put(byte[] hashKey, byte[] sortKey, byte[] value, long expiryMillis) {
    check(hashKey, sortKey);
    Arguments.checkValue(value);
    long expiry = Expiry.normalize(expiryMillis);
    beginWrite();
    try {
      if (expiry != Expiry.NEVER && layout.hasRows()) {
        putIndexed(hashKey, sortKey, value, expiry);
      } else {
        putPlain(hashKey, sortKey, value, expiry);
      }
    } finally {
      store.guard().leave();
    }
  }

  private void putPlain(byte[] hashKey, byte[] sortKey, byte[] value, long expiryMillis) {
    Buffers buffers = store.buffers().take();
    try {
      int recordLength = layout.recordLength(value.length, expiryMillis);
      byte[] record = buffers.record(recordLength);
      layout.writeRecord(value, expiryMillis, false, record);
      int keyLength = layout.keyLength(hashKey, sortKey);
      byte[] key = buffers.key(keyLength);
      Lock lock = store.locks().lock(state, hashKey);
      try {
        layout.writeKey(state.generation(), hashKey, sortKey, key);
        store.door().put(layout.family(), key, keyLength, record, recordLength, durability);
      } finally {
        lock.unlock();
      }
    } finally {
      store.buffers().give(buffers);
    }
  }

  private void putIndexed(byte[] hashKey, byte[] sortKey, byte[] value, long expiryMillis) {
    Lock lock = store.locks().lock(state, hashKey);
    try {
      byte[] key = layout.key(state.generation(), hashKey, sortKey);
      Batch batch =
          new Batch(
              store.database().familyIds(), 3 * key.length + value.length + Batch.FRAMES_OF_TWO);
      batch.putRecord(layout, key, value, expiryMillis, false);
      store.door().write(batch, durability);
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void delete(byte[] hashKey, byte[] sortKey) {
    check(hashKey, sortKey);
    beginWrite();
    try {
      Buffers buffers = store.buffers().take();
      try {
        int keyLength = layout.keyLength(hashKey, sortKey);
        byte[] key = buffers.key(keyLength);
        Lock lock = store.locks().lock(state, hashKey);
        try {
          layout.writeKey(state.generation(), hashKey, sortKey, key);
          store.door().delete(layout.family(), key, keyLength, durability);
        } finally {
          lock.unlock();
        }
      } finally {
        store.buffers().give(buffers);
      }
    } finally {
      store.guard().leave();
    }
  }

  @Override
  public void putAll(Collection<RowRecord> records) {
    List<RowRecord> all = Arguments.copyOf(records, "records", "record");
    for (RowRecord record : all) {
      check(record.hashKey(), record.sortKey());
      Arguments.checkValue(record.value());
    }
    beginWrite();
    try {
      state.generation();
      new BulkWrite(store, state, durability).putAll(all);
    } finally {
      store.guard().leave();
    }
  }

  @Override
  public void deleteAll(Collection<RecordKey> keys) {
    List<RecordKey> all = Arguments.copyOf(keys, "keys", "key");
    all.forEach(key -> check(key.hashKey(), key.sortKey()));
    beginWrite();
    try {
      state.generation();
      new BulkWrite(store, state, durability).deleteAll(all);
    } finally {
      store.guard().leave();
    }
  }

  @Override
  public <R extends @Nullable Object> R transact(byte[] hashKey, RowTransaction<R> transaction) {
    Arguments.checkHashKey(hashKey);
    Objects.requireNonNull(transaction, "transaction");
    store.transactions().begin();
    try {
      store.guard().enter();
      try {
        return locked(hashKey.clone(), transaction);
      } finally {
        store.guard().leave();
      }
    } finally {
      store.transactions().end();
    }
  }

  private <R extends @Nullable Object> R locked(byte[] hashKey, RowTransaction<R> transaction) {
    Lock lock = store.locks().lock(state, hashKey);
    try {
      TransactionRow row = new TransactionRow(store, state, hashKey);
      try {
        R result = transaction.run(row);
        row.commit(durability);
        return result;
      } finally {
        row.end();
      }
    } finally {
      lock.unlock();
    }
  }

  @Override
  public long count(byte[] hashKey) {
    Arguments.checkHashKey(hashKey);
    store.guard().enter();
    try {
      return TransactionRow.storedCount(store, state, state.generation(), hashKey);
    } finally {
      store.guard().leave();
    }
  }

  @Override
  public Cursor scan(byte[] hashKey, SortRange range, Direction direction, int limit) {
    Arguments.checkHashKey(hashKey);
    Objects.requireNonNull(range, "range");
    Objects.requireNonNull(direction, "direction");
    Arguments.checkScanLimit(limit);
    store.guard().enter();
    try {
      byte[] row = hashKey.clone();
      long generation = state.generation();
      if (limit == 0 || range.isEmpty()) {
        return new RocksDbCursor(store, state, row, null, 0);
      }
      NativeScan scan =
          store
              .database()
              .scan(
                  layout.family(),
                  layout.lowerBound(generation, row, range),
                  layout.upperBound(generation, row, range),
                  true,
                  direction == Direction.FORWARD);
      store.scans().add(scan);
      return new RocksDbCursor(store, state, row, scan, limit);
    } finally {
      store.guard().leave();
    }
  }

  @Override
  public Cursor scanAll(@Nullable RecordKey after) {
    if (after != null) {
      check(after.hashKey(), after.sortKey());
    }
    store.guard().enter();
    try {
      long generation = state.generation();
      byte[] lower =
          after == null
              ? Generation.prefix(generation)
              : layout.successor(generation, after.hashKey(), after.sortKey());
      NativeScan scan =
          store
              .database()
              .scan(layout.family(), lower, Generation.prefix(generation + 1), false, true);
      store.scans().add(scan);
      return new RocksDbCursor(store, state, null, scan, Integer.MAX_VALUE);
    } finally {
      store.guard().leave();
    }
  }

  @Override
  public void clear() {
    beginWrite();
    try {
      catalog.clear(state, durability);
    } finally {
      store.guard().leave();
    }
  }

  @Override
  public void expireAt(long expiryMillis) {
    throw new UnsupportedOperationException("soon");
  }

  @Override
  public io.rockpool.engine.SpaceSnapshot snapshot() {
    throw new UnsupportedOperationException("soon");
  }

  @Override
  public Space withDurability(Durability level) {
    return new RocksDbSpace(store, catalog, state, Objects.requireNonNull(level, "durability"));
  }

  @Override
  public String toString() {
    return "space \"" + state.name() + "\"";
  }

  private void check(byte[] hashKey, byte[] sortKey) {
    Arguments.checkHashKey(hashKey);
    layout.checkSortKey(sortKey);
  }

  /** Enters the guard for a write, which must not come from inside a transaction. */
  private void beginWrite() {
    store.transactions().refuseInside();
    store.guard().enter();
  }
}
