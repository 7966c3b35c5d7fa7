package io.rockpool.internal.rocksdb.natives;

import io.rockpool.store.StoreStatistics;
import java.util.List;
import java.util.Map;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.LogFile;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;

/** Reads RocksDB's statistics. */
record StoreMeasurement(RocksDB db, List<ColumnFamilyHandle> families) {
  private static final String STALLS = "rocksdb.cf-write-stall-stats";
  private static final String STALLS_OF_ALL = "rocksdb.db-write-stall-stats";

  /** About twenty native calls, and a listing of the log's directory. */
  StoreStatistics.Builder take() throws RocksDBException {
    return StoreStatistics.builder()
        .cacheBytes(ofAll("rocksdb.block-cache-usage"))
        .cacheCapacityBytes(ofAll("rocksdb.block-cache-capacity"))
        .memtableBytes(sum("rocksdb.cur-size-all-mem-tables"))
        .fileBytes(sum("rocksdb.live-sst-files-size") + sum("rocksdb.live-blob-file-size"))
        .logBytes(db.getSortedWalFiles().stream().mapToLong(LogFile::sizeFileBytes).sum())
        .pendingCompactionBytes(sum("rocksdb.estimate-pending-compaction-bytes"))
        .runningJobs(
            ofAll("rocksdb.num-running-flushes") + ofAll("rocksdb.num-running-compactions"))
        .writeDelays(stalls("total-delays"))
        .writeStops(stalls("total-stops"))
        .writesStopped(ofAll("rocksdb.is-write-stopped") != 0)
        .backgroundErrors(ofAll("rocksdb.background-errors"))
        .snapshots(ofAll("rocksdb.num-snapshots"));
  }

  /** A property of the database, or one that all column families share. */
  private long ofAll(String property) throws RocksDBException {
    return db.getLongProperty(property);
  }

  private long sum(String property) throws RocksDBException {
    return db.getAggregatedLongProperty(property);
  }

  /** The stalls caused by single column families, plus those caused by the database. */
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
