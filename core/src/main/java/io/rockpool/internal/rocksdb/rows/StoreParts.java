package io.rockpool.internal.rocksdb.rows;

import io.rockpool.internal.engine.Upkeep;
import io.rockpool.internal.rocksdb.natives.BufferPool;
import io.rockpool.internal.rocksdb.natives.CloseGuard;
import io.rockpool.internal.rocksdb.natives.Database;
import io.rockpool.internal.rocksdb.natives.EmptyStretches;
import io.rockpool.internal.rocksdb.natives.OpenHandles;
import io.rockpool.internal.rocksdb.natives.RecordLayout;
import io.rockpool.internal.rocksdb.natives.WritePath;
import java.time.InstantSource;
import org.jspecify.annotations.Nullable;

/**
 * The parts of an open store that its operations work with, with what the heap knows of rows:
 * records, and hints that save reads.
 *
 * @param recent the recently read records of rows, or null if none are kept
 */
public record StoreParts(
    Database database,
    WritePath writePath,
    CloseGuard guard,
    RowLocks locks,
    @Nullable RowMemory recent,
    BuiltRows builtRows,
    EmptyStretches emptyStretches,
    DurabilityScopes durabilities,
    BufferPool buffers,
    OpenHandles handles,
    Upkeep upkeep,
    InstantSource clock) {
  /** Where reads of the latest records with this layout look first; null for nowhere. */
  @Nullable RowMemory memory(RecordLayout layout) {
    if (recent != null && layout.hasRows()) {
      database.check();
      return recent;
    }
    return null;
  }

  /** Frees the records in memory: handles of a closed store may be kept for long. */
  public void freeRows() {
    if (recent != null) {
      recent.close();
    }
  }

  /** Forgets what was read of rows. No thread may read or write rows meanwhile. */
  public void forgetRows() {
    freeRows();
    emptyStretches.clear();
  }

  /** Updates the hints of rows for a put without a read. The caller holds the row's lock. */
  void putsBlindly(long generation, byte[] hashKey, byte[] sortKey) {
    builtRows.forget(generation, hashKey);
    EmptyStretches.Stretches stretches = emptyStretches.of(generation, hashKey);
    if (stretches != null) {
      stretches.put(sortKey);
    }
  }
}
