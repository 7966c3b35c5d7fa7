package io.rockpool.cache;

import org.jspecify.annotations.Nullable;

/**
 * What caches of one space see of each other. A write through one cache removes its key from the
 * memory of all others.
 */
interface HotKeysOf {
  /**
   * Removes an entry from memory before another cache of the space, or an eviction, changes it in
   * the store. The caller has begun a write of its stripe. Never throws.
   */
  void forget(byte[] key);

  /** Whether an entry is in memory; false for a key that is not one of the cache. */
  boolean isHot(byte[] key);

  /** The hot tier; null if entries are not kept in memory. */
  @Nullable HotTier hotTier();

  /** Forgets what is known of keys, after all entries of the space were removed. */
  void keysCleared();

  /** Whether listeners are notified of expired entries. */
  boolean isWatched();

  /** What the cache has counted since it was opened. */
  CacheCounters counters();

  /** The disk budget of the entries in bytes; 0 for none. */
  long diskBudgetBytes();

  /** The maximum number of entries; 0 for none. */
  long maximumSize();
}
