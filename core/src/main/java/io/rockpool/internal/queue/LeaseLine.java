package io.rockpool.internal.queue;

import io.rockpool.engine.Direction;
import io.rockpool.engine.Expiry;
import io.rockpool.engine.Row;
import io.rockpool.engine.RowRecord;
import io.rockpool.engine.SortRange;
import io.rockpool.internal.format.QueueAttempts;
import io.rockpool.internal.format.QueueKeyFormat;
import io.rockpool.internal.format.QueueLease;
import io.rockpool.internal.format.QueueLeases;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The leases of a queue inside one transaction. Changes are complete only after the head's. */
final class LeaseLine {
  /** The value of a record whose key says everything. */
  static final byte[] NOTHING = {};

  /** Records in a page of a scan. It bounds the scan's memory. */
  private static final int PAGE_RECORDS = 256;

  /**
   * How many leases are given between two looks for the first of the line. A scan passes that many
   * tombstones at most, unless one lease is held while many others end.
   */
  private static final long LEASES_PER_LOOK = 4_096;

  /** By number, and those that were extended by their ends, after the others. */
  private static final Comparator<QueueLease> ORDER =
      Comparator.<QueueLease, Boolean>comparing(lease -> lease.attempts().outside())
          .thenComparingLong(lease -> lease.attempts().outside() ? lease.attempts().dueMillis() : 0)
          .thenComparingLong(QueueLease::number);

  private final Row row;
  private long next;
  private long orphansFrom;
  private long orphansTo;
  private long lineFrom;
  private long lineDueMillis;
  private long lineLastMillis;
  private long checked;
  private long outsideFrom;
  private long outsideDueMillis;
  private List<QueueLease> here;

  LeaseLine(Row row, QueueLeases leases) {
    this.row = row;
    this.next = leases.next();
    this.orphansFrom = leases.orphansFrom();
    this.orphansTo = leases.orphansTo();
    this.lineFrom = leases.lineFrom();
    this.lineDueMillis = leases.lineDueMillis();
    this.lineLastMillis = leases.lineLastMillis();
    this.checked = leases.checked();
    this.outsideFrom = leases.outsideFrom();
    this.outsideDueMillis = leases.outsideDueMillis();
    this.here = leases.here();
  }

  QueueLeases save() {
    return new QueueLeases(
        next,
        orphansFrom,
        orphansTo,
        lineFrom,
        lineDueMillis,
        lineLastMillis,
        checked,
        outsideFrom,
        outsideDueMillis,
        here);
  }

  /** Frees the leases of an owner that has ended. O(1): {@link #ended} returns them. */
  void orphanAll() {
    if (orphansFrom >= orphansTo) {
      orphansFrom = outsideDueMillis == Expiry.NEVER ? lineFrom : Math.min(lineFrom, outsideFrom);
    }
    orphansTo = next;
    lineFrom = next;
    lineDueMillis = Expiry.NEVER;
    lineLastMillis = 0;
    outsideDueMillis = Expiry.NEVER;
  }

  /** Adds a lease and returns its number. */
  long add(QueueAttempts attempts) {
    long number = next++;
    if (here.size() < QueueLeases.MAX_HERE) {
      here = new ArrayList<>(here);
      here.add(new QueueLease(number, attempts));
      return number;
    }
    if (attempts.dueMillis() < lineLastMillis) { // the clock was set back
      putOutside(number, attempts);
      return number;
    }
    row.insert(QueueKeyFormat.lease(number), attempts.encode(), Expiry.NEVER, false);
    lineLastMillis = attempts.dueMillis();
    lineDueMillis = Math.min(lineDueMillis, attempts.dueMillis());
    if (next - checked > LEASES_PER_LOOK) {
      checked = next;
      lookForFirst();
    }
    return number;
  }

  private void putOutside(long number, QueueAttempts attempts) {
    QueueAttempts outside = attempts.until(attempts.dueMillis(), true);
    row.put(QueueKeyFormat.lease(number), outside.encode(), Expiry.NEVER);
    row.put(QueueKeyFormat.extended(outside.dueMillis(), number), NOTHING, Expiry.NEVER);
    outsideFrom = outsideDueMillis == Expiry.NEVER ? number : Math.min(outsideFrom, number);
    outsideDueMillis = Math.min(outsideDueMillis, outside.dueMillis());
  }

  /** Skips the numbers of leases that have ended, which a later scan would read. */
  private void lookForFirst() {
    List<RowRecord> found = row.scan(line(), Direction.FORWARD, 1);
    lineFrom = found.isEmpty() ? next : QueueKeyFormat.idOf(found.get(0).sortKey());
  }

  private SortRange line() {
    return range(lineFrom, next);
  }

  private static SortRange range(long from, long to) {
    return SortRange.all()
        .from(QueueKeyFormat.lease(from), true)
        .to(QueueKeyFormat.lease(to), false);
  }

  /** Replaces the end of a lease. */
  void extend(long number, QueueAttempts attempts, long untilMillis) {
    QueueAttempts extended = attempts.until(untilMillis, true);
    if (isHere(number)) {
      here =
          here.stream()
              .map(lease -> lease.number() == number ? new QueueLease(number, extended) : lease)
              .toList();
    } else {
      removeRecords(number, attempts);
      putOutside(number, extended);
    }
  }

  private boolean isHere(long number) {
    return here.stream().anyMatch(lease -> lease.number() == number);
  }

  /** The lease with a number, or null. */
  @Nullable QueueAttempts get(long number) {
    for (QueueLease lease : here) {
      if (lease.number() == number) {
        return lease.attempts();
      }
    }
    RowRecord found = row.get(QueueKeyFormat.lease(number));
    return found == null ? null : QueueAttempts.decode(found.value());
  }

  /** Whether a message has a lease. Reads a record for each lease. */
  boolean isLeased(byte[] messageKey) {
    if (here.stream().anyMatch(lease -> Arrays.equals(lease.attempts().messageKey(), messageKey))) {
      return true;
    }
    SortRange left = SortRange.prefix(new byte[] {QueueKeyFormat.LEASE});
    List<RowRecord> page;
    do {
      page = row.scan(left, Direction.FORWARD, PAGE_RECORDS);
      for (RowRecord record : page) {
        if (Arrays.equals(QueueAttempts.decode(record.value()).messageKey(), messageKey)) {
          return true;
        }
        left = left.from(record.sortKey(), false);
      }
    } while (page.size() == PAGE_RECORDS);
    return false;
  }

  /** Removes a lease. */
  void remove(long number, QueueAttempts attempts) {
    List<QueueLease> others = new ArrayList<>(here);
    if (others.removeIf(lease -> lease.number() == number)) {
      here = others;
    } else {
      removeRecords(number, attempts);
    }
  }

  private void removeRecords(long number, QueueAttempts attempts) {
    row.delete(QueueKeyFormat.lease(number));
    if (attempts.outside()) {
      row.delete(QueueKeyFormat.extended(attempts.dueMillis(), number));
    }
  }

  /**
   * Removes and returns leases that have ended, or whose owner has: at least {@code limit} of them,
   * if there are as many.
   */
  List<QueueAttempts> ended(long nowMillis, int limit) {
    if (save().nextDueMillis() > nowMillis) {
      return List.of();
    }
    List<QueueLease> orphans = new ArrayList<>();
    List<QueueLease> ended = new ArrayList<>();
    if (!here.isEmpty()) {
      endHere(nowMillis, orphans, ended);
    }
    if (orphansFrom < orphansTo) {
      endOrphans(limit, orphans);
    }
    if (lineDueMillis <= nowMillis) {
      endLine(nowMillis, limit, ended);
    }
    if (outsideDueMillis <= nowMillis) {
      endOutside(nowMillis, limit, ended);
    }
    orphans.sort(Comparator.comparingLong(QueueLease::number));
    ended.sort(ORDER);
    orphans.addAll(ended);
    return orphans.stream().map(QueueLease::attempts).toList();
  }

  private void endHere(long nowMillis, List<QueueLease> orphans, List<QueueLease> ended) {
    List<QueueLease> stay = new ArrayList<>(here.size());
    for (QueueLease lease : here) {
      boolean isOrphan = lease.number() < orphansTo;
      boolean stays = !isOrphan && lease.attempts().dueMillis() > nowMillis;
      (isOrphan ? orphans : stays ? stay : ended).add(lease);
    }
    here = stay.size() == here.size() ? here : stay;
  }

  private void endOrphans(int limit, List<QueueLease> ended) {
    List<RowRecord> page = row.scan(range(orphansFrom, orphansTo), Direction.FORWARD, limit);
    for (RowRecord record : page) {
      end(record, QueueAttempts.decode(record.value()), ended);
    }
    orphansFrom =
        page.size() < limit
            ? orphansTo
            : QueueKeyFormat.idOf(page.get(page.size() - 1).sortKey()) + 1;
  }

  private void end(RowRecord record, QueueAttempts attempts, List<QueueLease> ended) {
    long number = QueueKeyFormat.idOf(record.sortKey());
    removeRecords(number, attempts);
    ended.add(new QueueLease(number, attempts));
  }

  private void endLine(long nowMillis, int limit, List<QueueLease> ended) {
    int taken = 0;
    List<RowRecord> page;
    do {
      page = row.scan(line(), Direction.FORWARD, PAGE_RECORDS);
      for (RowRecord record : page) {
        QueueAttempts attempts = QueueAttempts.decode(record.value());
        long number = QueueKeyFormat.idOf(record.sortKey());
        boolean stays = !attempts.outside() && attempts.dueMillis() > nowMillis;
        if (stays || taken == limit) {
          lineFrom = number;
          lineDueMillis = stays ? attempts.dueMillis() : lineDueMillis;
          return;
        }
        if (!attempts.outside()) {
          end(record, attempts, ended);
          taken++;
        }
        lineFrom = number + 1;
      }
    } while (page.size() == PAGE_RECORDS);
    lineFrom = next;
    lineDueMillis = Expiry.NEVER;
  }

  private void endOutside(long nowMillis, int limit, List<QueueLease> ended) {
    SortRange range =
        SortRange.prefix(new byte[] {QueueKeyFormat.EXTENDED})
            .from(QueueKeyFormat.extended(outsideDueMillis, 0), true);
    for (RowRecord record : row.scan(range, Direction.FORWARD, limit + 1)) {
      long dueMillis = QueueKeyFormat.dueOfExtended(record.sortKey());
      if (dueMillis > nowMillis || ended.size() >= 2 * limit) {
        outsideDueMillis = dueMillis;
        return;
      }
      long number = QueueKeyFormat.idOf(record.sortKey());
      RowRecord lease = row.get(QueueKeyFormat.lease(number));
      if (lease == null) {
        row.delete(record.sortKey());
      } else {
        end(lease, QueueAttempts.decode(lease.value()), ended);
      }
    }
    outsideDueMillis = Expiry.NEVER;
  }
}
