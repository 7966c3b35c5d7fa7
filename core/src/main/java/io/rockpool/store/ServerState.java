package io.rockpool.store;

/**
 * The connection of a store to its servers. The numbers count since the store was opened, and are
 * read one after another.
 *
 * @param connected whether all servers are connected now
 * @param reported whether the servers report what other processes change; while they do not, the
 *     memory of caches is bypassed
 * @param breaker whether calls wait for servers that are away
 * @param connections connections that were made; at least one for each server
 * @param feedLosses how often reports of changes began to be missing
 * @param changes keys that other processes have changed, as the servers reported
 * @param bypassedReads reads of servers while reports were missing; this and what follows is 0 on
 *     PostgreSQL
 * @param missedReads reads and loads that were misses because no server answered
 * @param droppedPuts puts, and values of loads, that were not stored because no server answered
 * @param replicaReads reads that replicas answered
 */
public record ServerState(
    boolean connected,
    boolean reported,
    Breaker breaker,
    long connections,
    long feedLosses,
    long changes,
    long bypassedReads,
    long missedReads,
    long droppedPuts,
    long replicaReads) {
  /** What happens to calls. */
  public enum Breaker {
    /** Calls reach the servers, or wait for them. */
    CLOSED,
    /** The servers are back, and entries whose puts were dropped are removed there. */
    HALF_OPEN,
    /** Calls that need a server which is away do not wait for it. */
    OPEN
  }
}
