/**
 * The engine in memory: the reference model of the engine contract, and a strict one to test
 * against.
 */
@NullMarked
package io.rockpool.engine.memory;

import org.jspecify.annotations.NullMarked;
