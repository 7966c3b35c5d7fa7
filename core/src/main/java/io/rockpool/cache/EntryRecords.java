package io.rockpool.cache;

import io.rockpool.engine.Engine;
import io.rockpool.engine.RowTransaction;
import io.rockpool.engine.Space;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Writes the records of entries in a cache that may have foreign keys. The record of such a key is
 * written in one transaction with the key's record in the {@link RowDirectory}; any other is
 * written directly.
 */
final class EntryRecords<K> {
  /** Foreign keys whose rows one transaction of a bulk write locks. */
  private static final int CHUNK = 128;

  private final Engine engine;
  private final Space space;
  private final CacheEntryFormat<K, ?> format;
  private final RowDirectory<K> directory;

  EntryRecords(
      Engine engine, Space space, CacheEntryFormat<K, ?> format, RowDirectory<K> directory) {
    this.engine = engine;
    this.space = space;
    this.format = format;
    this.directory = directory;
  }

  private boolean isForeign(EntryKey key) {
    return format.directoryOf(key) != null;
  }

  void put(EntryKey key, EncodedEntry written) {
    if (isForeign(key)) {
      write(List.of(key), List.of(written));
    } else {
      putRecord(key, written);
    }
  }

  void delete(EntryKey key) {
    if (isForeign(key)) {
      write(List.of(key), null);
    } else {
      space.delete(key.bytes(), Space.NO_SORT_KEY);
    }
  }

  void putAll(List<EntryKey> keys, List<EncodedEntry> all) {
    writeAll(keys, all);
  }

  void deleteAll(List<EntryKey> keys) {
    writeAll(keys, null);
  }

  private void putRecord(EntryKey key, EncodedEntry written) {
    space.put(key.bytes(), Space.NO_SORT_KEY, written.value(), written.expiryMillis());
  }

  /**
   * Runs a transaction on the row of a key; it returns whether it has changed the entry.
   *
   * @param written the record that it puts; null if it deletes
   */
  boolean transact(
      EntryKey key, @Nullable EncodedEntry written, RowTransaction<Boolean> transaction) {
    if (!isForeign(key)) {
      return space.transact(key.bytes(), transaction);
    }
    return engine.atomically(
        () -> {
          boolean done = space.transact(key.bytes(), transaction);
          if (done) {
            note(key, written);
          }
          return done;
        });
  }

  /** Puts the entries, or deletes those of the keys if {@code all} is null. */
  private void writeAll(List<EntryKey> keys, @Nullable List<EncodedEntry> all) {
    List<EntryKey> own = new ArrayList<>();
    List<EncodedEntry> ownWritten = new ArrayList<>();
    List<EntryKey> foreign = new ArrayList<>();
    List<EncodedEntry> foreignWritten = new ArrayList<>();
    for (int i = 0; i < keys.size(); i++) {
      boolean isForeign = isForeign(keys.get(i));
      (isForeign ? foreign : own).add(keys.get(i));
      if (all != null) {
        (isForeign ? foreignWritten : ownWritten).add(all.get(i));
      }
    }
    if (all == null) {
      space.deleteAll(EntryKey.recordKeys(own));
    } else {
      space.putAll(EncodedEntry.records(own, ownWritten));
    }
    for (int from = 0; from < foreign.size(); from += CHUNK) {
      int to = Math.min(from + CHUNK, foreign.size());
      List<EncodedEntry> some = all == null ? null : foreignWritten.subList(from, to);
      write(foreign.subList(from, to), some);
    }
  }

  private void write(List<EntryKey> keys, @Nullable List<EncodedEntry> all) {
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
            note(key, written);
          }
          return keys;
        });
  }

  private void note(EntryKey key, @Nullable EncodedEntry written) {
    if (written == null) {
      directory.delete(key);
    } else {
      directory.put(key, written.expiryMillis());
    }
  }
}
