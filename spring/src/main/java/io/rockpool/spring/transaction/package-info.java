/**
 * Spring's transactions on a store. {@link
 * io.rockpool.spring.transaction.RockpoolTransactionManager} makes {@code @Transactional} a
 * transaction over caches and collections.
 */
@NullMarked
package io.rockpool.spring.transaction;

import org.jspecify.annotations.NullMarked;
