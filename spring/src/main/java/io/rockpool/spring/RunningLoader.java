package io.rockpool.spring;

import io.rockpool.cache.PersistentCache;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A loader of one key, and the loader that asked for it. Retrievals run on other threads than their
 * callers, so that no single thread shows that a loader waits for itself.
 */
final class RunningLoader {
  private static final ThreadLocal<@Nullable RunningLoader> CURRENT = new ThreadLocal<>();

  private final PersistentCache<?, ?> cache;
  private final Object key;
  private final @Nullable RunningLoader outer;
  private volatile boolean ended;

  /** A loader that is about to run, asked for by the one that runs on this thread, if any. */
  RunningLoader(PersistentCache<?, ?> cache, Object key) {
    this.cache = cache;
    this.key = key;
    this.outer = CURRENT.get();
  }

  /** Runs the loader on this thread. */
  <T> T call(Callable<T> loader) throws Exception {
    RunningLoader before = CURRENT.get();
    CURRENT.set(this);
    try {
      return loader.call();
    } finally {
      ended = true;
      restore(before);
    }
  }

  /** Runs the loader on this thread; it has its value later. */
  <T> CompletableFuture<T> load(Supplier<CompletableFuture<T>> loader) {
    RunningLoader before = CURRENT.get();
    CURRENT.set(this);
    try {
      return loader.get().whenComplete((value, error) -> ended = true);
    } finally {
      restore(before);
    }
  }

  private static void restore(@Nullable RunningLoader before) {
    if (before == null) {
      CURRENT.remove();
    } else {
      CURRENT.set(before);
    }
  }

  /**
   * Checks that the loader was not asked for by itself.
   *
   * @throws IllegalStateException if it was, directly or through other loaders
   */
  void refuseRecursion() {
    for (RunningLoader each = outer; each != null; each = each.outer) {
      if (each.cache == cache && each.key.equals(key) && !each.ended) {
        throw new IllegalStateException(
            "Recursive load: a loader asked cache \""
                + cache.name()
                + "\" for a key whose load waits for this loader; it must get the value elsewhere.");
      }
    }
  }
}
