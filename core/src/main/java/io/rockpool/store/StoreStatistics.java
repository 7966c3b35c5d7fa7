package io.rockpool.store;

import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Memory, disk and background work of an embedded store. The numbers are read one after another,
 * not at one instant.
 */
public final class StoreStatistics {
  private final long cacheBytes;
  private final long cacheCapacityBytes;
  private final long memtableBytes;
  private final long fileBytes;
  private final long logBytes;
  private final long pendingCompactionBytes;
  private final long runningJobs;
  private final long writeDelays;
  private final long writeStops;
  private final boolean writesStopped;
  private final long backgroundErrors;
  private final long damagedFiles;
  private final long snapshots;
  private final @Nullable Instant verifiedBackup;
  private final @Nullable Instant shippedUntil;

  private StoreStatistics(Builder builder) {
    this.cacheBytes = builder.cacheBytes;
    this.cacheCapacityBytes = builder.cacheCapacityBytes;
    this.memtableBytes = builder.memtableBytes;
    this.fileBytes = builder.fileBytes;
    this.logBytes = builder.logBytes;
    this.pendingCompactionBytes = builder.pendingCompactionBytes;
    this.runningJobs = builder.runningJobs;
    this.writeDelays = builder.writeDelays;
    this.writeStops = builder.writeStops;
    this.writesStopped = builder.writesStopped;
    this.backgroundErrors = builder.backgroundErrors;
    this.damagedFiles = builder.damagedFiles;
    this.snapshots = builder.snapshots;
    this.verifiedBackup = builder.verifiedBackup;
    this.shippedUntil = builder.shippedUntil;
  }

  /** A builder whose numbers are 0. For engines. */
  public static Builder builder() {
    return new Builder();
  }

  /**
   * Native memory of the block cache, including the part of {@code memtableBytes} that is charged
   * to it.
   */
  public long cacheBytes() {
    return cacheBytes;
  }

  /** The capacity of the block cache. */
  public long cacheCapacityBytes() {
    return cacheCapacityBytes;
  }

  /** Native memory of writes that are not yet in files. */
  public long memtableBytes() {
    return memtableBytes;
  }

  /** The size of the files that hold records, without the write-ahead log. */
  public long fileBytes() {
    return fileBytes;
  }

  /** The size of the write-ahead log. */
  public long logBytes() {
    return logBytes;
  }

  /** About how many bytes of the files are still to be compacted. */
  public long pendingCompactionBytes() {
    return pendingCompactionBytes;
  }

  /** How many flushes and compactions run now. */
  public long runningJobs() {
    return runningJobs;
  }

  /**
   * How often RocksDB began to slow down writes since the store was opened, because files could not
   * be written as fast.
   */
  public long writeDelays() {
    return writeDelays;
  }

  /** How often RocksDB stopped writes for that reason since the store was opened. */
  public long writeStops() {
    return writeStops;
  }

  /** Whether writes are stopped now. */
  public boolean writesStopped() {
    return writesStopped;
  }

  /** How many background jobs have failed since the store was opened. */
  public long backgroundErrors() {
    return backgroundErrors;
  }

  /**
   * How many damaged files compactions have met: those that are set aside, and those with lost
   * records, until the names of these are cleared or dropped. {@code Rockpool.verify} lists them.
   */
  public long damagedFiles() {
    return damagedFiles;
  }

  /** How many snapshots and running scans keep overwritten data on disk. */
  public long snapshots() {
    return snapshots;
  }

  /**
   * When the newest backup was made that {@code StoreBackups.verify} has found complete and sound;
   * empty if there was none.
   */
  public Optional<Instant> verifiedBackup() {
    return Optional.ofNullable(verifiedBackup);
  }

  /**
   * The newest moment of which all changes are in the target to which {@code StoreBackups.ship}
   * ships the log; empty if the log is not shipped. What is lost with the store's disk is what was
   * changed since then.
   */
  public Optional<Instant> shippedUntil() {
    return Optional.ofNullable(shippedUntil);
  }

  @Override
  public String toString() {
    return "StoreStatistics[cacheBytes="
        + cacheBytes
        + ", cacheCapacityBytes="
        + cacheCapacityBytes
        + ", memtableBytes="
        + memtableBytes
        + ", fileBytes="
        + fileBytes
        + ", logBytes="
        + logBytes
        + ", pendingCompactionBytes="
        + pendingCompactionBytes
        + ", runningJobs="
        + runningJobs
        + ", writeDelays="
        + writeDelays
        + ", writeStops="
        + writeStops
        + ", writesStopped="
        + writesStopped
        + ", backgroundErrors="
        + backgroundErrors
        + ", damagedFiles="
        + damagedFiles
        + ", snapshots="
        + snapshots
        + ", verifiedBackup="
        + verifiedBackup
        + ", shippedUntil="
        + shippedUntil
        + ']';
  }

  /** Builds statistics; each method sets the number of its name. */
  public static final class Builder {
    private long cacheBytes;
    private long cacheCapacityBytes;
    private long memtableBytes;
    private long fileBytes;
    private long logBytes;
    private long pendingCompactionBytes;
    private long runningJobs;
    private long writeDelays;
    private long writeStops;
    private boolean writesStopped;
    private long backgroundErrors;
    private long damagedFiles;
    private long snapshots;
    private @Nullable Instant verifiedBackup;
    private @Nullable Instant shippedUntil;

    private Builder() {}

    /** Sets {@link StoreStatistics#cacheBytes()}. */
    public Builder cacheBytes(long number) {
      cacheBytes = number;
      return this;
    }

    /** Sets {@link StoreStatistics#cacheCapacityBytes()}. */
    public Builder cacheCapacityBytes(long number) {
      cacheCapacityBytes = number;
      return this;
    }

    /** Sets {@link StoreStatistics#memtableBytes()}. */
    public Builder memtableBytes(long number) {
      memtableBytes = number;
      return this;
    }

    /** Sets {@link StoreStatistics#fileBytes()}. */
    public Builder fileBytes(long number) {
      fileBytes = number;
      return this;
    }

    /** Sets {@link StoreStatistics#logBytes()}. */
    public Builder logBytes(long number) {
      logBytes = number;
      return this;
    }

    /** Sets {@link StoreStatistics#pendingCompactionBytes()}. */
    public Builder pendingCompactionBytes(long number) {
      pendingCompactionBytes = number;
      return this;
    }

    /** Sets {@link StoreStatistics#runningJobs()}. */
    public Builder runningJobs(long number) {
      runningJobs = number;
      return this;
    }

    /** Sets {@link StoreStatistics#writeDelays()}. */
    public Builder writeDelays(long number) {
      writeDelays = number;
      return this;
    }

    /** Sets {@link StoreStatistics#writeStops()}. */
    public Builder writeStops(long number) {
      writeStops = number;
      return this;
    }

    /** Sets {@link StoreStatistics#writesStopped()}. */
    public Builder writesStopped(boolean stopped) {
      writesStopped = stopped;
      return this;
    }

    /** Sets {@link StoreStatistics#backgroundErrors()}. */
    public Builder backgroundErrors(long number) {
      backgroundErrors = number;
      return this;
    }

    /** Sets {@link StoreStatistics#damagedFiles()}. */
    public Builder damagedFiles(long number) {
      damagedFiles = number;
      return this;
    }

    /** Sets {@link StoreStatistics#snapshots()}. */
    public Builder snapshots(long number) {
      snapshots = number;
      return this;
    }

    /** Sets {@link StoreStatistics#verifiedBackup()}; null if there was none. */
    public Builder verifiedBackup(@Nullable Instant created) {
      verifiedBackup = created;
      return this;
    }

    /** Sets {@link StoreStatistics#shippedUntil()}; null if the log is not shipped. */
    public Builder shippedUntil(@Nullable Instant moment) {
      shippedUntil = moment;
      return this;
    }

    /** Returns the statistics. */
    public StoreStatistics build() {
      return new StoreStatistics(this);
    }
  }
}
