package io.rockpool.internal.engine;

import io.rockpool.engine.Direction;
import io.rockpool.engine.Row;
import io.rockpool.engine.RowRecord;
import io.rockpool.engine.SortRange;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A row of a larger transaction, as one row transaction in it sees it. It is valid until the row
 * transaction's function returns; the row itself lives on.
 */
final class JoinedRow implements Row {
  private final Row row;
  private volatile boolean ended;

  JoinedRow(Row row) {
    this.row = row;
  }

  @Override
  public @Nullable RowRecord get(byte[] sortKey) {
    return running().get(sortKey);
  }

  @Override
  public List<@Nullable RowRecord> getAll(List<byte[]> sortKeys) {
    return running().getAll(sortKeys);
  }

  @Override
  public boolean isUnchanged(byte[] sortKey, @Nullable RowRecord expected) {
    return running().isUnchanged(sortKey, expected);
  }

  @Override
  public List<RowRecord> scan(SortRange range, Direction direction, int limit) {
    return running().scan(range, direction, limit);
  }

  @Override
  public long count() {
    return running().count();
  }

  @Override
  public void put(byte[] sortKey, byte[] value, long expiryMillis) {
    running().put(sortKey, value, expiryMillis);
  }

  @Override
  public void putCounted(byte[] sortKey, byte[] value, long expiryMillis) {
    running().putCounted(sortKey, value, expiryMillis);
  }

  @Override
  public void delete(byte[] sortKey) {
    running().delete(sortKey);
  }

  void end() {
    ended = true;
  }

  private Row running() {
    if (ended) {
      throw new IllegalStateException(
          "The row was used after its transaction; use it inside only.");
    }
    return row;
  }
}
