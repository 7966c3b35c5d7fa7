/**
 * JSR-107 on {@link io.rockpool.cache.PersistentCache}: applications that know only {@code
 * javax.cache} get caches that survive their process.
 *
 * <p>{@link io.rockpool.jcache.RockpoolCachingProvider} is found by {@code
 * Caching.getCachingProvider()}; its documentation says where the data lies and which classes may
 * be stored.
 *
 * @since 0.1
 */
@NullMarked
package io.rockpool.jcache;

import org.jspecify.annotations.NullMarked;
