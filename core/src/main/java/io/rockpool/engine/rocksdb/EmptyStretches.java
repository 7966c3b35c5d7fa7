package io.rockpool.engine.rocksdb;

import io.rockpool.engine.SortRange;
import io.rockpool.internal.format.EntryKeyFormat;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Stretches of rows in which there is nothing, though RocksDB would look at every record that was
 * removed from them and is not compacted away yet: whoever takes the first element again and again,
 * as of a queue, would read past all he took before.
 *
 * <p>They are learned by transactions that scan a row and remove what they find first, or find
 * nothing, and change with the row, under its lock: removals extend the stretches they touch, puts
 * split those they fall into. Readers without the lock look whether that happened meanwhile. Of
 * {@link #MAX_ROWS} rows at most, {@link #MAX_STRETCHES} each; what is beyond is forgotten.
 */
final class EmptyStretches {
  private static final int MAX_ROWS = 1_024;
  static final int MAX_STRETCHES = 32;

  /** Longer sort keys bound no stretch: all that is known takes 10 MiB of the heap at most. */
  static final int MAX_KEY_BYTES = 128;

  private final Map<ByteBuffer, Stretches> rows = new ConcurrentHashMap<>();

  private static ByteBuffer name(long generation, byte[] hashKey) {
    return ByteBuffer.wrap(EntryKeyFormat.encode(generation, hashKey));
  }

  /** What is known of a row, or null. */
  @Nullable Stretches of(long generation, byte[] hashKey) {
    return rows.isEmpty() ? null : rows.get(name(generation, hashKey));
  }

  /** Notes that there is nothing in a range of a row. */
  void add(long generation, byte[] hashKey, SortRange range) {
    if (rows.size() >= MAX_ROWS) {
      rows.clear();
    }
    rows.computeIfAbsent(name(generation, hashKey), name -> new Stretches()).add(range);
  }

  /**
   * Whether this is still what is known of a row, and nothing was put into a stretch of it since.
   */
  boolean isUnchanged(long generation, byte[] hashKey, Stretches stretches, long version) {
    return of(generation, hashKey) == stretches && stretches.version() == version;
  }

  /** Those of one row. */
  static final class Stretches {
    /** From the first sort key of each to the first after it, or null for the end of the row. */
    private final TreeMap<byte[], byte @Nullable []> ends = new TreeMap<>(Arrays::compareUnsigned);

    private long version;

    /** How often something was put into a stretch, or what was known of one forgotten. */
    synchronized long version() {
      return version;
    }

    /** How many there are. */
    synchronized int count() {
      return ends.size();
    }

    /** The part of a range that is left of it when the stretch is cut off that a scan begins in. */
    synchronized SortRange without(SortRange range, boolean forward) {
      byte[] to = range.to();
      Map.Entry<byte[], byte @Nullable []> first =
          forward
              ? ends.floorEntry(range.from())
              : to == null ? ends.lastEntry() : ends.lowerEntry(to);
      if (first == null) {
        return range;
      }
      byte[] end = first.getValue();
      if (forward) {
        return end == null ? range.to(range.from(), false) : range.from(end, true);
      }
      boolean reaches = end == null || (to != null && Arrays.compareUnsigned(to, end) <= 0);
      return reaches ? range.to(first.getKey(), false) : range;
    }

    /** Notes that there is nothing in a range. */
    synchronized void add(SortRange range) {
      byte[] from = range.from();
      byte[] to = range.to();
      Map.Entry<byte[], byte @Nullable []> before = ends.floorEntry(from);
      if (before != null && !isBefore(before.getValue(), from)) {
        from = before.getKey();
        to = later(to, before.getValue());
      }
      Map.Entry<byte[], byte @Nullable []> next = ends.ceilingEntry(from);
      while (next != null && !isBefore(to, next.getKey())) {
        to = later(to, next.getValue());
        ends.remove(next.getKey());
        next = ends.higherEntry(from);
      }
      if (ends.size() == MAX_STRETCHES && !ends.containsKey(from)) {
        version++;
        ends.clear();
      }
      if (isShort(from) && (to == null || isShort(to))) {
        ends.put(from, to);
      } else {
        version++;
      }
    }

    private static boolean isShort(byte[] key) {
      return key.length <= MAX_KEY_BYTES;
    }

    /** Notes that something was removed; only if that extends what is known. */
    synchronized void removed(byte[] sortKey) {
      byte[] kept = sortKey.clone();
      SortRange itself = SortRange.all().from(kept, true).to(kept, true);
      byte[] next = itself.to();
      Map.Entry<byte[], byte @Nullable []> before = ends.floorEntry(sortKey);
      if ((before != null && !isBefore(before.getValue(), sortKey)) || ends.containsKey(next)) {
        add(itself);
      }
    }

    /** Notes that something is about to be put. */
    synchronized void put(byte[] sortKey) {
      Map.Entry<byte[], byte @Nullable []> stretch = ends.floorEntry(sortKey);
      if (stretch == null || !isBefore(sortKey, stretch.getValue())) {
        return;
      }
      version++;
      byte[] end = stretch.getValue();
      ends.remove(stretch.getKey());
      if (!isShort(sortKey)) {
        return;
      }
      if (Arrays.compareUnsigned(stretch.getKey(), sortKey) < 0) {
        ends.put(stretch.getKey(), sortKey.clone());
      }
      SortRange rest = SortRange.all().from(sortKey, false);
      if (isBefore(rest.from(), end) && ends.size() < MAX_STRETCHES) {
        ends.put(rest.from(), end);
      }
    }

    /** Whether a sort key lies before an end; null is behind all. */
    private static boolean isBefore(byte @Nullable [] key, byte @Nullable [] end) {
      return key != null && (end == null || Arrays.compareUnsigned(key, end) < 0);
    }

    private static byte @Nullable [] later(byte @Nullable [] one, byte @Nullable [] other) {
      return isBefore(one, other) ? other : one;
    }
  }
}
