package io.rockpool.internal.rocksdb.rows;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.rockpool.engine.Expiry;
import io.rockpool.internal.format.RowKeyFormat;
import io.rockpool.internal.format.RowRecordFormat;
import io.rockpool.internal.rocksdb.natives.Stripes;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListMap;
import org.jspecify.annotations.Nullable;

/**
 * Recently used records of rows on the heap, raw: single ones by their keys, and pages of
 * neighbours for scans. Bounded in bytes; Caffeine's policy decides what stays. Records that may
 * expire are not kept, so no clock is needed.
 *
 * <p>It is kept true under the locks of rows. A writer, which holds the row's lock, begins a {@link
 * Change}, forgets in it the records that it is about to write, writes them, puts back as it is now
 * what was here, and ends. A reader without the lock takes a {@link #ticket} before it reads the
 * store; what it read is admitted only if no writer of that lock ran or began since. So what is
 * found here is what a read of the store would find.
 */
public final class RowMemory {
  /** The ticket while a writer runs. */
  static final long BUSY = -1;

  /** The most records of one scan that are answered from here, or kept. */
  static final int MAX_SLICE_RECORDS = 256;

  /** A page of more bytes would displace too much. */
  static final int MAX_PAGE_BYTES = 256 << 10;

  /** Reading a larger record from disk costs little more than copying it. */
  private static final int MAX_RECORD_BYTES = 16 << 10;

  /** The heap that a single record takes besides the bytes of its key and itself. */
  private static final int SINGLE_BYTES = 136;

  private static final int SEEN_SLOTS = 1 << 14;

  private final Stripe[] stripes = new Stripe[RowLocks.COUNT];

  /** Single records by {@link SingleKey}; and each page by itself, to bound them together. */
  private final Cache<Object, Object> kept;

  /** The pages by their first keys. No two cover one key. */
  private final ConcurrentSkipListMap<byte[], RowPage> pages =
      new ConcurrentSkipListMap<>(Arrays::compareUnsigned);

  /** Hashes of single keys that were read while there was no room. */
  private final int[] seen = new int[SEEN_SLOTS];

  private volatile boolean full;

  /** Creates an empty memory of at most about {@code maxBytes}. */
  public RowMemory(long maxBytes) {
    Arrays.setAll(stripes, i -> new Stripe());
    this.kept =
        Caffeine.newBuilder()
            .maximumWeight(maxBytes)
            .weigher(RowMemory::weight)
            .executor(Runnable::run)
            .evictionListener((key, value, cause) -> evicted(value))
            .build();
  }

  private void evicted(@Nullable Object value) {
    full = true;
    if (value instanceof RowPage page) {
      pages.remove(page.from, page);
    }
  }

  private static int weight(Object key, Object value) {
    return value instanceof RowPage page
        ? page.bytes
        : SINGLE_BYTES + ((SingleKey) key).bytes.length + ((byte[]) value).length;
  }

  /** The key of a record in a hash table. */
  private static final class SingleKey {
    private final byte[] bytes;
    private final int hash;

    SingleKey(byte[] bytes) {
      this.bytes = bytes;
      this.hash = Arrays.hashCode(bytes);
    }

    @Override
    public boolean equals(@Nullable Object other) {
      return other instanceof SingleKey that
          && hash == that.hash
          && Arrays.equals(bytes, that.bytes);
    }

    @Override
    public int hashCode() {
      return hash;
    }
  }

  /** The writers of the rows of one lock. Its monitor is held only while the memory changes. */
  private static final class Stripe {
    private static final long WRITERS = (1L << 16) - 1;

    /** How many writers run; in the upper bits how many have ended. */
    private volatile long state;

    long ticket() {
      long now = state;
      return (now & WRITERS) == 0 ? now : BUSY;
    }

    synchronized void begin() {
      state = state + 1;
    }

    synchronized void end() {
      state = state + WRITERS;
    }

    synchronized void admit(long ticket, Runnable admission) {
      if (ticket == state) {
        admission.run();
      }
    }
  }

  /**
   * What a read shows to {@code admit}; taken before the store is read.
   *
   * @param lock the index of the row's lock
   */
  long ticket(int lock) {
    return stripes[lock].ticket();
  }

  /** The stored record at a key, or null if it is not here. The array must not be changed. */
  byte @Nullable [] get(byte[] key) {
    return (byte[]) kept.getIfPresent(new SingleKey(key));
  }

  /** Keeps a record that was read, if no writer ran since the ticket and it is worth a place. */
  void admit(int lock, long ticket, byte[] key, byte[] record, int length) {
    if (ticket == BUSY
        || length > MAX_RECORD_BYTES
        || RowRecordFormat.expiryMillis(record, length) != Expiry.NEVER) {
      return;
    }
    SingleKey single = new SingleKey(key);
    if (isWorthIt(single.hash)) {
      byte[] copy = Arrays.copyOf(record, length);
      stripes[lock].admit(ticket, () -> kept.put(single, copy));
    }
  }

  /** Whether there is room, or a key of this hash was read before. */
  private boolean isWorthIt(int hash) {
    int slot = Stripes.of(hash, SEEN_SLOTS);
    if (!full || seen[slot] == hash) {
      return true;
    }
    seen[slot] = hash;
    return false;
  }

  /**
   * The first records of a scan, or null if not all of them are here.
   *
   * @param limit at most {@link #MAX_SLICE_RECORDS}
   */
  @Nullable RowSlice slice(int lock, byte[] from, byte[] to, boolean forward, int limit) {
    long ticket = ticket(lock);
    RowSlice slice = new RowSlice(limit);
    byte[] at = forward ? from : to;
    for (boolean first = true; ; first = false) {
      RowPage page = forward ? pageOf(at) : pageUpTo(at);
      if (page == null) {
        return null;
      }
      kept.getIfPresent(page); // counts as a use
      if (slice.add(page, from, to, forward)) {
        // Of several pages each may be of another time.
        return first || (ticket != BUSY && stripes[lock].state == ticket) ? slice : null;
      }
      at = forward ? page.to : page.from;
    }
  }

  /** Keeps a page that was read, if no writer ran since the ticket. */
  void admit(int lock, long ticket, RowPage page) {
    stripes[lock].admit(ticket, () -> add(page));
  }

  /** Adds what is not here yet of a page; what is here is as true. */
  private void add(RowPage page) {
    byte[] from = page.from;
    byte[] to = page.to;
    RowPage last = pageBelow(to);
    if (last != null && Arrays.compareUnsigned(last.to, to) >= 0) {
      to = last.from;
      last = pageBelow(to);
    }
    while (last != null && Arrays.compareUnsigned(last.from, from) >= 0) {
      remove(last);
      last = pageBelow(to);
    }
    if (last != null && Arrays.compareUnsigned(last.to, from) > 0) {
      from = last.to;
    }
    if (Arrays.compareUnsigned(from, to) >= 0) {
      return;
    }
    RowPage added = page.part(from, to);
    RowPage next = pages.get(to);
    if (next != null && areOne(added, next)) {
      remove(next);
      added = added.and(next);
    }
    if (last != null && areOne(last, added)) {
      remove(last);
      added = last.and(added);
    }
    keep(added);
  }

  /** Whether two pages are better one: they touch, are of one row, and are small. */
  private static boolean areOne(RowPage page, RowPage next) {
    return page.size() + next.size() <= RowPage.MAX_JOINED_RECORDS
        && Arrays.equals(page.to, next.from)
        && RowKeyFormat.areOfOneRow(page.from, next.from);
  }

  private void keep(RowPage page) {
    if (page.size() > RowPage.MAX_RECORDS) {
      byte[] middle = page.key(page.size() / 2);
      keep(page.part(page.from, middle));
      keep(page.part(middle, page.to));
    } else if (page.bytes <= 2 * MAX_PAGE_BYTES) {
      pages.put(page.from, page);
      kept.put(page, page); // first in the map: this may evict it again
    }
  }

  private void remove(RowPage page) {
    pages.remove(page.from, page);
    kept.invalidate(page);
  }

  /** The page that covers a key, or null. */
  private @Nullable RowPage pageOf(byte[] key) {
    Map.Entry<byte[], RowPage> found = pages.floorEntry(key);
    return found != null && found.getValue().covers(key) ? found.getValue() : null;
  }

  /** The page that covers what lies right below a key, or null. */
  private @Nullable RowPage pageUpTo(byte[] key) {
    RowPage found = pageBelow(key);
    return found != null && Arrays.compareUnsigned(found.to, key) >= 0 ? found : null;
  }

  private @Nullable RowPage pageBelow(byte[] key) {
    Map.Entry<byte[], RowPage> found = pages.lowerEntry(key);
    return found == null ? null : found.getValue();
  }

  /** Begins a change of rows with this lock, which the caller holds. */
  Change begin(int lock) {
    return new Change(stripes[lock]);
  }

  /** Begins a change of rows with these locks, which the caller holds. */
  Change begin(BitSet locks) {
    return new Change(locks.stream().mapToObj(lock -> stripes[lock]).toArray(Stripe[]::new));
  }

  /** One write. No reader keeps anything of its rows until it is closed. */
  final class Change implements AutoCloseable {
    private final Stripe[] changing;
    private final Set<SingleKey> singles = new HashSet<>();
    private final List<RowPage> taken = new ArrayList<>();
    private boolean written;

    private Change(Stripe... changing) {
      this.changing = changing;
      for (Stripe stripe : changing) {
        stripe.begin();
      }
    }

    /** Forgets a record before it is written. */
    void forget(byte[] key) {
      SingleKey single = new SingleKey(key);
      if (kept.asMap().remove(single) != null) {
        singles.add(single);
      }
      RowPage page = pageOf(key);
      if (page != null) {
        remove(page);
        taken.add(page);
      }
    }

    /** Whether there is something to put back. */
    boolean hasForgotten() {
      return !singles.isEmpty() || !taken.isEmpty();
    }

    /**
     * Puts back a record, if it was here, once all of the write is in the store; null if it was
     * deleted. If this is called for one of the records, it must be for all.
     */
    void wrote(byte[] key, byte @Nullable [] value, long expiryMillis, boolean counted) {
      written = true;
      boolean keeps = expiryMillis == Expiry.NEVER && (value == null || value.length < MAX_RECORD_BYTES);
      byte[] record =
          value == null || !keeps ? null : RowRecordFormat.encode(value, expiryMillis, counted);
      SingleKey single = new SingleKey(key);
      if (singles.contains(single) && record != null) {
        kept.put(single, record);
      }
      for (int i = taken.size() - 1; i >= 0; i--) {
        RowPage page = taken.get(i);
        if (!page.covers(key)) {
          continue;
        }
        if (keeps) {
          taken.set(i, page.with(key, record));
        } else {
          taken.remove(i);
        }
        return;
      }
    }

    @Override
    public void close() {
      if (written) {
        taken.forEach(RowMemory.this::keep);
      }
      for (Stripe stripe : changing) {
        stripe.end();
      }
    }
  }
}
