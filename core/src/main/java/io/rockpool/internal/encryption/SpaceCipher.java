package io.rockpool.internal.encryption;

import io.rockpool.engine.RecordKey;
import io.rockpool.engine.RecordReader;
import io.rockpool.engine.RowRecord;
import io.rockpool.engine.SortRange;
import io.rockpool.error.CorruptStoreException;
import io.rockpool.internal.encryption.RecordCipher.RejectedException;
import io.rockpool.internal.logging.ShownKey;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Encrypts and decrypts the records of one name. Does nothing for a name that is not encrypted.
 * Values are tied to the keys as they are stored, so to encrypted keys where keys are encrypted.
 *
 * @param name the name, for messages
 */
record SpaceCipher(String name, SpaceKeys keys) {
  /** The hash key as it is stored. */
  byte[] hash(byte[] hashKey) {
    Objects.requireNonNull(hashKey, "hashKey");
    HiddenKeys hidden = keys.hidden();
    return hidden == null ? hashKey : hidden.hash(hashKey);
  }

  /** The sort key as it is stored. */
  byte[] sort(byte[] sortKey) {
    Objects.requireNonNull(sortKey, "sortKey");
    HiddenKeys hidden = keys.hidden();
    return hidden == null ? sortKey : hidden.sort(sortKey);
  }

  /** The key as it is stored. */
  RecordKey stored(RecordKey key) {
    return keys.hidden() == null ? key : new RecordKey(hash(key.hashKey()), sort(key.sortKey()));
  }

  @Nullable RecordKey storedOrNull(@Nullable RecordKey key) {
    return key == null ? null : stored(key);
  }

  /** The keys as they are stored. */
  List<RecordKey> stored(Collection<RecordKey> all) {
    List<RecordKey> stored = new ArrayList<>(all.size());
    for (RecordKey key : all) {
      stored.add(stored(Objects.requireNonNull(key, "key")));
    }
    return stored;
  }

  /** The range as it is stored. */
  SortRange range(SortRange range) {
    HiddenKeys hidden = keys.hidden();
    return hidden == null ? range : hidden.range(range);
  }

  /** The hash key of a stored one. */
  byte[] shownHash(byte[] hashKey) {
    HiddenKeys hidden = keys.hidden();
    byte[] shown = hidden == null ? hashKey : hidden.shownHash(hashKey);
    return shown == null ? unreadable(hashKey) : shown;
  }

  /** The sort key of a stored one. */
  byte[] shownSort(byte[] sortKey) {
    HiddenKeys hidden = keys.hidden();
    byte[] shown = hidden == null ? sortKey : hidden.shownSort(sortKey);
    return shown == null ? unreadable(sortKey) : shown;
  }

  private byte[] unreadable(byte[] key) {
    throw corrupt(
        ShownKey.of(key), new RejectedException("its key was changed, or is not one of it", null));
  }

  byte[] seal(byte[] hashKey, byte[] sortKey, byte[] value, long expiryMillis, boolean counted) {
    return keys.isClear()
        ? value
        : RecordCipher.ofThread().seal(keys, hashKey, sortKey, value, expiryMillis, counted);
  }

  /** The record of a stored one. */
  RowRecord open(RowRecord record) {
    return keys.isClear()
        ? record
        : open(record, shownHash(record.hashKey()), shownSort(record.sortKey()));
  }

  /** The record of a stored one whose keys are known. */
  private RowRecord open(RowRecord record, byte[] hashKey, byte[] sortKey) {
    byte[] value = open(record.hashKey(), record.sortKey(), record.value(), record.expiryMillis());
    return new RowRecord(hashKey, sortKey, value, record.expiryMillis());
  }

  @Nullable RowRecord openOrNull(@Nullable RowRecord record, byte[] hashKey, byte[] sortKey) {
    return record == null || keys.isClear() ? record : open(record, hashKey, sortKey);
  }

  /**
   * The records of stored ones.
   *
   * @param of the keys of the records
   */
  List<@Nullable RowRecord> openAll(List<RecordKey> of, List<@Nullable RowRecord> records) {
    if (keys.isClear()) {
      return records;
    }
    List<@Nullable RowRecord> opened = new ArrayList<>(records.size());
    for (int i = 0; i < records.size(); i++) {
      opened.add(openOrNull(records.get(i), of.get(i).hashKey(), of.get(i).sortKey()));
    }
    return opened;
  }

  /** Decrypts the value of a record with these stored keys. */
  byte[] open(byte[] hashKey, byte[] sortKey, byte[] value, long expiryMillis) {
    if (keys.isClear()) {
      return value;
    }
    try {
      return RecordCipher.ofThread().open(keys, hashKey, sortKey, value, expiryMillis);
    } catch (RejectedException e) {
      throw corrupt(ShownKey.of(hashKey, sortKey), e);
    }
  }

  /**
   * A reader of the encrypted value, which decrypts it for another reader.
   *
   * @param hashKey as it is stored
   * @param sortKey as it is stored
   */
  <R> RecordReader<R> reader(byte[] hashKey, byte[] sortKey, RecordReader<R> reader) {
    return keys.isClear()
        ? reader
        : (bytes, offset, length, expiryMillis) -> {
          try {
            return RecordCipher.ofThread()
                .read(keys, hashKey, sortKey, bytes, offset, length, expiryMillis, reader);
          } catch (RejectedException e) {
            throw corrupt(ShownKey.of(hashKey, sortKey), e);
          }
        };
  }

  private CorruptStoreException corrupt(String key, RejectedException e) {
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
