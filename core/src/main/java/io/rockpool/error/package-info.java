/**
 * The exceptions of a store, one type for each problem that a caller can act on.
 *
 * @since 0.1
 */
@NullMarked
package io.rockpool.error;

import org.jspecify.annotations.NullMarked;
