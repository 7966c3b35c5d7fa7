package io.rockpool.spring.transaction;

import io.rockpool.internal.access.StoreAccess;
import io.rockpool.internal.engine.BoundRules;
import io.rockpool.internal.engine.BoundTransaction;
import org.springframework.dao.CannotAcquireLockException;
import org.springframework.transaction.support.ResourceHolderSupport;

/** A store's transaction, as Spring binds it to a thread. */
final class BoundStore extends ResourceHolderSupport implements BoundRules {
  private final StoreAccess store;
  private final BoundTransaction transaction;

  /** Begins a transaction of the calling thread. */
  BoundStore(StoreAccess store) {
    this.store = store;
    this.transaction = store.beginTransaction(this);
  }

  /** The store, which is the key of this resource; also if the manager's handle was closed. */
  StoreAccess store() {
    return store;
  }

  BoundTransaction transaction() {
    return transaction;
  }

  /** {@inheritDoc} Too late, it marks the transaction for rollback too. */
  @Override
  public void checkTime() {
    if (hasTimeout()) {
      getTimeToLiveInMillis();
    }
  }

  @Override
  public RuntimeException conflict(String message) {
    return new CannotAcquireLockException(message);
  }
}
