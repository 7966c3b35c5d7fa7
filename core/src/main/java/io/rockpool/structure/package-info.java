/**
 * Persistent collections behind the interfaces of {@code java.util}.
 *
 * <ul>
 *   <li>maps: {@link io.rockpool.structure.PersistentMap}, {@link
 *       io.rockpool.structure.PersistentSortedMap}
 *   <li>sets: {@link io.rockpool.structure.PersistentSet}, {@link
 *       io.rockpool.structure.PersistentSortedSet}
 *   <li>ranking: {@link io.rockpool.structure.PersistentScoredSet} with {@link
 *       io.rockpool.structure.ScoredElement}, {@link io.rockpool.structure.ScoreCondition}, {@link
 *       io.rockpool.structure.ScoreAggregate}, {@link io.rockpool.structure.WeightedSet}
 *   <li>queue: {@link io.rockpool.structure.PersistentDeque} with {@link
 *       io.rockpool.structure.DequeEnd}, {@link io.rockpool.structure.Polled}
 *   <li>rows of sorted records: {@link io.rockpool.structure.PersistentTable} with {@link
 *       io.rockpool.structure.TableRecord}, {@link io.rockpool.structure.Mutations}, {@link
 *       io.rockpool.structure.Check}, {@link io.rockpool.structure.CheckResult}, {@link
 *       io.rockpool.structure.ConditionalRow}, {@link io.rockpool.structure.TableKey}, {@link
 *       io.rockpool.structure.TableFilter}, {@link io.rockpool.structure.Fetched}
 *   <li>single values: {@link io.rockpool.structure.PersistentCounter}, {@link
 *       io.rockpool.structure.PersistentValue}
 *   <li>for all: {@link io.rockpool.structure.PersistentStructure}, {@link
 *       io.rockpool.structure.StructureOptions}, {@link io.rockpool.structure.Range}, {@link
 *       io.rockpool.structure.ExpiryCondition}
 *   <li>snapshots: {@link io.rockpool.structure.Snapshot}, {@link io.rockpool.structure.TableView},
 *       {@link io.rockpool.structure.ScoredSetView}
 *   <li>listeners: {@link io.rockpool.structure.EntryListener}, {@link
 *       io.rockpool.structure.ElementListener}, {@link io.rockpool.structure.TableListener}, {@link
 *       io.rockpool.structure.ValueListener}
 * </ul>
 *
 * <p>They use only the engine's rows and records, so they run on every engine.
 *
 * @since 0.1
 */
@NullMarked
package io.rockpool.structure;

import org.jspecify.annotations.NullMarked;
