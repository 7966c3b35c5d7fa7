/**
 * The front door of Rockpool: caches and collections that live on disk and survive the death of
 * their process.
 *
 * <p>Start at {@link io.rockpool.Rockpool#open(java.nio.file.Path)}.
 */
@NullMarked
package io.rockpool;

import org.jspecify.annotations.NullMarked;
