/**
 * The entry point of Rockpool, a store of persistent caches and collections.
 *
 * <p>Start at {@link io.rockpool.Rockpool#open(java.nio.file.Path)}.
 *
 * @since 0.1
 */
@NullMarked
package io.rockpool;

import org.jspecify.annotations.NullMarked;
