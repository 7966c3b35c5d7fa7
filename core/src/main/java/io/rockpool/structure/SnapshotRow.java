package io.rockpool.structure;

import io.rockpool.engine.Cursor;
import io.rockpool.engine.Direction;
import io.rockpool.engine.RecordKey;
import io.rockpool.engine.RowRecord;
import io.rockpool.engine.SortRange;
import io.rockpool.engine.SpaceView;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A row of a snapshot, which never changes. */
@SuppressWarnings("ArrayRecordComponent") // never compared
record SnapshotRow(SpaceView snapshot, byte[] hashKey) implements RowFetch.SteadyRow {
  @Override
  public List<RowRecord> scan(SortRange range, Direction direction, int limit) {
    List<RowRecord> found = new ArrayList<>();
    try (Cursor cursor = snapshot.scan(hashKey, range, direction, limit)) {
      while (cursor.next()) {
        found.add(new RowRecord(hashKey, cursor.sortKey(), cursor.value(), cursor.expiryMillis()));
      }
    }
    return found;
  }

  @Override
  public List<@Nullable RowRecord> getAll(List<byte[]> sortKeys) {
    return snapshot.getAll(
        sortKeys.stream().map(sortKey -> new RecordKey(hashKey, sortKey)).toList());
  }
}
