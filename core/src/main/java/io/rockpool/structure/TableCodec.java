package io.rockpool.structure;

import io.rockpool.codec.Codec;
import io.rockpool.engine.RecordKey;
import io.rockpool.engine.RowRecord;
import io.rockpool.error.UndecodableValueException;
import java.util.Objects;

/** Converts between a table's typed records and stored records. */
record TableCodec<H, S, V>(Codec<H> hashKeys, SortedCodec<S, V> entries) {
  StructureSpace space() {
    return entries.space();
  }

  byte[] hashKey(H hashKey) {
    return space().encode(hashKeys, Objects.requireNonNull(hashKey, "hashKey"));
  }

  /**
   * The bytes of a prefix, suffix or other part of hash keys.
   *
   * @throws UnsupportedOperationException if their encoding does not support it
   */
  byte[] partOfHashKey(H part) {
    if (!EntryCodec.hasParts(hashKeys)) {
      throw new UnsupportedOperationException(
          space()
              + " has hash keys that are neither strings nor byte arrays; filter the results of a"
              + " scan instead.");
    }
    return hashKey(part);
  }

  RecordKey place(TableKey<H, S> key) {
    return new RecordKey(hashKey(key.hashKey()), entries.key(key.sortKey()));
  }

  TableKey<H, S> decodeKey(RowRecord record) {
    return new TableKey<>(decodeHashKey(record.hashKey()), entries.decodeKey(record.sortKey()));
  }

  TableRecord<H, S, V> decode(RowRecord record) {
    return new TableRecord<>(
        decodeHashKey(record.hashKey()),
        entries.decodeKey(record.sortKey()),
        entries.decodeValue(record));
  }

  H decodeHashKey(byte[] hashKey) {
    try {
      return hashKeys.decode(hashKey, 0, hashKey.length);
    } catch (UndecodableValueException e) {
      throw space().undecodable(hashKey, e);
    }
  }
}
