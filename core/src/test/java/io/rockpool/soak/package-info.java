/** A store under load for a long time. */
@NullMarked
package io.rockpool.soak;

import org.jspecify.annotations.NullMarked;
