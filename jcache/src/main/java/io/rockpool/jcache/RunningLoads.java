package io.rockpool.jcache;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantReadWriteLock;

/**
 * The {@code loadAll}s of a cache that run. Closing waits for them a while, so that the loader is
 * not closed while it loads; those that come later are refused.
 */
final class RunningLoads {
  /** How long closing waits: a loader that hangs must not keep the cache from being closed. */
  private static final long CLOSE_WAIT_MILLIS = 1_000;

  private final ReentrantReadWriteLock lock = new ReentrantReadWriteLock();
  private final Runnable ensureOpen;

  /** Loads of a cache; {@code ensureOpen} throws once that is closed. */
  RunningLoads(Runnable ensureOpen) {
    this.ensureOpen = ensureOpen;
  }

  void run(Runnable load) {
    lock.readLock().lock();
    try {
      ensureOpen.run();
      load.run();
    } finally {
      lock.readLock().unlock();
    }
  }

  /** Waits for those that run. */
  void awaitEnd() {
    try {
      if (lock.writeLock().tryLock(CLOSE_WAIT_MILLIS, TimeUnit.MILLISECONDS)) {
        lock.writeLock().unlock();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
