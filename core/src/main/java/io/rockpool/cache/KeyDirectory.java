package io.rockpool.cache;

import io.rockpool.codec.KeyCodec;
import io.rockpool.engine.Cursor;
import io.rockpool.engine.Direction;
import io.rockpool.engine.Durability;
import io.rockpool.engine.Expiry;
import io.rockpool.engine.RecordReader;
import io.rockpool.engine.RowRecord;
import io.rockpool.engine.SortRange;
import io.rockpool.engine.Space;
import io.rockpool.error.UndecodableValueException;
import io.rockpool.error.UnencodableValueException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Finds the bytes under which a key is stored whose equal keys may have other bytes: those of the
 * first of them that came. A row for the bytes that equal keys have in common has a record for each
 * key that was chosen so; {@code equals} tells them apart. The rows lie in the hidden space of the
 * cache's hot keys. They are kept when their entries go.
 *
 * <p>A key whose own bytes were chosen takes one read, another one a scan of a row, which decodes
 * its keys.
 */
final class KeyDirectory<K> {
  /** Unequal keys with one hash: each takes a decoding whenever one of them is asked for. */
  private static final int MAX_KEYS = 1_000;

  private static final byte[] EMPTY = {};

  /** The row of one key for each class, by which a later process sees whether hash codes last. */
  private static final byte[] WITNESSES = {0x57};

  private static final RecordReader<Boolean> FOUND = (bytes, offset, length, expiry) -> true;

  private final KeyCodec<K> codec;
  private final @Nullable Space space;
  private final Set<Class<?>> trusted = ConcurrentHashMap.newKeySet();

  /**
   * @param space where the rows lie; null where there is none, because the cache's name is too long
   */
  KeyDirectory(KeyCodec<K> codec, @Nullable Space space) {
    this.codec = codec;
    this.space = space == null ? null : space.withDurability(Durability.BUFFERED);
  }

  /**
   * Returns the bytes of the key that stands for this one and those equal to it.
   *
   * @param own the key's own bytes, which are chosen if there are no others
   * @param choose whether to keep that choice; else it is made again the next time
   * @throws UnencodableValueException if the key cannot be found again
   */
  byte[] representative(K key, byte[] own, boolean choose) {
    int common = KeyCodec.commonBytes(own);
    if (common == own.length) {
      return own;
    }
    Space there = space;
    if (there == null) {
      throw refusal(key, "the name of its cache is too long");
    }
    byte[] row = Arrays.copyOf(own, common);
    byte[] tail = Arrays.copyOfRange(own, common, own.length);
    requireLastingHash(there, key, own);
    if (there.get(row, tail, FOUND) != null) {
      return own;
    }
    while (true) {
      List<byte[]> chosen = chosen(there, row);
      for (byte[] each : chosen) {
        byte[] bytes = Arrays.copyOf(row, common + each.length);
        System.arraycopy(each, 0, bytes, common, each.length);
        if (isEqual(key, bytes)) {
          return bytes;
        }
      }
      if (!choose) {
        return own;
      }
      if (chosen.size() >= MAX_KEYS) {
        throw refusal(key, "its hashCode is that of " + MAX_KEYS + " other keys");
      }
      if (add(there, row, tail, chosen.size())) {
        return own;
      }
    }
  }

  private static List<byte[]> chosen(Space space, byte[] row) {
    List<byte[]> chosen = new ArrayList<>();
    try (Cursor cursor = space.scan(row, SortRange.all(), Direction.FORWARD, MAX_KEYS)) {
      while (cursor.next()) {
        chosen.add(cursor.sortKey());
      }
    }
    return chosen;
  }

  /** Adds a key to those of its row, unless another has come since they were read. */
  private static boolean add(Space space, byte[] row, byte[] tail, int expected) {
    return space.transact(
        row,
        records -> {
          if (records.scan(SortRange.all(), Direction.FORWARD, MAX_KEYS).size() != expected) {
            return false;
          }
          records.put(tail, EMPTY, Expiry.NEVER);
          return true;
        });
  }

  /** Whether the key is equal to that of the bytes; one that cannot be decoded here is not. */
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

  /**
   * Compares the hash of a key that an earlier process has written with what it is now; once for
   * each class.
   */
  private void requireLastingHash(Space there, K key, byte[] own) {
    Class<?> type = key.getClass();
    if (trusted.contains(type)) {
      return;
    }
    byte[] name = type.getName().getBytes(StandardCharsets.UTF_8);
    RowRecord witness = there.get(WITNESSES, name);
    if (witness == null) {
      there.put(WITNESSES, name, own, Expiry.NEVER);
    } else if (!hashLasts(witness.value())) {
      throw refusal(
          key,
          "its hashCode is another than in an earlier process; if its class was changed, clear the"
              + " cache");
    }
    trusted.add(type);
  }

  /** Forgets what hash codes were, once the cache is empty. */
  void forgetHashes() {
    Space there = space;
    if (there != null) {
      there.transact(
          WITNESSES,
          row -> {
            List<RowRecord> records = row.scan(SortRange.all(), Direction.FORWARD, MAX_KEYS);
            records.forEach(record -> row.delete(record.sortKey()));
            return records.size();
          });
      trusted.clear();
    }
  }

  private boolean hashLasts(byte[] before) {
    byte[] now;
    try {
      now = codec.encode(codec.decode(before, 0, before.length));
    } catch (UndecodableValueException e) {
      return true; // nothing is known of it
    }
    int common = KeyCodec.commonBytes(now);
    return common == KeyCodec.commonBytes(before)
        && Arrays.equals(now, 0, common, before, 0, common);
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
