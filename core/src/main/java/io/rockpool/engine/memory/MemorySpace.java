package io.rockpool.engine.memory;

import io.rockpool.engine.Cursor;
import io.rockpool.engine.Direction;
import io.rockpool.engine.Durability;
import io.rockpool.engine.Limits;
import io.rockpool.engine.RecordKey;
import io.rockpool.engine.RecordReader;
import io.rockpool.engine.RowRecord;
import io.rockpool.engine.RowTransaction;
import io.rockpool.engine.SortRange;
import io.rockpool.engine.Space;
import io.rockpool.engine.SpaceInfo;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A handle of a space in memory. */
final class MemorySpace implements Space {
  private final MemoryEngine engine;
  private final SpaceData data;
  private final Adversary adversary;

  MemorySpace(MemoryEngine engine, SpaceData data, Adversary adversary) {
    this.engine = engine;
    this.data = data;
    this.adversary = adversary;
  }

  @Override
  public String name() {
    return data.info().name();
  }

  @Override
  public SpaceInfo info() {
    return call(data::info);
  }

  @Override
  public <R> @Nullable R get(byte[] hashKey, byte[] sortKey, RecordReader<R> reader) {
    checkKey(hashKey, sortKey);
    Objects.requireNonNull(reader, "reader");
    return this.<@Nullable R>call(
        () -> {
          StoredRecord record = data.row(hashKey).live(sortKey, nowMillis());
          return record == null ? null : adversary.read(record, reader);
        });
  }

  @Override
  public List<@Nullable RowRecord> getAll(List<RecordKey> keys) {
    List<RecordKey> wanted = checkedKeys(keys);
    return call(
        () -> {
          long nowMillis = nowMillis();
          List<@Nullable RowRecord> found = new ArrayList<>(wanted.size());
          for (RecordKey key : wanted) {
            StoredRecord record = data.row(key.hashKey()).live(key.sortKey(), nowMillis);
            found.add(record == null ? null : record.at(key.hashKey(), key.sortKey()));
          }
          return found;
        });
  }

  @Override
  public void put(byte[] hashKey, byte[] sortKey, byte[] value, long expiryMillis) {
    checkRecord(hashKey, sortKey, value);
    write("A put", () -> blind(hashKey, sortKey, new StoredRecord(value, expiryMillis, false)));
  }

  @Override
  public void delete(byte[] hashKey, byte[] sortKey) {
    checkKey(hashKey, sortKey);
    write("A delete", () -> blind(hashKey, sortKey, null));
  }

  @Override
  public void putAll(Collection<RowRecord> records) {
    Objects.requireNonNull(records, "records");
    List<RowRecord> checked = new ArrayList<>(records);
    for (RowRecord record : checked) {
      Objects.requireNonNull(record, "record");
      checkRecord(record.hashKey(), record.sortKey(), record.value());
    }
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
    Arguments.checkHashKey(hashKey);
    Objects.requireNonNull(transaction, "transaction");
    byte[] row = hashKey.clone();
    return call(
        () -> {
          while (true) {
            TransactionRun<R> run = adversary.run(data, row, transaction, nowMillis());
            if (run.commit(data, row, adversary)) {
              return run.result();
            }
          }
        });
  }

  @Override
  public long count(byte[] hashKey) {
    Arguments.checkHashKey(hashKey);
    Arguments.checkCounts(data.layout());
    return call(() -> data.row(hashKey).count(nowMillis()));
  }

  @Override
  public Cursor scan(byte[] hashKey, SortRange range, Direction direction, int limit) {
    Arguments.checkHashKey(hashKey);
    Objects.requireNonNull(range, "range");
    Objects.requireNonNull(direction, "direction");
    Arguments.checkLimit(limit);
    byte[] row = hashKey.clone();
    SortRange oneRow = SortRange.all().from(row, true).to(row, true);
    SortRange own = Arguments.copyOf(range);
    return call(
        () -> new MemoryCursor(this, adversary.rows(data), oneRow, own, direction, limit, null));
  }

  @Override
  public Cursor scanAll(@Nullable RecordKey after) {
    if (after != null) {
      checkKey(after.hashKey(), after.sortKey());
    }
    return call(
        () ->
            new MemoryCursor(
                this,
                adversary.rows(data),
                SortRange.all(),
                SortRange.all(),
                Direction.FORWARD,
                Integer.MAX_VALUE,
                after));
  }

  @Override
  public void clear() {
    write("A clear", data::clear);
  }

  /** This handle: what is in memory is as durable as it will ever be. */
  @Override
  public Space withDurability(Durability durability) {
    Objects.requireNonNull(durability, "durability");
    return this;
  }

  long nowMillis() {
    return engine.clock().millis();
  }

  /** Refuses to go on once the engine is closed. */
  void checkOpen() {
    engine.calls().checkOpen();
  }

  /** Runs one call, as long as the engine is open and the space is there. */
  <R extends @Nullable Object> R call(Supplier<R> operation) {
    engine.calls().begin();
    try {
      data.checkThere();
      return operation.get();
    } finally {
      engine.calls().end();
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

  private void blind(byte[] hashKey, byte[] sortKey, @Nullable StoredRecord record) {
    data.update(
        hashKey.clone(),
        row -> {
          StoredRecord old = row.stored(sortKey);
          if (old != null && old.isCounted()) {
            throw new IllegalStateException(
                "A blind "
                    + (record == null ? "delete" : "put")
                    + " in the space \""
                    + name()
                    + "\" met a counted record, expired or not, and would make the row's count wrong; write it in a"
                    + " transaction. Nothing was changed.");
          }
          return row.with(sortKey.clone(), record);
        });
  }

  private List<RecordKey> checkedKeys(Collection<RecordKey> keys) {
    Objects.requireNonNull(keys, "keys");
    List<RecordKey> checked = new ArrayList<>(keys);
    for (RecordKey key : checked) {
      Objects.requireNonNull(key, "key");
      checkKey(key.hashKey(), key.sortKey());
    }
    return checked;
  }

  private void checkKey(byte[] hashKey, byte[] sortKey) {
    Arguments.checkHashKey(hashKey);
    Arguments.checkSortKey(sortKey, data.layout());
  }

  private void checkRecord(byte[] hashKey, byte[] sortKey, byte[] value) {
    checkKey(hashKey, sortKey);
    Objects.requireNonNull(value, "value");
    Limits.checkValue(value);
  }
}
