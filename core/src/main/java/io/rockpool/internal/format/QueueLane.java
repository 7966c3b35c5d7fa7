package io.rockpool.internal.format;

import io.rockpool.engine.Expiry;

/**
 * What the head of a queue knows of one priority.
 *
 * @param lane its number
 * @param from no message that was never delivered has a lower id
 * @param to the id after the last such message
 * @param dueMillis nothing that waits is due before; {@link Expiry#NEVER} if nothing waits
 */
public record QueueLane(int lane, long from, long to, long dueMillis) {
  /** A lane without messages. */
  public static QueueLane empty(int lane) {
    return new QueueLane(lane, 0, 0, Expiry.NEVER);
  }

  /** Whether the lane surely has no message that is ready or waits. */
  public boolean isEmpty() {
    return from >= to && dueMillis == Expiry.NEVER;
  }

  /** This lane after a message with the next id was added. */
  public QueueLane withFresh(long id) {
    return new QueueLane(lane, from >= to ? id : from, id + 1, dueMillis);
  }

  /** This lane without fresh messages below {@code id}. */
  public QueueLane startingAt(long id) {
    return new QueueLane(lane, id, to, dueMillis);
  }

  /** This lane if nothing that waits is due before a time. */
  public QueueLane dueFrom(long millis) {
    return new QueueLane(lane, from, to, millis);
  }
}
