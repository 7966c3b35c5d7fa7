package io.rockpool.redis;

import java.util.concurrent.atomic.LongAdder;

/** What an engine counts for {@link io.rockpool.store.ServerState}. */
final class ConnectionCounters {
  final LongAdder connections = new LongAdder();
  final LongAdder feedLosses = new LongAdder();
  final LongAdder changes = new LongAdder();
  final LongAdder bypassedReads = new LongAdder();
  final LongAdder missedReads = new LongAdder();
  final LongAdder droppedPuts = new LongAdder();
}
