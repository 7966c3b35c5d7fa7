/**
 * Change feeds over change logs.
 *
 * <p>Start at {@link io.rockpool.internal.feed.Feeds}.
 */
@NullMarked
package io.rockpool.internal.feed;

import org.jspecify.annotations.NullMarked;
