package io.rockpool.internal.rocksdb.natives;

import java.io.Serial;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;

/** A lock that an interrupted thread can wait for, up to a limit. */
final class PatientLock extends ReentrantLock {
  @Serial private static final long serialVersionUID = 1;

  /** Less than a sleep with its wake-up takes. */
  private static final long SPIN_NANOS = 100_000;

  /** Spins for a short time while another thread holds it; returns whether {@code done} is true. */
  boolean spinUntil(BooleanSupplier done) {
    long begin = System.nanoTime();
    while (!done.getAsBoolean() && isLocked() && System.nanoTime() - begin < SPIN_NANOS) {
      Thread.onSpinWait();
    }
    return done.getAsBoolean();
  }

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
