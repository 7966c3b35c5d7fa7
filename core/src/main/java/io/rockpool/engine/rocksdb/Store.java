package io.rockpool.engine.rocksdb;

import io.rockpool.engine.Upkeep;
import java.time.InstantSource;

/** The parts of an open store that its operations work with. */
record Store(
    Database database,
    WriteDoor door,
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
  /** Notes that a record is put into a row, whose lock is held, without a look at what is there. */
  void putsBlindly(long generation, byte[] hashKey, byte[] sortKey) {
    builtRows.forget(generation, hashKey);
    EmptyStretches.Stretches stretches = emptyStretches.of(generation, hashKey);
    if (stretches != null) {
      stretches.put(sortKey);
    }
  }
}
