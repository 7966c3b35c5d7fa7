package io.rockpool.jcache;

import javax.cache.management.CacheStatisticsMXBean;

/** The statistics of a cache: those of the specification, and what only this library has. */
public interface RockpoolStatisticsMXBean extends CacheStatisticsMXBean {
  /**
   * How many events asynchronous listeners have missed because they were too far behind. Counted
   * even while statistics are off.
   */
  long getDroppedEvents();

  /**
   * How many reads were answered with a value that was due to be refreshed. Counted also while
   * statistics are off, as all about refreshes is.
   */
  long getStaleHits();

  /** How many refreshes the loader had an answer for; these are neither gets nor puts. */
  long getRefreshes();

  /** How many refreshes failed; their values were served on. */
  long getRefreshFailures();

  /** How many refreshes were not begun because too many others were. */
  long getRefreshRejections();

  /** How many entries are in memory, about, now. */
  long getMemoryEntries();

  /**
   * How many bytes these have, as encoded and with their overhead; 0 where their number is what is
   * bounded.
   */
  long getMemoryBytes();

  /**
   * How many bytes entries in memory may have now; 0 where their number is what is bounded. Where
   * they {@linkplain #isMemoryShared share} the heap budget, it is what the cache has taken of it.
   */
  long getMemoryMaxBytes();

  /** Whether that is a share of the heap budget of many caches, and no bound of the cache's own. */
  boolean isMemoryShared();

  /** How many changes a writer has yet to write behind the cache, now; without dead letters. */
  long getPendingWrites();

  /** How many bytes these and the dead letters have, now. */
  long getPendingBytes();

  /** How long the oldest of these has been pending, in milliseconds, now. */
  long getOldestPendingMillis();

  /** How many changes were given up, now. */
  long getDeadLetters();

  /** How many changes were written behind the cache. */
  long getWritten();

  /** How many calls of its writer failed. */
  long getWriteFailures();
}
