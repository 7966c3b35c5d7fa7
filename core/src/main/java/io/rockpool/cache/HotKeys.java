package io.rockpool.cache;

import io.rockpool.engine.Capability;
import io.rockpool.engine.Engine;
import io.rockpool.engine.Expiry;
import io.rockpool.engine.Row;
import io.rockpool.engine.RowRecord;
import io.rockpool.engine.Space;
import io.rockpool.internal.catalog.Catalog;
import io.rockpool.internal.format.HotKeysFormat;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The hot keys of a cache, stored in parts in a space that no list shows. One write replaces all of
 * them. They are hints: a reader of these keys asks the cache for their current entries.
 *
 * <p>Several handles of a store do not mix their keys: each writes its own, and a new handle reads
 * those of the handle that saved last. Those of a handle that has ended expire.
 */
final class HotKeys {
  /**
   * Bytes of keys to keep: some 100,000 keys of 20 bytes. The least used keys beyond that are left
   * out.
   */
  static final int MAX_BYTES = 2 << 20;

  /**
   * The approximate size of a part: less than the values that the engine puts into separate files.
   */
  private static final int PART_BYTES = 8 << 10;

  /** How long the keys of a handle are kept after it has saved them last. */
  static final Duration KEPT = Duration.ofDays(7);

  private static final byte[] ROW = {};
  private static final byte[] ONLY_HANDLE = {};

  private final Catalog catalog;
  private final String name;
  private final InstantSource clock;

  /** The bytes of this handle; none if no other handle saves keys. */
  private final byte[] mine;

  /** The bytes of the handle whose keys are read. */
  private volatile byte[] theirs = ONLY_HANDLE;

  private volatile @Nullable Space space;

  /** The keys of the cache with a name. */
  HotKeys(Catalog catalog, String name, Engine engine) {
    this.catalog = catalog;
    this.name = name;
    this.clock = engine.clock();
    this.mine = engine.capabilities().contains(Capability.SHARED) ? newHandle() : ONLY_HANDLE;
  }

  private static byte[] newHandle() {
    UUID id = UUID.randomUUID();
    return ByteBuffer.allocate(2 * Long.BYTES)
        .putLong(id.getMostSignificantBits())
        .putLong(id.getLeastSignificantBits())
        .array();
  }

  private boolean isShared() {
    return mine.length > 0;
  }

  /**
   * Replaces the keys by others, up to {@link #MAX_BYTES}, the most used first. Does nothing if
   * {@link #prepare} has not created a space.
   */
  void save(List<byte[]> keys) {
    Space there = space;
    if (there == null) {
      return;
    }
    List<byte[]> parts = parts(keys);
    long expiry = isShared() ? Expiry.after(clock.millis(), KEPT.toMillis()) : Expiry.NEVER;
    there.transact(
        ROW,
        row -> {
          for (int i = 0; i < parts.size(); i++) {
            row.put(HotKeysFormat.sortKey(mine, i), parts.get(i), expiry);
          }
          deleteFrom(row, parts.size());
          if (isShared()) {
            row.put(HotKeysFormat.NEWEST, mine, expiry);
          }
          return parts.size();
        });
  }

  private void deleteFrom(Row row, int part) {
    for (int i = part; row.get(HotKeysFormat.sortKey(mine, i)) != null; i++) {
      row.delete(HotKeysFormat.sortKey(mine, i));
    }
  }

  private static List<byte[]> parts(List<byte[]> keys) {
    List<byte[]> parts = new ArrayList<>();
    List<byte[]> part = new ArrayList<>();
    int partBytes = 0;
    for (byte[] key : keys) {
      int more = HotKeysFormat.bytes(key.length);
      if (!part.isEmpty() && partBytes + more > PART_BYTES) {
        parts.add(HotKeysFormat.encode(part));
        part.clear();
        partBytes = 0;
      }
      part.add(key);
      partBytes += more;
    }
    if (!part.isEmpty()) {
      parts.add(HotKeysFormat.encode(part));
    }
    return parts;
  }

  /** A part of the keys, from 0 on; null after the last one. */
  @Nullable List<byte[]> part(int number) {
    Space there = open(false);
    if (there == null) {
      return null;
    }
    if (number == 0 && isShared()) {
      RowRecord newest = there.get(ROW, HotKeysFormat.NEWEST);
      if (newest == null) {
        return null;
      }
      theirs = newest.value();
    }
    RowRecord record = there.get(ROW, HotKeysFormat.sortKey(theirs, number));
    return record == null ? null : HotKeysFormat.decode(record.value());
  }

  /**
   * Creates the space for keys, unless it exists or the cache was dropped. Takes the catalog's
   * lock, so the caller must not hold a lock that is taken after it.
   */
  void prepare() {
    open(true);
  }

  private @Nullable Space open(boolean create) {
    Space there = space;
    if (there == null) {
      there = catalog.hotKeys(name, create);
      space = there;
    }
    return there;
  }
}
