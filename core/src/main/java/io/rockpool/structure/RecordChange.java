package io.rockpool.structure;

import io.rockpool.engine.Row;
import io.rockpool.engine.RowRecord;
import org.jspecify.annotations.Nullable;

/** What to do to a record, as decided from what is there. */
@SuppressWarnings("ArrayRecordComponent") // never compared
record RecordChange(Kind kind, byte @Nullable [] value, long expiryMillis) {
  private static final RecordChange KEEP = new RecordChange(Kind.KEEP, null, 0);
  private static final RecordChange REMOVE = new RecordChange(Kind.REMOVE, null, 0);

  enum Kind {
    KEEP,
    REMOVE,
    WRITE
  }

  static RecordChange keep() {
    return KEEP;
  }

  static RecordChange remove() {
    return REMOVE;
  }

  /** To write a record; what has ended by 1970 is a removal. */
  static RecordChange write(byte[] value, long expiryMillis) {
    return expiryMillis <= 0 ? REMOVE : new RecordChange(Kind.WRITE, value, expiryMillis);
  }

  /** To write {@code value} in the place of {@code found}, and leave its expiry as it is. */
  static RecordChange rewrite(RowRecord found, byte[] value) {
    return write(value, found.expiryMillis());
  }

  /** Makes the change in the row where {@code found} is at its place. */
  void make(Row row, byte[] key, @Nullable RowRecord found) {
    if (value != null) {
      row.putCounted(key, value, expiryMillis);
    } else if (kind == Kind.REMOVE && found != null) {
      row.delete(key);
    }
  }
}
