package io.rockpool.jcache;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import javax.cache.configuration.MutableCacheEntryListenerConfiguration;
import javax.cache.event.CacheEntryCreatedListener;
import javax.cache.event.CacheEntryEvent;
import javax.cache.event.CacheEntryExpiredListener;
import javax.cache.event.CacheEntryRemovedListener;
import javax.cache.event.CacheEntryUpdatedListener;

/** A listener that replays its events, and notes each event that does not fit those before it. */
final class ReplayedEvents
    implements CacheEntryCreatedListener<String, Integer>,
        CacheEntryUpdatedListener<String, Integer>,
        CacheEntryRemovedListener<String, Integer>,
        CacheEntryExpiredListener<String, Integer> {
  private final Map<String, Integer> state = new HashMap<>();
  private final List<String> all = new ArrayList<>();
  private final List<String> misfits = new ArrayList<>();

  MutableCacheEntryListenerConfiguration<String, Integer> registration(boolean synchronous) {
    return new MutableCacheEntryListenerConfiguration<>(() -> this, null, true, synchronous);
  }

  private synchronized void replay(
      Iterable<CacheEntryEvent<? extends String, ? extends Integer>> events) {
    for (CacheEntryEvent<? extends String, ? extends Integer> event : events) {
      String key = event.getKey();
      String text =
          "%s %s %s->%s"
              .formatted(event.getEventType(), key, event.getOldValue(), event.getValue());
      all.add(text);
      Integer expected =
          switch (event.getEventType()) {
            case CREATED -> null;
            case UPDATED, REMOVED, EXPIRED -> event.getOldValue();
          };
      if (!Objects.equals(state.get(key), expected)) {
        misfits.add(text + " on " + state.get(key));
      }
      switch (event.getEventType()) {
        case CREATED, UPDATED -> state.put(key, event.getValue());
        case REMOVED, EXPIRED -> state.remove(key);
      }
    }
  }

  /** What the events come to. */
  synchronized Map<String, Integer> state() {
    return new HashMap<>(state);
  }

  /** Every event as text. */
  synchronized List<String> all() {
    return new ArrayList<>(all);
  }

  synchronized List<String> misfits() {
    return new ArrayList<>(misfits);
  }

  @Override
  public void onCreated(Iterable<CacheEntryEvent<? extends String, ? extends Integer>> events) {
    replay(events);
  }

  @Override
  public void onUpdated(Iterable<CacheEntryEvent<? extends String, ? extends Integer>> events) {
    replay(events);
  }

  @Override
  public void onRemoved(Iterable<CacheEntryEvent<? extends String, ? extends Integer>> events) {
    replay(events);
  }

  @Override
  public void onExpired(Iterable<CacheEntryEvent<? extends String, ? extends Integer>> events) {
    replay(events);
  }
}
