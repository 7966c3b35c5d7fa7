package io.rockpool.cache;

import io.rockpool.engine.Engine;
import io.rockpool.engine.RecordKey;
import io.rockpool.engine.RecordWrite;
import io.rockpool.engine.RowRecord;
import io.rockpool.engine.RowTransaction;
import io.rockpool.engine.Space;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Writes the records of entries. The record of a foreign key is written in one transaction with the
 * key's record in the {@link RowDirectory}; any other is written directly.
 */
final class EntryRecords<K> {
  /** Foreign keys whose rows one transaction of a bulk write locks. */
  private static final int CHUNK = 128;

  private final Engine engine;
  private final Space space;
  private final CacheEntryFormat<K, ?> format;

  EntryRecords(Engine engine, Space space, CacheEntryFormat<K, ?> format) {
    this.engine = engine;
    this.space = space;
    this.format = format;
  }

  /** The write of an entry's record; it deletes the record if {@code written} is null. */
  static RecordWrite write(@Nullable EncodedEntry written) {
    return written == null
        ? RecordWrite.delete(Space.NO_SORT_KEY)
        : RecordWrite.put(Space.NO_SORT_KEY, written.value(), written.expiryMillis());
  }

  void put(EntryKey key, EncodedEntry written) {
    RowDirectory<K> directory = format.directoryOf(key);
    if (directory == null) {
      putRecord(key, written);
    } else {
      write(List.of(key), List.of(written), directory);
    }
  }

  void delete(EntryKey key) {
    RowDirectory<K> directory = format.directoryOf(key);
    if (directory == null) {
      space.delete(key.bytes(), Space.NO_SORT_KEY);
    } else {
      write(List.of(key), null, directory);
    }
  }

  void putAll(List<EntryKey> keys, List<EncodedEntry> all) {
    RowDirectory<K> directory = format.directory();
    if (directory == null) {
      space.putAll(records(keys, all));
    } else {
      writeAll(keys, all, directory);
    }
  }

  void deleteAll(List<EntryKey> keys) {
    RowDirectory<K> directory = format.directory();
    if (directory == null) {
      space.deleteAll(recordKeys(keys));
    } else {
      writeAll(keys, null, directory);
    }
  }

  private void putRecord(EntryKey key, EncodedEntry written) {
    space.put(key.bytes(), Space.NO_SORT_KEY, written.value(), written.expiryMillis());
  }

  private static List<RowRecord> records(List<EntryKey> keys, List<EncodedEntry> all) {
    List<RowRecord> records = new ArrayList<>(all.size());
    for (int i = 0; i < all.size(); i++) {
      EncodedEntry written = all.get(i);
      byte[] key = keys.get(i).bytes();
      records.add(new RowRecord(key, Space.NO_SORT_KEY, written.value(), written.expiryMillis()));
    }
    return records;
  }

  private static List<RecordKey> recordKeys(List<EntryKey> keys) {
    return keys.stream().map(key -> new RecordKey(key.bytes(), Space.NO_SORT_KEY)).toList();
  }

  /**
   * Runs a transaction on the row of a key; it returns whether it has changed the entry.
   *
   * @param written the record that it puts; null if it deletes
   */
  boolean transact(
      EntryKey key, @Nullable EncodedEntry written, RowTransaction<Boolean> transaction) {
    RowDirectory<K> directory = format.directoryOf(key);
    if (directory == null) {
      return space.transact(key.bytes(), transaction);
    }
    return engine.atomically(
        () -> {
          boolean done = space.transact(key.bytes(), transaction);
          if (done) {
            note(directory, key, written);
          }
          return done;
        });
  }

  /** Puts the entries, or deletes those of the keys if {@code all} is null. */
  private void writeAll(
      List<EntryKey> keys, @Nullable List<EncodedEntry> all, RowDirectory<K> directory) {
    List<EntryKey> own = new ArrayList<>();
    List<EncodedEntry> ownWritten = new ArrayList<>();
    List<EntryKey> foreign = new ArrayList<>();
    List<EncodedEntry> foreignWritten = new ArrayList<>();
    for (int i = 0; i < keys.size(); i++) {
      boolean isForeign = format.directoryOf(keys.get(i)) != null;
      (isForeign ? foreign : own).add(keys.get(i));
      if (all != null) {
        (isForeign ? foreignWritten : ownWritten).add(all.get(i));
      }
    }
    if (all == null) {
      space.deleteAll(recordKeys(own));
    } else {
      space.putAll(records(own, ownWritten));
    }
    for (int from = 0; from < foreign.size(); from += CHUNK) {
      int to = Math.min(from + CHUNK, foreign.size());
      List<EncodedEntry> some = all == null ? null : foreignWritten.subList(from, to);
      write(foreign.subList(from, to), some, directory);
    }
  }

  private void write(
      List<EntryKey> keys, @Nullable List<EncodedEntry> all, RowDirectory<K> directory) {
    engine.atomically(
        () -> {
          for (int i = 0; i < keys.size(); i++) {
            EntryKey key = keys.get(i);
            EncodedEntry written = all == null ? null : all.get(i);
            if (written == null) {
              space.delete(key.bytes(), Space.NO_SORT_KEY);
            } else {
              putRecord(key, written);
            }
            note(directory, key, written);
          }
          return keys;
        });
  }

  private void note(RowDirectory<K> directory, EntryKey key, @Nullable EncodedEntry written) {
    if (written == null) {
      directory.delete(key);
    } else {
      directory.put(key, written.expiryMillis());
    }
  }
}
