/** What can go wrong in a store, one type for each thing a caller can act on. */
@NullMarked
package io.rockpool.error;

import org.jspecify.annotations.NullMarked;
