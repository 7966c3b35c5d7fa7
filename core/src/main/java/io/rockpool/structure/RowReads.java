package io.rockpool.structure;

import io.rockpool.engine.Cursor;
import io.rockpool.engine.Direction;
import io.rockpool.engine.Row;
import io.rockpool.engine.RowRecord;
import io.rockpool.engine.SortRange;
import io.rockpool.engine.SpaceView;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads of a stable row: inside a transaction, or in a snapshot. */
interface RowReads {
  @Nullable RowRecord get(byte[] sortKey);

  /** The first {@code limit} records of a range, in a direction. */
  List<RowRecord> scan(SortRange range, Direction direction, int limit);

  /** The number of records of a range, at most {@code limit}. */
  default int countIn(SortRange range, int limit) {
    return scan(range, Direction.FORWARD, limit).size();
  }

  static RowReads of(Row row) {
    return new RowReads() {
      @Override
      public @Nullable RowRecord get(byte[] sortKey) {
        return row.get(sortKey);
      }

      @Override
      public List<RowRecord> scan(SortRange range, Direction direction, int limit) {
        return row.scan(range, direction, limit);
      }

      @Override
      public int countIn(SortRange range, int limit) {
        return row.countIn(range, limit);
      }
    };
  }

  /** Reads of a row in a view, which must be a snapshot. */
  static RowReads of(SpaceView snapshot, byte[] hashKey) {
    return new RowReads() {
      @Override
      public @Nullable RowRecord get(byte[] sortKey) {
        return snapshot.get(hashKey, sortKey);
      }

      @Override
      public List<RowRecord> scan(SortRange range, Direction direction, int limit) {
        List<RowRecord> records = new ArrayList<>();
        try (Cursor cursor = snapshot.scan(hashKey, range, direction, limit)) {
          while (cursor.next()) {
            records.add(
                new RowRecord(hashKey, cursor.sortKey(), cursor.value(), cursor.expiryMillis()));
          }
        }
        return records;
      }
    };
  }
}
