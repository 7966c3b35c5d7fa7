package io.rockpool.spring.transaction;

import io.rockpool.Rockpool;
import io.rockpool.internal.access.Internals;
import io.rockpool.internal.access.StoreAccess;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.springframework.dao.OptimisticLockingFailureException;
import org.springframework.transaction.CannotCreateTransactionException;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.TransactionTimedOutException;
import org.springframework.transaction.support.AbstractPlatformTransactionManager;
import org.springframework.transaction.support.DefaultTransactionStatus;
import org.springframework.transaction.support.ResourceTransactionManager;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * Makes {@code @Transactional} and {@code TransactionTemplate} transactions over the caches and
 * collections of a store. Their operations on the transaction's thread join it, and so do {@link
 * Rockpool#atomically} and {@link Rockpool#once} inside it. Thread-safe.
 *
 * <pre>{@code
 * @Bean
 * RockpoolTransactionManager transactionManager(Rockpool pool) {
 *   return new RockpoolTransactionManager(pool);
 * }
 * }</pre>
 *
 * <p><b>Conflicts.</b> Unlike {@code atomically}, a method does not run again by itself. An
 * operation waits for rows that other transactions hold. Where the wait could be a deadlock, it
 * ends after a second with a {@link org.springframework.dao.CannotAcquireLockException}; a conflict
 * at the commit is an {@link OptimisticLockingFailureException}. Both are {@link
 * org.springframework.dao.ConcurrencyFailureException}s: nothing was changed, and the caller may
 * repeat the method, for instance with {@code @Retryable}.
 *
 * <p><b>Propagation.</b> All kinds. {@code NESTED} is a savepoint. {@code REQUIRES_NEW} and {@code
 * NOT_SUPPORTED} suspend the outer transaction, which keeps its rows. What runs meanwhile must not
 * use a row that the outer transaction has read or changed: a new transaction that reads or changes
 * one fails with a {@code CannotAcquireLockException}, and a change without a transaction with an
 * {@link IllegalStateException}. A transaction cannot begin inside {@code atomically}, which may
 * run its function again.
 *
 * <p><b>Isolation</b> is always serializable, which satisfies each level. {@code readOnly} is a
 * hint that changes nothing, so methods that fill a cache work. A timeout is checked at each
 * operation and at the commit; a wait for a row may take longer.
 *
 * <p><b>Other resources.</b> Only this store takes part. A database has a transaction manager of
 * its own, and the two commit one after the other.
 */
public final class RockpoolTransactionManager extends AbstractPlatformTransactionManager
    implements ResourceTransactionManager {
  private static final long serialVersionUID = 1L;

  @SuppressWarnings("serial") // no manager is ever serialized
  private final Rockpool pool;

  /** A manager of transactions over a store. Managers of one store share its transactions. */
  public RockpoolTransactionManager(Rockpool pool) {
    this.pool = Objects.requireNonNull(pool, "pool");
    setNestedTransactionAllowed(true);
  }

  /** The handle of the store. */
  @Override
  public Object getResourceFactory() {
    return pool;
  }

  /** All handles of a store share it. */
  private StoreAccess store() {
    return Internals.store(pool);
  }

  @Override
  protected Object doGetTransaction() {
    return new StoreTransactionObject(
        (BoundStore) TransactionSynchronizationManager.getResource(store()));
  }

  @Override
  protected boolean isExistingTransaction(Object transaction) {
    return ((StoreTransactionObject) transaction).bound() != null;
  }

  @Override
  protected void doBegin(Object transaction, TransactionDefinition definition) {
    StoreAccess store = store();
    BoundStore begun = begin(store);
    int timeoutSeconds = determineTimeout(definition);
    if (timeoutSeconds != TransactionDefinition.TIMEOUT_DEFAULT) {
      begun.setTimeoutInSeconds(timeoutSeconds);
    }
    begun.setSynchronizedWithTransaction(true);
    TransactionSynchronizationManager.bindResource(store, begun);
    ((StoreTransactionObject) transaction).bind(begun);
  }

  private static BoundStore begin(StoreAccess store) {
    try {
      return new BoundStore(store);
    } catch (IllegalStateException | UnsupportedOperationException e) {
      throw new CannotCreateTransactionException("The store began no transaction.", e);
    }
  }

  @Override
  protected Object doSuspend(Object transaction) {
    BoundStore suspended = ((StoreTransactionObject) transaction).require();
    suspended.transaction().suspend();
    ((StoreTransactionObject) transaction).bind(null);
    return TransactionSynchronizationManager.unbindResource(suspended.store());
  }

  @Override
  protected void doResume(@Nullable Object transaction, Object suspended) {
    BoundStore resumed = (BoundStore) suspended;
    TransactionSynchronizationManager.bindResource(resumed.store(), resumed);
    resumed.transaction().resume();
  }

  @Override
  protected void doCommit(DefaultTransactionStatus status) {
    BoundStore bound = object(status).require();
    checkTime(bound);
    if (!bound.transaction().commit()) {
      throw new OptimisticLockingFailureException(
          "Another transaction has changed what this one has read, or a cache or collection was"
              + " cleared meanwhile. Nothing was changed; run it again.");
    }
  }

  /** Spring's base class does not roll back after this exception at the commit. */
  private static void checkTime(BoundStore bound) {
    try {
      bound.checkTime();
    } catch (TransactionTimedOutException e) {
      bound.transaction().rollback();
      throw e;
    }
  }

  @Override
  protected void doRollback(DefaultTransactionStatus status) {
    object(status).require().transaction().rollback();
  }

  @Override
  protected void doSetRollbackOnly(DefaultTransactionStatus status) {
    object(status).require().setRollbackOnly();
  }

  @Override
  protected void doCleanupAfterCompletion(Object transaction) {
    BoundStore ended = ((StoreTransactionObject) transaction).require();
    ended.clear();
    TransactionSynchronizationManager.unbindResource(ended.store());
  }

  private static StoreTransactionObject object(DefaultTransactionStatus status) {
    return (StoreTransactionObject) status.getTransaction();
  }
}
