package io.rockpool.cache;

import io.rockpool.codec.KeyCodec;
import io.rockpool.engine.Cursor;
import io.rockpool.engine.Direction;
import io.rockpool.engine.Engine;
import io.rockpool.engine.Expiry;
import io.rockpool.engine.RecordKey;
import io.rockpool.engine.RecordReader;
import io.rockpool.engine.SortRange;
import io.rockpool.engine.Space;
import io.rockpool.error.StoreFullException;
import io.rockpool.store.Durability;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The rows of the key directories of all caches of one name: one record for each foreign key that
 * has an entry. Equal keys share a row; the sort key is the rest of the key.
 *
 * <p>A record is written and deleted in one transaction with its entry, so each entry has one. If
 * an entry is evicted, expires or is cleared, its record stays until a sweep ({@link
 * #getAsBoolean}) finds it.
 */
final class DirectoryRows implements BooleanSupplier {
  /**
   * The most unequal keys with one hash. Each is decoded whenever a new one of them is looked up.
   */
  static final int MAX_KEYS = 1_000;

  /** Records that one step of a sweep reads, in some milliseconds. */
  private static final int PAGE = 256;

  private static final byte[] EMPTY = {};

  private static final RecordReader<Boolean> FOUND = (bytes, offset, length, expiry) -> true;

  private static final RecordReader<Long> EXPIRY = (bytes, offset, length, expiry) -> expiry;

  final KeysInUse inUse = new KeysInUse();
  final Space rows;
  final Engine engine;
  private final Space entries;

  /** Whether there may be records without entries. */
  private volatile boolean mayHaveUnused = true;

  /** The last record that the sweep has read; null if no sweep is in progress. */
  private @Nullable RecordKey swept;

  DirectoryRows(Engine engine, Space entries, Space rows) {
    this.engine = engine;
    this.entries = entries;
    this.rows = rows.withDurability(Durability.BUFFERED);
  }

  private static byte[] row(byte[] key) {
    return Arrays.copyOf(key, KeyCodec.commonBytes(key));
  }

  private static byte[] rest(byte[] key) {
    return Arrays.copyOfRange(key, KeyCodec.commonBytes(key), key.length);
  }

  /** Returns whether a key has a record. One read. */
  boolean contains(byte[] key) {
    return rows.get(row(key), rest(key), FOUND) != null;
  }

  /** Returns the keys of a row. */
  List<byte[]> keys(byte[] row) {
    List<byte[]> keys = new ArrayList<>();
    try (Cursor cursor = rows.scan(row, SortRange.all(), Direction.FORWARD, MAX_KEYS)) {
      while (cursor.next()) {
        keys.add(key(row, cursor.sortKey()));
      }
    }
    return keys;
  }

  private static byte[] key(byte[] row, byte[] rest) {
    byte[] key = Arrays.copyOf(row, row.length + rest.length);
    System.arraycopy(rest, 0, key, row.length, rest.length);
    return key;
  }

  /** Writes the record of a key, in the transaction that writes its entry. */
  void put(byte[] key) {
    rows.put(row(key), rest(key), EMPTY, Expiry.NEVER);
  }

  /** Deletes the record of a key, in the transaction that deletes its entry. */
  void delete(byte[] key) {
    rows.delete(row(key), rest(key));
  }

  /** Records that entries are removed, now or later, without their records. */
  void entriesGo() {
    mayHaveUnused = true;
  }

  boolean mayHaveUnused() {
    return mayHaveUnused;
  }

  /** Deletes the records of a row that have no entry; returns how many. */
  int sweep(byte[] row) {
    int deleted = 0;
    for (byte[] key : keys(row)) {
      deleted += deleteUnused(key) ? 1 : 0;
    }
    return deleted;
  }

  private boolean deleteUnused(byte[] key) {
    Long expiryMillis = entries.get(key, Space.NO_SORT_KEY, EXPIRY);
    if (expiryMillis != null) {
      if (expiryMillis != Expiry.NEVER) {
        mayHaveUnused = true; // the next sweep deletes it
      }
      return false;
    }
    return engine.atomically(
        () -> {
          boolean unused = entries.get(key, Space.NO_SORT_KEY, FOUND) == null;
          if (unused) {
            delete(key);
          }
          return unused;
        });
  }

  /** Reads the next records and deletes those without entries; returns whether more follow. */
  @Override
  public boolean getAsBoolean() {
    if (swept == null) {
      mayHaveUnused = false; // cleared first: the next sweep finds what is removed from now on
    }
    try {
      swept = sweepPage(swept);
      return swept != null;
    } catch (StoreFullException e) { // a full disk rejects even a deletion
      mayHaveUnused = true;
    } catch (IllegalStateException e) {
      // The cache was dropped or reset, or the store is closed.
    }
    swept = null;
    return false;
  }

  private @Nullable RecordKey sweepPage(@Nullable RecordKey after) {
    List<RecordKey> page = new ArrayList<>(PAGE);
    try (Cursor cursor = rows.scanAll(after)) {
      while (page.size() < PAGE && cursor.next()) {
        page.add(new RecordKey(cursor.hashKey(), cursor.sortKey()));
      }
    }
    for (RecordKey record : page) {
      byte[] key = key(record.hashKey(), record.sortKey());
      if (KeyCodec.isByEquality(record.hashKey())) { // others are hot keys, or the hash of a class
        deleteUnused(key);
      }
    }
    return page.size() < PAGE ? null : page.get(PAGE - 1);
  }
}
