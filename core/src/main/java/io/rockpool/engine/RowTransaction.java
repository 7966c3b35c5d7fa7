package io.rockpool.engine;

import org.jspecify.annotations.Nullable;

/**
 * What to do in one row, as a function of what it reads there and of nothing else. An engine may
 * run it any number of times, also on a row that has changed meanwhile, and keeps the effect and
 * the result of one run alone. So it must have no effect of its own: no I/O, no counters, no call
 * of the engine; and whatever differs from one moment to the next (the time, a random number, a new
 * id) is drawn before the transaction and not in it.
 *
 * @param <R> what the transaction returns
 */
@FunctionalInterface
public interface RowTransaction<R extends @Nullable Object> {
  /**
   * Reads and changes the row.
   *
   * @param row the row, good for this run only
   * @return what the caller of {@link Space#transact} shall have
   */
  R run(Row row);
}
