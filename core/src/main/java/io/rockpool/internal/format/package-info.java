/** Every byte that a store keeps: one class per format, its documentation the specification. */
@NullMarked
package io.rockpool.internal.format;

import org.jspecify.annotations.NullMarked;
