package io.rockpool.cache;

import io.rockpool.engine.Lease;
import io.rockpool.engine.LeasedRead;
import io.rockpool.engine.RowRecord;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The reads that loads begin with. On an engine that other handles share, such a read takes a
 * {@link Lease}, and the loaded value is stored only if that has not ended: {@link Loads} sees the
 * writes of this handle at once, but those of others only when they are reported.
 */
final class LoadStarts<K, V> {
  private final CacheEntries<K, V> entries;

  /**
   * What a load begins with.
   *
   * @param found the entry, which makes the load superfluous; null if there is none
   * @param record the record under the key, perhaps an ended one; null also if there is no lease
   * @param lease what storing the value needs; null on an engine without leases
   */
  record Start<V>(@Nullable Found<V> found, @Nullable RowRecord record, @Nullable Lease lease) {}

  LoadStarts(CacheEntries<K, V> entries) {
    this.entries = entries;
  }

  /**
   * Whether a load of the key needs a lease. In a transaction it does not: the commit checks what
   * was read.
   */
  boolean isLeased(EntryKey key) {
    return entries.shared.changesElsewhere
        && !entries.inTransaction()
        && entries.format.directoryOf(key) == null;
  }

  /** Reads an entry that was missed. One round trip. */
  Start<V> read(EntryKey key) {
    return isLeased(key)
        ? readAll(List.of(key)).get(0)
        : new Start<>(entries.reader.read(key), null, null);
  }

  /** Reads entries that were missed, none of which is of a directory. One round trip. */
  List<Start<V>> readAll(List<EntryKey> keys) {
    long[] tickets = keys.stream().mapToLong(entries.writes::ticket).toArray();
    List<LeasedRead> reads = lease(keys);
    List<Start<V>> starts = new ArrayList<>(keys.size());
    for (int i = 0; i < tickets.length; i++) {
      Start<V> start = start(keys.get(i), tickets[i], reads.get(i));
      boolean ended = start.found == null && start.record != null;
      starts.add(ended ? again(keys.get(i)) : start);
    }
    return starts;
  }

  /** The entry that was found, for the threads that wait for the load; null for none. */
  @Nullable HotEntry hot(Start<V> start) {
    Found<V> found = start.found;
    if (found == null || start.record == null || entries.format.sharesChangeableValues()) {
      return found == null ? null : found.entry();
    }
    return entries.format.kept(found.entry(), start.record);
  }

  /**
   * Takes leases on those keys that need one, also if there is an entry. One round trip.
   *
   * @return what was read, by key; without those whose server is away if reads are to be misses
   */
  Map<EntryKey, LeasedRead> leases(Collection<EntryKey> keys) {
    List<EntryKey> leased = keys.stream().filter(this::isLeased).toList();
    List<? extends @Nullable LeasedRead> reads =
        entries.outages.<EntryKey, LeasedRead>readAllOrMiss(leased, EntryKey::bytes, this::lease);
    Map<EntryKey, LeasedRead> found = new HashMap<>();
    for (int i = 0; i < reads.size(); i++) {
      LeasedRead read = reads.get(i);
      if (read != null) {
        found.put(leased.get(i), read);
      }
    }
    return found;
  }

  private List<LeasedRead> lease(List<EntryKey> keys) {
    if (keys.isEmpty()) {
      return List.of();
    }
    return entries.space().lease(keys.stream().map(EntryKey::bytes).toList());
  }

  /** Reads an entry that had ended: its record may have been removed after the read. */
  private Start<V> again(EntryKey key) {
    long ticket = entries.writes.ticket(key);
    return start(key, ticket, lease(List.of(key)).get(0));
  }

  private Start<V> start(EntryKey key, long ticket, LeasedRead read) {
    RowRecord record = read.record();
    Found<V> found = null;
    if (record == null) {
      entries.writes.passed(key);
    } else if (entries.format.sharesChangeableValues()) {
      found = entries.reader.read(key); // the instance that others get
    } else {
      found = entries.reader.read(key, record, ticket);
    }
    if (found == null) {
      entries.ended.tell(key, record);
    }
    return new Start<>(found, record, read.lease());
  }
}
