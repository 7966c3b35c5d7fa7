package io.rockpool.micronaut;

import io.micronaut.context.annotation.EachProperty;
import io.micronaut.context.annotation.Parameter;
import io.micronaut.core.convert.format.ReadableBytes;
import io.rockpool.cache.CacheExpiry;
import io.rockpool.cache.CacheOptions;
import io.rockpool.store.Durability;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The options of the cache with this name, as in {@link CacheOptions}.
 *
 * @param ttl how long an entry lives after its last write
 * @param tti how long an entry lives after its last write or read
 * @param hotEntries how many entries are kept in memory
 * @param hotSize how many bytes of entries are kept in memory, in place of their number
 * @param maximumSize how many entries are kept on disk
 * @param diskBudget how many bytes of entries are kept on disk
 * @param jitter the fraction by which lifetimes are shortened at random, from 0 to 1
 * @param durability of the cache's writes
 */
@EachProperty("rockpool.caches")
record CacheProperties(
    @Parameter String name,
    @Nullable Duration ttl,
    @Nullable Duration tti,
    @Nullable Long hotEntries,
    @ReadableBytes @Nullable Long hotSize,
    @Nullable Long maximumSize,
    @ReadableBytes @Nullable Long diskBudget,
    @Nullable Double jitter,
    @Nullable Durability durability) {
  /** Adds what is set. */
  CacheOptions<Object, Object> applyTo(CacheOptions<Object, Object> options) {
    CacheOptions<Object, Object> all = options;
    if (ttl != null) {
      all =
          all.expiry(
              tti == null ? CacheExpiry.afterWrite(ttl) : CacheExpiry.afterWriteOrAccess(ttl, tti));
    } else if (tti != null) {
      all = all.expiry(CacheExpiry.afterAccess(tti));
    }
    if (hotEntries != null) {
      all = all.hotEntries(hotEntries);
    }
    if (hotSize != null) {
      all = all.hotBytes(hotSize);
    }
    if (maximumSize != null) {
      all = all.maximumSize(maximumSize);
    }
    if (diskBudget != null) {
      all = all.diskBudgetBytes(diskBudget);
    }
    if (jitter != null) {
      all = all.jitter(jitter);
    }
    return durability == null ? all : all.durability(durability);
  }
}
