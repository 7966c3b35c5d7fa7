package io.rockpool.internal.rocksdb.rows;

import io.rockpool.internal.rocksdb.natives.Database;
import io.rockpool.internal.rocksdb.natives.EmptyStretches;
import io.rockpool.internal.rocksdb.natives.RecordLayout;
import org.jspecify.annotations.Nullable;

/**
 * What the heap knows of rows: records, and hints that save reads.
 *
 * @param recent the recently read records, or null if none are kept
 */
public record RowsOnHeap(
    Database database,
    @Nullable RowMemory recent,
    BuiltRows builtRows,
    EmptyStretches emptyStretches) {
  /** Where reads of the latest records with this layout look first; null for nowhere. */
  @Nullable RowMemory memory(RecordLayout layout) {
    if (recent != null && layout.hasRows()) {
      database.check();
      return recent;
    }
    return null;
  }

  /** Frees the records: handles of a closed store may be kept for long. */
  public void close() {
    if (recent != null) {
      recent.close();
    }
  }

  /** Forgets what was read. No thread may read or write rows meanwhile. */
  public void forget() {
    close();
    emptyStretches.clear();
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
