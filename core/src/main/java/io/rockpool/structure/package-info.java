/**
 * Collections that live on disk, behind the interfaces of {@code java.util}.
 *
 * <p>Each is written once, on the engine's rows and records, and runs on every engine.
 */
@NullMarked
package io.rockpool.structure;

import org.jspecify.annotations.NullMarked;
