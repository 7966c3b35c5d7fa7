package io.rockpool.internal.concurrent;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Runs what waits, once its thread holds no {@link OrderedLock} of a level before {@link
 * LockLevel#ROWS}, and has no transaction of any store: other threads would wait for such a lock,
 * or for the transaction's rows, too.
 */
public final class AfterLocks {
  private static final PerThread<AfterLocks> OF_THREAD = new PerThread<>(AfterLocks::new);

  private int held;
  private final Set<Payment> owed = new LinkedHashSet<>();

  /** A wait, equal to others for the same. */
  public interface Payment {
    /**
     * Waits.
     *
     * @param waitedNanos how long this thread has waited for other payments before
     * @return how long it has waited then, with those
     */
    long pay(long waitedNanos);
  }

  private AfterLocks() {}

  /** Pays now, or when this thread has released its locks: equal payments once. */
  public static void pay(List<? extends Payment> payments) {
    AfterLocks own = OF_THREAD.get();
    if (own.held == 0) {
      payAll(payments);
    } else {
      own.owed.addAll(payments);
    }
  }

  private static void payAll(List<? extends Payment> payments) {
    long waited = 0;
    for (Payment payment : payments) {
      waited = payment.pay(waited);
    }
  }

  /** Notes a lock, or a transaction that begins. */
  public static void taken() {
    OF_THREAD.get().held++;
  }

  /** Notes its end, and pays after the last one. */
  public static void released() {
    AfterLocks own = OF_THREAD.get();
    own.held--;
    if (own.held == 0 && !own.owed.isEmpty()) {
      List<Payment> due = List.copyOf(own.owed);
      own.owed.clear();
      payAll(due);
    }
  }
}
