package io.rockpool.engine.memory;

import io.rockpool.engine.Capability;
import io.rockpool.engine.Cursor;
import io.rockpool.engine.EngineLimits;
import io.rockpool.engine.Expiry;
import io.rockpool.engine.Layout;
import io.rockpool.engine.LeasedRead;
import io.rockpool.engine.RecordKey;
import io.rockpool.engine.RecordWrite;
import io.rockpool.engine.RowRecord;
import io.rockpool.engine.RowTransaction;
import io.rockpool.engine.Space;
import io.rockpool.engine.SpaceInfo;
import io.rockpool.engine.SpaceSnapshot;
import io.rockpool.internal.engine.Arguments;
import io.rockpool.internal.engine.JoinedSpace;
import io.rockpool.store.Durability;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.LongPredicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A handle of a space in memory. */
final class MemorySpace extends MemoryView implements Space {
  MemorySpace(MemoryEngine engine, SpaceData data, Adversary adversary) {
    super(engine, data, adversary);
  }

  @Override
  public SpaceInfo info() {
    return call(data::info);
  }

  @Override
  public void put(byte[] hashKey, byte[] sortKey, byte[] value, long expiryMillis) {
    checkRecord(hashKey, sortKey, value);
    write(
        "A put",
        joined -> joined.put(hashKey, sortKey, value, expiryMillis),
        () -> blind(hashKey, sortKey, new StoredRecord(value, expiryMillis, false)));
  }

  @Override
  public void delete(byte[] hashKey, byte[] sortKey) {
    checkKey(hashKey, sortKey);
    write(
        "A delete", joined -> joined.delete(hashKey, sortKey), () -> blind(hashKey, sortKey, null));
  }

  @Override
  public void putAll(Collection<RowRecord> records) {
    List<RowRecord> checked = Arguments.copyOf(records, "records", "record");
    checked.forEach(record -> checkRecord(record.hashKey(), record.sortKey(), record.value()));
    for (RowRecord record : checked) {
      put(record.hashKey(), record.sortKey(), record.value(), record.expiryMillis());
    }
  }

  @Override
  public void deleteAll(Collection<RecordKey> keys) {
    for (RecordKey key : checkedKeys(keys)) {
      delete(key.hashKey(), key.sortKey());
    }
  }

  @Override
  public <R extends @Nullable Object> R transact(byte[] hashKey, RowTransaction<R> transaction) {
    EngineLimits.OF_CONTRACT.checkHashKey(hashKey);
    Objects.requireNonNull(transaction, "transaction");
    byte[] row = hashKey.clone();
    RowTransaction<R> all = endingLeases(transaction);
    return call(
        () -> {
          JoinedSpace joined = joined();
          if (joined != null) {
            return joined.transact(row, all);
          }
          while (true) {
            TransactionRun<R> run = adversary.run(data, row, all, nowMillis());
            if (run.commit(view -> commit(row, view), adversary)) {
              return run.result();
            }
          }
        });
  }

  /** The same; but a {@link RecordWrite} that deletes an absent entry ends a lease on it. */
  private <R extends @Nullable Object> RowTransaction<R> endingLeases(
      RowTransaction<R> transaction) {
    if (data.layout() == Layout.ROWS
        || !(transaction instanceof RecordWrite write)
        || write.value() != null
        || !engine.capabilities().contains(Capability.SHARED)) {
      return transaction;
    }
    return row -> {
      R before = transaction.run(row);
      if (before == null && write.isMadeOver(null)) {
        row.delete(write.sortKey());
      }
      return before;
    };
  }

  @Override
  public List<LeasedRead> lease(List<byte[]> hashKeys) {
    Objects.requireNonNull(hashKeys, "hashKeys");
    hashKeys.forEach(hashKey -> checkKey(hashKey, NO_SORT_KEY));
    engine.calls().refuseInTransaction("A lease");
    if (!engine.capabilities().contains(Capability.SHARED)) {
      return Space.super.lease(hashKeys);
    }
    return call(() -> hashKeys.stream().map(this::lease).toList());
  }

  private LeasedRead lease(byte[] hashKey) {
    StoredRecord found = data.lease(hashKey.clone());
    return new LeasedRead(
        found.isLive(nowMillis()) ? found.at(hashKey, NO_SORT_KEY) : null, new MemoryLease(found));
  }

  private boolean commit(byte[] hashKey, RowView view) {
    boolean committed = data.commit(hashKey, view);
    if (committed) {
      report(hashKey);
    }
    return committed;
  }

  @Override
  public Cursor scanAll(@Nullable RecordKey after, @Nullable RecordKey upTo) {
    engine.calls().refuseInTransaction("A scan of all rows");
    return super.scanAll(after, upTo);
  }

  @Override
  public void clear() {
    engine.calls().refuseInTransaction("A clear");
    write(
        "A clear",
        () -> {
          data.clear();
          reportAll();
        });
  }

  @Override
  public void expireAt(long expiryMillis) {
    expireAtIf(expiryMillis, present -> true);
  }

  @Override
  public boolean expireAtIf(long expiryMillis, LongPredicate condition) {
    Objects.requireNonNull(condition, "condition");
    engine.calls().refuseInTransaction("The expiry of a space");
    AtomicBoolean held = new AtomicBoolean();
    write(
        "An expiry",
        () -> {
          held.set(data.expireAt(Expiry.normalize(expiryMillis), condition));
          reportAll();
        });
    return held.get();
  }

  @Override
  public SpaceSnapshot snapshot() {
    engine.calls().refuseInTransaction("A snapshot");
    return call(() -> new MemorySnapshot(engine, data, adversary));
  }

  @Override
  public void copyTo(Space target) {
    engine.calls().refuseInTransaction("A copy");
    Arguments.checkCounts(name(), data.layout());
    if (!(target instanceof MemorySpace other) || !other.data.isInStoreOf(data)) {
      throw new IllegalArgumentException(
          "The space \"" + name() + "\" and its copy are in different stores; copy within one.");
    }
    write("A copy", () -> data.copyTo(other.data));
  }

  /** This handle: durability has no effect in memory. */
  @Override
  public Space withDurability(Durability durability) {
    Objects.requireNonNull(durability, "durability");
    return this;
  }

  @Override
  SortedTree<RowState> rows() {
    return data.rows();
  }

  @Override
  Supplier<SortedTree<RowState>> rowsOfScan() {
    return adversary.rows(data);
  }

  @Override
  long nowMillis() {
    return engine.clock().millis();
  }

  @Override
  void checkThere() {
    data.checkThere();
  }

  @Override
  @Nullable JoinedSpace joined() {
    MemoryTransaction transaction = engine.calls().transaction();
    return transaction == null ? null : transaction.space(data);
  }

  /** Writes in the thread's transaction, or alone. */
  private void write(String what, Consumer<JoinedSpace> inTransaction, Runnable alone) {
    if (engine.inTransaction()) {
      this.<@Nullable Void>call(
          () -> {
            inTransaction.accept(Objects.requireNonNull(joined()));
            return null;
          });
    } else {
      write(what, alone);
    }
  }

  private void write(String what, Runnable operation) {
    this.<@Nullable Void>call(
        () -> {
          adversary.write(
              what,
              () -> {
                operation.run();
                return true;
              });
          return null;
        });
  }

  private void report(byte[] hashKey) {
    engine.report(listener -> listener.rowChanged(name(), hashKey));
  }

  private void reportAll() {
    engine.report(listener -> listener.spaceChanged(name()));
  }

  private void blind(byte[] hashKey, byte[] sortKey, @Nullable StoredRecord record) {
    byte[] key = hashKey.clone();
    data.update(
        key,
        row -> {
          StoredRecord old = row.stored(sortKey);
          if (old != null && old.isCounted()) {
            throw new IllegalStateException(
                "A blind "
                    + (record == null ? "delete" : "put")
                    + " in the space \""
                    + name()
                    + "\" met a counted record, expired or not, and would make the row's count"
                    + " wrong; write it in a transaction. Nothing was changed.");
          }
          return row.with(sortKey.clone(), record);
        });
    report(key);
  }

  private void checkRecord(byte[] hashKey, byte[] sortKey, byte[] value) {
    checkKey(hashKey, sortKey);
    EngineLimits.OF_CONTRACT.checkValue(value);
  }
}
