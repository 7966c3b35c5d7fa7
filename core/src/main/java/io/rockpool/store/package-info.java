/**
 * Values that describe a store to its users: options, states, statistics and reports.
 *
 * <ul>
 *   <li>options: {@link io.rockpool.store.Durability}, {@link io.rockpool.store.OnCorruption},
 *       {@link io.rockpool.store.LeakDetection}
 *   <li>states: {@link io.rockpool.store.StoreStatistics}, {@link io.rockpool.store.DiskState},
 *       {@link io.rockpool.store.UpkeepState}, {@link io.rockpool.store.ServerState}
 *   <li>opening: {@link io.rockpool.store.RecoveryReport}
 *   <li>checking: {@link io.rockpool.store.VerifyOptions}, {@link
 *       io.rockpool.store.VerifyProgress}, {@link io.rockpool.store.VerifyReport}, {@link
 *       io.rockpool.store.Finding}, {@link io.rockpool.store.FindingKind}
 *   <li>reclaiming: {@link io.rockpool.store.ReclaimState}, {@link io.rockpool.store.Reclaimed}
 *   <li>rescuing: {@link io.rockpool.store.SalvageReport}
 *   <li>encryption: {@link io.rockpool.store.KeyRotationState}
 *   <li>listening: {@link io.rockpool.store.Registration}
 * </ul>
 *
 * @since 0.1
 */
@NullMarked
package io.rockpool.store;

import org.jspecify.annotations.NullMarked;
