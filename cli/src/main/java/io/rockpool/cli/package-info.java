/**
 * The command {@code rockpool}. Every verb takes the directory of a store first.
 *
 * <p>Start at {@link io.rockpool.cli.RockpoolCommand}.
 */
@NullMarked
package io.rockpool.cli;

import org.jspecify.annotations.NullMarked;
