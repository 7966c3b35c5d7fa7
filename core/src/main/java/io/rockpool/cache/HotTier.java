package io.rockpool.cache;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.RemovalCause;
import org.jspecify.annotations.Nullable;

/**
 * The entries a cache keeps in memory: Caffeine, behind a {@link Doorkeeper} once it is full.
 * Changed only under the lock of the key's {@link Stripe}; read without.
 *
 * <p>Expiry is not Caffeine's business here: an entry carries its own deadline, which its reader
 * checks to the millisecond. One that is past takes its place until it is read or evicted.
 */
final class HotTier {
  /**
   * What an entry is taken to weigh when the doorkeeper's size is chosen for a tier bounded by
   * bytes.
   */
  private static final long TYPICAL_ENTRY_BYTES = 512;

  private final long maxEntries;
  private final long maxBytes;
  private final Doorkeeper doorkeeper;
  private volatile Cache<Object, HotEntry> entries;
  private volatile boolean full;

  /** A tier bounded by entries or, where {@code maxEntries} is 0, by bytes. */
  HotTier(long maxEntries, long maxBytes) {
    this.maxEntries = maxEntries;
    this.maxBytes = maxBytes;
    this.doorkeeper = new Doorkeeper(maxEntries > 0 ? maxEntries : maxBytes / TYPICAL_ENTRY_BYTES);
    this.entries = newEntries();
  }

  private Cache<Object, HotEntry> newEntries() {
    Caffeine<Object, HotEntry> builder =
        Caffeine.newBuilder()
            .evictionListener(
                (@Nullable Object key, @Nullable HotEntry entry, RemovalCause cause) ->
                    full = true);
    return maxEntries > 0
        ? builder.maximumSize(maxEntries).build()
        : builder.maximumWeight(maxBytes).weigher((key, entry) -> entry.weight()).build();
  }

  @Nullable HotEntry get(Object key) {
    return entries.getIfPresent(key);
  }

  /**
   * Whether an entry that was read from disk is worth a place: there is room, or its key came by
   * before.
   */
  boolean wants(int keyHash) {
    return !full || doorkeeper.seen(keyHash);
  }

  void put(Object key, HotEntry entry) {
    entries.put(key, entry);
  }

  /**
   * Takes what was just written: in the place of what was there, or in a new one if it is {@link
   * #wants wanted}.
   */
  void written(Object key, int keyHash, HotEntry entry) {
    Cache<Object, HotEntry> cache = entries;
    // Seldom there, and replace would lock a neighbour to find that out; nothing comes in
    // meanwhile.
    boolean there = cache.asMap().containsKey(key) && cache.asMap().replace(key, entry) != null;
    if (!there && wants(keyHash)) {
      cache.put(key, entry);
    }
  }

  void remove(Object key) {
    entries.invalidate(key);
  }

  /** Forgets everything, at once: what was there is left to the garbage collector. */
  void clear() {
    entries = newEntries();
    full = false;
  }

  long size() {
    return entries.estimatedSize();
  }
}
