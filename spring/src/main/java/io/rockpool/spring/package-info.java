/**
 * Spring's cache abstraction on Rockpool: begin at {@link io.rockpool.spring.RockpoolCacheManager}.
 *
 * @since 0.1
 */
@NullMarked
package io.rockpool.spring;

import org.jspecify.annotations.NullMarked;
