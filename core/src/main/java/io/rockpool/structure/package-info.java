/**
 * Persistent collections behind the interfaces of {@code java.util}.
 *
 * <ul>
 *   <li>maps: {@link io.rockpool.structure.PersistentMap}, {@link
 *       io.rockpool.structure.PersistentSortedMap}
 *   <li>sets: {@link io.rockpool.structure.PersistentSet}, {@link
 *       io.rockpool.structure.PersistentSortedSet}, {@link
 *       io.rockpool.structure.PersistentScoredSet}
 *   <li>queue: {@link io.rockpool.structure.PersistentDeque}
 *   <li>rows of sorted records: {@link io.rockpool.structure.PersistentTable}
 *   <li>single values: {@link io.rockpool.structure.PersistentCounter}, {@link
 *       io.rockpool.structure.PersistentValue}
 *   <li>for all: {@link io.rockpool.structure.PersistentStructure}, {@link
 *       io.rockpool.structure.StructureOptions}, {@link io.rockpool.structure.Range}, {@link
 *       io.rockpool.structure.Snapshot}
 * </ul>
 *
 * <p>They use only the engine's rows and records, so they run on every engine.
 *
 * @since 0.1
 */
@NullMarked
package io.rockpool.structure;

import org.jspecify.annotations.NullMarked;
