package io.rockpool.cache;

import io.rockpool.engine.RecordKey;
import io.rockpool.engine.RowRecord;
import io.rockpool.engine.Space;
import io.rockpool.internal.scan.PagedIterator;
import java.util.Arrays;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** An iterator over the entries of a cache. It reads each record again that may have changed. */
final class CacheIterator<K, V> extends PagedIterator<CacheIterator.Read<K, V>, Map.Entry<K, V>> {
  private final CacheEntries<K, V> entries;
  private final Consumer<Read<K, V>> remover;

  /** The tickets of the stripes, taken before the page was read. */
  private long[] tickets = {};

  /**
   * An entry that was read.
   *
   * @param record its record
   * @param hot the hot entry whose value was returned; null for that of the record
   */
  record Read<K, V>(
      EntryKey key, RowRecord record, @Nullable HotEntry hot, Map.Entry<K, V> entry) {}

  CacheIterator(CacheEntries<K, V> entries, Consumer<Read<K, V>> remover) {
    super((behind, records) -> entries.space().scanAll(key(behind)), true, PAGE_RECORDS);
    this.entries = entries;
    this.remover = remover;
  }

  private static @Nullable RecordKey key(@Nullable RowRecord record) {
    return record == null ? null : new RecordKey(record.hashKey(), record.sortKey());
  }

  @Override
  public boolean hasNext() {
    entries.ensureOpen();
    return super.hasNext();
  }

  @Override
  protected Map.Entry<K, V> element(Read<K, V> reached) {
    return reached.entry();
  }

  @Override
  protected void remove(Read<K, V> returned) {
    remover.accept(returned);
  }

  /**
   * Reads a page and notifies listeners of its expired entries. Returns whether there are more
   * pages.
   *
   * @param failed receives what the notification of an entry has thrown
   */
  boolean meetPage(Consumer<Throwable> failed) {
    entries.ensureOpen();
    readPage();
    RowRecord record;
    while ((record = poll()) != null) {
      try {
        entries.ended.tell(record);
      } catch (Throwable e) { // the listeners of the other entries are still notified
        failed.accept(e);
      }
    }
    return !isEnded();
  }

  @Override
  protected void readPage() {
    tickets = entries.shared.tickets();
    super.readPage();
    if (entries.shared.changesElsewhere) {
      tickets = entries.shared.passed(tickets);
    }
  }

  /** The entry of a record; null if it has expired, or cannot be decoded, which is counted. */
  @Override
  protected @Nullable Read<K, V> reach(RowRecord record) {
    K key = entries.reader.decodeKey(record.hashKey());
    if (key == null) {
      return null;
    }
    EntryKey entryKey = entries.format.key(key);
    if (!Arrays.equals(entryKey.bytes(), record.hashKey())) {
      return null; // the server has evicted what the directory had of the key
    }
    RowRecord now = current(entryKey, record);
    Found<V> found = now == null ? null : entries.reader.read(entryKey, now);
    if (now == null || found == null) {
      entries.ended.tell(entryKey, now);
      return null;
    }
    HotEntry hot = entries.reader.hotScanned(entryKey);
    V value = hot == null ? found.value() : entries.format.value(hot);
    return new Read<>(entryKey, now, hot, Map.entry(key, value));
  }

  /**
   * The current record. It is read again if its key may have been written since the page was read,
   * because the caller may already have read the new value.
   */
  private @Nullable RowRecord current(EntryKey key, RowRecord record) {
    if (entries.shared.isUnwritten(key, tickets)) {
      return record;
    }
    RowRecord now = entries.space().get(key.bytes(), Space.NO_SORT_KEY);
    entries.writes.passed(key);
    return now;
  }
}
