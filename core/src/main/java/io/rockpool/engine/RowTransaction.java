package io.rockpool.engine;

import org.jspecify.annotations.Nullable;

/**
 * What to do in one row, as a function of what it reads there and of nothing else. An engine may
 * run it any number of times and keeps the effect of one run alone, so it must have no effect of
 * its own: no I/O, no counters, no other space.
 *
 * @param <R> what the transaction returns
 */
@FunctionalInterface
public interface RowTransaction<R extends @Nullable Object> {
  /**
   * Reads and changes {@code row}, which is good for this run only, and returns what the caller
   * shall have.
   */
  R run(Row row);
}
