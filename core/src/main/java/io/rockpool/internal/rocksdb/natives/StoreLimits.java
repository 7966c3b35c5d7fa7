package io.rockpool.internal.rocksdb.natives;

import java.time.Duration;

/**
 * The options of a store that bound its memory and disk and pace its upkeep.
 *
 * @param memoryBudgetBytes native memory for blocks and memtables
 * @param diskBudgetBytes the size of all files; 0 for no bound
 * @param reclaimPeriod how often upkeep looks for work
 * @param entryPurgePeriod how old an expired cache entry may get on disk
 * @param purgesInCompactions whether compactions drop expired entries. RocksDB's filter knows the
 *     machine's clock only, so this is false for a store with another clock.
 */
public record StoreLimits(
    long memoryBudgetBytes,
    long diskBudgetBytes,
    Duration reclaimPeriod,
    Duration entryPurgePeriod,
    boolean purgesInCompactions) {}
