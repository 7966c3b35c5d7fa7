package io.rockpool.internal.rocksdb.rows;

import io.rockpool.internal.engine.Upkeep;
import io.rockpool.internal.rocksdb.natives.BufferPool;
import io.rockpool.internal.rocksdb.natives.CloseGuard;
import io.rockpool.internal.rocksdb.natives.Database;
import io.rockpool.internal.rocksdb.natives.DurabilityScopes;
import io.rockpool.internal.rocksdb.natives.EmptyStretches;
import io.rockpool.internal.rocksdb.natives.Leaks;
import io.rockpool.internal.rocksdb.natives.OpenScans;
import io.rockpool.internal.rocksdb.natives.OpenSnapshots;
import io.rockpool.internal.rocksdb.natives.RecordLayout;
import io.rockpool.internal.rocksdb.natives.WritePath;
import java.time.InstantSource;
import org.jspecify.annotations.Nullable;

/** The parts of an open store that its operations work with. */
public record StoreParts(
    Database database,
    WritePath writePath,
    CloseGuard guard,
    RowLocks locks,
    @Nullable RowMemory rowMemory,
    BuiltRows builtRows,
    EmptyStretches emptyStretches,
    RunningTransactions transactions,
    DurabilityScopes durabilities,
    BufferPool buffers,
    OpenScans scans,
    OpenSnapshots snapshots,
    Leaks leaks,
    Upkeep upkeep,
    InstantSource clock) {
  /** Where reads of the latest records with this layout look first; null for nowhere. */
  @Nullable RowMemory memory(RecordLayout layout) {
    if (rowMemory != null && layout.hasRows()) {
      database.check();
      return rowMemory;
    }
    return null;
  }

  /**
   * Begins a write in the memory of rows: forgets the record. Returns null if records with this
   * layout are not kept there. The caller holds the row's lock, and closes the change.
   */
  RowMemory.@Nullable Change beginChange(
      SpaceState space, RecordLayout layout, long generation, byte[] hashKey, byte[] sortKey) {
    if (rowMemory == null || !layout.hasRows()) {
      return null;
    }
    RowMemory.Change change = rowMemory.begin(RowLocks.indexOf(space, hashKey));
    change.forget(layout.key(generation, hashKey, sortKey));
    return change;
  }

  /** Updates the hints for a put without a read. The caller holds the row's lock. */
  void putsBlindly(long generation, byte[] hashKey, byte[] sortKey) {
    builtRows.forget(generation, hashKey);
    EmptyStretches.Stretches stretches = emptyStretches.of(generation, hashKey);
    if (stretches != null) {
      stretches.put(sortKey);
    }
  }
}
