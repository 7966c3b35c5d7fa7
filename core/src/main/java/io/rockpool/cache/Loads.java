package io.rockpool.cache;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The loads that are running, at most one for each key: whoever asks for a key that is being loaded
 * waits for that load.
 */
final class Loads {
  /** One running load. */
  static final class Load {
    private final CompletableFuture<@Nullable HotEntry> result = new CompletableFuture<>();
    private final Thread loader = Thread.currentThread();
    private volatile boolean superseded;

    /**
     * Whether the key was removed since the load began, so that what it loads must not be stored.
     */
    boolean isSuperseded() {
      return superseded;
    }

    /** Ends the load for those who wait for it. */
    void complete(@Nullable HotEntry entry) {
      result.complete(entry);
    }

    /** Ends the load for those who wait for it: they get the same exception. */
    void fail(Throwable cause) {
      result.completeExceptionally(cause);
    }

    /** Waits for the load that another thread runs. */
    @Nullable HotEntry await() {
      if (loader == Thread.currentThread()) {
        throw new IllegalStateException(
            "A loader asked the cache for the key that it is loading; it must get the value elsewhere.");
      }
      try {
        return result.join();
      } catch (CompletionException e) {
        if (e.getCause() instanceof RuntimeException cause) {
          throw cause;
        }
        if (e.getCause() instanceof Error cause) {
          throw cause;
        }
        throw e;
      }
    }
  }

  private final ConcurrentHashMap<Object, Load> running = new ConcurrentHashMap<>();

  /** The load that runs for the key, or null after having registered {@code mine} as that. */
  @Nullable Load join(EntryKey key, Load mine) {
    return running.putIfAbsent(key.hot(), mine);
  }

  void end(EntryKey key, Load mine) {
    running.remove(key.hot(), mine);
  }

  /**
   * Notes that the key is being removed: a running load must not store what it loads, and nobody
   * joins it any more.
   */
  void supersede(EntryKey key) {
    if (!running.isEmpty()) {
      Load load = running.remove(key.hot());
      if (load != null) {
        load.superseded = true;
      }
    }
  }

  void supersedeAll() {
    running.values().removeIf(load -> load.superseded = true);
  }
}
