package io.rockpool.redis;

import io.rockpool.engine.Direction;
import io.rockpool.engine.Expiry;
import io.rockpool.engine.Layout;
import io.rockpool.engine.Row;
import io.rockpool.engine.RowRecord;
import io.rockpool.engine.SortRange;
import io.rockpool.engine.Space;
import io.rockpool.internal.engine.Arguments;
import io.rockpool.internal.engine.Moment;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A row of one record, in one run of a transaction. */
final class RedisRow implements Row {
  private final String space;
  private final byte[] hashKey;
  private final Moment moment;
  private @Nullable RowRecord record;
  private boolean changed;
  private boolean ended;

  RedisRow(String space, byte[] hashKey, @Nullable RowRecord record, Moment moment) {
    this.space = space;
    this.hashKey = hashKey;
    this.record = record;
    this.moment = moment;
  }

  boolean isChanged() {
    return changed;
  }

  /** The record after the run, or null if it was deleted. */
  @Nullable RowRecord record() {
    return record;
  }

  void end() {
    ended = true;
  }

  @Override
  public long nowMillis() {
    checkRunning();
    return moment.millis();
  }

  @Override
  public @Nullable RowRecord get(byte[] sortKey) {
    check(sortKey);
    return live();
  }

  private @Nullable RowRecord live() {
    RowRecord there = record;
    return there == null || Expiry.isPast(there.expiryMillis(), moment) ? null : there;
  }

  @Override
  public List<RowRecord> scan(SortRange range, Direction direction, int limit) {
    checkRunning();
    Objects.requireNonNull(direction, "direction");
    Arguments.checkScanLimit(limit);
    RowRecord there = live();
    return there != null && limit > 0 && range.contains(Space.NO_SORT_KEY)
        ? List.of(there)
        : List.of();
  }

  @Override
  public long count() {
    checkRunning();
    Arguments.checkCounts(space, Layout.ENTRIES);
    return 0;
  }

  @Override
  public void put(byte[] sortKey, byte[] value, long expiryMillis) {
    check(sortKey);
    RedisSpace.checkValue(value);
    record =
        new RowRecord(hashKey, Space.NO_SORT_KEY, value.clone(), Expiry.normalize(expiryMillis));
    changed = true;
  }

  @Override
  public void putCounted(byte[] sortKey, byte[] value, long expiryMillis) {
    checkRunning();
    Arguments.checkCounts(space, Layout.ENTRIES);
  }

  @Override
  public void delete(byte[] sortKey) {
    check(sortKey);
    record = null;
    changed = true;
  }

  private void check(byte[] sortKey) {
    checkRunning();
    Arguments.checkSortKey(sortKey, Layout.ENTRIES);
  }

  private void checkRunning() {
    if (ended) {
      throw new IllegalStateException(
          "A row was used after its run of the transaction had ended; use it inside only.");
    }
  }
}
