package io.rockpool.cache;

import io.rockpool.engine.Expiry;
import java.util.Map;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.ToLongBiFunction;
import org.jspecify.annotations.Nullable;

/**
 * One caller's way to the value of a key that was not there: by loading it, or by waiting for who
 * does.
 */
final class LoadingRead<K, V> {
  private final CacheEntries<K, V> entries;
  private final K key;
  private final EntryKey entryKey;
  private final Function<? super K, ? extends @Nullable V> loader;
  private final LoadStoring<K, V> storing;
  private final ToLongBiFunction<K, V> deadlineMillis;

  /** A read of a key that was just missed; the last argument tells until when a new entry lives. */
  LoadingRead(
      CacheEntries<K, V> entries,
      K key,
      Function<? super K, ? extends @Nullable V> loader,
      LoadStoring<K, V> storing,
      ToLongBiFunction<K, V> deadlineMillis) {
    this.entries = entries;
    this.key = key;
    this.entryKey = entries.format.key(key);
    this.loader = loader;
    this.storing = storing;
    this.deadlineMillis = deadlineMillis;
  }

  @Nullable V load() {
    Loads.Load mine = new Loads.Load();
    if (entries.inTransaction()) {
      // Another thread's load may wait for what the transaction holds; and its own is for it alone.
      return loadAndStore(mine);
    }
    Loads.Load running = entries.loads.join(entryKey, mine);
    if (running != null) {
      HotEntry loaded = running.await();
      return loaded == null ? null : entries.format.value(loaded);
    }
    try {
      V value = loadAndStore(mine);
      mine.complete(
          value == null ? null : entries.format.write(entryKey, value, Expiry.NEVER).entry());
      return value;
    } catch (Throwable e) {
      mine.fail(e);
      throw e;
    } finally {
      entries.loads.end(entryKey, mine);
    }
  }

  private @Nullable V loadAndStore(Loads.Load load) {
    CacheEntries.Found<V> there = entries.read(entryKey);
    if (there != null) {
      return there.value(); // another load has ended since the miss
    }
    V value = callLoader();
    if (value == null) {
      return null;
    }
    Object[] winner = {value};
    storing.store(Map.of(key, value), () -> store(value, load, winner) ? Set.of(key) : Set.of());
    @SuppressWarnings("unchecked") // what was loaded or is there
    V result = (V) winner[0];
    return result;
  }

  /** Stores what was loaded if there is still nothing; says whether it did, and what is there. */
  private boolean store(V value, Loads.Load load, Object[] winner) {
    Change<V> creation = Change.write(value, deadlineMillis.applyAsLong(key, value));
    BooleanSupplier wanted = () -> !load.isSuperseded();
    // Nothing was there when the load began, and mostly nothing is: that needs no look.
    if (creation.changes(null)
        && wanted.getAsBoolean()
        && entries.commits.commit(new Commits.Planned<>(entryKey, null, creation, wanted))) {
      return true;
    }
    Change<V> change =
        entries.update(
            entryKey,
            found -> {
              winner[0] = found == null ? value : found.value();
              return found == null ? creation : Change.keep();
            },
            wanted);
    return change.kind() == Change.Kind.WRITE;
  }

  private @Nullable V callLoader() {
    CacheCounters counters = entries.counters;
    long begun = System.nanoTime();
    boolean done = false;
    try {
      V value = loader.apply(key);
      done = true;
      return value;
    } finally {
      counters.loadNanos.add(System.nanoTime() - begun);
      (done ? counters.loads : counters.loadFailures).increment();
    }
  }
}
