package io.rockpool.cache;

import io.rockpool.engine.Expiry;
import io.rockpool.engine.RowRecord;
import io.rockpool.error.UndecodableValueException;
import java.util.Objects;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.LongPredicate;
import org.jspecify.annotations.Nullable;

/** Tells whoever wants to know of entries that are met after their end. */
final class EndedEntries<K, V> {
  private final CacheEntries<K, V> entries;
  private final ExpiryScans scans;
  private volatile @Nullable ExpiredEntries<? super K, ? super V> listener;

  EndedEntries(CacheEntries<K, V> entries, ExpiryScans scans) {
    this.entries = entries;
    this.scans = scans;
  }

  /** From now on tells this one; nobody if it is null. */
  void watch(@Nullable ExpiredEntries<? super K, ? super V> newListener) {
    entries.format.keepDeadlines(newListener != null);
    listener = newListener;
    if (newListener == null) {
      scans.remove(this);
    } else {
      scans.add(this);
    }
  }

  /** Whether somebody wants to be told. */
  boolean isWatched() {
    return listener != null;
  }

  boolean isClosed() {
    return entries.isClosed();
  }

  /** Whether who is to be told can be told of more. */
  boolean isReady() {
    ExpiredEntries<? super K, ? super V> told = listener;
    return told != null && told.isReady();
  }

  /**
   * Meets all entries that have ended, a page at a time, while somebody wants to be told.
   *
   * @param rest called after each page with the nanoseconds it took; says whether to go on
   * @param failed told what telling of an entry has thrown, after which the next ones follow
   */
  void meetAll(LongPredicate rest, Consumer<Throwable> failed) {
    CacheIterator<K, V> all = new CacheIterator<>(entries, key -> {});
    boolean more = true;
    while (more && isWatched()) {
      long start = System.nanoTime();
      more = all.meetPage(failed);
      more &= rest.test(System.nanoTime() - start);
    }
  }

  /** As {@link #tell(EntryKey, RowRecord)}, for a record of which hardly anything is known. */
  void tell(RowRecord record) {
    byte[] bytes = record.value();
    HotEntry entry = EntryFormat.header(bytes, 0, bytes.length, record.expiryMillis());
    if (!Expiry.isPast(entry.deadlineMillis(), entries.clock())) {
      return;
    }
    K key = entries.decodeKey(record.hashKey());
    if (key != null) {
      tell(entries.format.key(key), record);
    }
  }

  /** Removes the entry of a record that was read, if it has ended, and tells of it. */
  void tell(EntryKey key, @Nullable RowRecord record) {
    tell(
        key,
        record,
        () ->
            entries.commits.commit(
                new Commits.Planned<>(
                    key, Objects.requireNonNull(record), Change.remove(), () -> true)));
  }

  /** Tells of the entry of a record that was replaced, if it had ended. */
  void tellBefore(EntryKey key, @Nullable RowRecord replaced) {
    tell(key, replaced, () -> true);
  }

  private void tell(EntryKey key, @Nullable RowRecord record, BooleanSupplier removal) {
    ExpiredEntries<? super K, ? super V> told = listener;
    if (told == null || record == null || entries.isClosed()) {
      return;
    }
    byte[] bytes = record.value();
    HotEntry entry = EntryFormat.header(bytes, 0, bytes.length, record.expiryMillis());
    if (entries.isPast(key, entry)) {
      V value;
      try {
        value = entries.format.recordValue(record);
      } catch (UndecodableValueException e) {
        if (removal.getAsBoolean()) {
          entries.counters.undecodable.increment();
        }
        return;
      }
      told.met(entries.format.decodeKey(key.bytes()), value, removal);
    }
  }
}
