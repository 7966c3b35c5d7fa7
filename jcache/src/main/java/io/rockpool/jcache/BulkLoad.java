package io.rockpool.jcache;

import io.rockpool.cache.Decision;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import javax.cache.integration.CompletionListener;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One call of {@code loadAll}: runs on another thread, and tells its listener how it ended. */
record BulkLoad<K, V>(
    Set<K> keys,
    boolean replace,
    @Nullable Loading<K, V> loading,
    Predicate<K> isThere,
    EntryChanges<K, V> changes,
    @Nullable CompletionListener listener)
    implements Runnable {
  private static final Logger LOG = LoggerFactory.getLogger(BulkLoad.class);

  @Override
  public void run() {
    RuntimeException failure = null;
    try {
      load();
    } catch (RuntimeException e) {
      failure = e;
    }
    tell(failure);
  }

  private void load() {
    Set<K> wanted = new LinkedHashSet<>(keys);
    if (!replace) {
      wanted.removeIf(isThere);
    }
    if (loading == null || wanted.isEmpty()) {
      return;
    }
    Map<K, V> loaded = loading.loadAll(wanted);
    for (K key : wanted) {
      V value = loaded.get(key);
      if (value != null) {
        changes.change(
            key,
            there -> there == null || replace ? Decision.put(value) : Decision.keep(),
            () -> false);
      }
    }
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
