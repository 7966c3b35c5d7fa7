package io.rockpool.structure;

import io.rockpool.engine.Cursor;
import io.rockpool.engine.Direction;
import io.rockpool.engine.RecordKey;
import io.rockpool.engine.Row;
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
  public Row.Page page(SortRange range, Direction direction, int limit, long maxBytes) {
    List<RowRecord> found = new ArrayList<>();
    try (Cursor cursor = snapshot.scan(hashKey, range, direction, limit)) {
      for (long bytes = 0; bytes < maxBytes; ) {
        if (!cursor.next()) {
          return new Row.Page(found, found.size() < limit);
        }
        byte[] sortKey = cursor.sortKey();
        byte[] value = cursor.value();
        found.add(new RowRecord(hashKey, sortKey, value, cursor.expiryMillis()));
        bytes += (long) sortKey.length + value.length;
      }
    }
    return new Row.Page(found, false);
  }

  @Override
  public List<@Nullable RowRecord> getAll(List<byte[]> sortKeys) {
    return snapshot.getAll(
        sortKeys.stream().map(sortKey -> new RecordKey(hashKey, sortKey)).toList());
  }
}
