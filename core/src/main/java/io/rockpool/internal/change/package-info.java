/**
 * The change logs of names: one row of a hidden space each, written in the transactions that change
 * the name's records.
 *
 * <p>Start at {@link io.rockpool.internal.change.ChangeLog}.
 */
@NullMarked
package io.rockpool.internal.change;

import org.jspecify.annotations.NullMarked;
