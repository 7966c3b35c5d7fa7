package io.rockpool.jcache;

import io.rockpool.internal.access.Decision;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Changes single entries. Calls the cache writer before a change and the listeners after it.
 *
 * <p>A cache without writer and listeners takes a lock for entry processors only: any other change
 * is the kernel's optimistic update. Otherwise the changes of a key are made one after the other,
 * so that writer and listeners see them in order. With a writer, the decided change is made even if
 * another manager on the same store changed the entry in between.
 */
final class EntryChanges<K, V> {
  private final StoreChanges<K, V> store;
  private final ObservedChanges<K, V> watching;
  private final RunningProcessors<K> processors;
  private final ProcessorLocks<K> processed;

  EntryChanges(
      StoreChanges<K, V> store,
      ObservedChanges<K, V> watching,
      RunningProcessors<K> processors,
      ProcessorLocks<K> processed) {
    this.store = store;
    this.watching = watching;
    this.processors = processors;
    this.processed = processed;
  }

  /** Puts a value without looking at what is there. */
  void putBlind(K key, V value) {
    processors.check(key);
    WriterCalls<K, V> writing = watching.writing();
    if (writing == null) {
      storeBlind(key, value);
      return;
    }
    try (KeyLocks.Held lock = watching.lock(key)) {
      writing.write(key, Decision.put(value));
      storeBlind(key, value);
    }
  }

  private void storeBlind(K key, V value) {
    StoreChanges.run(() -> store.kernel().put(key, value));
  }

  /** Does to an entry what {@code decision} says, whatever is there. */
  Outcome<V> make(K key, Decision<V> decision) {
    processors.check(key);
    AttributedDecision<V> ruling = AttributedDecision.of(decision);
    if (!watching.isOn()) {
      return store.store(key, there -> ruling);
    }
    try (KeyLocks.Held lock = watching.lock(key)) {
      watching.write(key, ruling);
      return watching.told(key, store.store(key, there -> ruling));
    }
  }

  /** Does to an entry what an operation decides from its value, or null. */
  Outcome<V> decide(K key, Function<? super @Nullable V, Decision<V>> rule) {
    return change(key, there -> AttributedDecision.of(rule.apply(there)));
  }

  /** Does to an entry what {@code rule} decides from its value, or null. */
  Outcome<V> change(K key, Function<? super @Nullable V, AttributedDecision<V>> rule) {
    processors.check(key);
    if (!watching.isOn()) {
      return store.store(key, rule);
    }
    try (KeyLocks.Held lock = watching.lock(key)) {
      if (watching.writing() == null) {
        return watching.told(key, store.store(key, rule));
      }
      AttributedDecision<V> ruling = rule.apply(valueOf(key));
      watching.write(key, ruling);
      return watching.told(
          key,
          store.store(
              key,
              there ->
                  ruling.origin() == Origin.ABSENCE && there != null
                      ? AttributedDecision.of(
                          Decision.keep()) // which the writer was not told to delete
                      : ruling));
    }
  }

  /** Removes an entry that has this value; where there is none, ends the loads of its key. */
  Outcome<V> remove(K key, V value) {
    return change(
        key,
        there ->
            there == null
                ? new AttributedDecision<>(Decision.remove(), Origin.ABSENCE)
                : AttributedDecision.of(
                    Objects.deepEquals(there, value) ? Decision.remove() : Decision.access()));
  }

  /** Runs a processor, while no other one runs on the key, and does what it says. */
  void process(K key, ProcessorRun<K, V, ?> run) {
    processors.check(key);
    try (run;
        KeyLocks.Held lock = processed.lock(key)) {
      run.done(change(key, run::run));
    }
  }

  private @Nullable V valueOf(K key) {
    return store.store(key, there -> AttributedDecision.of(Decision.keep())).before();
  }

  /**
   * What {@code loading} has for a key that was just missed, which becomes an entry; single-flight,
   * not written through, and loaded with no lock held, since loaders may use the cache.
   */
  @Nullable V load(K key, Loading<K, V> loading) {
    return StoreChanges.call(() -> store.access().load(key, loading::load, watching::storeLoaded));
  }
}
