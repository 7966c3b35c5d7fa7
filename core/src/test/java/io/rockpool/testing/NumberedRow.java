package io.rockpool.testing;

import io.rockpool.engine.Direction;
import io.rockpool.engine.RowRecord;
import io.rockpool.engine.SortRange;
import io.rockpool.engine.Space;
import java.nio.ByteBuffer;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A row of numbers: each is the sort key and the value of a record. */
public final class NumberedRow {
  @SuppressWarnings("MutablePublicArray") // no test changes it
  public static final byte[] ROW = {1};

  private NumberedRow() {}

  public static byte[] key(int number) {
    return ByteBuffer.allocate(Integer.BYTES).putInt(number).array();
  }

  public static int number(byte[] key) {
    return ByteBuffer.wrap(key).getInt();
  }

  /** Takes the first number of a range. */
  public static @Nullable Integer poll(Space space, SortRange range, Direction direction) {
    return space.transact(
        ROW,
        row -> {
          List<RowRecord> found = row.scan(range, direction, 1);
          found.forEach(record -> row.delete(record.sortKey()));
          return found.isEmpty() ? null : number(found.get(0).sortKey());
        });
  }
}
