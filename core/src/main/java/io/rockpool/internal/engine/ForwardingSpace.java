package io.rockpool.internal.engine;

import io.rockpool.engine.Cursor;
import io.rockpool.engine.Direction;
import io.rockpool.engine.LeasedRead;
import io.rockpool.engine.RecordKey;
import io.rockpool.engine.RecordReader;
import io.rockpool.engine.RowRecord;
import io.rockpool.engine.RowTransaction;
import io.rockpool.engine.SortRange;
import io.rockpool.engine.Space;
import io.rockpool.engine.SpaceInfo;
import io.rockpool.engine.SpaceSnapshot;
import java.util.Collection;
import java.util.List;
import java.util.function.LongPredicate;
import org.jspecify.annotations.Nullable;

/** A space that passes every call to another space. A subclass overrides what it does itself. */
public abstract class ForwardingSpace implements Space {
  private final Space space;

  /**
   * Creates a space over another.
   *
   * @param space the other space
   */
  protected ForwardingSpace(Space space) {
    this.space = space;
  }

  /** The other space. */
  protected final Space space() {
    return space;
  }

  @Override
  public String name() {
    return space.name();
  }

  @Override
  public SpaceInfo info() {
    return space.info();
  }

  @Override
  public <R> @Nullable R get(byte[] hashKey, byte[] sortKey, RecordReader<R> reader) {
    return space.get(hashKey, sortKey, reader);
  }

  @Override
  public List<@Nullable RowRecord> getAll(List<RecordKey> keys) {
    return space.getAll(keys);
  }

  @Override
  public long count(byte[] hashKey) {
    return space.count(hashKey);
  }

  @Override
  public Cursor scan(byte[] hashKey, SortRange range, Direction direction, int limit) {
    return space.scan(hashKey, range, direction, limit);
  }

  @Override
  public Cursor scanAll(@Nullable RecordKey after, @Nullable RecordKey upTo) {
    return space.scanAll(after, upTo);
  }

  @Override
  public boolean searchesLong() {
    return space.searchesLong();
  }

  @Override
  public List<RecordKey> splits(int parts) {
    return space.splits(parts);
  }

  @Override
  public void put(byte[] hashKey, byte[] sortKey, byte[] value, long expiryMillis) {
    space.put(hashKey, sortKey, value, expiryMillis);
  }

  @Override
  public void delete(byte[] hashKey, byte[] sortKey) {
    space.delete(hashKey, sortKey);
  }

  @Override
  public void putAll(Collection<RowRecord> records) {
    space.putAll(records);
  }

  @Override
  public void deleteAll(Collection<RecordKey> keys) {
    space.deleteAll(keys);
  }

  @Override
  public <R extends @Nullable Object> R transact(byte[] hashKey, RowTransaction<R> transaction) {
    return space.transact(hashKey, transaction);
  }

  /**
   * {@inheritDoc} {@link #writeLeased} is made of {@link #transact}, which a subclass may change.
   */
  @Override
  public List<LeasedRead> lease(List<byte[]> hashKeys) {
    return space.lease(hashKeys);
  }

  @Override
  public void clear() {
    space.clear();
  }

  @Override
  public void expireAt(long expiryMillis) {
    space.expireAt(expiryMillis);
  }

  @Override
  public boolean expireAtIf(long expiryMillis, LongPredicate condition) {
    return space.expireAtIf(expiryMillis, condition);
  }

  @Override
  public SpaceSnapshot snapshot() {
    return space.snapshot();
  }

  @Override
  public void copyTo(Space target) {
    space.copyTo(target);
  }
}
