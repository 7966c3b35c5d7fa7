package io.rockpool.cache;

/**
 * What a cache keeps in memory.
 *
 * @param entries how many entries, about
 * @param bytes how many bytes they have, as encoded and with their overhead; 0 where {@link
 *     CacheSettings#hotEntries} bounds them, because entries have no weight then
 * @param maxBytes how many bytes they may have now; 0 where {@link CacheSettings#hotEntries} bounds
 *     them, or nothing is in memory yet. Where {@code shared}, it is what the cache has taken of
 *     the {@link HeapBudget}, and changes
 * @param shared whether that is a share of the {@link HeapBudget}, and no bound of the cache's own
 */
public record HotMemory(long entries, long bytes, long maxBytes, boolean shared) {
  /** Of a cache that keeps no entries in memory. */
  static final HotMemory NONE = new HotMemory(0, 0, 0, false);
}
