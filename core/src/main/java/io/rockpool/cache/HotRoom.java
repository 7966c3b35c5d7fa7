package io.rockpool.cache;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.RemovalCause;
import org.jspecify.annotations.Nullable;

/**
 * What a {@link HotTier} keeps between two clears: Caffeine, and the {@link Doorkeeper} who counts
 * its keys in and out.
 */
final class HotRoom {
  private final Cache<Object, HotEntry> entries;
  private final Doorkeeper doorkeeper;
  private volatile boolean full;

  /** The last key that Caffeine evicted, or began to: it evicts one at a time, under its lock. */
  private @Nullable Object evicted;

  HotRoom(long maxEntries, long maxBytes, long typicalEntries) {
    this.doorkeeper = new Doorkeeper(typicalEntries);
    Caffeine<Object, HotEntry> builder = Caffeine.newBuilder().evictionListener(this::evicts);
    this.entries =
        maxEntries > 0
            ? builder.maximumSize(maxEntries).build()
            : builder.maximumWeight(maxBytes).weigher((key, entry) -> entry.weight()).build();
  }

  /**
   * Called when an entry is about to go but still there: it is counted out at the next one, when it
   * is gone for sure.
   */
  private void evicts(@Nullable Object key, @Nullable HotEntry entry, RemovalCause cause) {
    if (evicted != null) {
      doorkeeper.leaves(evicted.hashCode());
    }
    evicted = key;
    full = true;
  }

  @Nullable HotEntry get(Object key) {
    return entries.getIfPresent(key);
  }

  boolean mayHold(Object key) {
    return doorkeeper.mayBeInside(key.hashCode());
  }

  boolean holds(Object key) {
    return mayHold(key) && entries.asMap().containsKey(key);
  }

  boolean wants(Object key) {
    return !full || doorkeeper.seen(key.hashCode());
  }

  void put(Object key, HotEntry entry) {
    int hash = key.hashCode();
    doorkeeper.enters(hash);
    if (entries.asMap().put(key, entry) != null) {
      doorkeeper.leaves(hash);
    }
  }

  void remove(Object key) {
    if (mayHold(key) && entries.asMap().remove(key) != null) {
      doorkeeper.leaves(key.hashCode());
    }
  }

  long size() {
    return entries.estimatedSize();
  }
}
