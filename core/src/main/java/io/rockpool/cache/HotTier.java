package io.rockpool.cache;

import java.time.InstantSource;
import java.util.List;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The entries a cache keeps in memory. Read by anyone; whoever writes an entry, or puts one here,
 * goes by the rules of its key's {@link HotTierStripe}.
 *
 * <p>Expiry is not its business: an entry carries its own deadline, which its reader checks to the
 * millisecond. One that is past takes its place until it is read or evicted.
 */
final class HotTier {
  private final Supplier<HotRoom> rooms;

  /** What it has its share of; null where it has a bound of its own. */
  private final @Nullable HeapBudget budget;

  private boolean closed;

  /** Null while nothing was put since the last clear. */
  private volatile @Nullable HotRoom room;

  /**
   * A tier bounded by entries or, where {@code maxEntries} is 0, by bytes.
   *
   * @param refreshes whether more than payloads is to be kept of entries that never end: their
   *     refresh times, or by what the deadlines of reads know their records
   */
  HotTier(long maxEntries, long maxBytes, boolean refreshes) {
    this.rooms = () -> new HotRoom(maxEntries, maxBytes, refreshes);
    this.budget = null;
  }

  /**
   * A tier that has a share of a budget while there is something in it.
   *
   * @param uses counts what the budget is divided by
   * @param shortage run where the budget is to be divided anew
   */
  HotTier(HeapBudget budget, LongSupplier uses, Runnable shortage, boolean refreshes) {
    this.rooms = () -> new HotRoom(budget, uses, shortage, refreshes);
    this.budget = budget;
    budget.tierOpened();
  }

  @Nullable HotEntry get(Object key) {
    HotRoom now = room;
    return now == null ? null : now.get(key);
  }

  /** The payload of an entry that is not past. */
  @Nullable Object payload(Object key, InstantSource clock) {
    HotRoom now = room;
    return now == null ? null : now.payload(key, clock);
  }

  /** Whether there may be an entry: one look at one place in memory. */
  boolean mayHold(Object key) {
    HotRoom now = room;
    return now != null && now.mayHold(key);
  }

  /**
   * Whether there is an entry, hidden or not. Once this is false, {@link #get} finds none until the
   * next put.
   */
  boolean holds(Object key) {
    HotRoom now = room;
    return now != null && now.holds(key);
  }

  /** Whether an entry is worth a place: there is room, or its key came by before. */
  boolean wants(Object key) {
    HotRoom now = room;
    return now == null || now.wants(key);
  }

  /** Puts an entry, unless the tier is closed. */
  void put(Object key, HotEntry entry) {
    HotRoom now = room;
    if (now == null) {
      now = openRoom();
    }
    if (now != null) {
      now.put(key, entry);
    }
  }

  private synchronized @Nullable HotRoom openRoom() {
    if (room == null && !closed) {
      room = rooms.get();
    }
    return room;
  }

  /** Whether nothing was put since the last clear. */
  boolean isEmpty() {
    return room == null;
  }

  /**
   * Makes an entry unreadable, and keeps its place for the next put or remove. Cheaper than a
   * remove before a put, which moves the entry within Caffeine.
   */
  void hide(Object key) {
    HotRoom now = room;
    if (now != null) {
      now.hide(key);
    }
  }

  void remove(Object key) {
    HotRoom now = room;
    if (now != null) {
      now.remove(key);
    }
  }

  /** Forgets everything, at once: what was there is left to the garbage collector. */
  synchronized void clear() {
    HotRoom before = room;
    room = null;
    if (before != null) {
      before.close();
    }
  }

  /** Forgets everything, and takes in nothing more. */
  synchronized void close() {
    clear();
    if (!closed && budget != null) {
      budget.tierClosed();
    }
    closed = true;
  }

  /** Whether nothing more fits without something else going. */
  boolean isFull() {
    HotRoom now = room;
    return now != null && now.isFull();
  }

  /** The keys, the most used first; no more than so many. O(that). */
  List<Object> hottest(int most) {
    HotRoom now = room;
    return now == null ? List.of() : now.hottest(most);
  }

  /** What is in it now. */
  HotMemory memory() {
    HotRoom now = room;
    return now == null
        ? new HotMemory(0, 0, 0, budget != null)
        : new HotMemory(now.size(), now.bytes(), now.maxBytes(), budget != null);
  }

  long size() {
    HotRoom now = room;
    return now == null ? 0 : now.size();
  }
}
