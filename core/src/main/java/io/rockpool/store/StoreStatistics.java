package io.rockpool.store;

/**
 * Memory, disk and background work of an embedded store. The numbers are read one after another,
 * not at one instant.
 *
 * @param cacheBytes native memory of the block cache, including the part of {@code memtableBytes}
 *     that is charged to it
 * @param cacheCapacityBytes the capacity of the block cache
 * @param memtableBytes native memory of writes that are not yet in files
 * @param fileBytes the size of the files that hold records, without the write-ahead log
 * @param logBytes the size of the write-ahead log
 * @param pendingCompactionBytes about how many bytes of the files are still to be compacted
 * @param runningJobs how many flushes and compactions run now
 * @param writeDelays how often RocksDB began to slow down writes since the store was opened,
 *     because files could not be written as fast
 * @param writeStops how often RocksDB stopped writes for that reason since the store was opened
 * @param writesStopped whether writes are stopped now
 * @param backgroundErrors how many background jobs have failed since the store was opened
 * @param snapshots how many snapshots and running scans keep overwritten data on disk
 */
public record StoreStatistics(
    long cacheBytes,
    long cacheCapacityBytes,
    long memtableBytes,
    long fileBytes,
    long logBytes,
    long pendingCompactionBytes,
    long runningJobs,
    long writeDelays,
    long writeStops,
    boolean writesStopped,
    long backgroundErrors,
    long snapshots) {}
