package io.rockpool.store;

/**
 * What an embedded store takes of memory and disk, and how it copes with what is written. The
 * numbers are read one after another, not at one instant.
 *
 * @param cacheBytes native memory that what was read and is kept takes, with what is charged to it
 *     of {@code memtableBytes}
 * @param cacheCapacityBytes how much that may become
 * @param memtableBytes native memory that what was written and is not yet in files takes
 * @param fileBytes the size of the files that hold records, without the log
 * @param logBytes the size of the write-ahead log
 * @param pendingCompactionBytes how much of the files is still to be merged with others, about
 * @param runningJobs how many flushes and merges of files run now
 * @param writeDelays how often writes began to be slowed down since the store was opened, because
 *     files could not be written as fast
 * @param writeStops how often writes had to wait for that altogether
 * @param writesStopped whether they do now
 * @param backgroundErrors how many background jobs have failed since the store was opened
 * @param snapshots how many snapshots and running scans keep on disk what is overwritten
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
