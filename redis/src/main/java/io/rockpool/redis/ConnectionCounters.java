package io.rockpool.redis;

import io.rockpool.store.ServerState;
import java.util.Collection;
import java.util.concurrent.atomic.LongAdder;

/** What an engine counts for {@link ServerState}. */
final class ConnectionCounters {
  final LongAdder connections = new LongAdder();
  final LongAdder feedLosses = new LongAdder();
  final LongAdder changes = new LongAdder();
  final LongAdder bypassedReads = new LongAdder();
  final LongAdder missedReads = new LongAdder();
  final LongAdder droppedPuts = new LongAdder();
  final LongAdder replicaReads = new LongAdder();

  ServerState state(Collection<Link> links, boolean reported, boolean settled) {
    return new ServerState(
        !links.isEmpty() && links.stream().allMatch(Link::isConnected),
        reported,
        links.stream().anyMatch(Link::isAway)
            ? ServerState.Breaker.OPEN
            : settled ? ServerState.Breaker.CLOSED : ServerState.Breaker.HALF_OPEN,
        connections.sum(),
        feedLosses.sum(),
        changes.sum(),
        bypassedReads.sum(),
        missedReads.sum(),
        droppedPuts.sum(),
        replicaReads.sum());
  }
}
