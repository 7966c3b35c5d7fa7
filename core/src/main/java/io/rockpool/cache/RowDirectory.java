package io.rockpool.cache;

import io.rockpool.codec.KeyCodec;
import io.rockpool.engine.Direction;
import io.rockpool.engine.Expiry;
import io.rockpool.engine.RowRecord;
import io.rockpool.engine.SortRange;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A directory on an engine with transactions over rows. {@link DirectoryRows} has a row for the
 * bytes that equal keys share, with a record for each key that has an entry. The rows are in the
 * hidden space of the cache's hot keys.
 *
 * <p>A key whose own bytes were chosen takes one read or none; any other takes a scan of a row,
 * which decodes its keys. Nothing is written before an entry is.
 */
final class RowDirectory<K> extends KeyDirectory<K> {
  /**
   * The row with one object of each class. A later process uses them to check whether hash codes
   * are stable.
   */
  private static final byte[] WITNESSES = {0x57};

  /** Classes that are looked up when their witnesses are deleted. */
  private static final int MAX_WITNESSES = 10_000;

  private final @Nullable DirectoryRows rows;

  /**
   * Creates a directory.
   *
   * @param rows the rows; null if the cache's name is too long for them
   */
  RowDirectory(KeyCodec<K> codec, @Nullable DirectoryRows rows) {
    super(codec);
    this.rows = rows;
  }

  @Override
  byte[] representative(K key, byte[] own, EntryKey row, boolean choose) {
    DirectoryRows there = rows(key);
    while (true) {
      KeysInUse.Seen seen = there.inUse.seen(row);
      byte[] used = same(own, seen.keys());
      if (used != null) {
        return used;
      }
      byte[] found = own;
      if (!there.contains(own)) {
        List<byte[]> stored = there.keys(row.bytes());
        byte[] equal = equal(key, seen.keys(), stored);
        if (equal == null && choose && stored.size() >= DirectoryRows.MAX_KEYS) {
          if (there.sweep(row.bytes()) > 0) {
            continue;
          }
          throw refusal(key, "its hashCode is that of " + stored.size() + " other keys");
        }
        found = equal == null ? own : equal;
      }
      if (!choose || same(found, seen.keys()) != null || there.inUse.add(row, found, seen)) {
        return found;
      }
    }
  }

  private DirectoryRows rows(Object key) {
    if (rows == null) {
      throw refusal(key, "the name of its cache is too long");
    }
    return rows;
  }

  private static byte @Nullable [] same(byte[] key, List<byte[]> among) {
    for (byte[] each : among) {
      if (Arrays.equals(each, key)) {
        return each;
      }
    }
    return null;
  }

  /** Returns the first key that is equal. For equal bytes this is the array in use. */
  private byte @Nullable [] equal(K key, List<byte[]> inUse, List<byte[]> stored) {
    Map<EntryKey, byte[]> all = new LinkedHashMap<>();
    inUse.forEach(each -> all.put(new EntryKey(each), each));
    stored.forEach(each -> all.putIfAbsent(new EntryKey(each), each));
    for (byte[] each : all.values()) {
      if (isEqual(key, each)) {
        return each;
      }
    }
    return null;
  }

  /** Records a key in the transaction that writes its entry, which expires at this time. */
  void put(EntryKey key, long expiryMillis) {
    DirectoryRows there = rows(key);
    newWitnesses.forEach(
        (name, witness) -> {
          byte[] place = name.getBytes(StandardCharsets.UTF_8);
          there.rows.put(WITNESSES, place, witness, Expiry.NEVER);
          there.engine.afterCommit(() -> newWitnesses.remove(name, witness));
        });
    there.put(key.bytes());
    if (expiryMillis != Expiry.NEVER) {
      there.entriesGo();
    }
  }

  /** Removes the record of a key in the transaction that deletes its entry. */
  void delete(EntryKey key) {
    rows(key).delete(key.bytes());
  }

  @Override
  byte @Nullable [] witness(Object foreign, byte[] className) {
    RowRecord witness = rows(foreign).rows.get(WITNESSES, className);
    return witness == null ? null : witness.value();
  }

  @Override
  void forgetWitnesses() {
    DirectoryRows there = rows;
    if (there != null) {
      there.rows.transact(
          WITNESSES,
          row -> {
            List<RowRecord> records = row.scan(SortRange.all(), Direction.FORWARD, MAX_WITNESSES);
            records.forEach(record -> row.delete(record.sortKey()));
            return records.size();
          });
    }
  }
}
