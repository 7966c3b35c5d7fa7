package io.rockpool;

import io.rockpool.codec.Codecs;
import io.rockpool.codec.TypeRef;
import io.rockpool.engine.CommitLock;
import io.rockpool.engine.Engine;
import io.rockpool.internal.access.StoreAccess;
import io.rockpool.internal.access.structure.StoreStructures;
import io.rockpool.structure.PersistentTable;
import io.rockpool.structure.StructureOptions;
import java.time.Duration;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Runs functions once per key; see {@link Rockpool#once}. Results are in a table with a row per
 * key: a running function holds the lock of its own row only.
 *
 * <p>Outside a transaction, a thread first takes the lock of its key, then begins the transaction.
 * Inside one it may hold rows, so it takes no such lock: the row orders it. Whichever thread comes
 * second reads the committed result.
 */
final class OnceRuns {
  /** The name of the table with the results. */
  private static final String NAME = "rockpool:once";

  private static final String RESULT = "result";

  private final Engine engine;
  private final StoreAccess store;
  private final StoreStructures structures;
  private final StructureOptions options;
  private final Codecs codecs;
  private final ConcurrentHashMap<String, KeyInUse> inUse = new ConcurrentHashMap<>();
  private final Set<RunningFunction> running = ConcurrentHashMap.newKeySet();

  /** The lock of a key, and how many threads hold it or wait for it. */
  private record KeyInUse(CommitLock lock, int threads) {
    KeyInUse plus(int more) {
      return new KeyInUse(lock, threads + more);
    }
  }

  private record RunningFunction(Thread thread, String key) {}

  OnceRuns(Engine engine, StoreAccess store, StoreStructures structures, Codecs codecs) {
    this.engine = engine;
    this.store = store;
    this.structures = structures;
    this.codecs = codecs;
    this.options =
        StructureOptions.defaults()
            .codecs(Codecs.builder().register(OnceResult.class, OnceResult.codec(codecs)).build());
  }

  /** The table of results, opened if it is not. One look-up if it is open. */
  private PersistentTable<String, String, OnceResult> results() {
    return store.outsideTransaction(
        () ->
            structures.table(
                NAME,
                TypeRef.of(String.class),
                TypeRef.of(String.class),
                TypeRef.of(OnceResult.class),
                options));
  }

  // The caller asks for the type that the function returned, and for null where R allows it.
  @SuppressWarnings({"unchecked", "NullAway"})
  <R extends @Nullable Object> R run(
      String key,
      Duration ttl,
      Transaction transaction,
      Function<? super Transaction, ? extends R> work) {
    PersistentTable<String, String, OnceResult> results = results();
    if (engine.inTransaction()) {
      return (R) inTransaction(results, key, ttl, transaction, work);
    }
    OnceResult there = results.get(key, RESULT);
    if (there != null) {
      return (R) there.value();
    }
    CommitLock lock = begin(key);
    try {
      lock.lock();
      try {
        return (R)
            engine.<@Nullable Object>atomically(
                () -> inTransaction(results, key, ttl, transaction, work));
      } finally {
        lock.unlock();
      }
    } finally {
      end(key);
    }
  }

  private @Nullable Object inTransaction(
      PersistentTable<String, String, OnceResult> results,
      String key,
      Duration ttl,
      Transaction transaction,
      Function<? super Transaction, ?> work) {
    RunningFunction now = new RunningFunction(Thread.currentThread(), key);
    if (!running.add(now)) {
      throw new IllegalStateException(
          "once was called inside its own function with the same key; use another key.");
    }
    try {
      // As a part: if the function throws, its changes end here, and an outer transaction
      // continues.
      return engine.<@Nullable Object>atomically(
          () -> {
            OnceResult there = results.get(key, RESULT);
            if (there != null) {
              return there.value();
            }
            Object value = work.apply(transaction);
            results.put(key, RESULT, new OnceResult(value), ttl);
            return value;
          });
    } finally {
      running.remove(now);
    }
  }

  private CommitLock begin(String key) {
    return Objects.requireNonNull(
            inUse.compute(
                key,
                (k, there) ->
                    there == null
                        ? new KeyInUse(new CommitLock(engine, "once"), 1)
                        : there.plus(1)))
        .lock();
  }

  private void end(String key) {
    inUse.computeIfPresent(key, (k, there) -> there.threads() == 1 ? null : there.plus(-1));
  }

  /** Another application of the process may have opened the store, and decodes its results. */
  @SuppressWarnings({"unchecked", "NullAway"}) // as the function returned it
  <R extends @Nullable Object> R inClassesOf(@Nullable ClassLoader loader, R result) {
    if (loader == null || result == null) {
      return result;
    }
    TypeRef<Object> any = TypeRef.of(Object.class);
    byte[] bytes = codecs.valueCodec(any).encode(result);
    return (R) codecs.withClassLoader(loader).valueCodec(any).decode(bytes, 0, bytes.length);
  }

  boolean forget(String key) {
    return results().remove(key, RESULT);
  }
}
