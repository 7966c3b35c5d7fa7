package io.rockpool.benchmarks;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import org.jspecify.annotations.Nullable;

/**
 * {@link Peer#CAFFEINE}. Each entry has a value of its own, as with the others, who decode theirs.
 */
final class CaffeineAlone implements Contestant {
  private final Data data;
  private final Cache<String, String> cache;

  CaffeineAlone(Data data, int maxEntries) {
    this.data = data;
    this.cache = Caffeine.newBuilder().maximumSize(maxEntries).build();
    for (int i = 0; i < Math.min(maxEntries, data.entries()); i++) {
      put(i);
    }
  }

  @Override
  public @Nullable Object get(int index) {
    return cache.getIfPresent(data.keyAt(index));
  }

  @Override
  public void put(int index) {
    cache.put(data.keyAt(index), new String(data.valueAt(index)));
  }

  @Override
  public void close() {
    cache.invalidateAll();
  }
}
