/**
 * Persistent collections behind the interfaces of {@code java.util}.
 *
 * <p>They use only the engine's rows and records, so they run on every engine.
 */
@NullMarked
package io.rockpool.structure;

import org.jspecify.annotations.NullMarked;
