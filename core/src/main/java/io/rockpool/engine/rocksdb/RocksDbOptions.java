package io.rockpool.engine.rocksdb;

import io.rockpool.engine.Durability;
import io.rockpool.engine.LeakDetection;
import io.rockpool.engine.OnCorruption;
import io.rockpool.error.StoreFullException;
import io.rockpool.internal.rocksdb.natives.StoreLimits;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Objects;

/** How a store is opened. Immutable and thread-safe. Nothing of it is kept in the store. */
public final class RocksDbOptions {
  private final long memoryBudgetBytes;
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

  /** A builder that holds the defaults. */
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

  /** Gathers options. Not thread-safe. */
  public static final class Builder {
    /** Below this the memory tables would be so small that the store did little but merge files. */
    private static final long MIN_MEMORY_BUDGET_BYTES = 8L << 20;

    /** With less, the store's logs and what it is about to merge would take most of it. */
    private static final long MIN_DISK_BUDGET_BYTES = 16L << 20;

    private static final Duration MIN_PERIOD = Duration.ofMillis(1);

    /** RocksDB counts the age of files in seconds. */
    private static final Duration MIN_PURGE_PERIOD = Duration.ofSeconds(1);

    private long memoryBudgetBytes = 256L << 20;
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
     * How much memory outside the Java heap the store may use, for cached blocks, their indexes and
     * filters, and what is not yet in files; 256 MiB unless set. Cursors that are open take some 20
     * KiB each beyond it.
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
     * What writes survive unless a handle says otherwise; {@link Durability#PERIODIC} unless set.
     */
    public Builder durability(Durability level) {
      this.durability = Objects.requireNonNull(level, "durability");
      return this;
    }

    /**
     * How often {@link Durability#PERIODIC} writes are forced to the disk; one second unless set.
     *
     * @throws IllegalArgumentException if it is less than a millisecond
     */
    public Builder syncPeriod(Duration period) {
      this.syncPeriod = checkPeriod(period, "syncPeriod");
      return this;
    }

    /**
     * How long a write may be stuck in the operating system before others are refused; 30 seconds
     * unless set.
     *
     * @throws IllegalArgumentException if it is less than a millisecond
     */
    public Builder stallLimit(Duration limit) {
      this.stallLimit = checkPeriod(limit, "stallLimit");
      return this;
    }

    /**
     * How often the store looks for what it can give back: records that have expired, and what was
     * cleared or dropped; one second unless set. However much there is, it takes about a fifth of a
     * processor.
     *
     * @throws IllegalArgumentException if it is less than a millisecond
     */
    public Builder reclaimPeriod(Duration period) {
      this.reclaimPeriod = checkPeriod(period, "reclaimPeriod");
      return this;
    }

    /**
     * How old files of caches' entries get until they are written anew without those that have
     * expired; six hours unless set. Files that are written anew for other reasons leave them out
     * as well. A shorter period gives the disk back sooner, and writes more. With another clock
     * than the system's, all entries are read once in this period instead.
     *
     * @throws IllegalArgumentException if it is less than a second
     */
    public Builder entryPurgePeriod(Duration period) {
      this.entryPurgePeriod = checkPeriod(period, "entryPurgePeriod", MIN_PURGE_PERIOD);
      return this;
    }

    /** The clock by which records expire; the system's unless set. */
    public Builder clock(InstantSource source) {
      this.clock = Objects.requireNonNull(source, "clock");
      return this;
    }

    /** Whether to create a store where there is none; it is unless set. */
    public Builder createIfMissing(boolean create) {
      this.createIfMissing = create;
      return this;
    }

    /** What opening does if the files are damaged: {@link OnCorruption#FAIL} unless set. */
    public Builder onCorruption(OnCorruption action) {
      this.onCorruption = Objects.requireNonNull(action, "onCorruption");
      return this;
    }

    /**
     * Of how many cursors and snapshots the store remembers where they were opened; what {@link
     * LeakDetection#PROPERTY} says unless set.
     */
    public Builder leakDetection(LeakDetection detection) {
      this.leakDetection = Objects.requireNonNull(detection, "leakDetection");
      return this;
    }

    /**
     * About how much disk the store may take; 0, for no bound, unless set. Where it takes more,
     * spaces of entries give way, each for the same part of what it has, if somebody evicts for
     * them ({@link RocksDbEngine#evictBy}). Where these cannot make up for it, writes that add to
     * spaces of rows are refused with a {@link StoreFullException}; reads, deletions and clears go
     * on, and so do all writes by themselves once there is room. It is looked at once in a {@link
     * #reclaimPeriod}, so it can be passed by what is written in one, and by files that are being
     * merged.
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
     * How much of its file system the store leaves free, whoever takes the rest; 0 unless set.
     * Where less is free, spaces of entries give way as for {@link #diskBudgetBytes}. Where they
     * cannot make up for it, or less than half of the floor is left, writes that add to spaces of
     * rows are refused with a {@link StoreFullException}; with less than half also those that add
     * entries. Choose it larger than what is written within a {@link #reclaimPeriod}, and merged
     * meanwhile: some hundred megabytes.
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

    /** The options as they stand. */
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
