package io.rockpool.spring.boot;

import io.rockpool.Rockpool;
import io.rockpool.engine.Capability;
import io.rockpool.engine.Engine;
import io.rockpool.internal.access.Internals;
import io.rockpool.spring.transaction.RockpoolTransactionManager;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;
import org.springframework.transaction.CannotCreateTransactionException;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.TransactionStatus;
import org.springframework.transaction.interceptor.TransactionAttribute;
import org.springframework.transaction.support.SimpleTransactionStatus;

/** Chooses a store's transaction manager by what its engine can do. */
final class ManagerByEngine {
  private ManagerByEngine() {}

  /** That of the store, or else one that changes nothing for methods with annotations. */
  static PlatformTransactionManager of(Rockpool pool) {
    return hasTransactions(pool)
        ? new RockpoolTransactionManager(pool)
        : new WithoutTransactions(Internals.store(pool).engine());
  }

  /**
   * That of the store.
   *
   * @throws InvalidConfigurationPropertyValueException if the store has no transactions
   */
  static RockpoolTransactionManager required(Rockpool pool) {
    if (!hasTransactions(pool)) {
      throw OnStoreWithTransactions.refusal(Internals.store(pool).engine().description());
    }
    return new RockpoolTransactionManager(pool);
  }

  private static boolean hasTransactions(Rockpool pool) {
    return Internals.store(pool)
        .engine()
        .capabilities()
        .contains(Capability.MULTI_ROW_TRANSACTIONS);
  }

  /**
   * Runs methods with annotations as they run where there is no manager. Code that begins a
   * transaction itself, which it could not without a manager, is refused.
   */
  private record WithoutTransactions(Engine engine) implements PlatformTransactionManager {
    @Override
    public TransactionStatus getTransaction(@Nullable TransactionDefinition definition) {
      if (definition instanceof TransactionAttribute) {
        return new SimpleTransactionStatus(false);
      }
      throw new CannotCreateTransactionException(
          "The store began no transaction.", Capability.MULTI_ROW_TRANSACTIONS.missingFrom(engine));
    }

    @Override
    public void commit(TransactionStatus status) {}

    @Override
    public void rollback(TransactionStatus status) {}
  }
}
