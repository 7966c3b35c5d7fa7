package io.rockpool.engine.rocksdb;

import io.rockpool.error.StoreFullException;
import io.rockpool.internal.rocksdb.natives.StoreLimits;
import io.rockpool.store.Durability;
import io.rockpool.store.LeakDetection;
import io.rockpool.store.OnCorruption;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Objects;
import java.util.OptionalLong;

/**
 * The options with which a store is opened. Immutable and thread-safe. They are not saved in the
 * store.
 */
public final class RocksDbOptions {
  private final long memoryBudgetBytes;
  private final OptionalLong rowMemoryBytes;
  private final Durability durability;
  private final Duration syncPeriod;
  private final Duration stallLimit;
  private final Duration reclaimPeriod;
  private final Duration entryPurgePeriod;
  private final InstantSource clock;
  private final boolean createIfMissing;
  private final OnCorruption onCorruption;
  private final LeakDetection leakDetection;
  private final long diskBudgetBytes;
  private final long freeSpaceFloorBytes;

  private RocksDbOptions(Builder builder) {
    this.memoryBudgetBytes = builder.memoryBudgetBytes;
    this.rowMemoryBytes = builder.rowMemoryBytes;
    this.durability = builder.durability;
    this.syncPeriod = builder.syncPeriod;
    this.stallLimit = builder.stallLimit;
    this.reclaimPeriod = builder.reclaimPeriod;
    this.entryPurgePeriod = builder.entryPurgePeriod;
    this.clock = builder.clock;
    this.createIfMissing = builder.createIfMissing;
    this.onCorruption = builder.onCorruption;
    this.leakDetection = builder.leakDetection;
    this.diskBudgetBytes = builder.diskBudgetBytes;
    this.freeSpaceFloorBytes = builder.freeSpaceFloorBytes;
  }

  /** A builder with the defaults. */
  public static Builder builder() {
    return new Builder();
  }

  /** The defaults. */
  public static RocksDbOptions defaults() {
    return builder().build();
  }

  /** See {@link Builder#memoryBudgetBytes}. */
  public long memoryBudgetBytes() {
    return memoryBudgetBytes;
  }

  /** See {@link Builder#rowMemoryBytes}; empty unless set. */
  public OptionalLong rowMemoryBytes() {
    return rowMemoryBytes;
  }

  /** See {@link Builder#durability}. */
  public Durability durability() {
    return durability;
  }

  /** See {@link Builder#syncPeriod}. */
  public Duration syncPeriod() {
    return syncPeriod;
  }

  /** See {@link Builder#stallLimit}. */
  public Duration stallLimit() {
    return stallLimit;
  }

  /** See {@link Builder#reclaimPeriod}. */
  public Duration reclaimPeriod() {
    return reclaimPeriod;
  }

  /** See {@link Builder#entryPurgePeriod}. */
  public Duration entryPurgePeriod() {
    return entryPurgePeriod;
  }

  StoreLimits limits() {
    return new StoreLimits(
        memoryBudgetBytes,
        diskBudgetBytes,
        reclaimPeriod,
        entryPurgePeriod,
        InstantSource.system().equals(clock));
  }

  /** See {@link Builder#clock}. */
  public InstantSource clock() {
    return clock;
  }

  /** See {@link Builder#createIfMissing}. */
  public boolean createIfMissing() {
    return createIfMissing;
  }

  /** See {@link Builder#onCorruption}. */
  public OnCorruption onCorruption() {
    return onCorruption;
  }

  /** See {@link Builder#leakDetection}. */
  public LeakDetection leakDetection() {
    return leakDetection;
  }

  /** See {@link Builder#diskBudgetBytes}. */
  public long diskBudgetBytes() {
    return diskBudgetBytes;
  }

  /** See {@link Builder#freeSpaceFloorBytes}. */
  public long freeSpaceFloorBytes() {
    return freeSpaceFloorBytes;
  }

  /** Builds options. Not thread-safe. */
  public static final class Builder {
    /** With less, memtables are so small that the store mostly compacts. */
    private static final long MIN_MEMORY_BUDGET_BYTES = 8L << 20;

    /** With less, the store's logs and pending compactions would use most of it. */
    private static final long MIN_DISK_BUDGET_BYTES = 16L << 20;

    private static final Duration MIN_PERIOD = Duration.ofMillis(1);

    /** RocksDB counts the age of files in seconds. */
    private static final Duration MIN_PURGE_PERIOD = Duration.ofSeconds(1);

    private long memoryBudgetBytes = 256L << 20;
    private OptionalLong rowMemoryBytes = OptionalLong.empty();
    private Durability durability = Durability.PERIODIC;
    private Duration syncPeriod = Duration.ofSeconds(1);
    private Duration stallLimit = Duration.ofSeconds(30);
    private Duration reclaimPeriod = Duration.ofSeconds(1);
    private Duration entryPurgePeriod = Duration.ofHours(6);
    private InstantSource clock = InstantSource.system();
    private boolean createIfMissing = true;
    private OnCorruption onCorruption = OnCorruption.FAIL;
    private LeakDetection leakDetection = LeakDetection.ofSystemProperty();
    private long diskBudgetBytes;
    private long freeSpaceFloorBytes;

    private Builder() {}

    /**
     * The native memory that the store may use for cached blocks, their indexes and filters, and
     * memtables; 256 MiB by default. Open cursors use about 20 KiB each in addition.
     *
     * @throws IllegalArgumentException if it is less than 8 MiB
     */
    public Builder memoryBudgetBytes(long bytes) {
      if (bytes < MIN_MEMORY_BUDGET_BYTES) {
        throw new IllegalArgumentException(
            "A memory budget of "
                + bytes
                + " bytes is below the least that works, "
                + MIN_MEMORY_BUDGET_BYTES
                + ".");
      }
      this.memoryBudgetBytes = bytes;
      return this;
    }

    /**
     * The heap that the store may use for recently read records of rows, so that reading them again
     * needs no native call; 0 keeps none. By default they share the heap budget of the caches over
     * this engine, and without such none are kept. Records that may expire are not kept.
     *
     * @throws IllegalArgumentException if it is negative
     */
    public Builder rowMemoryBytes(long bytes) {
      if (bytes < 0) {
        throw new IllegalArgumentException(
            "rowMemoryBytes is " + bytes + "; give 0 for none, or more.");
      }
      this.rowMemoryBytes = OptionalLong.of(bytes);
      return this;
    }

    /** What writes survive if a handle sets no level; {@link Durability#PERIODIC} by default. */
    public Builder durability(Durability level) {
      this.durability = Objects.requireNonNull(level, "durability");
      return this;
    }

    /**
     * How often {@link Durability#PERIODIC} writes are forced to disk; one second by default.
     *
     * @throws IllegalArgumentException if it is less than a millisecond
     */
    public Builder syncPeriod(Duration period) {
      this.syncPeriod = checkPeriod(period, "syncPeriod");
      return this;
    }

    /**
     * How long a write may be stuck in the operating system before other writes are rejected; 30
     * seconds by default.
     *
     * @throws IllegalArgumentException if it is less than a millisecond
     */
    public Builder stallLimit(Duration limit) {
      this.stallLimit = checkPeriod(limit, "stallLimit");
      return this;
    }

    /**
     * How often the store checks for disk space to reclaim: expired records, and cleared or dropped
     * data; one second by default. Reclaiming uses at most about a fifth of one processor.
     *
     * @throws IllegalArgumentException if it is less than a millisecond
     */
    public Builder reclaimPeriod(Duration period) {
      this.reclaimPeriod = checkPeriod(period, "reclaimPeriod");
      return this;
    }

    /**
     * The age at which a file of cache entries is rewritten without expired entries; six hours by
     * default. Every other compaction drops expired entries too. A shorter period reclaims disk
     * space sooner and writes more. With a clock other than the system's, the store instead reads
     * all entries once in this period.
     *
     * @throws IllegalArgumentException if it is less than a second
     */
    public Builder entryPurgePeriod(Duration period) {
      this.entryPurgePeriod = checkPeriod(period, "entryPurgePeriod", MIN_PURGE_PERIOD);
      return this;
    }

    /** The clock by which records expire; the system clock by default. */
    public Builder clock(InstantSource source) {
      this.clock = Objects.requireNonNull(source, "clock");
      return this;
    }

    /** Whether to create a store if there is none; true by default. */
    public Builder createIfMissing(boolean create) {
      this.createIfMissing = create;
      return this;
    }

    /** What opening does if the files are damaged; {@link OnCorruption#FAIL} by default. */
    public Builder onCorruption(OnCorruption action) {
      this.onCorruption = Objects.requireNonNull(action, "onCorruption");
      return this;
    }

    /**
     * For how many cursors and snapshots the store records where they were opened; by default the
     * value of {@link LeakDetection#PROPERTY}.
     */
    public Builder leakDetection(LeakDetection detection) {
      this.leakDetection = Objects.requireNonNull(detection, "leakDetection");
      return this;
    }

    /**
     * About how much disk the store may use; 0, the default, means no limit. Above it, spaces of
     * entries evict, each the same share of its size, if an evictor is set ({@link
     * RocksDbEngine#evictBy}). If that is not enough, inserts into spaces of rows are rejected with
     * a {@link StoreFullException}. Reads, deletes and clears continue. Inserts work again as soon
     * as there is room. The store checks once in each {@link #reclaimPeriod}, so the writes of one
     * period, and files during compactions, can exceed the budget.
     *
     * @throws IllegalArgumentException if it is less than 16 MiB, and not 0
     */
    public Builder diskBudgetBytes(long bytes) {
      if (bytes != 0 && bytes < MIN_DISK_BUDGET_BYTES) {
        throw new IllegalArgumentException(
            "A disk budget of "
                + bytes
                + " bytes is below the least that works, "
                + MIN_DISK_BUDGET_BYTES
                + "; give more, or 0 for none.");
      }
      this.diskBudgetBytes = bytes;
      return this;
    }

    /**
     * The free-space floor: how much of its file system the store leaves free, whatever uses the
     * rest; 0 by default. Below it, spaces of entries evict as for {@link #diskBudgetBytes}. If
     * that is not enough, or less than half of the floor is free, inserts into spaces of rows are
     * rejected with a {@link StoreFullException}; below half also inserts of entries. Choose more
     * than the store writes and compacts in one {@link #reclaimPeriod}: some hundred megabytes.
     *
     * @throws IllegalArgumentException if it is negative
     */
    public Builder freeSpaceFloorBytes(long bytes) {
      if (bytes < 0) {
        throw new IllegalArgumentException(
            "freeSpaceFloorBytes is " + bytes + "; give 0 for none, or more.");
      }
      this.freeSpaceFloorBytes = bytes;
      return this;
    }

    /** Returns the options set so far. */
    public RocksDbOptions build() {
      return new RocksDbOptions(this);
    }

    private static Duration checkPeriod(Duration period, String name) {
      return checkPeriod(period, name, MIN_PERIOD);
    }

    private static Duration checkPeriod(Duration period, String name, Duration least) {
      if (Objects.requireNonNull(period, name).compareTo(least) < 0) {
        throw new IllegalArgumentException(
            name + " is " + period + "; it must be at least " + least.toMillis() + " ms.");
      }
      return period;
    }
  }
}
