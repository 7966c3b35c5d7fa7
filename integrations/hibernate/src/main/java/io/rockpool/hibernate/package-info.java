/**
 * Hibernate's second-level cache on Rockpool: {@link io.rockpool.hibernate.RockpoolRegionFactory}.
 *
 * @since 0.1
 */
@NullMarked
package io.rockpool.hibernate;

import org.jspecify.annotations.NullMarked;
