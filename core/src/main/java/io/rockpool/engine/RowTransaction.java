package io.rockpool.engine;

import org.jspecify.annotations.Nullable;

/**
 * A function on one row that depends only on what it reads there. An engine may run it any number
 * of times, also after the row has changed, and keeps the effect and result of one run. So it must
 * have no other effect: no I/O, no counters, no call of the engine. Determine the time, random
 * numbers and new ids before the transaction, not in it.
 *
 * @param <R> the type of the result
 */
@FunctionalInterface
public interface RowTransaction<R extends @Nullable Object> {
  /**
   * Reads and changes the row.
   *
   * @param row the row, valid for this run only
   * @return the result for the caller of {@link Space#transact}
   */
  R run(Row row);
}
