package io.rockpool.internal.rocksdb.natives;

import io.rockpool.internal.format.Generation;

/**
 * A file of records of which a block cannot be read.
 *
 * @param smallest its smallest key
 * @param largest its largest key
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record DamagedTable(ColumnFamily family, String file, byte[] smallest, byte[] largest) {
  /** Whether its keys begin with the generation of their name. */
  public boolean hasGenerations() {
    boolean isOfNames =
        switch (family) {
          case ROWS, ENTRIES, COUNTS -> true;
          case DEFAULT, CATALOG, EXPIRIES -> false;
        };
    return isOfNames && smallest.length >= Generation.BYTES && largest.length >= Generation.BYTES;
  }
}
