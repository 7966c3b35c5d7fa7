/**
 * Values that describe a store to its users: options, states, statistics and reports.
 *
 * @since 0.1
 */
@NullMarked
package io.rockpool.store;

import org.jspecify.annotations.NullMarked;
