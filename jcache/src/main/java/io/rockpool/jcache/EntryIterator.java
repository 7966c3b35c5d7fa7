package io.rockpool.jcache;

import java.util.Iterator;
import java.util.Map;
import java.util.function.Consumer;
import javax.cache.Cache;
import org.jspecify.annotations.Nullable;

/** The kernel's iterator, where each entry counts as read and a removal is the cache's own. */
final class EntryIterator<K, V> implements Iterator<Cache.Entry<K, V>> {
  private final Iterator<Map.Entry<K, V>> entries;
  private final Copies<K, V> copies;
  private final Reader<K, V> reader;
  private final Runnable ensureOpen;
  private final Consumer<K> remover;
  private @Nullable K last;

  /** Takes the next of the kernel's entries, as a read. */
  interface Reader<K, V> {
    Map.Entry<K, V> next(Iterator<Map.Entry<K, V>> entries);
  }

  EntryIterator(
      Iterator<Map.Entry<K, V>> entries,
      Copies<K, V> copies,
      Reader<K, V> reader,
      Runnable ensureOpen,
      Consumer<K> remover) {
    this.entries = entries;
    this.copies = copies;
    this.reader = reader;
    this.ensureOpen = ensureOpen;
    this.remover = remover;
  }

  @Override
  public boolean hasNext() {
    ensureOpen.run();
    return StoreChanges.call(entries::hasNext);
  }

  @Override
  public Cache.Entry<K, V> next() {
    ensureOpen.run();
    Map.Entry<K, V> entry = StoreChanges.call(() -> reader.next(entries));
    last = entry.getKey();
    return new CacheEntry<>(copies.ofKey(entry.getKey()), entry.getValue());
  }

  @Override
  public void remove() {
    if (last == null) {
      throw new IllegalStateException("There is no entry to remove; call next first.");
    }
    remover.accept(last);
    last = null;
  }
}
