package io.rockpool.internal.rocksdb.natives;

import io.rockpool.store.StoreStatistics;
import java.util.List;
import java.util.Map;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.LogFile;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;

/** Reads what RocksDB counts of itself. */
record StoreMeasurement(RocksDB db, List<ColumnFamilyHandle> families) {
  private static final String STALLS = "rocksdb.cf-write-stall-stats";
  private static final String STALLS_OF_ALL = "rocksdb.db-write-stall-stats";

  /** About twenty native calls, and a look at the directory of the log. */
  StoreStatistics take() throws RocksDBException {
    return new StoreStatistics(
        ofAll("rocksdb.block-cache-usage"),
        ofAll("rocksdb.block-cache-capacity"),
        sum("rocksdb.cur-size-all-mem-tables"),
        sum("rocksdb.live-sst-files-size") + sum("rocksdb.live-blob-file-size"),
        db.getSortedWalFiles().stream().mapToLong(LogFile::sizeFileBytes).sum(),
        sum("rocksdb.estimate-pending-compaction-bytes"),
        ofAll("rocksdb.num-running-flushes") + ofAll("rocksdb.num-running-compactions"),
        stalls("total-delays"),
        stalls("total-stops"),
        ofAll("rocksdb.is-write-stopped") != 0,
        ofAll("rocksdb.background-errors"),
        ofAll("rocksdb.num-snapshots"));
  }

  /** What RocksDB has once, or what all column families share. */
  private long ofAll(String property) throws RocksDBException {
    return db.getLongProperty(property);
  }

  private long sum(String property) throws RocksDBException {
    return db.getAggregatedLongProperty(property);
  }

  /** Stalls for which a column family is to blame, and those for which all together are. */
  private long stalls(String which) throws RocksDBException {
    long stalls = number(db.getMapProperty(STALLS_OF_ALL), which);
    for (ColumnFamilyHandle family : families) {
      stalls += number(db.getMapProperty(family, STALLS), which);
    }
    return stalls;
  }

  private static long number(Map<String, String> counts, String name) {
    return Long.parseLong(counts.getOrDefault(name, "0"));
  }
}
