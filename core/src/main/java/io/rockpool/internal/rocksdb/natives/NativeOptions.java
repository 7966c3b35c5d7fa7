package io.rockpool.internal.rocksdb.natives;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Objects;
import java.util.Properties;
import org.rocksdb.BlockBasedTableConfig;
import org.rocksdb.BloomFilter;
import org.rocksdb.Cache;
import org.rocksdb.CassandraCompactionFilter;
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
 * RocksDB's options as this store wants them, and the native objects they stand for. These must
 * outlive the database: {@link #close} is called after it is closed.
 */
final class NativeOptions implements AutoCloseable {
  /**
   * At 10 bits a key, one in a hundred look-ups of a key that is not there reads a block in vain.
   */
  private static final double BLOOM_BITS_PER_KEY = 10;

  /** Values from here on lie in files of their own, which compactions of keys need not copy. */
  private static final long MIN_BLOB_BYTES = 16 << 10;

  /** Of all files of large values there are, see {@link BlobFile}. */
  static final CompressionType BLOB_COMPRESSION = CompressionType.LZ4_COMPRESSION;

  /** Compactions write the oldest part of these files anew, without the values nobody needs. */
  static final double BLOB_SHARE = 0.25;

  /** If so large a part of the values of that part is not needed, one is begun for it. */
  private static final double MAX_BLOB_GARBAGE = 0.5;

  /**
   * The first read after a new range deletion looks at all that are still in memory: so many cost
   * no more than it.
   */
  private static final int MAX_RANGE_DELETIONS_IN_MEMORY = 200;

  /** A count is added up when it is read: so many additions may wait for that. */
  private static final int MAX_MERGES_IN_MEMORY = 64;

  /**
   * Files of which half of so many neighbours are deletions are merged soon: what was swept or
   * taken gives its disk back, and scans need not step over it for long.
   */
  private static final String MERGED_WHERE_DELETED =
      "{id=CompactOnDeletionCollector;window_size=8192;deletion_trigger=4096;deletion_ratio=0}";

  /** The generation, with which all keys of records begin. */
  private static final int PREFIX_BYTES = 8;

  /**
   * A cache below this is cut into two parts at most: in smaller ones a filter block takes the
   * place of all else.
   */
  private static final long SMALL_CACHE_BYTES = 128L << 20;

  private static final int TWO_SHARDS = 1;
  private static final int DEFAULT_SHARDS = -1;

  /** Of the memory budget, this part may be taken by what is not yet in files. */
  private static final int MEMTABLES_SHARE = 4;

  /**
   * How much longer the log may get than what is in memory: the oldest part of the log stays until
   * each column family that it has something of was written to files, be it one record. Bounds what
   * opening after a crash reads.
   */
  private static final int LOG_TO_MEMTABLES = 2;

  /**
   * The part of a memtable of rows that filters keys which are not there, some 10 bits for a record
   * of 60 bytes: a change of what is counted looks first.
   */
  private static final double MEMTABLE_FILTER_SHARE = 0.02;

  /** Of a disk budget, the log may take this part. */
  private static final int LOG_SHARE = 8;

  private static final long MAX_MEMTABLE_BYTES = 64L << 20;

  /**
   * RocksDB's own log: enough to see what happened, never more than this many files of this size.
   */
  private static final int LOG_FILES = 2;

  private static final long MAX_LOG_BYTES = 1 << 20;

  private static final int MAX_BACKGROUND_JOBS = 4;

  private final Deque<RocksObject> owned = new ArrayDeque<>();
  private final StoreLimits limits;
  private final Cache cache;
  private final BloomFilter bloom;

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

  /** Options of the database as a whole. */
  DBOptions database(boolean create) {
    long memtables = limits.memoryBudgetBytes() / MEMTABLES_SHARE;
    return own(new DBOptions())
        .setCreateIfMissing(create)
        .setCreateMissingColumnFamilies(create)
        .setWriteBufferManager(own(new WriteBufferManager(memtables, cache)))
        .setMaxTotalWalSize(maxLogBytes(memtables))
        // One writer logs while another inserts into the memtable.
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
   * Options by which files are written without the entries that have expired: of every file once in
   * a while. The filter reads the records by itself and must not be given any others. It knows the
   * machine's clock alone, by which those of another clock may be long past.
   */
  private ColumnFamilyOptions withoutExpired(ColumnFamilyOptions entries) {
    return limits.purgesInCompactions()
        ? entries
            .setCompactionFilter(own(new CassandraCompactionFilter(true, 0)))
            .setPeriodicCompactionSeconds(limits.entryPurgePeriod().toSeconds())
        : entries;
  }

  /**
   * Options with what there is no setter for. Counts: {@link #MAX_MERGES_IN_MEMORY} holds always;
   * else RocksDB lets additions pile up as long as the count that they are for is in no cache, and
   * counts the pile at each further one. Rows and the index of what expires: {@link
   * #MERGED_WHERE_DELETED}.
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

  /** Frees everything, the last made first. */
  @Override
  public void close() {
    owned.forEach(RocksObject::close);
    owned.clear();
  }
}
