package io.rockpool.cache;

import io.rockpool.codec.KeyCodec;
import io.rockpool.engine.Direction;
import io.rockpool.engine.Expiry;
import io.rockpool.engine.RowRecord;
import io.rockpool.engine.SortRange;
import io.rockpool.error.UndecodableValueException;
import io.rockpool.error.UnencodableValueException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Finds the bytes under which a key is stored if its equal keys may have other bytes: those of the
 * first of the equal keys. {@link DirectoryRows} has a row for the bytes that equal keys share,
 * with a record for each key that has an entry; {@code equals} distinguishes them. The rows are in
 * the hidden space of the cache's hot keys.
 *
 * <p>A key whose own bytes were chosen takes one read or none; any other takes a scan of a row,
 * which decodes its keys. Nothing is written before an entry is.
 */
final class KeyDirectory<K> {
  /**
   * The row with one object of each class. A later process uses them to check whether hash codes
   * are stable.
   */
  private static final byte[] WITNESSES = {0x57};

  /** Classes that are looked up when their witnesses are deleted. */
  private static final int MAX_WITNESSES = 10_000;

  private final KeyCodec<K> codec;
  private final @Nullable DirectoryRows rows;
  private final Set<Class<?>> trusted = ConcurrentHashMap.newKeySet();
  private final Consumer<Object> check = this::requireLastingHash;

  /** Witnesses to write with the next entry, by the names of their classes. */
  private final Map<String, byte[]> newWitnesses = new ConcurrentHashMap<>();

  /**
   * Creates a directory.
   *
   * @param rows the rows; null if the cache's name is too long for them, or its engine has no
   *     collections
   */
  KeyDirectory(KeyCodec<K> codec, @Nullable DirectoryRows rows) {
    this.codec = codec;
    this.rows = rows;
  }

  /**
   * Returns the bytes for this key and all keys that equal it.
   *
   * @param choose whether an entry may be written for the key: its bytes stay chosen while the
   *     returned array is reachable
   * @throws UnencodableValueException if the key cannot be found again
   */
  byte[] representative(K key, boolean choose) {
    byte[] own = codec.encode(key, check);
    int common = KeyCodec.commonBytes(own);
    return common == own.length
        ? own
        : representative(key, own, new ByteKey(Arrays.copyOf(own, common)), choose);
  }

  private byte[] representative(K key, byte[] own, ByteKey row, boolean choose) {
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
      throw refusal(
          key,
          "the name of its cache is too long, or its store is on a server without collections");
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
    Map<ByteKey, byte[]> all = new LinkedHashMap<>();
    inUse.forEach(each -> all.put(new ByteKey(each), each));
    stored.forEach(each -> all.putIfAbsent(new ByteKey(each), each));
    for (byte[] each : all.values()) {
      if (isEqual(key, each)) {
        return each;
      }
    }
    return null;
  }

  /** Whether the key equals the key with these bytes; false if that one cannot be decoded here. */
  private boolean isEqual(K key, byte[] bytes) {
    try {
      return key.equals(codec.decode(bytes, 0, bytes.length));
    } catch (UndecodableValueException e) {
      return false;
    } catch (RuntimeException e) {
      throw new UnencodableValueException(
          "A key of class " + key.getClass().getName() + " cannot be found: its equals throws.", e);
    }
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

  /**
   * Compares the hash code of a foreign object that an earlier process has stored with its current
   * one, once for each class.
   */
  private void requireLastingHash(Object foreign) {
    Class<?> type = foreign.getClass();
    if (trusted.contains(type)) {
      return;
    }
    byte[] name = type.getName().getBytes(StandardCharsets.UTF_8);
    RowRecord witness = rows(foreign).rows.get(WITNESSES, name);
    if (witness == null) {
      newWitnesses.put(type.getName(), codec.encodeForeign(foreign));
    } else if (!codec.hashLasts(witness.value())) {
      throw refusal(
          foreign,
          "its hashCode is another than in an earlier process; if its class was changed, clear the"
              + " cache");
    }
    trusted.add(type);
  }

  /** Forgets all hash codes, because the cache is empty now. */
  void forgetHashes() {
    DirectoryRows there = rows;
    if (there != null) {
      there.rows.transact(
          WITNESSES,
          row -> {
            List<RowRecord> records = row.scan(SortRange.all(), Direction.FORWARD, MAX_WITNESSES);
            records.forEach(record -> row.delete(record.sortKey()));
            return records.size();
          });
      trusted.clear();
    }
  }

  private static UnencodableValueException refusal(Object key, String why) {
    return new UnencodableValueException(
        "A key of class "
            + key.getClass().getName()
            + " cannot be found again: "
            + why
            + ". Use what identifies it, such as its id, or make it a record.",
        null);
  }
}
