package io.rockpool.structure;

import io.rockpool.engine.RecordWrite;
import io.rockpool.engine.Row;
import io.rockpool.engine.RowRecord;
import org.jspecify.annotations.Nullable;

/** A change of a record, decided from the existing record. */
@SuppressWarnings("ArrayRecordComponent") // never compared
record RecordChange(Kind kind, byte @Nullable [] value, long expiryMillis) {
  private static final RecordChange KEEP = new RecordChange(Kind.KEEP, null, 0);
  private static final RecordChange REMOVE = new RecordChange(Kind.REMOVE, null, 0);

  /** Stands for the expiry of the record that is replaced. */
  static final long KEPT_EXPIRY = -1;

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

  /** Writes a record. An expiry of 0 or less removes it. */
  static RecordChange write(byte[] value, long expiryMillis) {
    return expiryMillis <= 0 ? REMOVE : new RecordChange(Kind.WRITE, value, expiryMillis);
  }

  /** Writes {@code value} and keeps the expiry of {@code found}. */
  static RecordChange rewrite(RowRecord found, byte[] value) {
    return write(value, found.expiryMillis());
  }

  /** Writes {@code value} over {@code found}, with this expiry or {@link #KEPT_EXPIRY}. */
  static RecordChange over(RowRecord found, byte[] value, long expiryMillis) {
    return write(value, expiryMillis == KEPT_EXPIRY ? found.expiryMillis() : expiryMillis);
  }

  /** The change as an unconditional write of {@code key}. Not for {@link Kind#KEEP}. */
  RecordWrite of(byte[] key) {
    return value == null
        ? RecordWrite.delete(key)
        : RecordWrite.putCounted(key, value, expiryMillis);
  }

  /** Applies the change in the row. {@code found} is the existing record. Returns true. */
  boolean make(Row row, byte[] key, @Nullable RowRecord found) {
    if (value != null) {
      row.putCounted(key, value, expiryMillis);
    } else if (kind == Kind.REMOVE && found != null) {
      row.delete(key);
    }
    return true;
  }
}
