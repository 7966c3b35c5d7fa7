package io.rockpool.cache;

import io.rockpool.internal.access.LoadStoring;
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

/** One caller's way to the value of a key that was just missed: by its own load or another's. */
final class LoadingRead<K, V> {
  private final CacheEntries<K, V> entries;
  private final K key;
  private final EntryKey entryKey;
  private final LoadStoring<K, V> storing;
  private final ToLongBiFunction<K, V> plannedMillis;
  private final Loads.Load mine = new Loads.Load();

  /** A read of a key that was just missed; the last argument tells until when a new entry lives. */
  LoadingRead(
      CacheEntries<K, V> entries,
      K key,
      LoadStoring<K, V> storing,
      ToLongBiFunction<K, V> plannedMillis) {
    this.entries = entries;
    this.key = key;
    this.entryKey = entries.format.key(key);
    this.storing = storing;
    this.plannedMillis = plannedMillis;
  }

  @Nullable V load(ValueLoader<? super K, ? extends @Nullable V> loader) {
    Loads.Load running = entries.loads.join(entryKey, mine);
    if (running != null) {
      return value(running.await());
    }
    try {
      // Another load may have ended since the miss.
      CacheEntries.Found<V> there = entries.read(entryKey);
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
   * As {@link #load}, with a loader that has its value later, and no thread that waits for it.
   *
   * @param executor where what was loaded is stored
   */
  CompletableFuture<@Nullable V> loadAsync(
      Function<? super K, ? extends CompletionStage<? extends @Nullable V>> loader,
      Executor executor) {
    Loads.Load running = entries.loads.join(entryKey, mine);
    if (running != null) {
      return running.result().thenApply(this::value);
    }
    CompletableFuture<@Nullable V> result = new CompletableFuture<>();
    try {
      CacheEntries.Found<V> there = entries.read(entryKey);
      if (there != null) {
        end(result, there.value(), null);
        return result;
      }
      long begun = System.nanoTime();
      CompletionStage<? extends @Nullable V> loading =
          Objects.requireNonNull(
              loader.apply(key),
              "The loader of getAsync returned null; return a stage that completes with null if there is no value.");
      mine.leaveThread();
      loading
          .whenComplete((value, error) -> count(begun, error == null))
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
    mine.complete(entries.writing.result(entryKey, value));
  }

  private @Nullable V value(@Nullable HotEntry loaded) {
    return loaded == null ? null : entries.writing.value(loaded);
  }

  /** Stores what was loaded; returns what is there then. */
  private @Nullable V store(@Nullable V value) {
    if (value == null) {
      return null;
    }
    Object[] winner = {value};
    unlessClosed(
        entries,
        () ->
            storing.store(Map.of(key, value), () -> store(value, winner) ? Set.of(key) : Set.of()));
    @SuppressWarnings("unchecked") // what was loaded or is there
    V result = (V) winner[0];
    return result;
  }

  /** Stores what was loaded, unless the cache was closed while it was: it is its caller's still. */
  static void unlessClosed(CacheEntries<?, ?> entries, Runnable storing) {
    try {
      storing.run();
    } catch (IllegalStateException e) {
      if (!entries.isClosed()) {
        throw e;
      }
    }
  }

  /** Stores what was loaded if there is still nothing; says whether it did, and what is there. */
  private boolean store(V value, Object[] winner) {
    Change<V> creation =
        Change.write(value, plannedMillis.applyAsLong(key, value)).unlessSuperseded(mine);
    BooleanSupplier wanted = () -> !mine.isSuperseded();
    boolean lives = creation.changes(null);
    // Nothing was there when the load began, and mostly nothing is: that needs no look.
    Change<V> first =
        lives && wanted.getAsBoolean()
            ? entries.commits.commit(
                new ConditionalWrites.Planned<>(entryKey, null, creation, wanted))
            : null;
    if (first != null) {
      return first.kind() == Change.Kind.WRITE;
    }
    Change<V> change =
        entries.update(
            entryKey,
            found -> {
              winner[0] = found == null ? value : found.value();
              return found == null && lives ? creation : Change.keep();
            },
            wanted);
    return change.kind() == Change.Kind.WRITE;
  }

  private @Nullable V callLoader(ValueLoader<? super K, ? extends @Nullable V> loader) {
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
