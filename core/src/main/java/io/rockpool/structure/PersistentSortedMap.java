package io.rockpool.structure;

import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.concurrent.ConcurrentNavigableMap;

/**
 * A persistent {@link ConcurrentNavigableMap}. Thread-safe. {@link PersistentMap} documents keys
 * and values, durability, expiry, iteration and listeners. The differences:
 *
 * <pre>{@code
 * PersistentSortedMap<Instant, String> log =
 *     pool.sortedMap("shop/log", Instant.class, String.class);
 * log.put(now, "opened");
 * log.lastEntry();
 * log.headMap(now.minus(ofHours(1))).clear(); // older than an hour
 * log.removeRange(Range.lessThan(now.minus(ofDays(30))));
 * }</pre>
 *
 * <p><b>Order.</b> The key type has an {@link io.rockpool.codec.OrderedCodec}: strings, numbers,
 * byte arrays, {@code UUID}, {@code java.time}, enums, and records of these. The map has that
 * codec's order. If it is the keys' natural order, {@link #comparator} is null, as {@code
 * java.util} requires. For records, byte arrays and {@code BigDecimal}, the comparator treats keys
 * with equal bytes as equal. Using a key of another class throws {@link ClassCastException},
 * because it has no place in the order.
 *
 * <p><b>Views.</b> {@link #subMap subMap}, {@link #headMap headMap}, {@link #tailMap tailMap},
 * {@link #descendingMap descendingMap}, the views of these views and all key sets are live. Putting
 * a key outside a view's range, or creating a view with a range outside it, throws {@link
 * IllegalArgumentException} and changes nothing.
 *
 * <p><b>Cost.</b> First, last, floor, ceiling, higher and lower are one seek each, also in a view.
 * {@code pollFirstEntry} and {@code pollLastEntry} are atomic: one seek and one write. They return
 * null if the map or view is empty. {@code size} of the whole map is one read and may include
 * expired entries. {@code new TreeMap<>(map)} fails on such a size: copy with {@code
 * map.forEach(copy::put)}. {@code size} of a view reads the view's keys and is exact. {@code clear}
 * of the whole map is one write; of a view it is {@link #removeRange}.
 *
 * <p><b>Atomicity.</b> Each operation on one key is atomic. All entries are in one row, because an
 * order needs one place. So {@code putAll} and {@code removeAll} are atomic for each batch, and
 * writers share one lock.
 *
 * <p><b>Durability.</b> A completed operation survives {@code kill -9}. Its {@link
 * io.rockpool.store.Durability} says whether it survives a power loss: the level of the map, or of
 * {@link io.rockpool.Rockpool#withDurability} around the call.
 *
 * <p><b>Transactions.</b> Operations of the calling thread join {@link
 * io.rockpool.Rockpool#atomically}, bulk operations and iterations as well. The map is one row, so
 * no other thread changes it between the first read or change in the transaction and the commit.
 * {@link #clear} of the whole map or of a view without bounds, {@link #clearAt}, {@link
 * #clearAfter}, {@link #cancelClear} and {@link #snapshot} throw {@link IllegalStateException}
 * there and change nothing. {@link #clearsIn} works, but does not join. {@link #removeRange} and
 * {@code clear} of a view with bounds join. Listeners are notified after the commit.
 *
 * <p><b>Errors.</b> They are those of a {@link PersistentMap}. {@code pollFirstEntry} and {@code
 * pollLastEntry} throw {@link io.rockpool.error.UndecodableValueException} for an entry that cannot
 * be decoded, and leave it in the map.
 *
 * @param <K> the type of keys
 * @param <V> the type of values
 */
public final class PersistentSortedMap<K, V> extends RangeMap<K, V> {
  PersistentSortedMap(EntryRange<K, V> entries) {
    super(entries);
  }

  /**
   * Reads the entries of a range. One scan, and all results are in memory, so {@link Range#limit
   * limit} a range that may be long. Not atomic: it may or may not reflect concurrent puts and
   * removals.
   *
   * @return the entries, in the range's order; the list is the caller's
   * @throws IllegalArgumentException if the range ends before it begins
   */
  public List<Map.Entry<K, V>> read(Range<K> range) {
    return entries.reads().entries(range);
  }

  /**
   * Removes the entries of a range, or those of them that pass its filter, in its direction up to
   * its limit. Each transaction reads up to 64 entries; with a filter other than {@link
   * Range#startingWith}, also those that stay. Each transaction is atomic, the whole is not.
   * Entries that are put into the range during the call may be removed or not. If it throws, some
   * entries may have been removed. One scan and one write per transaction.
   *
   * @return how many there were
   * @throws IllegalArgumentException if the range ends before it begins, or has an offset; nothing
   *     is changed
   */
  public long removeRange(Range<K> range) {
    return entries.writes().removeRange(range);
  }

  /**
   * A read-only snapshot of the map. O(1).
   *
   * @return the snapshot; the caller closes it
   * @throws UnsupportedOperationException if the store's engine has no snapshots
   */
  public Snapshot<NavigableMap<K, V>> snapshot() {
    return new Snapshot<>(
        space().use().snapshot(),
        taken -> Collections.unmodifiableNavigableMap(new RangeMap<>(entries.of(taken))));
  }
}
