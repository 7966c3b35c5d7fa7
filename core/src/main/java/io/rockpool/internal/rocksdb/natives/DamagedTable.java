package io.rockpool.internal.rocksdb.natives;

import io.rockpool.internal.rocksdb.files.DamagedTables;
import org.jspecify.annotations.Nullable;

/**
 * A file of records of which a block cannot be read, or keys that are lost.
 *
 * @param keys from its smallest key to its largest, or the lost ones; null if that is not known
 */
public record DamagedTable(ColumnFamily family, String file, @Nullable KeyStretch keys) {
  /** The keys of lost records. */
  public static DamagedTable of(DamagedTables.Lost lost) {
    return new DamagedTable(
        ColumnFamily.valueOf(lost.family()), lost.table(), new KeyStretch(lost.from(), lost.to()));
  }

  /** Whether records of a generation may be affected. */
  public boolean touches(long generation) {
    return keys == null || !family.hasGenerations() || keys.touches(generation);
  }
}
