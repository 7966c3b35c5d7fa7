/**
 * Caches that live on disk, with a tier of the most used entries in memory.
 *
 * <p>{@link io.rockpool.cache.PersistentCache} is the cache, for direct use and under JCache and
 * Spring. {@link io.rockpool.cache.CacheOptions} are its options, {@link
 * io.rockpool.cache.CacheExpiry} decides how long entries live, {@link
 * io.rockpool.cache.CacheStatistics} counts. All caches share the heap of a {@link
 * io.rockpool.cache.HeapBudget}.
 *
 * @since 0.1
 */
@NullMarked
package io.rockpool.cache;

import org.jspecify.annotations.NullMarked;
