package io.rockpool.engine.memory;

import io.rockpool.engine.Cursor;
import io.rockpool.engine.Direction;
import io.rockpool.engine.EngineLimits;
import io.rockpool.engine.RecordKey;
import io.rockpool.engine.RecordReader;
import io.rockpool.engine.RowRecord;
import io.rockpool.engine.SortRange;
import io.rockpool.engine.SpaceView;
import io.rockpool.internal.engine.Arguments;
import io.rockpool.internal.engine.JoinedSpace;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The read operations of a space in memory and of its snapshots. */
abstract class MemoryView implements SpaceView {
  final MemoryEngine engine;
  final SpaceData data;
  final Adversary adversary;

  MemoryView(MemoryEngine engine, SpaceData data, Adversary adversary) {
    this.engine = engine;
    this.data = data;
    this.adversary = adversary;
  }

  /** The current rows. */
  abstract SortedTree<RowState> rows();

  /** The rows that a scan reads at each step. */
  abstract Supplier<SortedTree<RowState>> rowsOfScan();

  /** The time for expiry. */
  abstract long nowMillis();

  /** Throws if the space was dropped or the snapshot closed. */
  abstract void checkThere();

  /**
   * The operations inside the thread's transaction, or null if there is none or this is a snapshot.
   */
  abstract @Nullable JoinedSpace joined();

  @Override
  public String name() {
    return data.name();
  }

  @Override
  public <R> @Nullable R get(byte[] hashKey, byte[] sortKey, RecordReader<R> reader) {
    checkKey(hashKey, sortKey);
    Objects.requireNonNull(reader, "reader");
    return this.<@Nullable R>call(
        () -> {
          JoinedSpace joined = joined();
          if (joined != null) {
            return joined.get(hashKey, sortKey, reader);
          }
          StoredRecord record = row(hashKey).live(sortKey, nowMillis());
          return record == null ? null : adversary.read(record, reader);
        });
  }

  @Override
  public List<@Nullable RowRecord> getAll(List<RecordKey> keys) {
    List<RecordKey> wanted = checkedKeys(keys);
    return call(
        () -> {
          JoinedSpace joined = joined();
          if (joined != null) {
            return joined.getAll(wanted);
          }
          long nowMillis = nowMillis();
          List<@Nullable RowRecord> found = new ArrayList<>(wanted.size());
          for (RecordKey key : wanted) {
            StoredRecord record = row(key.hashKey()).live(key.sortKey(), nowMillis);
            found.add(record == null ? null : record.at(key.hashKey(), key.sortKey()));
          }
          return found;
        });
  }

  @Override
  public long count(byte[] hashKey) {
    EngineLimits.OF_CONTRACT.checkHashKey(hashKey);
    Arguments.checkCounts(name(), data.layout());
    return call(
        () -> {
          JoinedSpace joined = joined();
          return joined == null ? row(hashKey).count(nowMillis()) : joined.count(hashKey);
        });
  }

  @Override
  public Cursor scan(byte[] hashKey, SortRange range, Direction direction, int limit) {
    EngineLimits.OF_CONTRACT.checkHashKey(hashKey);
    Objects.requireNonNull(range, "range");
    Objects.requireNonNull(direction, "direction");
    Arguments.checkScanLimit(limit);
    byte[] row = hashKey.clone();
    SortRange oneRow = SortRange.all().from(row, true).to(row, true);
    return call(
        () -> {
          JoinedSpace joined = joined();
          return joined == null
              ? new MemoryCursor(this, rowsOfScan(), oneRow, range, direction, limit, null, null)
              : joined.scan(row, range, direction, limit);
        });
  }

  @Override
  public Cursor scanAll(@Nullable RecordKey after, @Nullable RecordKey upTo) {
    if (after != null) {
      checkKey(after.hashKey(), after.sortKey());
    }
    if (upTo != null) {
      checkKey(upTo.hashKey(), upTo.sortKey());
    }
    return call(
        () ->
            new MemoryCursor(
                this,
                rowsOfScan(),
                SortRange.all(),
                SortRange.all(),
                Direction.FORWARD,
                Integer.MAX_VALUE,
                after,
                upTo));
  }

  /** Reads all records, so the parts have equal sizes. */
  @Override
  public List<RecordKey> splits(int parts) {
    Arguments.checkParts(parts);
    List<RecordKey> all = new ArrayList<>();
    try (Cursor cursor = scanAll()) {
      while (cursor.next()) {
        all.add(new RecordKey(cursor.hashKey(), cursor.sortKey()));
      }
    }
    int places = Math.min(parts, all.size());
    List<RecordKey> splits = new ArrayList<>();
    for (int i = 1; i < places; i++) {
      splits.add(all.get((int) ((long) i * all.size() / places) - 1));
    }
    return splits;
  }

  /** Throws if the engine is closed. */
  void checkOpen() {
    engine.calls().checkOpen();
  }

  /** Runs one call, if the engine is open and the space or snapshot is usable. */
  final <R extends @Nullable Object> R call(Supplier<R> operation) {
    engine.calls().begin();
    try {
      checkThere();
      return operation.get();
    } finally {
      engine.calls().end();
    }
  }

  final List<RecordKey> checkedKeys(Collection<RecordKey> keys) {
    List<RecordKey> checked = Arguments.copyOf(keys, "keys", "key");
    checked.forEach(key -> checkKey(key.hashKey(), key.sortKey()));
    return checked;
  }

  final void checkKey(byte[] hashKey, byte[] sortKey) {
    EngineLimits.OF_CONTRACT.checkHashKey(hashKey);
    Arguments.checkSortKey(sortKey, data.layout());
  }

  private RowState row(byte[] hashKey) {
    return SpaceData.rowOf(rows(), hashKey);
  }
}
