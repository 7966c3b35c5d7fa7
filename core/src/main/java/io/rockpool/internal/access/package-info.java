/**
 * What Rockpool's own packages and modules use of each other, hidden from users.
 *
 * <p>Start at {@link io.rockpool.internal.access.Internals}.
 */
@NullMarked
package io.rockpool.internal.access;

import org.jspecify.annotations.NullMarked;
