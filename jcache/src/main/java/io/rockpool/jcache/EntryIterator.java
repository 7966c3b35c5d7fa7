package io.rockpool.jcache;

import io.rockpool.error.RockpoolException;
import java.util.Iterator;
import java.util.Map;
import java.util.function.Consumer;
import javax.cache.Cache;
import org.jspecify.annotations.Nullable;

/** The kernel's iterator, where each entry counts as read and a removal is the cache's own. */
final class EntryIterator<K, V> implements Iterator<Cache.Entry<K, V>> {
  private final Iterator<Map.Entry<K, V>> entries;
  private final Copies<K, V> copies;
  private final Consumer<K> onRead;
  private final Consumer<K> remover;
  private @Nullable K last;

  EntryIterator(
      Iterator<Map.Entry<K, V>> entries,
      Copies<K, V> copies,
      Consumer<K> onRead,
      Consumer<K> remover) {
    this.entries = entries;
    this.copies = copies;
    this.onRead = onRead;
    this.remover = remover;
  }

  @Override
  public boolean hasNext() {
    try {
      return entries.hasNext();
    } catch (RockpoolException e) {
      throw Closing.wrapped(e);
    }
  }

  @Override
  public Cache.Entry<K, V> next() {
    try {
      Map.Entry<K, V> entry = entries.next();
      onRead.accept(entry.getKey());
      last = entry.getKey();
      return new CacheEntry<>(copies.ofKey(entry.getKey()), entry.getValue());
    } catch (RockpoolException e) {
      throw Closing.wrapped(e);
    }
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
