package io.rockpool.jcache;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import javax.cache.Cache;
import javax.cache.configuration.CacheEntryListenerConfiguration;
import javax.cache.event.EventType;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The listeners of one cache. Synchronous ones are called on the thread that changed the entry,
 * before its call returns and while it holds the key's lock, so that they see a key's events in
 * order. The others are called by one thread for the cache, in the order of the changes; where they
 * fall {@link #MAX_WAITING} events behind, further events are dropped: counted, and logged once
 * until they have caught up, so that a listener that blocks cannot stop the cache.
 */
final class EntryListeners<K, V> {
  private static final Logger LOG = LoggerFactory.getLogger(EntryListeners.class);

  /**
   * How many events wait for listeners that are not synchronous: some 100 bytes each, and what they
   * hold.
   */
  static final int MAX_WAITING = 10_000;

  /** How long the thread stays when there is nothing to tell. */
  private static final long IDLE_SECONDS = 10;

  /** How long closing waits for events that were not told yet. */
  private static final long CLOSE_WAIT_MILLIS = 1_000;

  private final Cache<K, V> source;
  private final Copies<K, V> copies;
  private final OwnedResources closing;
  private final List<Listener<K, V>> listeners = new CopyOnWriteArrayList<>();
  private final Runnable onDrop;
  private final AtomicBoolean behind = new AtomicBoolean();

  /** Tells those that are not synchronous; null while there was none. */
  private volatile @Nullable ThreadPoolExecutor teller;

  /** The listeners of {@code source}; {@code onDrop} is run for each event that is dropped. */
  EntryListeners(Cache<K, V> source, Copies<K, V> copies, OwnedResources closing, Runnable onDrop) {
    this.source = source;
    this.copies = copies;
    this.closing = closing;
    this.onDrop = onDrop;
  }

  private ThreadPoolExecutor newTeller() {
    ThreadPoolExecutor executor =
        new ThreadPoolExecutor(
            1,
            1,
            IDLE_SECONDS,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(MAX_WAITING),
            task ->
                RockpoolJCacheManager.daemon(
                    task,
                    "rockpool-listeners-" + source.getName(),
                    source.getCacheManager().getClassLoader()),
            (task, rejecting) -> drop(rejecting.isShutdown()));
    executor.allowCoreThreadTimeOut(true);
    return executor;
  }

  private void drop(boolean closed) {
    onDrop.run();
    if (!closed && behind.compareAndSet(false, true)) {
      LOG.warn(
          "The listeners of cache {} are {} events behind; further events are dropped, and counted as DroppedEvents in its statistics",
          source.getName(),
          MAX_WAITING);
    }
  }

  /** Whether the queue of asynchronous events has room. */
  boolean isReady() {
    ThreadPoolExecutor there = teller;
    return there == null || there.getQueue().size() <= MAX_WAITING / 2;
  }

  boolean isEmpty() {
    return listeners.isEmpty();
  }

  /** Whether a put must know what was there for their sake. */
  boolean hearOfPuts() {
    return hear(EventType.CREATED) || hear(EventType.UPDATED) || hear(EventType.EXPIRED);
  }

  /** Whether a removal must know what was there for their sake. */
  boolean hearOfRemovals() {
    return hear(EventType.REMOVED) || hear(EventType.EXPIRED);
  }

  boolean hear(EventType type) {
    for (Listener<K, V> listener : listeners) {
      if (listener.listensTo(type)) {
        return true;
      }
    }
    return false;
  }

  /** Adds a listener; one registration at a time. */
  void register(CacheEntryListenerConfiguration<K, V> configuration) {
    Listener<K, V> listener = Listener.of(configuration, closing);
    if (!listener.isSynchronous() && teller == null) {
      teller = newTeller();
    }
    listeners.add(listener);
  }

  void deregister(CacheEntryListenerConfiguration<K, V> configuration) {
    List<Listener<K, V>> leaving =
        listeners.stream().filter(there -> there.configuration().equals(configuration)).toList();
    listeners.removeAll(leaving);
    for (Listener<K, V> listener : leaving) {
      if (listener.filter() != null) {
        closing.close(listener.filter());
      }
      closing.close(listener.listener());
    }
  }

  /**
   * Creates the call of the listeners for a change, to be run now or later, with copies of key and
   * values as they are now. For a removal, the old value is also the value.
   */
  Runnable message(EventType type, K key, @Nullable V value, @Nullable V before) {
    List<Runnable> messages = new ArrayList<>();
    for (Listener<K, V> listener : listeners) {
      if (listener.listensTo(type)) {
        EntryEvent<K, V> event = event(listener, type, key, value, before);
        messages.add(
            listener.isSynchronous()
                ? () -> tellNow(listener, event)
                : () -> Objects.requireNonNull(teller).execute(() -> tellLater(listener, event)));
      }
    }
    return () -> {
      Failures failures = new Failures();
      messages.forEach(failures::tryTo);
      failures.throwFirst();
    };
  }

  private void tellNow(Listener<K, V> listener, EntryEvent<K, V> event) {
    if (listeners.contains(listener)) { // or it was deregistered, and closed, since
      listener.tell(event);
    }
  }

  private EntryEvent<K, V> event(
      Listener<K, V> listener, EventType type, K key, @Nullable V value, @Nullable V before) {
    V old = before != null && listener.wantsOldValue() ? copies.ofValue(before) : null;
    boolean gone = type == EventType.REMOVED || type == EventType.EXPIRED;
    V now = gone || value == null ? old : copies.ofValue(value);
    return new EntryEvent<>(source, type, copies.ofKey(key), now, old);
  }

  private void tellLater(Listener<K, V> listener, EntryEvent<K, V> event) {
    if (Objects.requireNonNull(teller).getQueue().isEmpty()) {
      behind.set(false);
    }
    if (!listeners.contains(listener)) {
      return; // deregistered, and closed, since
    }
    try {
      listener.tell(event);
    } catch (RuntimeException | Error e) { // the thread tells others
      LOG.warn("A listener of cache {} failed; the cache goes on", source.getName(), e);
    }
  }

  /**
   * Delivers the remaining events for a limited time and ends the thread. Undelivered events count
   * as dropped.
   */
  void close() {
    ThreadPoolExecutor ending = teller;
    if (ending == null) {
      return;
    }
    ending.shutdown();
    try {
      if (ending.awaitTermination(CLOSE_WAIT_MILLIS, TimeUnit.MILLISECONDS)) {
        return;
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    List<Runnable> untold = ending.shutdownNow();
    if (!untold.isEmpty()) {
      untold.forEach(event -> onDrop.run());
      LOG.warn(
          "Cache {} was closed before its listeners were told of {} events",
          source.getName(),
          untold.size());
    }
  }
}
