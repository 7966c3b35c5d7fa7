package io.rockpool;

/**
 * A running transaction over several caches and collections; see {@link Rockpool#atomically}. Their
 * operations on the transaction's thread join it automatically.
 *
 * <p>Transactions of two stores are independent: an inner one commits whatever happens to the outer
 * one. Threads that nest two stores in opposite orders would deadlock. After some tenths of a
 * second one of them gets an {@link IllegalStateException}, and the others continue.
 */
public interface Transaction {
  /**
   * Runs an action after the commit, on the same thread and before {@code atomically} returns;
   * never if the transaction does not commit. An exception of the action is logged. It affects
   * neither the transaction nor the other actions.
   *
   * @param action what to run; once, however often the transaction runs
   */
  void afterCommit(Runnable action);
}
