package io.rockpool.cache;

import io.rockpool.engine.Expiry;
import io.rockpool.engine.RowRecord;
import io.rockpool.error.StoreFullException;
import io.rockpool.error.UndecodableValueException;
import io.rockpool.internal.access.ExpiredEntries;
import io.rockpool.store.Registration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BiConsumer;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.LongPredicate;
import org.jspecify.annotations.Nullable;

/** Removes expired entries that are found, and notifies listeners of them. */
final class EndedEntries<K, V> implements ExpiryScans.Scanned {
  private final CacheEntries<K, V> entries;
  private final ExpiryScans scans;

  /** A thread that notifies listeners of a key. */
  private record Telling(Thread thread, EntryKey key) {}

  private final Set<Telling> telling = ConcurrentHashMap.newKeySet();
  private final CacheListeners<K, V> listeners;
  private volatile @Nullable ExpiredEntries<? super K, ? super V> confirming;

  EndedEntries(CacheEntries<K, V> entries, ExpiryScans scans) {
    this.entries = entries;
    this.scans = scans;
    this.listeners = new CacheListeners<>(entries.space().name(), this::listenersChanged);
  }

  /** Sets the listener that confirms expired entries; null for none. */
  void confirmBy(@Nullable ExpiredEntries<? super K, ? super V> newConfirming) {
    confirming = newConfirming;
    listenersChanged();
  }

  /** Adds a listener. It is called once for each entry that was removed because it has expired. */
  Registration add(BiConsumer<? super K, ? super V> listener) {
    return listeners.add(listener);
  }

  private synchronized void listenersChanged() {
    boolean now = confirming != null || !listeners.isEmpty();
    if (now != entries.isWatched()) {
      entries.format.keepDeadlines(now);
      entries.watch(now);
      if (now) {
        scans.add(this);
      } else {
        scans.remove(this);
      }
    }
  }

  @Override
  public boolean isClosed() {
    return entries.isClosed();
  }

  @Override
  public boolean isReady() {
    ExpiredEntries<? super K, ? super V> confirms = confirming;
    return entries.isWatched() && (confirms == null || confirms.isReady());
  }

  @Override
  public void scan(LongPredicate rest, Consumer<Throwable> failed) {
    CacheIterator<K, V> all = new CacheIterator<>(entries, read -> {});
    boolean more = true;
    while (more && entries.isWatched()) {
      long start = System.nanoTime();
      more = all.meetPage(failed);
      more &= rest.test(System.nanoTime() - start);
    }
  }

  /** Like {@link #tell(EntryKey, RowRecord)}, for any record of a scan. */
  void tell(RowRecord record) {
    byte[] bytes = record.value();
    HotEntry entry = entries.format.header(bytes, 0, bytes.length, record.expiryMillis());
    if (!Expiry.isPast(entry.deadlineMillis(), entries.clock())
        || entries.reader.isInvalidated(entry, false)) {
      return;
    }
    K key = entries.reader.decodeKey(record.hashKey());
    if (key != null) {
      tell(entries.format.key(key), record);
    }
  }

  /**
   * If the entry of a record has expired, removes it and notifies listeners; in a transaction,
   * after the commit.
   */
  void tell(EntryKey key, @Nullable RowRecord record) {
    if (record != null && hasEnded(key, record)) {
      entries.engine.afterCommit(
          () ->
              tell(
                  key,
                  record,
                  () ->
                      removes(
                          new PlannedWrite<>(
                              key, record, Change.<V>remove().unwritten(), () -> true))));
    }
  }

  /**
   * Removes an entry; returns whether it did. On a full disk it does not, and a later scan finds
   * it.
   */
  private boolean removes(PlannedWrite<V> removal) {
    try {
      return entries.commits.commit(removal) != null;
    } catch (StoreFullException e) {
      return false;
    }
  }

  /**
   * The record of an expired entry that a change replaces, so that listeners are notified of it
   * later: {@code record} if it has expired, else null. Call this when the change is decided. After
   * the commit the deadline may have passed, and the moves of reads are forgotten.
   */
  @Nullable RowRecord endedBefore(
      EntryKey key, @Nullable RowRecord record, @Nullable Found<V> found) {
    return found == null && record != null && hasEnded(key, record) ? record : null;
  }

  /**
   * Notifies listeners of a replaced record from {@link #endedBefore}; in a transaction, after the
   * commit and before later notifications.
   */
  void tellBefore(EntryKey key, @Nullable RowRecord replaced) {
    if (replaced != null) {
      AtomicBoolean removed = new AtomicBoolean();
      entries.engine.tellAfterCommit(
          () -> tell(key, replaced, () -> !removed.getAndSet(true)), null);
    }
  }

  private boolean hasEnded(EntryKey key, RowRecord record) {
    if (!entries.isWatched() || !entries.reader.isPast(key, record)) {
      return false;
    }
    byte[] bytes = record.value();
    // What was invalidated before has not expired.
    return !entries.reader.isInvalidated(
        entries.format.header(bytes, 0, bytes.length, record.expiryMillis()), false);
  }

  private void tell(EntryKey key, RowRecord record, BooleanSupplier removal) {
    if (!entries.isWatched() || entries.isClosed()) {
      return;
    }
    V value;
    try {
      value = entries.format.recordValue(record);
    } catch (UndecodableValueException e) {
      if (removal.getAsBoolean()) {
        entries.counters.undecodable.increment();
      }
      return;
    }
    Telling mine = new Telling(Thread.currentThread(), key.byBytes());
    if (telling.add(mine)) { // a listener that uses its key finds the entry again
      try {
        tell(entries.format.decodeKey(key.bytes()), value, removal);
      } finally {
        telling.remove(mine);
      }
    }
  }

  private void tell(K key, V value, BooleanSupplier removal) {
    ExpiredEntries<? super K, ? super V> confirms = confirming;
    boolean[] removed = new boolean[1];
    if (confirms == null) {
      removed[0] = removal.getAsBoolean();
    } else {
      confirms.met(
          key,
          value,
          () -> {
            boolean mine = removal.getAsBoolean();
            removed[0] |= mine;
            return mine;
          });
    }
    if (removed[0]) {
      listeners.tell(key, value);
    }
  }
}
