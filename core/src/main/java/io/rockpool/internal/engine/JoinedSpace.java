package io.rockpool.internal.engine;

import io.rockpool.engine.Cursor;
import io.rockpool.engine.Direction;
import io.rockpool.engine.Engine;
import io.rockpool.engine.RecordKey;
import io.rockpool.engine.RecordReader;
import io.rockpool.engine.Row;
import io.rockpool.engine.RowRecord;
import io.rockpool.engine.RowTransaction;
import io.rockpool.engine.SortRange;
import io.rockpool.engine.Space;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The operations of a {@link Space} inside {@link Engine#atomically}. The rows, which belong to the
 * transaction, do the work. For engines; arguments have been checked. Not thread-safe.
 */
public final class JoinedSpace {
  private final Function<byte[], ? extends Row> rows;
  private final TransactionNotes notes;
  private final Runnable checkRunning;

  /**
   * Creates a space inside a transaction.
   *
   * @param rows returns the transaction's view of a row, always the same for the same hash key
   * @param notes the notes of the transaction
   * @param checkRunning throws once the transaction's run has ended
   */
  public JoinedSpace(
      Function<byte[], ? extends Row> rows, TransactionNotes notes, Runnable checkRunning) {
    this.rows = rows;
    this.notes = notes;
    this.checkRunning = checkRunning;
  }

  /** Like {@link Space#get(byte[], byte[], RecordReader)}. */
  public <R> @Nullable R get(byte[] hashKey, byte[] sortKey, RecordReader<R> reader) {
    RowRecord record = rows.apply(hashKey).get(sortKey);
    return record == null
        ? null
        : reader.read(record.value(), 0, record.value().length, record.expiryMillis());
  }

  /** Like {@link Space#getAll}. */
  public List<@Nullable RowRecord> getAll(List<RecordKey> keys) {
    List<@Nullable RowRecord> found = new ArrayList<>(keys.size());
    keys.forEach(key -> found.add(rows.apply(key.hashKey()).get(key.sortKey())));
    return found;
  }

  /** Like {@link Space#put}. */
  public void put(byte[] hashKey, byte[] sortKey, byte[] value, long expiryMillis) {
    rows.apply(hashKey).put(sortKey, value, expiryMillis);
  }

  /** Like {@link Space#delete}. */
  public void delete(byte[] hashKey, byte[] sortKey) {
    rows.apply(hashKey).delete(sortKey);
  }

  /** Like {@link Space#putAll}. */
  public void putAll(Collection<RowRecord> records) {
    for (RowRecord record : records) {
      put(record.hashKey(), record.sortKey(), record.value(), record.expiryMillis());
    }
  }

  /** Like {@link Space#deleteAll}. */
  public void deleteAll(Collection<RecordKey> keys) {
    keys.forEach(key -> delete(key.hashKey(), key.sortKey()));
  }

  /**
   * Like {@link Space#transact}, as a part of the larger transaction: if it throws, only its own
   * changes are undone.
   */
  public <R extends @Nullable Object> R transact(byte[] hashKey, RowTransaction<R> transaction) {
    JoinedRow row = new JoinedRow(rows.apply(hashKey));
    try {
      return notes.part(() -> transaction.run(row));
    } finally {
      row.end();
    }
  }

  /** Like {@link Space#count}. */
  public long count(byte[] hashKey) {
    return rows.apply(hashKey).count();
  }

  /** Like {@link Space#scan}. The cursor reads the row a page at a time. */
  public Cursor scan(byte[] hashKey, SortRange range, Direction direction, int limit) {
    return new RowCursor(rows.apply(hashKey), checkRunning, range, direction, limit);
  }
}
