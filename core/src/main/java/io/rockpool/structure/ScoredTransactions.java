package io.rockpool.structure;

import io.rockpool.error.CorruptStoreException;
import io.rockpool.internal.format.ScoredSetFormat;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Transactions on the row of a scored set. Each sweeps expired members first. It needs no codec, so
 * it can also sweep a set that is not open.
 */
final class ScoredTransactions {
  private final StructureSpace space;
  private final byte[] row;
  private final boolean ranked;

  ScoredTransactions(StructureSpace space, byte[] row, boolean ranked) {
    this.space = space;
    this.row = row;
    this.ranked = ranked;
  }

  /** Removes expired members. One read if there are none. */
  void sweep() {
    if (isAnyDue()) {
      run(scored -> true);
    }
  }

  /** Removes expired members in one transaction; returns whether some are left. */
  boolean sweepSome() {
    return isAnyDue() && attempt(scored -> true).isEmpty();
  }

  private boolean isAnyDue() {
    Long earliestMillis = earliestMillis();
    return earliestMillis != null && earliestMillis <= space.clock().millis();
  }

  private @Nullable Long earliestMillis() {
    try {
      return space
          .use()
          .get(
              row,
              ScoredSetFormat.earliestKey(),
              (bytes, offset, length, expiry) -> ScoredSetFormat.time(bytes, offset, length));
    } catch (CorruptStoreException e) {
      throw damaged(e);
    }
  }

  /**
   * Runs {@code work} on the row after a sweep of all members that expire by now. If there are
   * many, it takes several transactions; the last one runs {@code work}.
   */
  <R> R run(Function<ScoredRow, R> work) {
    while (true) {
      Optional<R> done = attempt(work);
      if (done.isPresent()) {
        return done.get();
      }
    }
  }

  /** Sweeps, and runs {@code work} if nothing is left to sweep. */
  private <R> Optional<R> attempt(Function<ScoredRow, R> work) {
    try {
      return space.transact(
          row,
          transaction -> {
            ScoredRow scored = new ScoredRow(transaction, ranked);
            Optional<R> done = scored.sweep() ? Optional.of(work.apply(scored)) : Optional.empty();
            scored.finish();
            return done;
          });
    } catch (CorruptStoreException e) {
      throw damaged(e);
    }
  }

  private CorruptStoreException damaged(CorruptStoreException cause) {
    return new CorruptStoreException(space + " is damaged: " + cause.getMessage(), cause);
  }
}
