package io.rockpool.cache;

import java.time.InstantSource;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The entries a cache keeps in memory. Read by anyone; whoever writes an entry, or puts one here,
 * goes by the rules of its key's {@link Stripe}.
 *
 * <p>Expiry is not its business: an entry carries its own deadline, which its reader checks to the
 * millisecond. One that is past takes its place until it is read or evicted.
 */
final class HotTier {
  /** What an entry is taken to weigh when a tier bounded by bytes chooses its doorkeeper's size. */
  private static final long TYPICAL_ENTRY_BYTES = 512;

  private final long maxEntries;
  private final long maxBytes;
  private final boolean refreshes;

  /** Null while nothing was put since the last clear. */
  private volatile @Nullable HotRoom room;

  /**
   * A tier bounded by entries or, where {@code maxEntries} is 0, by bytes.
   *
   * @param refreshes whether more than payloads is to be kept of entries that never end: their
   *     refresh times, or by what the deadlines of reads know their records
   */
  HotTier(long maxEntries, long maxBytes, boolean refreshes) {
    this.maxEntries = maxEntries;
    this.maxBytes = maxBytes;
    this.refreshes = refreshes;
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

  void put(Object key, HotEntry entry) {
    HotRoom now = room;
    (now == null ? openRoom() : now).put(key, entry);
  }

  private synchronized HotRoom openRoom() {
    HotRoom now = room;
    if (now == null) {
      now =
          new HotRoom(
              maxEntries,
              maxBytes,
              maxEntries > 0 ? maxEntries : maxBytes / TYPICAL_ENTRY_BYTES,
              refreshes);
      room = now;
    }
    return now;
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
  void clear() {
    room = null;
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

  long size() {
    HotRoom now = room;
    return now == null ? 0 : now.size();
  }
}
