package io.rockpool.internal.queue;

import java.util.concurrent.atomic.LongAdder;

/** Counts what happened to a queue since it was opened. */
final class QueueCounters {
  final LongAdder sent = new LongAdder();
  final LongAdder delivered = new LongAdder();
  final LongAdder redelivered = new LongAdder();
  final LongAdder acknowledged = new LongAdder();
  final LongAdder dead = new LongAdder();
}
