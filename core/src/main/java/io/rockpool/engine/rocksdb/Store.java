package io.rockpool.engine.rocksdb;

import java.time.InstantSource;

/** The parts of an open store that its operations work with. */
record Store(
    Database database,
    WriteDoor door,
    CloseGuard guard,
    RowLocks locks,
    BuiltRows builtRows,
    RunningTransactions transactions,
    BufferPool buffers,
    OpenScans scans,
    OpenSnapshots snapshots,
    Leaks leaks,
    InstantSource clock) {}
