package io.rockpool.jcache;

import java.util.Set;
import javax.cache.integration.CacheLoaderException;
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
    RunningLoads running,
    @Nullable CompletionListener listener)
    implements Runnable {
  private static final Logger LOG = LoggerFactory.getLogger(BulkLoad.class);

  @Override
  public void run() {
    Exception failure = null;
    try {
      if (loading != null) {
        running.run(() -> bulk.reload(keys, replace, loading));
      }
    } catch (RuntimeException e) {
      failure = e;
    } catch (Throwable e) { // threads that wait for the load must receive errors too
      failure = new CacheLoaderException("The cache loader failed.", e);
    }
    tell(failure);
  }

  private void tell(@Nullable Exception failure) {
    if (listener == null) {
      if (failure != null) {
        LOG.warn("Loading {} entries failed, and nobody listens", keys.size(), failure);
      }
      return;
    }
    try {
      if (failure == null) {
        listener.onCompletion();
      } else {
        listener.onException(failure);
      }
    } catch (Throwable e) { // the thread serves others
      LOG.warn("A completion listener of class {} failed", listener.getClass().getName(), e);
    }
  }
}
