package io.rockpool.structure;

import io.rockpool.error.CorruptStoreException;
import io.rockpool.internal.format.ScoredSetFormat;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Transactions in the row of a scored set, out of which all is swept first that has expired. They
 * need no codec, so that a set can be swept that nobody has opened.
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

  /** Removes what has expired. One read where nothing has. */
  void sweep() {
    if (isAnyDue()) {
      run(scored -> true);
    }
  }

  /** Removes as much of it as one transaction does; says whether that was not all. */
  boolean sweepSome() {
    return isAnyDue() && attempt(space.clock().millis(), scored -> true).isEmpty();
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
   * Does something in the row, out of which all has been swept that expires by now. Where that is
   * much, it takes several transactions, of which the last does what was asked for.
   */
  <R> R run(Function<ScoredRow, R> work) {
    long nowMillis = space.clock().millis();
    while (true) {
      Optional<R> done = attempt(nowMillis, work);
      if (done.isPresent()) {
        return done.get();
      }
    }
  }

  /** Sweeps, and works if nothing is left to sweep. */
  private <R> Optional<R> attempt(long nowMillis, Function<ScoredRow, R> work) {
    try {
      return space.transact(
          row,
          transaction -> {
            ScoredRow scored = new ScoredRow(transaction, nowMillis, ranked);
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
