package io.rockpool.internal.rocksdb.natives;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Objects;
import java.util.Properties;
import org.jspecify.annotations.Nullable;
import org.rocksdb.BlockBasedTableConfig;
import org.rocksdb.BloomFilter;
import org.rocksdb.Cache;
import org.rocksdb.CassandraCompactionFilter;
import org.rocksdb.ChecksumType;
import org.rocksdb.ColumnFamilyOptions;
import org.rocksdb.CompressionType;
import org.rocksdb.DBOptions;
import org.rocksdb.HyperClockCache;
import org.rocksdb.InfoLogLevel;
import org.rocksdb.LRUCache;
import org.rocksdb.RocksObject;
import org.rocksdb.UInt64AddOperator;
import org.rocksdb.WALRecoveryMode;
import org.rocksdb.WriteBufferManager;

/**
 * RocksDB's options for this store, and their native objects. These must outlive the database: call
 * {@link #close} after it is closed.
 */
final class NativeOptions implements AutoCloseable {
  /** With 10 bits per key, one in a hundred lookups of an absent key reads a block. */
  private static final double BLOOM_BITS_PER_KEY = 10;

  /** Larger values are stored in separate files, which compactions of keys need not copy. */
  private static final long MIN_BLOB_BYTES = 16 << 10;

  /** The compression of all files of large values, see {@link BlobFile}. */
  static final CompressionType BLOB_COMPRESSION = CompressionType.LZ4_COMPRESSION;

  /** The share of these files, oldest first, that compactions rewrite without garbage. */
  static final double BLOB_SHARE = 0.25;

  /** The share of garbage in these oldest files that starts a compaction. */
  private static final double MAX_BLOB_GARBAGE = 0.5;

  /**
   * The first read after a range deletion processes all deletions in memory: this many cost no more
   * than the read.
   */
  private static final int MAX_RANGE_DELETIONS_IN_MEMORY = 200;

  /** A read of a count adds up its pending merges; this is their limit. */
  private static final int MAX_MERGES_IN_MEMORY = 64;

  /**
   * RocksDB soon compacts a file if half of 8,192 neighbours are deletions. So swept and removed
   * records free their disk space, and scans do not pass them for long.
   */
  private static final String MERGED_WHERE_DELETED =
      "{id=CompactOnDeletionCollector;window_size=8192;deletion_trigger=4096;deletion_ratio=0}";

  /** The generation, the prefix of all record keys. */
  private static final int PREFIX_BYTES = 8;

  /**
   * The format of tables. Not the default: another release of RocksDB may write tables by default
   * that the one of an earlier Rockpool cannot read.
   */
  private static final int TABLE_FORMAT = 7;

  /**
   * Smaller caches have at most two shards: otherwise one filter block would displace everything
   * else.
   */
  private static final long SMALL_CACHE_BYTES = 128L << 20;

  private static final int TWO_SHARDS = 1;
  private static final int DEFAULT_SHARDS = -1;

  /** The memtables may use one part in so many of the memory budget. */
  private static final int MEMTABLES_SHARE = 4;

  /**
   * The log may be this many times as large as the memtables. The oldest log file stays until every
   * column family with a record in it was flushed. Limits what opening reads after a crash.
   */
  private static final int LOG_TO_MEMTABLES = 2;

  /**
   * The share of a memtable of rows for its key filter, about 10 bits per record of 60 bytes:
   * changes of counted records read first.
   */
  private static final double MEMTABLE_FILTER_SHARE = 0.02;

  /** The log may use one part in so many of a disk budget. */
  private static final int LOG_SHARE = 8;

  private static final long MAX_MEMTABLE_BYTES = 64L << 20;

  /** RocksDB's info log: at most this many files of this size. */
  private static final int LOG_FILES = 2;

  private static final long MAX_LOG_BYTES = 1 << 20;

  private static final int MAX_BACKGROUND_JOBS = 4;

  private final Deque<RocksObject> owned = new ArrayDeque<>();
  private final StoreLimits limits;
  private final Cache cache;
  private final BloomFilter bloom;
  private @Nullable RefusedChanges refused;

  NativeOptions(StoreLimits limits) {
    this.limits = limits;
    this.cache = own(newCache(limits.memoryBudgetBytes()));
    this.bloom = own(new BloomFilter(BLOOM_BITS_PER_KEY));
  }

  private static Cache newCache(long bytes) {
    return bytes < SMALL_CACHE_BYTES
        ? new LRUCache(bytes, TWO_SHARDS)
        : new HyperClockCache(bytes, 0, DEFAULT_SHARDS, false);
  }

  /**
   * Options of the database as a whole.
   *
   * @param refused the changes in its log that are not recovered; closed with the options
   * @param hasMended whether there are tables that have fewer records than they say, see {@link
   *     TableMend}: RocksDB takes them for damaged when it compacts them
   */
  DBOptions database(boolean create, @Nullable RefusedChanges refused, boolean hasMended) {
    long memtables = limits.memoryBudgetBytes() / MEMTABLES_SHARE;
    Properties properties = new Properties();
    properties.setProperty("compaction_verify_record_count", String.valueOf(!hasMended));
    DBOptions options = own(Objects.requireNonNull(DBOptions.getDBOptionsFromProps(properties)));
    if (refused != null) {
      this.refused = refused;
      options.setWalFilter(refused);
    }
    return options
        .setCreateIfMissing(create)
        .setCreateMissingColumnFamilies(create)
        .setWriteBufferManager(own(new WriteBufferManager(memtables, cache)))
        .setMaxTotalWalSize(maxLogBytes(memtables))
        // One writer appends to the log while another inserts into the memtable.
        .setEnablePipelinedWrite(true)
        .setWalRecoveryMode(WALRecoveryMode.PointInTimeRecovery)
        .setSkipStatsUpdateOnDbOpen(true)
        .setMaxBackgroundJobs(
            Math.max(2, Math.min(MAX_BACKGROUND_JOBS, Runtime.getRuntime().availableProcessors())))
        .setInfoLogLevel(InfoLogLevel.WARN_LEVEL)
        .setKeepLogFileNum(LOG_FILES)
        .setMaxLogFileSize(MAX_LOG_BYTES)
        .setStatsDumpPeriodSec(0)
        .setStatsPersistPeriodSec(0);
  }

  /** Lets later openings with the same options recover the whole log. */
  void recovered() {
    if (refused != null) {
      refused.end();
    }
  }

  private long maxLogBytes(long memtables) {
    long bytes = LOG_TO_MEMTABLES * memtables;
    return limits.diskBudgetBytes() == 0
        ? bytes
        : Math.min(bytes, limits.diskBudgetBytes() / LOG_SHARE);
  }

  /** Options of one column family. */
  ColumnFamilyOptions family(ColumnFamily family) {
    ColumnFamilyOptions common =
        own(basic(family))
            .setWriteBufferSize(
                Math.min(MAX_MEMTABLE_BYTES, limits.memoryBudgetBytes() / MEMTABLES_SHARE / 2))
            .setCompressionType(CompressionType.LZ4_COMPRESSION)
            .setMemtableMaxRangeDeletions(MAX_RANGE_DELETIONS_IN_MEMORY)
            .setTableFormatConfig(
                new BlockBasedTableConfig()
                    .setFormatVersion(TABLE_FORMAT)
                    .setChecksumType(ChecksumType.kXXH3)
                    .setBlockCache(cache)
                    .setFilterPolicy(bloom)
                    .setCacheIndexAndFilterBlocks(true)
                    .setCacheIndexAndFilterBlocksWithHighPriority(true)
                    .setPinL0FilterAndIndexBlocksInCache(true));
    return switch (family) {
      case DEFAULT, CATALOG, EXPIRIES -> common;
      case ENTRIES -> withoutExpired(common.useFixedLengthPrefixExtractor(PREFIX_BYTES));
      case ROWS ->
          common
              .useFixedLengthPrefixExtractor(PREFIX_BYTES)
              .setMemtablePrefixBloomSizeRatio(MEMTABLE_FILTER_SHARE)
              .setMemtableWholeKeyFiltering(true)
              .setEnableBlobFiles(true)
              .setMinBlobSize(MIN_BLOB_BYTES)
              .setBlobCompressionType(BLOB_COMPRESSION)
              .setEnableBlobGarbageCollection(true)
              .setBlobGarbageCollectionAgeCutoff(BLOB_SHARE)
              .setBlobGarbageCollectionForceThreshold(MAX_BLOB_GARBAGE);
      case COUNTS ->
          common
              .useFixedLengthPrefixExtractor(PREFIX_BYTES)
              .setMergeOperator(own(new UInt64AddOperator()))
              .setMaxSuccessiveMerges(MAX_MERGES_IN_MEMORY);
    };
  }

  /**
   * Adds options that drop expired entries in compactions, and compact every file after some time.
   * The filter parses the records itself, so it may only see entries. It uses the system clock, so
   * it is off for a store with another clock.
   */
  private ColumnFamilyOptions withoutExpired(ColumnFamilyOptions entries) {
    return limits.purgesInCompactions()
        ? entries
            .setCompactionFilter(own(new CassandraCompactionFilter(true, 0)))
            .setPeriodicCompactionSeconds(limits.entryPurgePeriod().toSeconds())
        : entries;
  }

  /**
   * Options without a Java setter. Counts: RocksDB enforces {@link #MAX_MERGES_IN_MEMORY} always.
   * Otherwise merges pile up while their count is in no cache, and each further merge counts the
   * pile. Rows and the expiry index: {@link #MERGED_WHERE_DELETED}.
   */
  private static ColumnFamilyOptions basic(ColumnFamily family) {
    return switch (family) {
      case COUNTS -> with("strict_max_successive_merges", "true");
      case ROWS, EXPIRIES -> with("table_properties_collectors", MERGED_WHERE_DELETED);
      case DEFAULT, CATALOG, ENTRIES -> new ColumnFamilyOptions();
    };
  }

  private static ColumnFamilyOptions with(String name, String value) {
    Properties properties = new Properties();
    properties.setProperty(name, value);
    return Objects.requireNonNull(ColumnFamilyOptions.getColumnFamilyOptionsFromProps(properties));
  }

  private <T extends RocksObject> T own(T object) {
    owned.push(object);
    return object;
  }

  /** Frees everything in reverse order of creation. */
  @Override
  public void close() {
    owned.forEach(RocksObject::close);
    owned.clear();
    if (refused != null) {
      refused.close();
    }
  }
}
