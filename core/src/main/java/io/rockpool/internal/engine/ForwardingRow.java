package io.rockpool.internal.engine;

import io.rockpool.engine.Direction;
import io.rockpool.engine.Lease;
import io.rockpool.engine.Row;
import io.rockpool.engine.RowRecord;
import io.rockpool.engine.SortRange;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A row that passes every call to another row, but {@link #insert}, which puts: so a subclass that
 * changes what is put changes that, too.
 */
public abstract class ForwardingRow implements Row {
  /** The other row; throws if the call must be rejected. */
  protected abstract Row row();

  @Override
  public long nowMillis() {
    return row().nowMillis();
  }

  @Override
  public @Nullable RowRecord get(byte[] sortKey) {
    return row().get(sortKey);
  }

  @Override
  public List<@Nullable RowRecord> getAll(List<byte[]> sortKeys) {
    return row().getAll(sortKeys);
  }

  @Override
  public boolean isUnchanged(byte[] sortKey, @Nullable RowRecord expected) {
    return row().isUnchanged(sortKey, expected);
  }

  @Override
  public boolean holds(Lease lease) {
    return row().holds(lease);
  }

  @Override
  public List<RowRecord> scan(SortRange range, Direction direction, int limit) {
    return row().scan(range, direction, limit);
  }

  @Override
  public Page page(SortRange range, Direction direction, int limit, long maxBytes) {
    return row().page(range, direction, limit, maxBytes);
  }

  @Override
  public int countIn(SortRange range, int limit) {
    return row().countIn(range, limit);
  }

  @Override
  public long count() {
    return row().count();
  }

  @Override
  public void put(byte[] sortKey, byte[] value, long expiryMillis) {
    row().put(sortKey, value, expiryMillis);
  }

  @Override
  public void putCounted(byte[] sortKey, byte[] value, long expiryMillis) {
    row().putCounted(sortKey, value, expiryMillis);
  }

  @Override
  public void delete(byte[] sortKey) {
    row().delete(sortKey);
  }
}
