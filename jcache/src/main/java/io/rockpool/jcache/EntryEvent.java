package io.rockpool.jcache;

import javax.cache.Cache;
import javax.cache.event.CacheEntryEvent;
import javax.cache.event.EventType;
import org.jspecify.annotations.Nullable;

/** What happened to an entry, as one listener may see it. */
final class EntryEvent<K, V> extends CacheEntryEvent<K, V> {
  private static final long serialVersionUID = 1L;

  private final transient K key;
  private final transient @Nullable V value;
  private final transient @Nullable V oldValue;

  EntryEvent(Cache<K, V> source, EventType type, K key, @Nullable V value, @Nullable V oldValue) {
    super(source, type);
    this.key = key;
    this.value = value;
    this.oldValue = oldValue;
  }

  @Override
  public K getKey() {
    return key;
  }

  @Override
  @SuppressWarnings("NullAway") // the specification wants null where there is none
  public V getValue() {
    return value;
  }

  @Override
  @SuppressWarnings("NullAway") // the specification wants null where there is none
  public V getOldValue() {
    return oldValue;
  }

  @Override
  public boolean isOldValueAvailable() {
    return oldValue != null;
  }

  @Override
  public <T> T unwrap(Class<T> type) {
    return Unwrapping.of(this, type);
  }
}
