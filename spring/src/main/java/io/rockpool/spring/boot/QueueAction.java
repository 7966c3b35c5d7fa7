package io.rockpool.spring.boot;

/** What {@link RockpoolEndpoint#queue} does with a queue. */
public enum QueueAction {
  /** Stops deliveries, also over restarts. */
  PAUSE,
  /** Continues deliveries. */
  RESUME,
  /** Sends all dead letters of the queue again. */
  REDRIVE,
  /** Removes all messages. */
  PURGE
}
