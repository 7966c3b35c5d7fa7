/**
 * Repositories of Apache Camel on Rockpool: {@link io.rockpool.camel.RockpoolIdempotentRepository}
 * and {@link io.rockpool.camel.RockpoolAggregationRepository}.
 *
 * @since 0.1
 */
@NullMarked
package io.rockpool.camel;

import org.jspecify.annotations.NullMarked;
