package io.rockpool.internal.rocksdb.rows;

import io.rockpool.internal.engine.Upkeep;
import io.rockpool.internal.rocksdb.natives.BufferPool;
import io.rockpool.internal.rocksdb.natives.CloseGuard;
import io.rockpool.internal.rocksdb.natives.Database;
import io.rockpool.internal.rocksdb.natives.DurabilityScopes;
import io.rockpool.internal.rocksdb.natives.OpenHandles;
import io.rockpool.internal.rocksdb.natives.WritePath;
import java.time.InstantSource;

/** The parts of an open store that its operations work with. */
public record StoreParts(
    Database database,
    WritePath writePath,
    CloseGuard guard,
    RowLocks locks,
    RowsOnHeap rows,
    DurabilityScopes durabilities,
    BufferPool buffers,
    OpenHandles handles,
    Upkeep upkeep,
    InstantSource clock) {}
