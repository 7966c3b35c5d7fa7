package io.rockpool.jcache;

import javax.cache.management.CacheStatisticsMXBean;

/** The statistics of a cache: those of the specification, and what only this library has. */
public interface RockpoolStatisticsMXBean extends CacheStatisticsMXBean {
  /**
   * How many events listeners that are not synchronous were never told of, because they were too
   * far behind. Counted also while statistics are off.
   */
  long getDroppedEvents();
}
