package io.rockpool.internal.rocksdb.rows;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.Policy;
import io.rockpool.engine.Expiry;
import io.rockpool.internal.concurrent.Stripes;
import io.rockpool.internal.engine.HeapLender;
import io.rockpool.internal.engine.HeapUser;
import io.rockpool.internal.format.RowKeyFormat;
import io.rockpool.internal.format.RowRecordFormat;
import io.rockpool.internal.rocksdb.rows.Kept.Place;
import io.rockpool.internal.rocksdb.rows.Kept.Single;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
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
public final class RowMemory implements HeapUser {
  /** What {@link #get} returns where no record is stored. */
  static final byte[] ABSENT = {};

  /** The most records of one scan that are answered from here, or kept. */
  static final int MAX_SLICE_RECORDS = 256;

  /** A page of more bytes would displace too much. */
  static final int MAX_PAGE_BYTES = 256 << 10;

  /** Reading a larger record from disk costs little more than copying it. */
  private static final int MAX_RECORD_BYTES = 16 << 10;

  /** A page that is written so often and not read in between costs more than it is worth. */
  private static final int MAX_UNREAD_WRITES = 16;

  private static final int SEEN_SLOTS = 1 << 14;

  private final WriterStripe[] stripes = new WriterStripe[RowLocks.COUNT];

  /** Each {@link Single} and {@link Place} by itself: what bounds them together. */
  private final Cache<Kept, Kept> kept;

  /** The places of pages by their first keys. No two cover one key. */
  private final ConcurrentSkipListMap<byte[], Place> pages =
      new ConcurrentSkipListMap<>(Arrays::compareUnsigned);

  /** Hashes of single keys that were read while there was no room. */
  private final int[] seen = new int[SEEN_SLOTS];

  private volatile boolean full;

  private final HeapLoan loan;

  private RowMemory(long maxBytes, boolean borrows) {
    Arrays.setAll(stripes, i -> new WriterStripe());
    this.loan = new HeapLoan(this, borrows);
    this.kept =
        Caffeine.newBuilder()
            .maximumWeight(maxBytes)
            .weigher((Kept key, Kept value) -> value.weigh())
            .executor(Runnable::run)
            .evictionListener((key, value, cause) -> evicted(value))
            .build();
  }

  /** Creates an empty memory of at most about {@code maxBytes}. */
  public static RowMemory of(long maxBytes) {
    return new RowMemory(maxBytes, /* borrows= */ false);
  }

  /** Creates a memory that keeps nothing until {@link #keepIn}. */
  public static RowMemory borrowing() {
    return new RowMemory(0, /* borrows= */ true);
  }

  /** Sets what lends the heap, unless the bound is fixed. */
  public void keepIn(HeapLender lender) {
    loan.borrowFrom(lender);
  }

  /** Frees everything. No thread may read or write rows any longer. */
  public void close() {
    kept.invalidateAll();
    pages.clear();
  }

  /** Whether records can enter. */
  boolean isOpen() {
    return loan.isOpen();
  }

  @Override
  public void resize(long maxBytes) {
    Policy.Eviction<Kept, Kept> eviction = kept.policy().eviction().orElseThrow();
    boolean grows = maxBytes > eviction.getMaximum();
    eviction.setMaximum(maxBytes);
    if (grows) {
      full = false;
    }
  }

  @Override
  public long bytes() {
    kept.cleanUp(); // Caffeine weighs some time after a put
    return kept.policy().eviction().orElseThrow().weightedSize().orElse(0);
  }

  private void evicted(@Nullable Kept value) {
    full = true;
    if (value instanceof Place place) {
      pages.remove(place.from, place);
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

  /**
   * The stored record at a key; {@link #ABSENT} if there is none, or null if that is not known
   * here. The array must not be changed.
   */
  byte @Nullable [] get(byte[] key) {
    Kept found = kept.getIfPresent(new Single(key, null));
    byte[] record = found == null ? null : ((Single) found).record;
    if (record == null && !pages.isEmpty()) {
      Place place = placeOf(key);
      RowPage page = place == null ? null : place.read(kept);
      record = page == null ? null : page.find(key);
    }
    if (record != null) {
      loan.used(1);
    }
    return record;
  }

  /** Keeps a record that was read, if no writer ran since the ticket and it is worth a place. */
  void admit(int lock, long ticket, byte[] key, byte[] record, int length) {
    if (ticket == WriterStripe.BUSY
        || length > MAX_RECORD_BYTES
        || RowRecordFormat.expiryMillis(record, length) != Expiry.NEVER) {
      return;
    }
    if (isOpen() && isWorthIt(Arrays.hashCode(key))) {
      Single single = new Single(key, Arrays.copyOf(record, length));
      loan.willPut(1, single.bytes());
      stripes[lock].admit(ticket, () -> keep(single));
    }
  }

  /** Keeps one object for each key: another reader may have been faster. */
  private void keep(Single single) {
    Single there = (Single) kept.policy().getIfPresentQuietly(single);
    if (there == null) {
      kept.put(single, single);
    } else if (there.record == null) {
      there.record = single.record;
      kept.put(there, there);
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
      Place place = forward ? placeOf(at) : placeUpTo(at);
      RowPage page = place == null ? null : place.read(kept);
      if (page == null) {
        return null;
      }
      if (slice.add(page, from, to, forward)) {
        // Of several pages each may be of another time.
        if (first || (ticket != WriterStripe.BUSY && stripes[lock].isAt(ticket))) {
          loan.used(slice.size());
          return slice;
        }
        return null;
      }
      at = forward ? page.to : page.from;
    }
  }

  /** Keeps a page that was read, if no writer ran since the ticket. */
  void admit(int lock, long ticket, RowPage page) {
    if (isOpen()) {
      loan.willPut(page.size(), page.bytes);
      stripes[lock].admit(ticket, () -> add(page));
    }
  }

  /** Adds what is not here yet of a page; what is here is as true. */
  private void add(RowPage page) {
    byte[] from = page.from;
    byte[] to = page.to;
    Place last = placeBelow(to);
    if (last != null && Arrays.compareUnsigned(last.to, to) >= 0) {
      to = last.from;
      last = placeBelow(to);
    }
    while (last != null && Arrays.compareUnsigned(last.from, from) >= 0) {
      remove(last);
      last = placeBelow(to);
    }
    if (last != null && Arrays.compareUnsigned(last.to, from) > 0) {
      from = last.to;
    }
    if (Arrays.compareUnsigned(from, to) >= 0) {
      return;
    }
    RowPage added = page.part(from, to);
    added = joined(added, pages.get(to), /* isNext= */ true);
    added = joined(added, last, /* isNext= */ false);
    keep(added);
  }

  /** A page with its neighbour, if they touch, are of one row and small; else the page itself. */
  private RowPage joined(RowPage page, @Nullable Place neighbour, boolean isNext) {
    RowPage other = neighbour == null ? null : neighbour.page;
    if (neighbour == null
        || other == null
        || page.size() + other.size() > RowPage.MAX_JOINED_RECORDS) {
      return page;
    }
    RowPage first = isNext ? page : other;
    RowPage second = isNext ? other : page;
    if (!Arrays.equals(first.to, second.from)
        || !RowKeyFormat.areOfOneRow(first.from, second.from)) {
      return page;
    }
    remove(neighbour);
    return first.and(second);
  }

  private void keep(RowPage page) {
    if (page.size() > RowPage.MAX_RECORDS) {
      byte[] middle = page.key(page.size() / 2);
      keep(page.part(page.from, middle));
      keep(page.part(middle, page.to));
    } else if (page.bytes <= 2 * MAX_PAGE_BYTES) {
      Place place = new Place(page);
      pages.put(place.from, place);
      kept.put(place, place); // second: this may evict it again
    }
  }

  private void remove(Place place) {
    pages.remove(place.from, place);
    kept.invalidate(place);
  }

  /** The place that covers a key, or null. */
  private @Nullable Place placeOf(byte[] key) {
    Map.Entry<byte[], Place> found = pages.floorEntry(key);
    return found != null && found.getValue().covers(key) ? found.getValue() : null;
  }

  /** The place that covers what lies right below a key, or null. */
  private @Nullable Place placeUpTo(byte[] key) {
    Place found = placeBelow(key);
    return found != null && Arrays.compareUnsigned(found.to, key) >= 0 ? found : null;
  }

  private @Nullable Place placeBelow(byte[] key) {
    Map.Entry<byte[], Place> found = pages.lowerEntry(key);
    return found == null ? null : found.getValue();
  }

  /** Begins a change of rows with this lock, which the caller holds. */
  Change begin(int lock) {
    return new Change(stripes[lock]);
  }

  /** Begins a change of rows with these locks, which the caller holds. */
  Change begin(BitSet locks) {
    return new Change(locks.stream().mapToObj(lock -> stripes[lock]).toArray(WriterStripe[]::new));
  }

  /** One write. No reader keeps anything of its rows until it is closed. */
  final class Change implements AutoCloseable {
    private final WriterStripe[] changing;
    private final List<Forgotten> forgotten = new ArrayList<>(1);
    private Map<Place, Taken> taken = Map.of();
    private @Nullable Taken lastTaken;

    /** Whether anything may be kept of the rows. */
    private final boolean looks;

    private boolean any;
    private int putBack;

    private Change(WriterStripe... changing) {
      this.changing = changing;
      boolean used = false;
      for (WriterStripe stripe : changing) {
        used |= stripe.begin();
      }
      this.looks = used;
    }

    /** Forgets a record before it is written. */
    void forget(byte[] key) {
      if (!looks) {
        return;
      }
      Single single = (Single) kept.policy().getIfPresentQuietly(new Single(key, null));
      if (single != null) {
        single.record = null;
      }
      Taken page = take(key);
      any |= single != null || page != null;
      forgotten.add(new Forgotten(key, single, page));
    }

    private @Nullable Taken take(byte[] key) {
      if (lastTaken != null && lastTaken.place.covers(key)) {
        return lastTaken;
      }
      Place place = placeOf(key);
      if (place == null) {
        return null;
      }
      if (taken.isEmpty()) {
        taken = new HashMap<>();
      }
      lastTaken = taken.computeIfAbsent(place, Taken::new);
      return lastTaken;
    }

    /** Whether there is something to put back. */
    boolean hasForgotten() {
      return any;
    }

    /**
     * Puts back the next record in the order in which they were forgotten, once all of the write is
     * in the store; null if it was deleted. If it is called, it must be for each.
     */
    void wrote(byte @Nullable [] value, long expiryMillis, boolean counted) {
      if (!looks) {
        return;
      }
      Forgotten before = forgotten.get(putBack++);
      if (before.single == null && before.page == null) {
        return;
      }
      boolean keeps =
          value == null || (expiryMillis == Expiry.NEVER && value.length < MAX_RECORD_BYTES);
      byte[] record =
          value == null || !keeps ? null : RowRecordFormat.encode(value, expiryMillis, counted);
      if (before.single != null) {
        putBack(before.single, record);
      }
      if (before.page != null) {
        before.page.change(before.key, record, keeps);
      }
    }

    private void putBack(Single single, byte @Nullable [] record) {
      single.record = record;
      if (record == null) {
        kept.invalidate(single);
      } else if (single.mustBeWeighed()) {
        kept.put(single, single);
      }
    }

    @Override
    public void close() {
      try {
        taken.values().forEach(page -> page.putBack(putBack == forgotten.size()));
      } finally {
        for (WriterStripe stripe : changing) {
          stripe.end();
        }
      }
    }
  }

  /** A record that is being written, and what was here of it. */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record Forgotten(byte[] key, @Nullable Single single, @Nullable Taken page) {}

  /** A page that is being written. */
  private final class Taken {
    private final Place place;
    private @Nullable RowPage page;

    Taken(Place place) {
      this.place = place;
      this.page = place.page;
      place.page = null;
    }

    void change(byte[] key, byte @Nullable [] record, boolean keeps) {
      page = page == null || !keeps ? null : page.with(key, record);
    }

    void putBack(boolean written) {
      int writes = place.writes + 1;
      place.writes = writes;
      RowPage now = written && writes <= MAX_UNREAD_WRITES ? page : null;
      if (now == null || now.size() > RowPage.MAX_RECORDS) {
        remove(place);
        if (now != null) {
          keep(now);
        }
        return;
      }
      place.page = now;
      if (place.mustBeWeighed()) {
        kept.put(place, place);
      }
    }
  }
}
