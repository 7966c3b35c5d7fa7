package io.rockpool.jcache;

import io.rockpool.internal.access.CacheTransactions;
import io.rockpool.internal.access.Decision;
import io.rockpool.internal.access.LoadStoring;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.function.BooleanSupplier;
import javax.cache.CacheException;
import javax.cache.event.CacheEntryListenerException;
import javax.cache.event.EventType;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Calls a cache's writer before each change and its listeners after it. The changes of a key are
 * made under its lock; events of a transaction are delivered under that lock after the commit.
 */
record ObservedChanges<K, V>(
    KeyLocks<K> locks,
    @Nullable WriterCalls<K, V> writing,
    EntryListeners<K, V> listeners,
    CacheTransactions transactions) {
  private static final Logger LOG = LoggerFactory.getLogger(ObservedChanges.class);

  /** Whether anybody wants to know of every single change. */
  boolean isOn() {
    return writing != null || !listeners.isEmpty();
  }

  /** The lock of a key that an operation may change; refused where its writer cannot join. */
  KeyLocks.Held lock(K key) {
    if (transactions.isInside()) {
      refuseWriter();
      return () -> {};
    }
    return locks.lock(key);
  }

  /** As {@link #lock}, for many. */
  KeyLocks.Held lockAll(Collection<? extends K> keys) {
    if (transactions.isInside()) {
      refuseWriter();
    }
    return hold(keys);
  }

  private void refuseWriter() {
    if (writing != null) {
      throw new CacheException(
          "A change of a cache with a CacheWriter was tried inside a transaction, which may run again or be rolled"
              + " back, while what a writer wrote stays. Change this cache after the transaction, in afterCommit, or"
              + " configure it without write-through.");
    }
  }

  /** It would wait for the transaction's entries, and stay if the transaction is rolled back. */
  void refuseLoadAllInTransaction(String cache) {
    if (transactions.isInside()) {
      throw new IllegalStateException(
          "loadAll of cache \""
              + cache
              + "\" was called inside a transaction, which the thread that loads does not join. Call it after the"
              + " transaction, in afterCommit. Inside one, getAll of a read-through cache loads.");
    }
  }

  private KeyLocks.Held hold(Collection<? extends K> keys) {
    return transactions.isInside() ? () -> {} : locks.lockAll(keys);
  }

  /** Tells the writer what is about to be done, if it concerns it. */
  void write(K key, AttributedDecision<V> ruling) {
    if (writing != null && ruling.isWrittenThrough()) {
      writing.write(key, ruling.decision());
    }
  }

  /**
   * Tells the listeners what was done, if it concerns them: now, or once the transaction has
   * committed; returns the same.
   */
  Outcome<V> told(K key, Outcome<V> outcome) {
    EventType event = listeners.isEmpty() ? null : outcome.event();
    if (event != null) {
      Runnable message =
          listeners.message(event, key, outcome.ruling().decision().value(), outcome.before());
      if (transactions.isInside()) {
        transactions.tellAfterCommit(message, locks.of(key));
      } else {
        message.run();
      }
    }
    return outcome;
  }

  /**
   * Reports an expired entry to the listeners, if {@code removal} is what removes it. Does nothing
   * while another thread changes the key: that thread reports it. Failures are logged, not thrown
   * to the caller that found the entry.
   */
  void expired(K key, V value, BooleanSupplier removal) {
    try (KeyLocks.Held lock = locks.tryLock(key)) {
      if (lock != null && removal.getAsBoolean()) {
        listeners.message(EventType.EXPIRED, key, null, value).run();
      }
    } catch (CacheEntryListenerException e) {
      LOG.warn("A listener failed when it was told of an expired entry; the cache goes on", e);
    }
  }

  /**
   * Reports a refreshed entry to the listeners, if {@code change} is what changes it. No caller
   * waits for a refresh, so failures are logged.
   */
  void refreshed(K key, @Nullable V before, @Nullable V after, BooleanSupplier change) {
    Decision<V> decision = after == null ? Decision.remove() : Decision.put(after);
    try (KeyLocks.Held lock = isOn() ? locks.lock(key) : () -> {}) {
      if (change.getAsBoolean()) {
        boolean changed = before != null || after != null;
        told(
            key,
            new Outcome<>(
                before, new AttributedDecision<>(decision, Origin.LOADER), changed, false));
      }
    } catch (CacheEntryListenerException e) {
      LOG.warn("A listener failed when it was told of a refreshed entry; the cache goes on", e);
    }
  }

  /** Tells the listeners what was done; all of it, also where some of them fail. */
  void tellAll(Map<K, Outcome<V>> outcomes) {
    Failures failures = new Failures();
    outcomes.forEach((key, outcome) -> failures.tryTo(() -> told(key, outcome)));
    failures.throwFirst();
  }

  /** Stores loaded values and reports them to the listeners; see {@link LoadStoring}. */
  void storeLoaded(Map<K, V> loaded, LoadStoring.Store<K> store) {
    if (!isOn()) {
      store.run();
      return;
    }
    try (KeyLocks.Held lock = hold(loaded.keySet())) {
      Map<K, Outcome<V>> outcomes = new LinkedHashMap<>();
      for (K key : store.run()) {
        Decision<V> creation = Decision.put(Objects.requireNonNull(loaded.get(key)));
        outcomes.put(
            key,
            new Outcome<>(null, new AttributedDecision<>(creation, Origin.LOADER), true, false));
      }
      tellAll(outcomes);
    }
  }
}
