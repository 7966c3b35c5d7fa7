package io.rockpool.cache;

import io.rockpool.engine.RecordWrite;
import io.rockpool.engine.RowRecord;
import io.rockpool.engine.Space;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The value of a record, and the equivalent hot entry. */
@SuppressWarnings("ArrayRecordComponent") // never compared
record EncodedEntry(byte[] value, HotEntry entry) {
  /** The write of an entry's record; it deletes the record if {@code encoded} is null. */
  static RecordWrite write(@Nullable EncodedEntry encoded) {
    return encoded == null
        ? RecordWrite.delete(Space.NO_SORT_KEY)
        : RecordWrite.put(Space.NO_SORT_KEY, encoded.value, encoded.expiryMillis());
  }

  /** The records of entries with these keys. */
  static List<RowRecord> records(List<EntryKey> keys, List<EncodedEntry> all) {
    List<RowRecord> records = new ArrayList<>(all.size());
    for (int i = 0; i < all.size(); i++) {
      EncodedEntry encoded = all.get(i);
      byte[] key = keys.get(i).bytes();
      records.add(new RowRecord(key, Space.NO_SORT_KEY, encoded.value, encoded.expiryMillis()));
    }
    return records;
  }

  /** When the record expires, in milliseconds since the epoch. */
  long expiryMillis() {
    return entry.expiryMillis();
  }
}
