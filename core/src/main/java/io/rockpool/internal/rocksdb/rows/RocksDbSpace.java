package io.rockpool.internal.rocksdb.rows;

import io.rockpool.engine.Cursor;
import io.rockpool.engine.EngineLimits;
import io.rockpool.engine.Expiry;
import io.rockpool.engine.RecordKey;
import io.rockpool.engine.RowRecord;
import io.rockpool.engine.RowTransaction;
import io.rockpool.engine.Space;
import io.rockpool.engine.SpaceInfo;
import io.rockpool.engine.SpaceSnapshot;
import io.rockpool.error.CorruptStoreException;
import io.rockpool.internal.engine.Arguments;
import io.rockpool.internal.engine.JoinedSpace;
import io.rockpool.internal.rocksdb.natives.Batch;
import io.rockpool.internal.rocksdb.natives.BufferPool;
import io.rockpool.internal.rocksdb.natives.BufferPool.Buffers;
import io.rockpool.internal.rocksdb.natives.DiskToll;
import io.rockpool.store.Durability;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.locks.Lock;
import java.util.function.LongPredicate;
import org.jspecify.annotations.Nullable;

/**
 * A handle of a space.
 *
 * <p>The cost of the frequent operations, besides the four uncontended atomic steps of the {@code
 * CloseGuard} and the {@link BufferPool}:
 *
 * <ul>
 *   <li>{@code get} with a reader: one native call (two if the record is larger than the pooled
 *       buffer), no allocation, no lock. Of rows that are in memory: none, and an allocation for
 *       the key.
 *   <li>{@code put} of a record that is not in the index: one native call, no allocation, the row's
 *       lock.
 *   <li>{@code put} of a row record that expires: three native calls for the batch with its index
 *       record.
 *   <li>{@code delete}: one native call, no allocation, the row's lock.
 *   <li>{@code transact}: one native call per {@code get}, one per changed record that was not read
 *       before, and three for the batch.
 * </ul>
 */
public final class RocksDbSpace extends RocksDbView implements Space {
  private final RunningTransactions transactions;
  private final SpaceCatalog catalog;
  private final Durability durability;

  public RocksDbSpace(
      StoreParts store,
      RunningTransactions transactions,
      SpaceCatalog catalog,
      SpaceState state,
      Durability durability) {
    super(store, state, store.database().now(), store.clock());
    this.transactions = transactions;
    this.catalog = catalog;
    this.durability = durability;
  }

  @Override
  public SpaceInfo info() {
    store.guard().enter();
    try {
      state.generation();
      SpaceInfo info = catalog.describe(state.name());
      if (info == null) {
        // Throws if the space was dropped between the two lines above.
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
  public void put(byte[] hashKey, byte[] sortKey, byte[] value, long expiryMillis) {
    layout.checkKey(hashKey, sortKey);
    EngineLimits.OF_CONTRACT.checkValue(value);
    long expiry = Expiry.normalize(expiryMillis);
    JoinedSpace joined = joinedToWrite();
    if (joined != null) {
      joined.put(hashKey, sortKey, value, expiry);
      return;
    }
    store.guard().enter();
    try {
      if (expiry != Expiry.NEVER && layout.hasRows()) {
        putIndexed(hashKey, sortKey, value, expiry);
      } else {
        putPlain(hashKey, sortKey, value, expiry);
      }
    } finally {
      store.guard().leave();
    }
    pay();
  }

  /** Waits for evictions, if it must; see {@link DiskToll#pay}. */
  private void pay() {
    transactions.pay(store, state);
  }

  private void putPlain(byte[] hashKey, byte[] sortKey, byte[] value, long expiryMillis) {
    Buffers buffers = store.buffers().take();
    try {
      int recordLength = layout.recordLength(value.length, expiryMillis);
      byte[] record = buffers.record(recordLength);
      layout.writeRecord(value, expiryMillis, false, record, 0);
      int keyLength = layout.keyLength(hashKey, sortKey);
      byte[] key = buffers.key(keyLength);
      int index = RowLocks.indexOf(state, hashKey);
      Lock lock = store.locks().acquire(index);
      try {
        long generation = state.generationToWrite();
        if (layout.hasRows()) {
          store.putsBlindly(generation, hashKey, sortKey);
        }
        layout.writeKey(generation, hashKey, sortKey, key);
        try (RowMemory.Change change = beginChange(index, generation, hashKey, sortKey)) {
          store.writePath().put(layout.family(), key, keyLength, record, recordLength, level());
          wrote(change, value);
        }
      } finally {
        lock.unlock();
      }
    } finally {
      store.buffers().give(buffers);
    }
  }

  /**
   * Begins a write in the memory of rows: forgets the record. Returns null if this space's records
   * are not kept there. The caller holds the row's lock, and closes the change.
   */
  private RowMemory.@Nullable Change beginChange(
      int index, long generation, byte[] hashKey, byte[] sortKey) {
    RowMemory memory = store.memory(layout);
    if (memory == null) {
      return null;
    }
    RowMemory.Change change = memory.begin(index);
    try {
      change.forget(layout.key(generation, hashKey, sortKey));
      return change;
    } catch (RuntimeException | Error e) {
      change.close();
      throw e;
    }
  }

  /** Puts back what was in memory of a record that has no expiry; null if it was deleted. */
  private static void wrote(RowMemory.@Nullable Change change, byte @Nullable [] value) {
    if (change != null) {
      change.wrote(value, Expiry.NEVER, /* counted= */ false);
    }
  }

  private void putIndexed(byte[] hashKey, byte[] sortKey, byte[] value, long expiryMillis) {
    int index = RowLocks.indexOf(state, hashKey);
    Lock lock = store.locks().acquire(index);
    try {
      long generation = state.generationToWrite();
      store.putsBlindly(generation, hashKey, sortKey);
      byte[] key = layout.key(generation, hashKey, sortKey);
      Batch batch =
          new Batch(
              store.database().familyIds(), 3 * key.length + value.length + Batch.FRAMES_OF_TWO);
      batch.putRecord(layout, key, value, expiryMillis, false);
      try (RowMemory.Change change = beginChange(index, generation, hashKey, sortKey)) {
        store.writePath().write(batch, level());
      }
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void delete(byte[] hashKey, byte[] sortKey) {
    layout.checkKey(hashKey, sortKey);
    JoinedSpace joined = joinedToWrite();
    if (joined != null) {
      joined.delete(hashKey, sortKey);
      return;
    }
    store.guard().enter();
    try {
      Buffers buffers = store.buffers().take();
      try {
        int keyLength = layout.keyLength(hashKey, sortKey);
        byte[] key = buffers.key(keyLength);
        int index = RowLocks.indexOf(state, hashKey);
        Lock lock = store.locks().acquire(index);
        try {
          long generation = state.generationToWrite();
          layout.writeKey(generation, hashKey, sortKey, key);
          try (RowMemory.Change change = beginChange(index, generation, hashKey, sortKey)) {
            store.writePath().delete(layout.family(), key, keyLength, level());
            wrote(change, null);
          }
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
      layout.checkKey(record.hashKey(), record.sortKey());
      EngineLimits.OF_CONTRACT.checkValue(record.value());
    }
    JoinedSpace joined = joinedToWrite();
    if (joined != null) {
      joined.putAll(all);
      return;
    }
    store.guard().enter();
    try {
      state.generation();
    } finally {
      store.guard().leave();
    }
    new BulkWrite(store, state, level()).putAll(all, this::pay);
  }

  @Override
  public void deleteAll(Collection<RecordKey> keys) {
    List<RecordKey> all = Arguments.copyOf(keys, "keys", "key");
    all.forEach(key -> layout.checkKey(key.hashKey(), key.sortKey()));
    JoinedSpace joined = joinedToWrite();
    if (joined != null) {
      joined.deleteAll(all);
      return;
    }
    store.guard().enter();
    try {
      state.generation();
      new BulkWrite(store, state, level()).deleteAll(all);
    } finally {
      store.guard().leave();
    }
  }

  @Override
  public <R extends @Nullable Object> R transact(byte[] hashKey, RowTransaction<R> transaction) {
    EngineLimits.OF_CONTRACT.checkHashKey(hashKey);
    Objects.requireNonNull(transaction, "transaction");
    Outcome<R> outcome;
    RocksDbTransaction larger = transactions.enterRow();
    try {
      if (larger != null) {
        return larger.space(state, durability).transact(hashKey, transaction);
      }
      store.guard().enter();
      try {
        outcome = locked(hashKey.clone(), transaction);
      } finally {
        store.guard().leave();
      }
    } finally {
      transactions.leaveRow();
    }
    if (outcome.adds) {
      pay();
    }
    return outcome.result;
  }

  /** The result of a row transaction, and whether it has added records. */
  private record Outcome<R extends @Nullable Object>(R result, boolean adds) {}

  private <R extends @Nullable Object> Outcome<R> locked(
      byte[] hashKey, RowTransaction<R> transaction) {
    int index = RowLocks.indexOf(state, hashKey);
    Lock lock = store.locks().acquire(index);
    try {
      TransactionRow row =
          new TransactionRow(
              store, state, index, state.generationToWrite(), hashKey, store.clock(), null);
      try {
        R result = transaction.run(row);
        return new Outcome<>(result, row.commit(level()));
      } finally {
        row.end();
      }
    } finally {
      lock.unlock();
    }
  }

  @Override
  public Cursor scanAll(@Nullable RecordKey after, @Nullable RecordKey upTo) {
    transactions.refuseInside("A scan of all rows");
    return super.scanAll(after, upTo);
  }

  @Override
  public List<RecordKey> splits(int parts) {
    transactions.refuseInside("A division of all rows");
    return super.splits(parts);
  }

  @Override
  public void clear() {
    transactions.refuseInside("A clear");
    store.guard().enter();
    try {
      catalog.clear(state, level());
    } finally {
      store.guard().leave();
    }
  }

  @Override
  public void expireAt(long expiryMillis) {
    expireAtIf(expiryMillis, present -> true);
  }

  @Override
  public boolean expireAtIf(long expiryMillis, LongPredicate condition) {
    Objects.requireNonNull(condition, "condition");
    transactions.refuseInside("The expiry of a space");
    store.guard().enter();
    try {
      return catalog.expireAt(state, Expiry.normalize(expiryMillis), condition, level());
    } finally {
      store.guard().leave();
    }
  }

  @Override
  public SpaceSnapshot snapshot() {
    transactions.refuseInside("A snapshot");
    store.guard().enter();
    try {
      return RocksDbSnapshot.of(store, state);
    } finally {
      store.guard().leave();
    }
  }

  @Override
  public void copyTo(Space target) {
    transactions.refuseInside("A copy");
    if (!(target instanceof RocksDbSpace other) || other.catalog != catalog) {
      throw new IllegalArgumentException(
          "The " + this + " and its copy are in different stores; copy within one.");
    }
    Arguments.checkCounts(name(), state.layout());
    Arguments.checkCounts(other.name(), other.state.layout());
    try (SpaceSnapshot taken = snapshot()) {
      SpaceCopy.run(store, (RocksDbSnapshot) taken, other.state);
    }
  }

  @Override
  public Space withDurability(Durability level) {
    return new RocksDbSpace(
        store, transactions, catalog, state, Objects.requireNonNull(level, "durability"));
  }

  @Override
  public String toString() {
    return "space \"" + state.name() + "\"";
  }

  @Override
  void enter() {
    store.guard().enter();
  }

  @Override
  void leave() {
    store.guard().leave();
  }

  /** A closed engine has closed its scans too. */
  @Override
  void checkOpen() {
    store.guard().check();
  }

  @Override
  public long generation() {
    return state.generation();
  }

  @Override
  @Nullable JoinedSpace joined() {
    RocksDbTransaction transaction = transactions.toJoin();
    return transaction == null ? null : transaction.space(state);
  }

  /** The durability of a write outside transactions. */
  private Durability level() {
    DurabilityScopes scopes = store.durabilities();
    return scopes.openCount == 0 ? durability : scopes.inForce(durability);
  }

  /** Like {@link #joined}, for a write, which must not come from inside a row transaction. */
  private @Nullable JoinedSpace joinedToWrite() {
    transactions.refuseInRow();
    RocksDbTransaction transaction = transactions.current();
    return transaction == null ? null : transaction.space(state, durability);
  }
}
