package io.rockpool.spring;

import java.util.Collection;
import org.jspecify.annotations.Nullable;
import org.springframework.cache.transaction.TransactionAwareCacheDecorator;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * A cache whose puts, evictions and clears wait for the commit of Spring's transaction. A put keeps
 * the tags and the load of the call that makes it, which has ended when the transaction commits.
 */
final class TransactionAwareRockpoolCache extends TransactionAwareCacheDecorator {
  private final RockpoolCache target;

  TransactionAwareRockpoolCache(RockpoolCache target) {
    super(target);
    this.target = target;
  }

  @Override
  public void put(Object key, @Nullable Object value) {
    if (!TransactionSynchronizationManager.isSynchronizationActive()) {
      target.put(key, value);
      return;
    }
    RockpoolCache.Put put = target.preparePut(key, value, true);
    if (put != null) {
      afterCommit(() -> target.store(put), put::endLoad);
    }
  }

  /** Removes entries by their tags, after the commit of Spring's transaction if there is one. */
  static void invalidateTags(RockpoolCache cache, Collection<String> tags) {
    if (TransactionSynchronizationManager.isSynchronizationActive()) {
      afterCommit(() -> cache.invalidateTags(tags), () -> {});
    } else {
      cache.invalidateTags(tags);
    }
  }

  /** Runs a change after the commit of the running transaction, and {@code end} after its end. */
  static void afterCommit(Runnable change, Runnable end) {
    TransactionSynchronizationManager.registerSynchronization(new AfterCommit(change, end));
  }

  /** What follows a commit, and what follows every end of a transaction. */
  private record AfterCommit(Runnable change, Runnable end) implements TransactionSynchronization {
    @Override
    public void afterCommit() {
      change.run();
    }

    @Override
    public void afterCompletion(int status) {
      end.run();
    }
  }
}
