package io.rockpool.jcache;

import java.util.List;
import javax.cache.configuration.CacheEntryListenerConfiguration;
import javax.cache.configuration.Factory;
import javax.cache.event.CacheEntryCreatedListener;
import javax.cache.event.CacheEntryEvent;
import javax.cache.event.CacheEntryEventFilter;
import javax.cache.event.CacheEntryExpiredListener;
import javax.cache.event.CacheEntryListener;
import javax.cache.event.CacheEntryListenerException;
import javax.cache.event.CacheEntryRemovedListener;
import javax.cache.event.CacheEntryUpdatedListener;
import javax.cache.event.EventType;
import org.jspecify.annotations.Nullable;

/** A listener as it was registered, whatever becomes of its configuration. */
record Listener<K, V>(
    CacheEntryListenerConfiguration<K, V> configuration,
    CacheEntryListener<? super K, ? super V> listener,
    @Nullable CacheEntryEventFilter<? super K, ? super V> filter,
    boolean isSynchronous,
    boolean wantsOldValue) {
  /** Makes listener and filter, which {@code closing} is to close. */
  static <K, V> Listener<K, V> of(
      CacheEntryListenerConfiguration<K, V> configuration, OwnedResources closing) {
    CacheEntryListener<? super K, ? super V> listener =
        closing.add(configuration.getCacheEntryListenerFactory().create());
    Factory<CacheEntryEventFilter<? super K, ? super V>> filters =
        configuration.getCacheEntryEventFilterFactory();
    try {
      return new Listener<>(
          configuration,
          listener,
          filters == null ? null : closing.add(filters.create()),
          configuration.isSynchronous(),
          configuration.isOldValueRequired());
    } catch (Throwable e) {
      closing.close(listener);
      throw e;
    }
  }

  boolean listensTo(EventType type) {
    return switch (type) {
      case CREATED -> listener instanceof CacheEntryCreatedListener;
      case UPDATED -> listener instanceof CacheEntryUpdatedListener;
      case REMOVED -> listener instanceof CacheEntryRemovedListener;
      case EXPIRED -> listener instanceof CacheEntryExpiredListener;
    };
  }

  /**
   * Tells the listener, unless its filter says otherwise; what either throws comes as the
   * specification wants it.
   */
  @SuppressWarnings("unchecked") // a listener of supertypes takes events of the types
  void tell(EntryEvent<K, V> event) {
    try {
      if (filter != null && !filter.evaluate(event)) {
        return;
      }
      Iterable<CacheEntryEvent<? extends K, ? extends V>> events = List.of(event);
      switch (event.getEventType()) {
        case CREATED -> ((CacheEntryCreatedListener<K, V>) listener).onCreated(events);
        case UPDATED -> ((CacheEntryUpdatedListener<K, V>) listener).onUpdated(events);
        case REMOVED -> ((CacheEntryRemovedListener<K, V>) listener).onRemoved(events);
        case EXPIRED -> ((CacheEntryExpiredListener<K, V>) listener).onExpired(events);
      }
    } catch (CacheEntryListenerException e) {
      throw e;
    } catch (RuntimeException e) {
      throw new CacheEntryListenerException(
          "A listener of class " + listener.getClass().getName() + " failed.", e);
    }
  }
}
