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
 * Known empty stretches of rows. RocksDB reads every removed record until it is compacted away. So
 * a reader that takes the first element again and again, such as of a queue, would read past all
 * elements removed before.
 *
 * <p>Stretches are learned under the row's lock, which every writer that puts into the row holds.
 * Transactions learn when they scan a row and remove what they find first, find nothing, or search
 * for long. Other readers learn when they search for long ({@code FirstLook}). Changes of the row
 * update its stretches, also under its lock: a removal extends adjacent stretches, and a put splits
 * the stretch that contains it, before it is written. A reader without the lock checks that no
 * stretch was split during its read. If no put is in progress, it also extends the stretch it
 * started after up to the first record found. At most {@link #MAX_ROWS} rows with {@link
 * #MAX_STRETCHES} stretches each are kept; more are dropped.
 */
public final class EmptyStretches {
  private static final int MAX_ROWS = 1_024;
  static final int MAX_STRETCHES = 32;

  /** Longer sort keys bound no stretch: so all stretches use at most 10 MiB of heap. */
  static final int MAX_KEY_BYTES = 128;

  /**
   * RocksDB passes about a thousand removed records in this time; without any, a tenth is enough.
   */
  private static final long LONG_NANOS = TimeUnit.MICROSECONDS.toNanos(100);

  private volatile long longNanos = LONG_NANOS;
  private final Map<ByteBuffer, Stretches> rows = new ConcurrentHashMap<>();

  /** Whether there may be any. The map itself may seem empty while threads clear it and add. */
  private volatile boolean any;

  private static ByteBuffer name(long generation, byte[] hashKey) {
    return ByteBuffer.wrap(EntryKeyFormat.encode(generation, hashKey));
  }

  /** The stretches of a row, or null. */
  public @Nullable Stretches of(long generation, byte[] hashKey) {
    return any ? rows.get(name(generation, hashKey)) : null;
  }

  /** The part of a range of a row that may contain records, as far as known. */
  public SortRange toScan(long generation, byte[] hashKey, SortRange range, boolean forward) {
    Stretches known = of(generation, hashKey);
    return known == null ? range : known.without(range, forward);
  }

  /** The part of a range that a scan has passed when it finds {@code first}, or the end if null. */
  public static SortRange passed(SortRange range, boolean forward, byte @Nullable [] first) {
    if (first == null) {
      return range;
    }
    return forward ? range.to(first, false) : range.from(first, false);
  }

  /** Whether a scan took so long to find its first record that learning is worth it. */
  public boolean tookLong(NativeScan scan) {
    return scan.startNanos() > longNanos;
  }

  /** Makes every scan count as long, for tests that do not remove thousands of records. */
  public void learnFromEveryLook() {
    longNanos = -1;
  }

  /** Whether an empty range can be recorded: it is not empty itself, and its bounds are short. */
  public static boolean canBeKept(SortRange range) {
    byte[] to = range.to();
    return !range.isEmpty() && isShort(range.from()) && (to == null || isShort(to));
  }

  private static boolean isShort(byte[] key) {
    return key.length <= MAX_KEY_BYTES;
  }

  /** Forgets all. No thread may read or write rows meanwhile. */
  public void clear() {
    rows.clear();
  }

  /** Records that a range of a row is empty. The caller holds the row's lock. */
  public void add(long generation, byte[] hashKey, SortRange range) {
    if (rows.size() >= MAX_ROWS) {
      rows.clear();
    }
    any = true;
    rows.computeIfAbsent(name(generation, hashKey), name -> new Stretches()).add(range);
  }

  /**
   * Whether these are still the stretches of the row, and no put has split one since {@code
   * version}.
   */
  public boolean isUnchanged(long generation, byte[] hashKey, Stretches stretches, long version) {
    return of(generation, hashKey) == stretches && stretches.version() == version;
  }

  /** The stretches of one row. */
  public static final class Stretches {
    /** From the first sort key of each to its exclusive end; null for the end of the row. */
    private final TreeMap<byte[], byte @Nullable []> ends = new TreeMap<>(Arrays::compareUnsigned);

    private long version;
    private long puts;

    /** How often a put split a stretch, or a stretch was dropped. */
    public synchronized long version() {
      return version;
    }

    /** The number of puts into the row, in a stretch or not. */
    public synchronized long puts() {
      return puts;
    }

    /** The number of stretches. */
    public synchronized int count() {
      return ends.size();
    }

    /** The rest of a range without the stretch that a scan of it begins in. */
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

    /** Records that a range is empty. */
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

    /**
     * Records that a range is empty, unless there was a put into the row since; returns whether it
     * was recorded.
     */
    public synchronized boolean addUnlessPut(SortRange range, long putsBefore) {
      boolean same = puts == putsBefore;
      if (same) {
        add(range);
      }
      return same;
    }

    /** Records a removal, if it extends a known stretch. */
    public synchronized void removed(byte[] sortKey) {
      byte[] kept = sortKey.clone();
      SortRange itself = SortRange.all().from(kept, true).to(kept, true);
      byte[] next = itself.to();
      Map.Entry<byte[], byte @Nullable []> before = ends.floorEntry(sortKey);
      if ((before != null && !isBefore(before.getValue(), sortKey)) || ends.containsKey(next)) {
        add(itself);
      }
    }

    /** Records that a put is about to be written. */
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

    /** Whether a sort key is before an end; null is after all keys. */
    private static boolean isBefore(byte @Nullable [] key, byte @Nullable [] end) {
      return key != null && (end == null || Arrays.compareUnsigned(key, end) < 0);
    }

    private static byte @Nullable [] later(byte @Nullable [] one, byte @Nullable [] other) {
      return isBefore(one, other) ? other : one;
    }
  }
}
