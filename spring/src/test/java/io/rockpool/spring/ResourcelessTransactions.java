package io.rockpool.spring;

import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.AbstractPlatformTransactionManager;
import org.springframework.transaction.support.DefaultTransactionStatus;

/** Spring's transactions over nothing: they begin, commit and roll back, and say so. */
public final class ResourcelessTransactions extends AbstractPlatformTransactionManager {
  private static final long serialVersionUID = 1L;

  @Override
  protected Object doGetTransaction() {
    return "transaction";
  }

  @Override
  protected void doBegin(Object transaction, TransactionDefinition definition) {}

  @Override
  protected void doCommit(DefaultTransactionStatus status) {}

  @Override
  protected void doRollback(DefaultTransactionStatus status) {}
}
