/**
 * Spring's cache abstraction on Rockpool: begin at {@link io.rockpool.spring.RockpoolCacheManager}.
 */
@NullMarked
package io.rockpool.spring;

import org.jspecify.annotations.NullMarked;
