package io.rockpool;

import io.rockpool.cache.HeapBudget;
import io.rockpool.engine.rocksdb.RocksDbEngine;
import io.rockpool.error.StoreClosedException;
import io.rockpool.internal.encryption.EncryptedEngine;
import io.rockpool.store.DiskState;
import io.rockpool.store.KeyRotationState;
import io.rockpool.store.ReclaimState;
import io.rockpool.store.RecoveryReport;
import io.rockpool.store.ServerState;
import io.rockpool.store.StoreStatistics;
import io.rockpool.store.UpkeepState;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * What a store measures and knows of itself; {@link Rockpool#state} returns it. Each method returns
 * what is so at its call. Thread-safe. Every method throws {@link StoreClosedException} if the
 * handle is closed.
 */
public final class StoreState {
  private final Supplier<OpenStore> store;

  /** The state of a store that the supplier returns; it throws if the handle is closed. */
  StoreState(Supplier<OpenStore> store) {
    this.store = store;
  }

  /** An estimate of the store's bytes on disk. */
  public long diskBytes() {
    return store.get().engine.diskBytes();
  }

  /** The store's disk usage and limits, and whether it rejects writes for lack of disk space. */
  public DiskState disk() {
    return store.get().upkeep().diskState();
  }

  /** The heap budget that the store's caches without a bound of their own share. */
  public HeapBudget heap() {
    return store.get().caches.heapBudget();
  }

  /** What the store still has to reclaim, and what it has reclaimed since it was opened. */
  public ReclaimState reclaim() {
    return store.get().upkeep().reclaimState();
  }

  /** The state of the background threads of the store and its caches. */
  public UpkeepState upkeep() {
    return store.get().upkeep().upkeep().state();
  }

  /** How far {@link Rockpool#rotateKeys} has come. Reads the descriptions of all names. */
  public KeyRotationState keyRotation() {
    EncryptedEngine encryption = store.get().encryption();
    return encryption == null ? KeyRotationState.NONE : encryption.keyRotation();
  }

  /** The number of snapshots and cursors that were never closed. */
  public long leaks() {
    return store.get().upkeep().leaks();
  }

  /** The store's use of resources and its activity. Cheap; empty on a custom engine. */
  public Optional<StoreStatistics> statistics() {
    return Optional.ofNullable(store.get().embedded).map(RocksDbEngine::statistics);
  }

  /**
   * The connection of the store to its servers, and how its caches fare while they are away. Cheap;
   * empty for a store without servers, and on an engine that does not measure them.
   */
  public Optional<ServerState> server() {
    return store.get().upkeep().serverState();
  }

  /** What opening found out about the state after the last run; empty on a custom engine. */
  public Optional<RecoveryReport> recovery() {
    return Optional.ofNullable(store.get().embedded).map(RocksDbEngine::recoveryReport);
  }

  /**
   * The directory of the damaged store that this store replaces; see {@link
   * RockpoolBuilder#onCorruption}.
   */
  public Optional<Path> quarantined() {
    return Optional.ofNullable(store.get().embedded).map(RocksDbEngine::setAside);
  }
}
