/**
 * Change feeds: the changes of a cache or collection in the order of their commits, kept on disk.
 *
 * <p>{@link io.rockpool.change.ChangeOptions} switches the feed of a name on. {@link
 * io.rockpool.change.ChangeFeed} reads its {@link io.rockpool.change.ChangeEvent}s; a {@link
 * io.rockpool.change.ChangeCursor} remembers how far a consumer is.
 */
@NullMarked
package io.rockpool.change;

import org.jspecify.annotations.NullMarked;
