package io.rockpool.cache;

import io.rockpool.engine.Engine;
import io.rockpool.engine.Space;
import io.rockpool.internal.catalog.Catalog;
import io.rockpool.internal.engine.Evictor;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Keeps the caches of a store within their disk budgets and maximum sizes. */
final class CacheEvictor implements Evictor {
  private final Engine engine;
  private final Catalog catalog;

  /** The spaces of open caches. The map changes under the catalog's lock. */
  private final Map<String, SharedSpace> spaces;

  CacheEvictor(Engine engine, Catalog catalog, Map<String, SharedSpace> spaces) {
    this.engine = engine;
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
  public Map<String, EntryBound> entryBounds() {
    Map<String, EntryBound> bounds = new HashMap<>();
    spaces.forEach(
        (name, space) -> {
          long entries = space.maximumSize();
          if (entries > 0) {
            bounds.put(name, new EntryBound(entries, space.puts()));
          }
        });
    return bounds;
  }

  @Override
  public int evict(Space space, List<byte[]> hashKeys, boolean all) {
    if (hashKeys.isEmpty()) {
      return 0;
    }
    SharedSpace shared = spaces.get(space.name());
    return shared == null
        ? evictUnopened(space, hashKeys, all)
        : evictOpened(shared, space, hashKeys, all);
  }

  /**
   * Evicts from the space of an open cache. If the name was dropped and created again since the
   * rows were chosen, one of the two handles throws and nothing is removed.
   */
  private static int evictOpened(
      SharedSpace shared, Space space, List<byte[]> hashKeys, boolean all) {
    space.info(); // throws if the name holds another space now
    return shared.evict(hashKeys, all);
  }

  /**
   * Evicts from a cache that is not open, in the same way: a cache that is opened meanwhile shares
   * its stripes. No lock is held while rows change, because a transaction that has locked them may
   * wait for the catalog's lock.
   */
  private int evictUnopened(Space space, List<byte[]> hashKeys, boolean all) {
    String name = space.name();
    SharedSpace shared =
        catalog.locked(
            () -> {
              space.info(); // throws if the name holds another space now
              return spaces.computeIfAbsent(
                  name, absent -> new SharedSpace(space, engine, catalog));
            });
    try {
      return shared.evict(hashKeys, all, catalog.pendingChanges(name, false));
    } finally {
      catalog.locked(() -> shared.caches.isEmpty() && spaces.remove(name, shared));
    }
  }
}
