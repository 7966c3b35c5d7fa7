/**
 * The catalog: what each name holds, so that a map is never opened as a deque, nor a cache with
 * another codec.
 */
@NullMarked
package io.rockpool.internal.catalog;

import org.jspecify.annotations.NullMarked;
