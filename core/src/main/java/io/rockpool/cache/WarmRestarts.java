package io.rockpool.cache;

import io.rockpool.internal.concurrent.EveryStep;
import io.rockpool.internal.engine.BackgroundThread;
import io.rockpool.internal.engine.Upkeep;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** The warm restarts of a store's caches: one thread for all, which is there once a cache is. */
final class WarmRestarts {
  /**
   * How often hot keys are kept: a process that is killed loses what became hot since. Keeping
   * 65,000 keys takes a tenth of a second, half of it under the lock of the tier's policy.
   */
  static final Duration PERIOD = Duration.ofMinutes(5);

  private final List<WarmRestart<?, ?>> open = new CopyOnWriteArrayList<>();
  private final BackgroundThread thread;

  WarmRestarts(Duration period, Upkeep upkeep) {
    this.thread =
        new BackgroundThread(
            "rockpool-warm", period, () -> open.forEach(WarmRestart::keep), upkeep);
  }

  /** Begins to bring back what was hot in a cache, and to keep what is. */
  void add(WarmRestart<?, ?> cache) {
    open.add(cache);
    if (!thread.execute(() -> cache.bringBack(this::rest))) {
      open.remove(cache); // closed meanwhile
    }
  }

  /** Waits as long as the work took: at most half a processor, and half of what the disk can. */
  private void rest(long nanos) {
    boolean unused = thread.rest(nanos);
  }

  /** Keeps what is hot in a cache that is about to be closed. */
  void remove(WarmRestart<?, ?> cache) {
    if (open.remove(cache)) {
      cache.stop();
      cache.keep();
    }
  }

  /** Lets go of a cache that was dropped. */
  void forget(WarmRestart<?, ?> cache) {
    open.remove(cache);
    cache.stop();
  }

  /** Keeps what is hot in all caches, and ends. Running work may still ask the store for little. */
  void close() {
    thread.wake();
    EveryStep closing = new EveryStep();
    open.forEach(cache -> closing.take(() -> remove(cache)));
    closing.take(thread::stop).end();
  }
}
