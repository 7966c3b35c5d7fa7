package io.rockpool.quarkus.internal;

import io.quarkus.runtime.configuration.MemorySize;
import io.rockpool.cache.CacheExpiry;
import io.rockpool.cache.CacheOptions;
import io.rockpool.store.Durability;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;

/** The options of a cache. */
public interface CacheConfig {
  /** How long an entry lives after its last write. */
  Optional<Duration> expireAfterWrite();

  /** How long an entry lives after its last write or read. */
  Optional<Duration> expireAfterAccess();

  /** How many entries are kept in memory. */
  OptionalLong hotEntries();

  /** How many bytes of entries are kept in memory, in place of their number. */
  Optional<MemorySize> hotSize();

  /** How many entries are kept on disk. */
  OptionalLong maximumSize();

  /** How many bytes of entries are kept on disk. */
  Optional<MemorySize> diskBudget();

  /** The fraction by which lifetimes are shortened at random, from 0 to 1. */
  OptionalDouble jitter();

  /** The durability of the cache's writes. */
  Optional<Durability> durability();

  /** Adds what is set. */
  default CacheOptions<Object, Object> applyTo(CacheOptions<Object, Object> options) {
    CacheOptions<Object, Object> all = options;
    Duration ttl = expireAfterWrite().orElse(null);
    Duration tti = expireAfterAccess().orElse(null);
    if (ttl != null) {
      all =
          all.expiry(
              tti == null ? CacheExpiry.afterWrite(ttl) : CacheExpiry.afterWriteOrAccess(ttl, tti));
    } else if (tti != null) {
      all = all.expiry(CacheExpiry.afterAccess(tti));
    }
    if (hotEntries().isPresent()) {
      all = all.hotEntries(hotEntries().getAsLong());
    }
    if (hotSize().isPresent()) {
      all = all.hotBytes(hotSize().get().asLongValue());
    }
    if (maximumSize().isPresent()) {
      all = all.maximumSize(maximumSize().getAsLong());
    }
    if (diskBudget().isPresent()) {
      all = all.diskBudgetBytes(diskBudget().get().asLongValue());
    }
    if (jitter().isPresent()) {
      all = all.jitter(jitter().getAsDouble());
    }
    return durability().isPresent() ? all.durability(durability().get()) : all;
  }
}
