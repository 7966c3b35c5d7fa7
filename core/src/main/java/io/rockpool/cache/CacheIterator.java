package io.rockpool.cache;

import io.rockpool.engine.RecordKey;
import io.rockpool.engine.RowRecord;
import io.rockpool.engine.Space;
import io.rockpool.internal.scan.RecordPages;
import java.util.Iterator;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Walks over a cache a page at a time, and holds nothing of the store open between pages: an
 * iterator has no close.
 */
final class CacheIterator<K, V> implements Iterator<Map.Entry<K, V>> {
  private final CacheEntries<K, V> entries;
  private final Consumer<K> remover;
  private final RecordPages pages;

  /** Those of the stripes from before the page was read. */
  private long[] tickets = {};

  private Map.@Nullable Entry<K, V> next;
  private @Nullable K lastReturned;

  CacheIterator(CacheEntries<K, V> entries, Consumer<K> remover) {
    this.entries = entries;
    this.remover = remover;
    this.pages = new RecordPages((behind, records) -> entries.space().scanAll(key(behind)));
  }

  private static @Nullable RecordKey key(@Nullable RowRecord record) {
    return record == null ? null : new RecordKey(record.hashKey(), record.sortKey());
  }

  @Override
  public boolean hasNext() {
    entries.ensureOpen();
    while (next == null) {
      RowRecord record = pages.poll();
      if (record == null) {
        if (pages.isEnded()) {
          return false;
        }
        readPage();
      } else {
        next = entry(record);
      }
    }
    return true;
  }

  @Override
  public Map.Entry<K, V> next() {
    if (!hasNext()) {
      throw new NoSuchElementException();
    }
    Map.Entry<K, V> entry = java.util.Objects.requireNonNull(next);
    next = null;
    lastReturned = entry.getKey();
    return entry;
  }

  @Override
  public void remove() {
    if (lastReturned == null) {
      throw new IllegalStateException("There is no entry to remove; call next first.");
    }
    remover.accept(lastReturned);
    lastReturned = null;
  }

  /**
   * Reads a page, and tells of what has ended of it; says whether there are more pages.
   *
   * @param failed told what telling of an entry has thrown
   */
  boolean meetPage(Consumer<Throwable> failed) {
    entries.ensureOpen();
    readPage();
    RowRecord record;
    while ((record = pages.poll()) != null) {
      try {
        entries.ended.tell(record);
      } catch (Throwable e) { // others' code has thrown it, and the others are to be told of
        failed.accept(e);
      }
    }
    return !pages.isEnded();
  }

  private void readPage() {
    tickets = entries.shared.tickets();
    pages.read();
  }

  /** The entry of a record; null if it is past, or cannot be decoded, which is counted. */
  private Map.@Nullable Entry<K, V> entry(RowRecord record) {
    K key = entries.decodeKey(record.hashKey());
    if (key == null) {
      return null;
    }
    EntryKey entryKey = entries.format.key(key);
    RowRecord now = current(entryKey, record);
    CacheEntries.Found<V> found = now == null ? null : entries.read(entryKey, now);
    if (found == null) {
      entries.ended.tell(entryKey, now);
      return null;
    }
    return Map.entry(key, entries.scanned(entryKey, found));
  }

  /**
   * A record of the page as it is now: read again if its key may have been written since, for the
   * caller may have read that already.
   */
  private @Nullable RowRecord current(EntryKey key, RowRecord record) {
    return entries.shared.isUnwritten(key, tickets)
        ? record
        : entries.space().get(key.bytes(), Space.NO_SORT_KEY);
  }
}
