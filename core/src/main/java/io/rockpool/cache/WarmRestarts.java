package io.rockpool.cache;

import io.rockpool.internal.concurrent.EveryStep;
import io.rockpool.internal.engine.BackgroundThread;
import io.rockpool.internal.engine.Upkeep;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** The warm restarts of a store's caches, on one thread that starts with the first such cache. */
final class WarmRestarts {
  /**
   * How often hot keys are saved. A killed process loses the changes since then. Saving 65,000 keys
   * takes a tenth of a second, half of it under the lock of the tier's policy.
   */
  static final Duration PERIOD = Duration.ofMinutes(5);

  private final Set<WarmRestart<?, ?>> open = ConcurrentHashMap.newKeySet();
  private final BackgroundThread thread;

  WarmRestarts(Duration period, Upkeep upkeep) {
    this.thread =
        new BackgroundThread(
            "rockpool-warm", period, () -> open.forEach(WarmRestart::keep), upkeep);
  }

  /** Starts to read back the hot entries of a cache, and to save its hot keys. */
  void add(WarmRestart<?, ?> cache) {
    open.add(cache);
    if (!thread.execute(() -> cache.bringBack(this::rest))) {
      open.remove(cache); // closed meanwhile
    }
  }

  /** Rests as long as the work took: so it uses at most half a processor and half of the disk. */
  private void rest(long nanos) {
    boolean unused = thread.rest(nanos);
  }

  /** Saves the hot keys of a cache that is about to be closed. */
  void remove(WarmRestart<?, ?> cache) {
    if (open.remove(cache)) {
      cache.stop();
      cache.keep();
    }
  }

  /** Removes a cache that was dropped. */
  void forget(WarmRestart<?, ?> cache) {
    open.remove(cache);
    cache.stop();
  }

  /**
   * Saves the hot keys of all caches, and stops. Running work may still read from the store a few
   * times.
   */
  void close() {
    thread.wake();
    EveryStep closing = new EveryStep();
    open.forEach(cache -> closing.take(() -> remove(cache)));
    closing.take(thread::stop).end();
  }
}
