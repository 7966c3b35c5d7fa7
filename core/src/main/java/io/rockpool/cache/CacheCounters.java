package io.rockpool.cache;

import java.util.concurrent.atomic.LongAdder;

/**
 * The counters behind {@link CacheStatistics}. They are striped, so counting threads never wait.
 */
final class CacheCounters {
  final LongAdder hotHits = new LongAdder();
  final LongAdder diskHits = new LongAdder();
  final LongAdder misses = new LongAdder();
  final LongAdder puts = new LongAdder();
  final LongAdder removals = new LongAdder();
  final LongAdder loads = new LongAdder();
  final LongAdder loadFailures = new LongAdder();
  final LongAdder loadNanos = new LongAdder();
  final LongAdder undecodable = new LongAdder();
  final LongAdder unencodable = new LongAdder();
  final LongAdder warmed = new LongAdder();
  final LongAdder staleHits = new LongAdder();
  final LongAdder refreshes = new LongAdder();
  final LongAdder refreshFailures = new LongAdder();
  final LongAdder refreshRejections = new LongAdder();
  final LongAdder evictions = new LongAdder();
  final LongAdder invalidations = new LongAdder();
  final LongAdder written = new LongAdder();
  final LongAdder writeFailures = new LongAdder();

  /** The number of uses that may change which entries are hot. */
  long uses() {
    return hotHits.sum() + diskHits.sum() + puts.sum() + removals.sum();
  }

  CacheStatistics snapshot(PendingIndex.Amount pending, long nowMillis) {
    return new CacheStatistics(this, pending, nowMillis);
  }
}
