package io.rockpool.internal.queue;

import io.rockpool.engine.Cursor;
import io.rockpool.engine.Direction;
import io.rockpool.engine.Expiry;
import io.rockpool.engine.RowRecord;
import io.rockpool.engine.SortRange;
import io.rockpool.engine.SpaceView;
import io.rockpool.internal.format.QueueAttempts;
import io.rockpool.internal.format.QueueKeyFormat;
import io.rockpool.internal.format.QueueLease;
import io.rockpool.internal.format.QueueLeases;
import org.jspecify.annotations.Nullable;

/** Reads leases outside of a transaction. */
public final class LeaseReads {
  private LeaseReads() {}

  /** The lease with a number, or null. */
  static @Nullable QueueAttempts get(SpaceView view, QueueLeases leases, long number) {
    for (QueueLease lease : leases.here()) {
      if (lease.number() == number) {
        return lease.attempts();
      }
    }
    RowRecord record = view.get(QueueSpace.ROW, QueueKeyFormat.lease(number));
    return record == null ? null : QueueAttempts.decode(record.value());
  }

  /** How many leases have not ended. One read for each that has a record. */
  public static long countHeld(SpaceView view, QueueLeases leases, long nowMillis) {
    long from =
        leases.outsideDueMillis() == Expiry.NEVER
            ? leases.lineFrom()
            : Math.min(leases.lineFrom(), leases.outsideFrom());
    SortRange range =
        SortRange.prefix(new byte[] {QueueKeyFormat.LEASE})
            .from(QueueKeyFormat.lease(Math.max(from, leases.orphansTo())), true);
    long count =
        leases.here().stream()
            .filter(lease -> lease.number() >= leases.orphansTo())
            .filter(lease -> lease.attempts().dueMillis() > nowMillis)
            .count();
    try (Cursor cursor = view.scan(QueueSpace.ROW, range, Direction.FORWARD, Integer.MAX_VALUE)) {
      while (cursor.next()) {
        count += QueueAttempts.decode(cursor.value()).dueMillis() > nowMillis ? 1 : 0;
      }
    }
    return count;
  }
}
