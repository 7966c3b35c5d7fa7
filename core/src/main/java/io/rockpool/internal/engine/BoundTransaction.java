package io.rockpool.internal.engine;

import io.rockpool.engine.Engine;

/**
 * A transaction over any rows that a thread begins and ends by calls. Between them, the thread's
 * operations join it, as in {@link Engine#atomically}. It never runs again: where {@code
 * atomically} would, it fails with {@link BoundRules#conflict}. Its thread must end it. Every
 * method throws {@link IllegalStateException} on another thread.
 */
public interface BoundTransaction {
  /**
   * Applies all changes, or none, and ends the transaction. Actions for the commit have run when
   * this returns.
   *
   * @return whether it has committed; false after a conflict with another transaction
   */
  boolean commit();

  /** Undoes all changes and ends the transaction; does nothing if it has ended. */
  void rollback();

  /**
   * Detaches the transaction from its thread, which may begin another one or none. The transaction
   * still holds its rows: the thread must not change them until {@link #resume}.
   */
  void suspend();

  /**
   * Attaches the transaction to its thread again, which is in no other transaction. If the engine
   * was closed meanwhile, all changes are undone, and {@link #commit} throws a {@link
   * io.rockpool.error.StoreClosedException}.
   */
  void resume();

  /** A place to return to. It is valid until the transaction ends or returns to an earlier one. */
  TransactionNotes.Savepoint savepoint();

  /** Undoes the changes since a savepoint, and forgets the actions registered since. */
  void rollbackTo(TransactionNotes.Savepoint savepoint);
}
