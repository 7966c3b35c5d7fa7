package io.rockpool.engine.memory;

import io.rockpool.engine.Cursor;
import io.rockpool.engine.Direction;
import io.rockpool.engine.RecordKey;
import io.rockpool.engine.SortRange;
import io.rockpool.error.StoreClosedException;
import java.util.Arrays;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Iterates over rows, and over a range within each. It keeps its position as a key, so the rows may
 * change.
 */
final class MemoryCursor implements Cursor {
  private final MemoryView space;
  private final Supplier<SortedTree<RowState>> rows;
  private final SortRange range;
  private final Direction direction;
  private final @Nullable RecordKey upTo;
  private SortRange rowsLeft;
  private SortRange rangeLeft;
  private int limitLeft;
  private byte @Nullable [] hashKey;
  private SortedTree.@Nullable Node<StoredRecord> record;
  private boolean closed;

  /**
   * Creates a cursor over at most {@code limit} records.
   *
   * @param rows the current rows, read at each step
   * @param hashKeys the rows to visit
   * @param range the range to visit in each row
   * @param after the record to start after, or null to start at the first
   * @param upTo the last record, inclusive, or null for no end
   */
  MemoryCursor(
      MemoryView space,
      Supplier<SortedTree<RowState>> rows,
      SortRange hashKeys,
      SortRange range,
      Direction direction,
      int limit,
      @Nullable RecordKey after,
      @Nullable RecordKey upTo) {
    this.space = space;
    this.rows = rows;
    this.rowsLeft = hashKeys;
    this.range = range;
    this.rangeLeft = range;
    this.direction = direction;
    this.limitLeft = limit;
    this.upTo = upTo == null ? null : new RecordKey(upTo.hashKey().clone(), upTo.sortKey().clone());
    if (this.upTo != null) {
      rowsLeft = rowsLeft.to(this.upTo.hashKey(), true);
    }
    if (after != null) {
      hashKey = after.hashKey().clone();
      rowsLeft = rowsLeft.from(hashKey, true);
      rangeLeft = SortedTree.past(after.sortKey().clone(), rangeOf(hashKey), direction);
    }
  }

  /** The range to visit in a row. */
  private SortRange rangeOf(byte[] row) {
    return upTo != null && Arrays.equals(row, upTo.hashKey())
        ? range.to(upTo.sortKey(), true)
        : range;
  }

  @Override
  public boolean next() {
    if (closed) {
      throw new StoreClosedException("The cursor is closed; start another scan.");
    }
    return space.call(this::advance);
  }

  private boolean advance() {
    record = null;
    while (limitLeft > 0) {
      var row = rows.get().first(rowsLeft, Direction.FORWARD);
      if (row == null) {
        break;
      }
      if (!Arrays.equals(hashKey, row.key)) {
        hashKey = row.key;
        rowsLeft = rowsLeft.from(row.key, true);
        rangeLeft = rangeOf(row.key);
      }
      record = row.value.firstLive(rangeLeft, direction, space.nowMillis());
      if (record != null) {
        rangeLeft = SortedTree.past(record.key, rangeLeft, direction);
        limitLeft--;
        return true;
      }
      rowsLeft = SortedTree.past(row.key, rowsLeft, Direction.FORWARD);
    }
    limitLeft = 0;
    return false;
  }

  @Override
  public byte[] hashKey() {
    current();
    return Objects.requireNonNull(hashKey).clone();
  }

  @Override
  public byte[] sortKey() {
    return current().key.clone();
  }

  @Override
  public byte[] value() {
    return current().value.value().clone();
  }

  @Override
  public long expiryMillis() {
    return current().value.expiryMillis();
  }

  @Override
  public void close() {
    closed = true;
    record = null;
  }

  private SortedTree.Node<StoredRecord> current() {
    space.checkOpen();
    var node = record;
    if (node == null) {
      throw new IllegalStateException(
          "The cursor has no current record: it is closed, at its end, or next() was not called yet.");
    }
    return node;
  }
}
