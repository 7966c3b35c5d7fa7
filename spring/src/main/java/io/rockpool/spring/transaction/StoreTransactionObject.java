package io.rockpool.spring.transaction;

import io.rockpool.internal.engine.TransactionNotes.Savepoint;
import org.jspecify.annotations.Nullable;
import org.springframework.transaction.IllegalTransactionStateException;
import org.springframework.transaction.SavepointManager;
import org.springframework.transaction.support.SmartTransactionObject;

/** What Spring's base class handles for one use of {@code @Transactional}. */
final class StoreTransactionObject implements SavepointManager, SmartTransactionObject {
  private @Nullable BoundStore bound;

  StoreTransactionObject(@Nullable BoundStore bound) {
    this.bound = bound;
  }

  @Nullable BoundStore bound() {
    return bound;
  }

  /** The transaction, which there is. */
  BoundStore require() {
    BoundStore there = bound;
    if (there == null) {
      throw new IllegalTransactionStateException("There is no transaction; begin one first.");
    }
    return there;
  }

  void bind(@Nullable BoundStore other) {
    bound = other;
  }

  @Override
  public Object createSavepoint() {
    return require().transaction().savepoint();
  }

  @Override
  public void rollbackToSavepoint(Object savepoint) {
    require().transaction().rollbackTo((Savepoint) savepoint);
    require().resetRollbackOnly();
  }

  @Override
  public void releaseSavepoint(Object savepoint) {
    // It is forgotten with the transaction.
  }

  @Override
  public boolean isRollbackOnly() {
    return bound != null && bound.isRollbackOnly();
  }

  @Override
  public void flush() {
    // Changes are in the transaction already.
  }
}
