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
import io.rockpool.internal.rocksdb.natives.WritePath;
import java.time.InstantSource;

/** The parts of an open store that its operations work with. */
public record StoreParts(
    Database database,
    WritePath writePath,
    CloseGuard guard,
    RowLocks locks,
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
  /** Updates the hints for a put without a read. The caller holds the row's lock. */
  void putsBlindly(long generation, byte[] hashKey, byte[] sortKey) {
    builtRows.forget(generation, hashKey);
    EmptyStretches.Stretches stretches = emptyStretches.of(generation, hashKey);
    if (stretches != null) {
      stretches.put(sortKey);
    }
  }
}
