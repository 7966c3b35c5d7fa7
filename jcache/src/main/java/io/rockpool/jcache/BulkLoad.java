package io.rockpool.jcache;

import java.util.Set;
import javax.cache.integration.CompletionListener;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One call of {@code loadAll}: runs on another thread, and tells its listener how it ended. */
record BulkLoad<K, V>(
    Set<K> keys,
    boolean replace,
    @Nullable Loading<K, V> loading,
    BulkChanges<K, V> bulk,
    @Nullable CompletionListener listener)
    implements Runnable {
  private static final Logger LOG = LoggerFactory.getLogger(BulkLoad.class);

  @Override
  public void run() {
    RuntimeException failure = null;
    try {
      if (loading != null) {
        bulk.reload(keys, replace, loading);
      }
    } catch (RuntimeException e) {
      failure = e;
    }
    tell(failure);
  }

  private void tell(@Nullable RuntimeException failure) {
    if (listener == null) {
      return;
    }
    try {
      if (failure == null) {
        listener.onCompletion();
      } else {
        listener.onException(failure);
      }
    } catch (RuntimeException e) {
      LOG.warn("A completion listener of class {} failed", listener.getClass().getName(), e);
    }
  }
}
