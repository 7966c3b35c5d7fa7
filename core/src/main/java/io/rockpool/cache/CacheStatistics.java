package io.rockpool.cache;

import java.time.Duration;

/**
 * What a cache has done since it was opened. Each number is exact for calls that have returned. The
 * numbers are read one after another, not at one instant.
 */
public final class CacheStatistics {
  private final long hotHits;
  private final long diskHits;
  private final long misses;
  private final long puts;
  private final long removals;
  private final long loads;
  private final long loadFailures;
  private final Duration loadTime;
  private final long undecodable;
  private final long unencodable;
  private final long warmed;
  private final long staleHits;
  private final long refreshes;
  private final long refreshFailures;
  private final long refreshRejections;
  private final long evictions;
  private final long invalidations;
  private final long pendingWrites;
  private final long pendingBytes;
  private final Duration oldestPending;
  private final long deadLetters;
  private final long written;
  private final long writeFailures;

  CacheStatistics(CacheCounters counters, PendingIndex.Amount pending, long nowMillis) {
    this.hotHits = counters.hotHits.sum();
    this.diskHits = counters.diskHits.sum();
    this.misses = counters.misses.sum();
    this.puts = counters.puts.sum();
    this.removals = counters.removals.sum();
    this.loads = counters.loads.sum();
    this.loadFailures = counters.loadFailures.sum();
    this.loadTime = Duration.ofNanos(counters.loadNanos.sum());
    this.undecodable = counters.undecodable.sum();
    this.unencodable = counters.unencodable.sum();
    this.warmed = counters.warmed.sum();
    this.staleHits = counters.staleHits.sum();
    this.refreshes = counters.refreshes.sum();
    this.refreshFailures = counters.refreshFailures.sum();
    this.refreshRejections = counters.refreshRejections.sum();
    this.evictions = counters.evictions.sum();
    this.invalidations = counters.invalidations.sum();
    this.pendingWrites = pending.changes();
    this.pendingBytes = pending.bytes();
    this.oldestPending = Duration.ofMillis(Math.max(0, nowMillis - pending.sinceMillis()));
    this.deadLetters = pending.dead();
    this.written = counters.written.sum();
    this.writeFailures = counters.writeFailures.sum();
  }

  /** Reads that found the value in memory. */
  public long hotHits() {
    return hotHits;
  }

  /** Reads that found the value on disk. */
  public long diskHits() {
    return diskHits;
  }

  /** Reads that found nothing. */
  public long misses() {
    return misses;
  }

  /** Values written, including loaded ones. */
  public long puts() {
    return puts;
  }

  /**
   * Entries removed by a call. {@link PersistentCache#clear}, expiry and evictions do not count.
   */
  public long removals() {
    return removals;
  }

  /** Values loaded by {@link PersistentCache#get(Object, ValueLoader)}. */
  public long loads() {
    return loads;
  }

  /** Loads that threw. */
  public long loadFailures() {
    return loadFailures;
  }

  /** The time spent in loaders. */
  public Duration loadTime() {
    return loadTime;
  }

  /** Values that were found and could not be decoded. */
  public long undecodable() {
    return undecodable;
  }

  /**
   * Values that could not be encoded and were not stored; see {@link CacheOptions.OnUnencodable}.
   */
  public long unencodable() {
    return unencodable;
  }

  /**
   * Entries that were loaded back into memory after the cache was opened; see {@link
   * CacheOptions#warmRestart}.
   */
  public long warmed() {
    return warmed;
  }

  /**
   * Hits, counted above, whose value was due for a refresh; see {@link
   * CacheSettings#softTtl(java.time.Duration)}.
   */
  public long staleHits() {
    return staleHits;
  }

  /**
   * Refreshes whose loader returned, whether or not its result was stored. Not counted as loads.
   */
  public long refreshes() {
    return refreshes;
  }

  /** Refreshes that failed. */
  public long refreshFailures() {
    return refreshFailures;
  }

  /** Refreshes that were not started because the executor was full. */
  public long refreshRejections() {
    return refreshRejections;
  }

  /**
   * Entries removed to stay within a disk budget, a maximum size or the free-space floor; see
   * {@link CacheOptions#diskBudgetBytes(long)} and {@link CacheOptions#maximumSize(long)}. Some of
   * them may have expired.
   */
  public long evictions() {
    return evictions;
  }

  /**
   * Changes by other handles of the store, such as other processes, that were reported to this
   * cache. Each report removes the key's entry from memory if it is there; a report that concerns
   * the whole cache counts once.
   */
  public long invalidations() {
    return invalidations;
  }

  /**
   * Changes that a writer has yet to write, without dead letters; see {@link
   * CacheOptions#writeBehind(BatchWriter, WriteBehindOptions)}. This and the next three are what is
   * there now, also of changes that were made before the cache was opened.
   */
  public long pendingWrites() {
    return pendingWrites;
  }

  /** The bytes of keys and values of these changes, and of dead letters. */
  public long pendingBytes() {
    return pendingBytes;
  }

  /** How long the oldest of these changes has been pending; zero without one. */
  public Duration oldestPending() {
    return oldestPending;
  }

  /** Changes that were given up; see {@link WriteBehind#deadLetters}. */
  public long deadLetters() {
    return deadLetters;
  }

  /** Changes that the writer has written. */
  public long written() {
    return written;
  }

  /** Calls of the writer that have failed. */
  public long writeFailures() {
    return writeFailures;
  }

  /** Reads that found a value. */
  public long hits() {
    return hotHits + diskHits;
  }

  /** The share of reads that found a value, from 0 to 1; 1 without reads. */
  public double hitRatio() {
    long reads = hits() + misses;
    return reads == 0 ? 1 : (double) hits() / reads;
  }

  @Override
  public String toString() {
    return "CacheStatistics[hotHits="
        + hotHits
        + ", diskHits="
        + diskHits
        + ", misses="
        + misses
        + ", puts="
        + puts
        + ", removals="
        + removals
        + ", loads="
        + loads
        + ", loadFailures="
        + loadFailures
        + ", loadTime="
        + loadTime
        + ", undecodable="
        + undecodable
        + ", unencodable="
        + unencodable
        + ", warmed="
        + warmed
        + ", staleHits="
        + staleHits
        + ", refreshes="
        + refreshes
        + ", refreshFailures="
        + refreshFailures
        + ", refreshRejections="
        + refreshRejections
        + ", evictions="
        + evictions
        + ", pendingWrites="
        + pendingWrites
        + ", pendingBytes="
        + pendingBytes
        + ", oldestPending="
        + oldestPending
        + ", deadLetters="
        + deadLetters
        + ", written="
        + written
        + ", writeFailures="
        + writeFailures
        + ']';
  }
}
