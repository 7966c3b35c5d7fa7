package io.rockpool.structure;

import io.rockpool.engine.Cursor;
import io.rockpool.engine.Direction;
import io.rockpool.engine.RowRecord;
import io.rockpool.engine.SortRange;
import io.rockpool.engine.SpaceView;
import java.util.Arrays;
import java.util.Iterator;
import org.jspecify.annotations.Nullable;

/**
 * A cursor over several rows in sequence. It replaces a scan of the whole space inside a
 * transaction, which can lock rows only, and where such a scan passes many removed records.
 */
final class RowsCursor implements Cursor {
  private final SpaceView space;
  private final Iterator<byte[]> rowsLeft;
  private Cursor row;

  /**
   * Creates a cursor over {@code rows}, at least one. It starts after {@code last}, or at the first
   * record if null.
   */
  RowsCursor(SpaceView space, Iterator<byte[]> rows, @Nullable RowRecord last) {
    this.space = space;
    this.rowsLeft = rows;
    byte[] first = rowsLeft.next();
    SortRange range = SortRange.all();
    if (last != null) {
      while (!Arrays.equals(first, last.hashKey())) {
        first = rowsLeft.next();
      }
      range = range.from(last.sortKey(), false);
    }
    this.row = scan(first, range);
  }

  private Cursor scan(byte[] hashKey, SortRange range) {
    return space.scan(hashKey, range, Direction.FORWARD, Integer.MAX_VALUE);
  }

  @Override
  public boolean next() {
    while (!row.next()) {
      if (!rowsLeft.hasNext()) {
        return false;
      }
      row.close();
      row = scan(rowsLeft.next(), SortRange.all());
    }
    return true;
  }

  @Override
  public byte[] hashKey() {
    return row.hashKey();
  }

  @Override
  public byte[] sortKey() {
    return row.sortKey();
  }

  @Override
  public byte[] value() {
    return row.value();
  }

  @Override
  public long expiryMillis() {
    return row.expiryMillis();
  }

  @Override
  public void close() {
    row.close();
  }
}
