package io.rockpool.jcache;

import io.rockpool.cache.ValueLoader;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * By what the kernel refreshes a cache's entries: the loader that its reads go through, which there
 * is only once the cache is. From {@link #close} on it is asked nothing more.
 */
final class RefreshLoader<K, V> implements ValueLoader<K, @Nullable V>, AutoCloseable {
  private volatile @Nullable Loading<K, V> loading;

  void use(@Nullable Loading<K, V> loader) {
    loading = loader;
  }

  @Override
  public @Nullable V load(K key) {
    return Objects.requireNonNull(loading, "The cache was closed.").load(key);
  }

  @Override
  public void close() {
    loading = null;
  }
}
