package io.rockpool.spring;

import io.rockpool.cache.PersistentCache;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.Executor;
import java.util.function.Supplier;

/**
 * Reads of a cache that load what is missing without a thread that waits for it: one load for each
 * key, shared by all who ask meanwhile.
 *
 * <p>A key that is evicted while it loads is not stored. Until its load has ended this class knows,
 * from then on the cache's own single-flight load, as which the result is stored: an eviction notes
 * itself here before it goes to the cache.
 */
final class Retrievals {
  private static final class Retrieval {
    final CompletableFuture<Object> result = new CompletableFuture<>();
    volatile boolean superseded;
  }

  private final PersistentCache<Object, Object> cache;
  private final Executor executor;
  private final ConcurrentMap<Object, Retrieval> running = new ConcurrentHashMap<>();

  Retrievals(PersistentCache<Object, Object> cache, Executor executor) {
    this.cache = cache;
    this.executor = executor;
  }

  /** Notes that a key is about to be evicted. */
  void supersede(Object key) {
    Retrieval retrieval = running.remove(key);
    if (retrieval != null) {
      retrieval.superseded = true;
    }
  }

  /** Notes that all keys are about to be evicted. */
  void supersedeAll() {
    running.values().removeIf(retrieval -> retrieval.superseded = true);
  }

  /**
   * The value in the cache, or else the one that {@code loader} will have, which is then stored.
   *
   * @param loader called on the executor, at most once at a time for a key; to refresh a value that
   *     is due, on a thread of the cache's that waits for it
   */
  CompletableFuture<Object> retrieve(Object key, Supplier<CompletableFuture<Object>> loader) {
    Retrieval mine = new Retrieval();
    Retrieval there = running.putIfAbsent(key, mine);
    if (there != null) {
      return there.result.copy(); // so that nobody's cancelling is another's
    }
    CompletableFuture.completedFuture(key)
        .thenComposeAsync(missing -> load(missing, mine, loader), executor)
        .thenAccept(value -> end(key, mine).complete(value))
        .exceptionally(
            error -> {
              end(key, mine).completeExceptionally(cause(error));
              return null;
            });
    return mine.result.copy();
  }

  private CompletableFuture<Object> load(
      Object key, Retrieval retrieval, Supplier<CompletableFuture<Object>> loader) {
    Object there = cache.getOrRefresh(key, due -> loader.get().join());
    return there != null
        ? CompletableFuture.completedFuture(there)
        : loader.get().thenApplyAsync(value -> store(key, retrieval, value), executor);
  }

  private Object store(Object key, Retrieval retrieval, Object value) {
    Map<Object, Object> now =
        cache.loadAll(List.of(key), keys -> retrieval.superseded ? Map.of() : Map.of(key, value));
    return now.values().stream().findFirst().orElse(value);
  }

  /** Lets the next who asks begin anew; returns what those who have asked wait for. */
  private CompletableFuture<Object> end(Object key, Retrieval retrieval) {
    running.remove(key, retrieval);
    return retrieval.result;
  }

  private static Throwable cause(Throwable error) {
    Throwable cause = error.getCause();
    return error instanceof CompletionException && cause != null ? cause : error;
  }
}
