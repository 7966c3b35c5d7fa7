package io.rockpool.cache;

import io.rockpool.engine.RowRecord;
import io.rockpool.internal.access.LoadStoring;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.ToLongBiFunction;
import org.jspecify.annotations.Nullable;

/** Gets the value of a key that was just missed, from its own load or another thread's. */
final class LoadingRead<K, V> {
  private final CacheEntries<K, V> entries;
  private final K key;
  private final EntryKey entryKey;
  private final LoadStoring<K, V> storing;
  private final ToLongBiFunction<K, V> plannedMillis;
  private final Tagging<K, V> tagging;
  private final LoadStarts<K, V> starts;
  private final Loads.Load mine;

  /** What storing the value needs; null on an engine without leases. */
  private LoadStarts.@Nullable Start<V> start;

  /** Whether the servers were away, so that nothing is known of what is there. */
  private boolean unread;

  /** The tags of the loaded value, once it was stored. */
  private @Nullable EntryTags tags;

  /**
   * Reads a key that was just missed.
   *
   * @param plannedMillis returns the deadline of a new entry
   * @param tagging gives tags to a loaded value
   */
  LoadingRead(
      CacheEntries<K, V> entries,
      K key,
      LoadStoring<K, V> storing,
      ToLongBiFunction<K, V> plannedMillis,
      Tagging<K, V> tagging) {
    this.entries = entries;
    this.key = key;
    this.entryKey = entries.format.key(key);
    this.storing = storing;
    this.plannedMillis = plannedMillis;
    this.tagging = tagging;
    this.starts = new LoadStarts<>(entries);
    this.mine = new Loads.Load(tagging.epoch());
  }

  /** Whether the load is superfluous: there is an entry. */
  private @Nullable Found<V> begin() {
    // Another load may have completed since the miss.
    LoadStarts.Start<V> begun = entries.outages.readOrMiss(() -> starts.read(entryKey));
    unread = begun == null;
    start = begun == null || begun.lease() == null ? null : begun;
    return begun == null ? null : begun.found();
  }

  @Nullable V load(ValueLoader<? super K, ? extends @Nullable V> loader) {
    Loads.Load running;
    while ((running = entries.loads.join(entryKey, mine)) != null) {
      HotEntry loaded = running.await();
      if (tagging.accepts(loaded)) {
        return value(loaded);
      }
      entries.loads.end(entryKey, running); // no other thread joins it any more
    }
    try {
      Found<V> there = begin();
      V value = there == null ? store(callLoader(loader)) : there.value();
      complete(value);
      return value;
    } catch (Throwable e) {
      mine.fail(e);
      throw e;
    } finally {
      entries.loads.end(entryKey, mine);
    }
  }

  /**
   * Like {@link #load}, with a loader that completes later and no thread that waits for it.
   *
   * @param executor stores the loaded value
   */
  CompletableFuture<@Nullable V> loadAsync(
      Function<? super K, ? extends CompletionStage<? extends @Nullable V>> loader,
      Executor executor) {
    Loads.Load running = entries.loads.join(entryKey, mine);
    if (running != null) {
      return running
          .result()
          .thenCompose(
              loaded -> {
                if (tagging.accepts(loaded)) {
                  return CompletableFuture.completedFuture(value(loaded));
                }
                entries.loads.end(entryKey, running); // no other thread joins it any more
                return loadAsync(loader, executor);
              });
    }
    CompletableFuture<@Nullable V> result = new CompletableFuture<>();
    try {
      Found<V> there = begin();
      if (there != null) {
        end(result, there.value(), null);
        return result;
      }
      long begun = System.nanoTime();
      Change.Behind<V> pending = entries.pending(entryKey);
      CompletionStage<? extends @Nullable V> loading =
          Objects.requireNonNull(
              pending == null
                  ? loader.apply(key)
                  : CompletableFuture.completedFuture(pending.value()),
              "The loader of getAsync returned null; return a stage that completes with null if"
                  + " there is no value.");
      mine.leaveThread();
      loading
          .whenComplete(
              (value, error) -> {
                if (pending == null) {
                  count(begun, error == null);
                }
              })
          .thenApplyAsync(this::store, executor)
          .whenComplete((value, error) -> end(result, value, error));
    } catch (Throwable e) {
      end(result, null, e);
    }
    return result;
  }

  private void end(
      CompletableFuture<@Nullable V> result, @Nullable V value, @Nullable Throwable error) {
    Throwable thrown = error;
    try {
      if (error == null) {
        complete(value);
      }
    } catch (Throwable e) {
      thrown = e;
    }
    if (thrown != null) {
      Throwable cause = thrown.getCause();
      thrown = thrown instanceof CompletionException && cause != null ? cause : thrown;
      mine.fail(thrown);
    }
    entries.loads.end(entryKey, mine);
    if (thrown == null) {
      result.complete(value);
    } else {
      result.completeExceptionally(thrown);
    }
  }

  private void complete(@Nullable V value) {
    LoadStarts.Start<V> begun = start;
    HotEntry read = begun == null ? null : starts.hot(begun);
    mine.complete(read == null ? entries.writing.result(entryKey, value, tags) : read);
  }

  private @Nullable V value(@Nullable HotEntry loaded) {
    return loaded == null ? null : entries.writing.value(loaded);
  }

  /** Stores a loaded value; returns the value of the key after that. */
  private @Nullable V store(@Nullable V value) {
    if (value == null) {
      return null;
    }
    Object[] winner = {value};
    tags = tagging.of(key, value);
    if (unread) {
      entries.outages.drop(List.of(entryKey));
      return value;
    }
    entries.outages.storeOrDrop(
        List.of(entryKey),
        () ->
            unlessClosed(
                entries,
                () ->
                    storing.store(
                        Map.of(key, value), () -> store(value, winner) ? Set.of(key) : Set.of())));
    @SuppressWarnings("unchecked") // the loaded value or the existing one
    V result = (V) winner[0];
    return result;
  }

  /**
   * Stores a loaded value, unless the cache was closed during the load: the caller still gets the
   * value.
   */
  static void unlessClosed(CacheEntries<?, ?> entries, Runnable storing) {
    if (entries.isClosed()) {
      return;
    }
    try {
      storing.run();
    } catch (IllegalStateException e) {
      if (!entries.isClosed()) {
        throw e;
      }
    }
  }

  /**
   * Stores a loaded value if the key has none; returns whether it did, and the value of the key.
   */
  private boolean store(V value, Object[] winner) {
    Change<V> creation =
        Change.write(value, plannedMillis.applyAsLong(key, value), tags).unlessSuperseded(mine);
    LoadStarts.Start<V> leased = start;
    if (leased != null) {
      return storeLeased(leased, creation, winner);
    }
    BooleanSupplier wanted = () -> !mine.isSuperseded();
    boolean lives = creation.changes(null);
    // The key had no value when the load began, and usually still has none. Then this needs no
    // read.
    Change<V> first =
        lives && wanted.getAsBoolean()
            ? entries.commits.commit(new PlannedWrite<>(entryKey, null, creation, wanted))
            : null;
    if (first != null) {
      return first.kind() == Change.Kind.WRITE;
    }
    Change<V> change =
        entries.updates.update(
            entryKey,
            found -> {
              winner[0] = found == null ? value : found.value();
              return found == null && lives ? creation : Change.keep();
            },
            wanted);
    return change.kind() == Change.Kind.WRITE;
  }

  /** Stores a loaded value if it lives and no handle has written the key since the load began. */
  private boolean storeLeased(LoadStarts.Start<V> leased, Change<V> creation, Object[] winner) {
    RowRecord over = entries.ended.endedBefore(entryKey, leased.record(), null);
    Change<V> made =
        creation.changes(null)
            ? entries.commits.commit(
                new PlannedWrite<>(entryKey, leased.record(), creation, () -> true, leased.lease()))
            : null;
    if (made != null) {
      entries.ended.tellBefore(entryKey, over);
      return made.kind() == Change.Kind.WRITE;
    }
    Found<V> there = entries.reader.read(entryKey);
    if (there != null) {
      winner[0] = there.value();
    }
    return false;
  }

  private @Nullable V callLoader(ValueLoader<? super K, ? extends @Nullable V> loader) {
    Change.Behind<V> pending = entries.pending(entryKey);
    if (pending != null) {
      return pending.value(); // newer than what the loader would return
    }
    long begun = System.nanoTime();
    boolean done = false;
    try {
      V value = Loads.call(loader, key);
      done = true;
      return value;
    } finally {
      count(begun, done);
    }
  }

  private void count(long begun, boolean done) {
    CacheCounters counters = entries.counters;
    counters.loadNanos.add(System.nanoTime() - begun);
    (done ? counters.loads : counters.loadFailures).increment();
  }
}
