package io.rockpool.cache;

import io.rockpool.engine.Evictor;
import io.rockpool.engine.RecordKey;
import io.rockpool.engine.Space;
import io.rockpool.internal.catalog.Catalog;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Keeps the caches of a store within the disk they may take. */
final class CacheEvictor implements Evictor {
  private final Catalog catalog;

  /** The spaces of the caches that were opened, which change under the catalog's lock. */
  private final Map<String, SharedSpace> spaces;

  CacheEvictor(Catalog catalog, Map<String, SharedSpace> spaces) {
    this.catalog = catalog;
    this.spaces = spaces;
  }

  @Override
  public Map<String, Long> budgets() {
    Map<String, Long> budgets = new HashMap<>();
    spaces.forEach(
        (name, space) -> {
          long bytes = space.diskBudgetBytes();
          if (bytes > 0) {
            budgets.put(name, bytes);
          }
        });
    return budgets;
  }

  @Override
  public int evict(Space space, List<byte[]> hashKeys, boolean all) {
    SharedSpace shared = spaces.get(space.name());
    return shared == null ? evictUnopened(space, hashKeys, all) : shared.evict(hashKeys, all);
  }

  /** Of a cache that nobody has opened nothing is in memory; nor is it until the lock is free. */
  private int evictUnopened(Space space, List<byte[]> hashKeys, boolean all) {
    synchronized (catalog) {
      @Nullable SharedSpace opened = spaces.get(space.name());
      if (opened != null) {
        return opened.evict(hashKeys, all);
      }
      space.deleteAll(hashKeys.stream().map(key -> new RecordKey(key, Space.NO_SORT_KEY)).toList());
      return hashKeys.size();
    }
  }
}
