package io.rockpool.structure;

import java.util.Collections;
import java.util.Map;
import java.util.concurrent.ConcurrentMap;

/**
 * A {@link ConcurrentMap} that lives on disk and survives the death of its process. Thread-safe.
 *
 * <p><b>Keys and values</b> go in and come out by value: to change an instance that was put, or
 * that was returned, changes nothing in the map. Two keys are equal if they encode to equal bytes;
 * where that is not what their {@code equals} says (a {@code BigDecimal} 1.0 and 1.00, say, an
 * array), the map follows the bytes. A key of a class that the map does not hold is in no map: to
 * ask for it, or to remove it, is no error. Nulls are refused with a {@link NullPointerException}
 * that names the argument.
 *
 * <p><b>Atomicity.</b> Each operation on one key is atomic, and is seen by every later read of the
 * key. Bulk operations are atomic for the keys of one of the rows that the map is spread over, no
 * further. A function given to {@link #compute} and its like is called with no lock held, so that
 * it may use any structure, and is called again if another thread changed the entry meanwhile. If
 * the function itself changes the entry, it gets an {@link IllegalStateException}.
 *
 * <p><b>Durability.</b> An operation that has returned survives {@code kill -9}; what it survives
 * of a power loss is the {@link io.rockpool.engine.Durability} the map was opened with, or what
 * {@link io.rockpool.Rockpool#withDurability} says around it.
 *
 * <p><b>Cost.</b> A get is one read, without a lock. A put, remove or replace is one read and one
 * write; what compares values or calls a function, two reads and one write. {@link #size} is one
 * read for each row, {@link #clear} one write, however many entries there are.
 *
 * <p><b>Expiry.</b> Each entry may have a time to live of its own. A put starts it anew, with what
 * it says or else with the {@link StructureOptions#entryTtl} of the map; what changes an entry that
 * is there (replace, compute, merge, increment, {@code setValue}) leaves its expiry as it is. An
 * expired entry is never seen again, but {@code size} may include it until it is swept.
 *
 * <p><b>Iteration</b> is weakly consistent: an iterator shows every entry that is there all the
 * time once, and may or may not show what is put, removed or cleared meanwhile. It holds nothing
 * open and a bounded number of entries in memory. If the map is closed or dropped meanwhile, it
 * throws {@link IllegalStateException} at the latest when it has shown what it had read ahead.
 *
 * <p>An entry whose bytes can no longer be decoded, because its class changed, is an {@link
 * io.rockpool.error.UndecodableValueException} where its value is asked for. A {@code put}, {@code
 * replace} or {@code remove} that would return it throws before anything is written. It can be
 * overwritten with {@link #putAll}, and removed with {@link #removeAll}, which return no value.
 *
 * @param <K> the type of keys
 * @param <V> the type of values
 */
public final class PersistentMap<K, V> extends EntryMap<K, V> {
  private final EntryReads<K, V> reads;
  private final EntryWrites<K, V> writes;

  PersistentMap(EntryCodec<K, V> codec, Records records) {
    this(EntryReads.live(codec, records.buckets()), new EntryWrites<>(codec, records));
  }

  private PersistentMap(EntryReads<K, V> reads, EntryWrites<K, V> writes) {
    super(reads, writes);
    this.reads = reads;
    this.writes = writes;
  }

  /**
   * The map as it is now, unchanging and for reading only. O(1).
   *
   * @return it; to be closed
   * @throws UnsupportedOperationException if the store's engine has no snapshots
   */
  public Snapshot<Map<K, V>> snapshot() {
    return new Snapshot<>(
        space().use().snapshot(),
        taken -> Collections.unmodifiableMap(new PersistentMap<>(reads.of(taken), writes)));
  }
}
