package io.rockpool.internal.format;

import io.rockpool.engine.Expiry;
import java.util.List;

/**
 * What the head of a queue knows of its leases. Leases have consecutive numbers. Some are in the
 * head itself; of the others, each has a record. While each of these ends no earlier than the one
 * before, their numbers are in the order of their ends: the line. A lease outside of it, one that
 * was extended, has a record of its end as well.
 *
 * @param next the number of the next lease
 * @param orphansFrom no lease of an owner that has ended has a lower number
 * @param orphansTo every lease with a lower number is of an owner that has ended
 * @param lineFrom no lease in the line has a lower number
 * @param lineDueMillis no lease in the line ends before; {@link Expiry#NEVER} if it is empty
 * @param lineLastMillis when the last lease of the line ends
 * @param checked the number up to which {@code lineFrom} was last looked for
 * @param outsideFrom no lease outside of the line has a lower number
 * @param outsideDueMillis no lease outside of the line ends before; {@link Expiry#NEVER} if there
 *     is none
 * @param here the leases in the head itself, by number
 */
public record QueueLeases(
    long next,
    long orphansFrom,
    long orphansTo,
    long lineFrom,
    long lineDueMillis,
    long lineLastMillis,
    long checked,
    long outsideFrom,
    long outsideDueMillis,
    List<QueueLease> here) {
  /** The most leases in the head itself: each change of the queue writes them again. */
  public static final int MAX_HERE = 4;

  /** The leases of a new queue. */
  public static final QueueLeases NEW =
      new QueueLeases(0, 0, 0, 0, Expiry.NEVER, 0, 0, 0, Expiry.NEVER, List.of());

  /** No lease ends before this time; 0 if there may be leases of an owner that has ended. */
  public long nextDueMillis() {
    long next = Math.min(lineDueMillis, outsideDueMillis);
    for (QueueLease lease : here) {
      next = Math.min(next, lease.number() < orphansTo ? 0 : lease.attempts().dueMillis());
    }
    return orphansFrom < orphansTo ? 0 : next;
  }
}
