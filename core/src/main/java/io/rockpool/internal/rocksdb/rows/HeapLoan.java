package io.rockpool.internal.rocksdb.rows;

import io.rockpool.internal.engine.HeapLender;
import io.rockpool.internal.engine.HeapUser;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The heap that a {@link HeapUser} borrows. It borrows with the first record, so that a store
 * without collections takes none.
 */
final class HeapLoan {
  private final HeapUser user;
  private final LongAdder uses = new LongAdder();
  private volatile @Nullable HeapLender lender;

  /** Accepts the bytes of each put; null while nothing is borrowed. */
  private volatile @Nullable IntConsumer account;

  /**
   * A loan of nothing yet.
   *
   * @param borrows false if the user has a bound of its own, so that there is nothing to borrow
   */
  HeapLoan(HeapUser user, boolean borrows) {
    this.user = user;
    this.account = borrows ? null : bytes -> {};
  }

  void borrowFrom(HeapLender heap) {
    if (account == null) {
      lender = heap;
    }
  }

  /** Whether there may be heap to put something into. */
  boolean isOpen() {
    return account != null || lender != null;
  }

  /** Counts records that were found in memory. */
  void used(int records) {
    uses.add(records);
  }

  /** Tells the lender of records that are about to be put. It may resize the user. */
  void willPut(int records, int bytes) {
    uses.add(records);
    IntConsumer now = account == null ? borrow() : account;
    if (now != null) {
      now.accept(bytes);
    }
  }

  private synchronized @Nullable IntConsumer borrow() {
    HeapLender from = lender;
    if (account == null && from != null) {
      account = from.lend(user, uses::sum);
    }
    return account;
  }
}
