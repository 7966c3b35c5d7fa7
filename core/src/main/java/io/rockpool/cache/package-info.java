/**
 * Caches that live on disk, with a tier of the most used entries in memory.
 *
 * <p>{@link io.rockpool.cache.PersistentCache} is the one kernel under direct use, JCache and
 * Spring.
 */
@NullMarked
package io.rockpool.cache;

import org.jspecify.annotations.NullMarked;
