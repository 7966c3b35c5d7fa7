package io.rockpool.engine;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * What the operations of a {@link Space} do inside {@link Engine#atomically}: each is done by the
 * rows, which belong to the transaction. For engines; arguments have been checked. Not thread-safe.
 */
public final class JoinedSpace {
  private final Function<byte[], ? extends Row> rows;
  private final TransactionNotes notes;
  private final Runnable checkRunning;

  /**
   * A space inside a transaction.
   *
   * @param rows gives the transaction's view of a row, always the same for the same hash key
   * @param notes the transaction's
   * @param checkRunning throws once the transaction's run has ended
   */
  public JoinedSpace(
      Function<byte[], ? extends Row> rows, TransactionNotes notes, Runnable checkRunning) {
    this.rows = rows;
    this.notes = notes;
    this.checkRunning = checkRunning;
  }

  /**
   * As {@link Space#get(byte[], byte[], RecordReader)}.
   *
   * @param hashKey the row
   * @param sortKey the place in the row
   * @param reader called with the record if there is one
   * @param <R> what the reader makes of it
   * @return what the reader returned, or null if there is no record
   */
  public <R> @Nullable R get(byte[] hashKey, byte[] sortKey, RecordReader<R> reader) {
    RowRecord record = rows.apply(hashKey).get(sortKey);
    return record == null
        ? null
        : reader.read(record.value(), 0, record.value().length, record.expiryMillis());
  }

  /**
   * As {@link Space#getAll}.
   *
   * @param keys where the records lie
   * @return the records, each or null
   */
  public List<@Nullable RowRecord> getAll(List<RecordKey> keys) {
    List<@Nullable RowRecord> found = new ArrayList<>(keys.size());
    keys.forEach(key -> found.add(rows.apply(key.hashKey()).get(key.sortKey())));
    return found;
  }

  /**
   * As {@link Space#put}.
   *
   * @param hashKey the row
   * @param sortKey the place in the row
   * @param value the value
   * @param expiryMillis when it ends
   */
  public void put(byte[] hashKey, byte[] sortKey, byte[] value, long expiryMillis) {
    rows.apply(hashKey).put(sortKey, value, expiryMillis);
  }

  /**
   * As {@link Space#delete}.
   *
   * @param hashKey the row
   * @param sortKey the place in the row
   */
  public void delete(byte[] hashKey, byte[] sortKey) {
    rows.apply(hashKey).delete(sortKey);
  }

  /**
   * As {@link Space#putAll}.
   *
   * @param records the records
   */
  public void putAll(Collection<RowRecord> records) {
    for (RowRecord record : records) {
      put(record.hashKey(), record.sortKey(), record.value(), record.expiryMillis());
    }
  }

  /**
   * As {@link Space#deleteAll}.
   *
   * @param keys where the records lie
   */
  public void deleteAll(Collection<RecordKey> keys) {
    keys.forEach(key -> delete(key.hashKey(), key.sortKey()));
  }

  /**
   * As {@link Space#transact}, as a part of the larger transaction: if it throws, its changes alone
   * are undone.
   *
   * @param hashKey the row
   * @param transaction what to do
   * @param <R> what it returns
   * @return what it returned
   */
  public <R extends @Nullable Object> R transact(byte[] hashKey, RowTransaction<R> transaction) {
    JoinedRow row = new JoinedRow(rows.apply(hashKey));
    try {
      return notes.part(() -> transaction.run(row));
    } finally {
      row.end();
    }
  }

  /**
   * As {@link Space#count}.
   *
   * @param hashKey the row
   * @return the number of counted records
   */
  public long count(byte[] hashKey) {
    return rows.apply(hashKey).count();
  }

  /**
   * As {@link Space#scan}.
   *
   * @param hashKey the row
   * @param range what to read
   * @param direction the order
   * @param limit how many records to show at most
   * @return a cursor that reads the row a page at a time
   */
  public Cursor scan(byte[] hashKey, SortRange range, Direction direction, int limit) {
    return new RowCursor(rows.apply(hashKey), checkRunning, range, direction, limit);
  }
}
