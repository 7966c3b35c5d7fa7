package io.rockpool.engine.memory;

import java.util.concurrent.locks.ReentrantReadWriteLock;

/**
 * The calls that run in an engine. Calls don't wait for each other; only closing waits for them. It
 * also tells a call made from inside another one on the same thread, that is from a transaction or
 * a record reader.
 */
final class RunningCalls {
  private final ReentrantReadWriteLock lock = new ReentrantReadWriteLock();
  private final String engine;
  private volatile boolean closed;

  RunningCalls(String engine) {
    this.engine = engine;
  }

  /** Begins a call; whoever called this calls {@link #end} when it is over. */
  void begin() {
    checkNotInside();
    lock.readLock().lock();
    try {
      checkOpen();
    } catch (IllegalStateException e) {
      lock.readLock().unlock();
      throw e;
    }
  }

  /** Refuses to go on once the engine is closed. */
  void checkOpen() {
    if (closed) {
      throw new IllegalStateException(engine + " is closed; open it again to go on.");
    }
  }

  void end() {
    lock.readLock().unlock();
  }

  /** Waits until no call runs, and refuses every later one. */
  void close() {
    checkNotInside();
    lock.writeLock().lock();
    try {
      closed = true;
    } finally {
      lock.writeLock().unlock();
    }
  }

  private void checkNotInside() {
    if (lock.getReadHoldCount() > 0) {
      throw new IllegalStateException(
          engine
              + " was called from inside a transaction or a record reader; these may use what they are given and"
              + " nothing else of the engine. Call it before or after.");
    }
  }
}
