package io.rockpool.internal.rocksdb.natives;

import io.rockpool.engine.SortRange;
import io.rockpool.internal.format.EntryKeyFormat;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Stretches of rows in which there is nothing, though RocksDB would look at every record that was
 * removed from them and is not compacted away yet: whoever takes the first element again and again,
 * as of a queue, would read past all he took before.
 *
 * <p>They are learned under the row's lock, which everyone holds who puts something there: by
 * transactions that scan a row and remove what they find first, or find nothing, or look for it for
 * long, and by other readers that looked for long ({@code FirstLook}). They change with the row,
 * under its lock as well: removals extend the stretches they touch, puts split those they fall
 * into, before they are written. Readers without the lock look whether that happened meanwhile; and
 * they extend the stretch they began behind up to what they found, if nothing was being put. Of
 * {@link #MAX_ROWS} rows at most, {@link #MAX_STRETCHES} each; what is beyond is forgotten.
 */
public final class EmptyStretches {
  private static final int MAX_ROWS = 1_024;
  static final int MAX_STRETCHES = 32;

  /** Longer sort keys bound no stretch: all that is known takes 10 MiB of the heap at most. */
  static final int MAX_KEY_BYTES = 128;

  /** In this time a thousand removed records are passed; a tenth is enough where there are none. */
  private static final long LONG_NANOS = TimeUnit.MICROSECONDS.toNanos(100);

  private volatile long longNanos = LONG_NANOS;
  private final Map<ByteBuffer, Stretches> rows = new ConcurrentHashMap<>();

  /** Whether there may be any. The map itself may seem empty while others clear it and add. */
  private volatile boolean any;

  private static ByteBuffer name(long generation, byte[] hashKey) {
    return ByteBuffer.wrap(EntryKeyFormat.encode(generation, hashKey));
  }

  /** What is known of a row, or null. */
  public @Nullable Stretches of(long generation, byte[] hashKey) {
    return any ? rows.get(name(generation, hashKey)) : null;
  }

  /** The part of a range of a row in which anything can be stored, as far as is known. */
  public SortRange toScan(long generation, byte[] hashKey, SortRange range, boolean forward) {
    Stretches known = of(generation, hashKey);
    return known == null ? range : known.without(range, forward);
  }

  /** The part of a range that a scan has passed when it comes to what is stored there, if any. */
  public static SortRange passed(SortRange range, boolean forward, byte @Nullable [] first) {
    if (first == null) {
      return range;
    }
    return forward ? range.to(first, false) : range.from(first, false);
  }

  /** Whether a scan looked for its first record for long, so that it is worth to learn from it. */
  public boolean tookLong(NativeScan scan) {
    return scan.startNanos() > longNanos;
  }

  /** From now on every look is long, for tests that do not remove thousands of records. */
  public void learnFromEveryLook() {
    longNanos = -1;
  }

  /** Whether that there is nothing in a range is worth to be noted, and can be. */
  public static boolean canBeKept(SortRange range) {
    byte[] to = range.to();
    return !range.isEmpty() && isShort(range.from()) && (to == null || isShort(to));
  }

  private static boolean isShort(byte[] key) {
    return key.length <= MAX_KEY_BYTES;
  }

  /** Notes that there is nothing in a range of a row, whose lock is held. */
  public void add(long generation, byte[] hashKey, SortRange range) {
    if (rows.size() >= MAX_ROWS) {
      rows.clear();
    }
    any = true;
    rows.computeIfAbsent(name(generation, hashKey), name -> new Stretches()).add(range);
  }

  /**
   * Whether this is still what is known of a row, and nothing was put into a stretch of it since.
   */
  public boolean isUnchanged(long generation, byte[] hashKey, Stretches stretches, long version) {
    return of(generation, hashKey) == stretches && stretches.version() == version;
  }

  /** Those of one row. */
  public static final class Stretches {
    /** From the first sort key of each to the first after it, or null for the end of the row. */
    private final TreeMap<byte[], byte @Nullable []> ends = new TreeMap<>(Arrays::compareUnsigned);

    private long version;
    private long puts;

    /** How often something was put into a stretch, or what was known of one forgotten. */
    public synchronized long version() {
      return version;
    }

    /** How often something was put into the row, be it into a stretch or not. */
    public synchronized long puts() {
      return puts;
    }

    /** How many there are. */
    public synchronized int count() {
      return ends.size();
    }

    /** The part of a range that is left of it when the stretch is cut off that a scan begins in. */
    public synchronized SortRange without(SortRange range, boolean forward) {
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
    public synchronized void add(SortRange range) {
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

    /** Notes that there is nothing in a range, unless something was put into the row since. */
    public synchronized boolean addUnlessPut(SortRange range, long putsBefore) {
      boolean same = puts == putsBefore;
      if (same) {
        add(range);
      }
      return same;
    }

    /** Notes that something was removed; only if that extends what is known. */
    public synchronized void removed(byte[] sortKey) {
      byte[] kept = sortKey.clone();
      SortRange itself = SortRange.all().from(kept, true).to(kept, true);
      byte[] next = itself.to();
      Map.Entry<byte[], byte @Nullable []> before = ends.floorEntry(sortKey);
      if ((before != null && !isBefore(before.getValue(), sortKey)) || ends.containsKey(next)) {
        add(itself);
      }
    }

    /** Notes that something is about to be put. */
    public synchronized void put(byte[] sortKey) {
      puts++;
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
