/**
 * What Spring Boot makes of this library's presence: a store, a cache manager, and what operators
 * look at. Configured by the properties of {@link io.rockpool.spring.boot.RockpoolProperties}.
 *
 * @since 0.1
 */
@NullMarked
package io.rockpool.spring.boot;

import org.jspecify.annotations.NullMarked;
