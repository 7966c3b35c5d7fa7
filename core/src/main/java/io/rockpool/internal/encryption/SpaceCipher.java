package io.rockpool.internal.encryption;

import io.rockpool.engine.RecordReader;
import io.rockpool.engine.RowRecord;
import io.rockpool.error.CorruptStoreException;
import io.rockpool.internal.encryption.RecordCipher.RejectedException;
import io.rockpool.internal.logging.ShownKey;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Encrypts and decrypts the records of one name. Does nothing for a name that is not encrypted.
 *
 * @param name the name, for messages
 */
record SpaceCipher(String name, SpaceKeys keys) {
  byte[] seal(byte[] hashKey, byte[] sortKey, byte[] value, long expiryMillis, boolean counted) {
    return keys.isClear()
        ? value
        : RecordCipher.ofThread().seal(keys, hashKey, sortKey, value, expiryMillis, counted);
  }

  RowRecord open(RowRecord record) {
    return keys.isClear()
        ? record
        : new RowRecord(
            record.hashKey(),
            record.sortKey(),
            open(record.hashKey(), record.sortKey(), record.value(), record.expiryMillis()),
            record.expiryMillis());
  }

  @Nullable RowRecord openOrNull(@Nullable RowRecord record) {
    return record == null ? null : open(record);
  }

  List<@Nullable RowRecord> openAll(List<@Nullable RowRecord> records) {
    if (keys.isClear()) {
      return records;
    }
    List<@Nullable RowRecord> opened = new ArrayList<>(records.size());
    records.forEach(record -> opened.add(openOrNull(record)));
    return opened;
  }

  byte[] open(byte[] hashKey, byte[] sortKey, byte[] value, long expiryMillis) {
    if (keys.isClear()) {
      return value;
    }
    try {
      return RecordCipher.ofThread().open(keys, hashKey, sortKey, value, expiryMillis);
    } catch (RejectedException e) {
      throw corrupt(hashKey, sortKey, e);
    }
  }

  /** A reader of the encrypted value, which decrypts it for another reader. */
  <R> RecordReader<R> reader(byte[] hashKey, byte[] sortKey, RecordReader<R> reader) {
    return keys.isClear()
        ? reader
        : (bytes, offset, length, expiryMillis) -> {
          try {
            return RecordCipher.ofThread()
                .read(keys, hashKey, sortKey, bytes, offset, length, expiryMillis, reader);
          } catch (RejectedException e) {
            throw corrupt(hashKey, sortKey, e);
          }
        };
  }

  private CorruptStoreException corrupt(byte[] hashKey, byte[] sortKey, RejectedException e) {
    String key = ShownKey.of(hashKey, sortKey);
    return new CorruptStoreException(
        "The record "
            + key
            + " of \""
            + name
            + "\" cannot be decrypted: "
            + e.getMessage()
            + ". Restore a backup, or remove the record.",
        null,
        name,
        key,
        e);
  }
}
