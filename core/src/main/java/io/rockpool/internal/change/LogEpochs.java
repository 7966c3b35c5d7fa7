package io.rockpool.internal.change;

import io.rockpool.engine.Capability;
import io.rockpool.engine.Direction;
import io.rockpool.engine.Engine;
import io.rockpool.engine.Expiry;
import io.rockpool.engine.Limits;
import io.rockpool.engine.Row;
import io.rockpool.engine.RowRecord;
import io.rockpool.engine.SortRange;
import io.rockpool.engine.Space;
import io.rockpool.engine.SpaceInfo;
import io.rockpool.internal.format.ChangeLogHead;
import io.rockpool.internal.format.LoggedChange;
import org.jspecify.annotations.Nullable;

/**
 * Starts new epochs of the change logs of a store that was restored. A reader outside of the store
 * may be ahead of a restored log, at a position that another change gets now. So each log becomes
 * empty and continues at higher positions than it ever had, and readers of old ones learn it.
 */
public final class LogEpochs {
  private static final int DELETED_AT_ONCE = 1_000;

  private LogEpochs() {}

  /** Starts a new epoch of every log. To be called before a log is used; may be repeated. */
  public static void start(Engine engine) {
    if (!engine.capabilities().contains(Capability.COLLECTIONS)) {
      return;
    }
    for (SpaceInfo info : engine.list(ChangeLogs.LEVEL)) {
      Space records = engine.open(info.name());
      if (records != null) {
        start(records, ChangeLogHead.empty(engine.clock().millis()));
      }
    }
  }

  private static void start(Space records, ChangeLogHead next) {
    boolean more;
    do {
      more =
          records.transact(
              ChangeLog.LOG,
              row -> {
                boolean left = deleteSome(row);
                if (!left) {
                  RowRecord head = row.get(ChangeLog.HEAD);
                  row.put(ChangeLog.HEAD, after(head, next).encode(), Expiry.NEVER);
                }
                return left;
              });
    } while (more);
  }

  private static boolean deleteSome(Row row) {
    SortRange changes = SortRange.all().from(LoggedChange.key(0), true);
    Row.Page page = row.page(changes, Direction.FORWARD, DELETED_AT_ONCE, Limits.MAX_BATCH_BYTES);
    for (RowRecord change : page.records()) {
      row.delete(change.sortKey());
    }
    return !page.isLast();
  }

  private static ChangeLogHead after(@Nullable RowRecord record, ChangeLogHead next) {
    if (record == null) {
      return next;
    }
    ChangeLogHead head = ChangeLogHead.decode(record.value());
    long first = Math.max(head.next() + 1, next.next());
    return new ChangeLogHead(
        head.pending(), first, first, 0, head.timeMillis(), head.pendingExpiryMillis());
  }
}
