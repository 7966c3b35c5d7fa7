package io.rockpool.internal.concurrent;

import org.jspecify.annotations.Nullable;

/**
 * Runs what waits once its thread holds no {@link OrderedLock} of a level before {@link
 * LockLevel#ROWS}, and has no transaction of any store: other threads would wait for such a lock,
 * or for the transaction's rows, too.
 */
public final class AfterLocks {
  private static final PerThread<AfterLocks> OF_THREAD = new PerThread<>(AfterLocks::new);

  private int held;
  private @Nullable Runnable afterwards;

  private AfterLocks() {}

  /** Runs {@code action} now, or when this thread has released its locks; only the last one. */
  public static void run(Runnable action) {
    AfterLocks own = OF_THREAD.get();
    if (own.held == 0) {
      action.run();
    } else {
      own.afterwards = action;
    }
  }

  /** Notes a lock, or a transaction that begins. */
  public static void taken() {
    OF_THREAD.get().held++;
  }

  /** Notes its end, and runs what has waited for the last one. */
  public static void released() {
    AfterLocks own = OF_THREAD.get();
    own.held--;
    Runnable action = own.afterwards;
    if (own.held == 0 && action != null) {
      own.afterwards = null;
      action.run();
    }
  }
}
