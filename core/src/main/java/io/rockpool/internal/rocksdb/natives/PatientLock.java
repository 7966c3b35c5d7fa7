package io.rockpool.internal.rocksdb.natives;

import java.io.Serial;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

/** A lock that an interrupted thread can wait for, up to a limit. */
final class PatientLock extends ReentrantLock {
  @Serial private static final long serialVersionUID = 1;

  /** Waits up to {@code millis}; returns whether it was taken. An interrupted thread stays so. */
  boolean lockWithin(long millis) {
    boolean interrupted = Thread.interrupted();
    try {
      return tryLock(millis, TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      interrupted = true;
      return tryLock();
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
