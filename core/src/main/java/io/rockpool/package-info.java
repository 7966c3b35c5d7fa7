/**
 * The entry point of Rockpool, a store of persistent caches and collections.
 *
 * <ul>
 *   <li>the store: {@link io.rockpool.Rockpool}; start at {@link
 *       io.rockpool.Rockpool#open(java.nio.file.Path)}
 *   <li>what opens caches, collections and queues: {@link io.rockpool.Openers}
 *   <li>its parts: {@link io.rockpool.StoreNames}, {@link io.rockpool.StoreBackups}, {@link
 *       io.rockpool.StoreState}
 *   <li>a damaged one: {@link io.rockpool.StoreSalvage}
 *   <li>its options: {@link io.rockpool.RockpoolBuilder}, {@link io.rockpool.WhenLocked}
 *   <li>what a name holds: {@link io.rockpool.Description}
 *   <li>a running transaction: {@link io.rockpool.Transaction}
 * </ul>
 *
 * <p>Caches are in {@code io.rockpool.cache}, collections in {@code io.rockpool.structure}, states
 * and options of stores in {@code io.rockpool.store}, exceptions in {@code io.rockpool.error},
 * codecs in {@code io.rockpool.codec}.
 *
 * @since 0.1
 */
@NullMarked
package io.rockpool;

import org.jspecify.annotations.NullMarked;
