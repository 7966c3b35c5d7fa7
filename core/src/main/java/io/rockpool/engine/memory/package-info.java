/**
 * The engine in memory: the reference model of the engine contract, and a strict engine for tests.
 *
 * @since 0.1
 */
@NullMarked
package io.rockpool.engine.memory;

import org.jspecify.annotations.NullMarked;
