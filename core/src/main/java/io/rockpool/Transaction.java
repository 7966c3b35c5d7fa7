package io.rockpool;

/**
 * A running transaction over several caches and collections; see {@link Rockpool#atomically}. What
 * these do on the transaction's thread is part of it by itself.
 *
 * <p>Transactions of two stores know nothing of each other: one inside the other commits by itself,
 * whatever becomes of the outer one. Threads that use two stores so in opposite orders would wait
 * for each other; after some tenths of a second one of them gets an {@link IllegalStateException},
 * and the others go on.
 */
public interface Transaction {
  /**
   * Runs an action once the transaction has committed, on the same thread and before {@code
   * atomically} returns; never if it does not commit. What it throws is logged: it changes nothing
   * about the transaction, and the other actions run all the same.
   *
   * @param action what to do, once, however often the work runs
   */
  void afterCommit(Runnable action);
}
