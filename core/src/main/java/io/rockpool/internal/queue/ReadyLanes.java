package io.rockpool.internal.queue;

import io.rockpool.engine.Direction;
import io.rockpool.engine.Expiry;
import io.rockpool.engine.Limits;
import io.rockpool.engine.Row;
import io.rockpool.engine.RowRecord;
import io.rockpool.engine.SortRange;
import io.rockpool.internal.format.QueueAttempts;
import io.rockpool.internal.format.QueueKeyFormat;
import io.rockpool.internal.format.QueueLane;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The messages of a queue that no consumer has, by priority, inside one transaction. Changes are
 * complete only after the head's.
 */
final class ReadyLanes {
  private final Row row;
  private final List<QueueLane> lanes;

  ReadyLanes(Row row, List<QueueLane> lanes) {
    this.row = row;
    this.lanes = new ArrayList<>(lanes);
  }

  List<QueueLane> save() {
    lanes.removeIf(QueueLane::isEmpty);
    return List.copyOf(lanes);
  }

  /** The numbers of the lanes that may have messages, highest priority first. */
  List<Integer> numbers() {
    return lanes.stream().map(QueueLane::lane).toList();
  }

  private QueueLane lane(int number) {
    for (QueueLane lane : lanes) {
      if (lane.lane() == number) {
        return lane;
      }
    }
    return QueueLane.empty(number);
  }

  private void set(QueueLane changed) {
    for (int i = 0; i < lanes.size(); i++) {
      int number = lanes.get(i).lane();
      if (number == changed.lane()) {
        lanes.set(i, changed);
        return;
      }
      if (number > changed.lane()) {
        lanes.add(i, changed);
        return;
      }
    }
    lanes.add(changed);
  }

  /** Adds the message or turn with the highest id so far, which is ready now; returns its key. */
  byte[] addFresh(int number, long id, byte[] value, long expiryMillis, boolean counted) {
    byte[] key = QueueKeyFormat.message(QueueKeyFormat.FRESH, number, id);
    row.insert(key, value, expiryMillis, counted);
    set(lane(number).withFresh(id));
    return key;
  }

  /** Adds a message that is ready when its attempts are due. */
  void addWaiting(QueueAttempts attempts) {
    QueueLane lane = lane(QueueKeyFormat.laneOf(attempts.messageKey()));
    row.put(
        QueueKeyFormat.waiting(lane.lane(), attempts.dueMillis(), attempts.id()),
        attempts.encode(),
        Expiry.NEVER);
    set(lane.dueFrom(Math.min(lane.dueMillis(), attempts.dueMillis())));
  }

  /** Removes and returns what is due, the longest due first. */
  List<QueueAttempts> takeDue(int number, long nowMillis, int limit) {
    QueueLane lane = lane(number);
    List<QueueAttempts> due = new ArrayList<>();
    if (lane.dueMillis() > nowMillis) {
      return due;
    }
    long nextMillis = Expiry.NEVER;
    for (RowRecord record : row.scan(waiting(lane), Direction.FORWARD, limit + 1)) {
      long dueMillis = QueueKeyFormat.dueOfWaiting(record.sortKey());
      if (dueMillis > nowMillis || due.size() == limit) {
        nextMillis = dueMillis;
        break;
      }
      row.delete(record.sortKey());
      due.add(QueueAttempts.decode(record.value()));
    }
    set(lane.dueFrom(nextMillis));
    return due;
  }

  private static SortRange waiting(QueueLane lane) {
    return SortRange.prefix(new byte[] {QueueKeyFormat.WAITING, (byte) lane.lane()})
        .from(QueueKeyFormat.waiting(lane.lane(), lane.dueMillis(), 0), true);
  }

  /**
   * Returns the first fresh messages and turns, which the caller leases or removes. Fewer than
   * {@code limit} if they are large.
   */
  List<RowRecord> takeFresh(int number, int limit) {
    QueueLane lane = lane(number);
    Row.Page page = fresh(lane, limit);
    set(behind(page, lane));
    return page.records();
  }

  private static QueueLane behind(Row.Page page, QueueLane lane) {
    List<RowRecord> found = page.records();
    return lane.startingAt(
        page.isLast() ? lane.to() : QueueKeyFormat.idOf(found.get(found.size() - 1).sortKey()) + 1);
  }

  private Row.Page fresh(QueueLane lane, int limit) {
    if (lane.from() >= lane.to()) {
      return new Row.Page(List.of(), /* isLast= */ true);
    }
    byte[] first = QueueKeyFormat.message(QueueKeyFormat.FRESH, lane.lane(), lane.from());
    if (limit == 1) {
      RowRecord found = row.get(first);
      if (found != null) {
        return new Row.Page(List.of(found), /* isLast= */ false);
      }
    }
    byte[] end = QueueKeyFormat.message(QueueKeyFormat.FRESH, lane.lane(), lane.to());
    SortRange range = SortRange.all().from(first, true).to(end, false);
    return row.page(range, Direction.FORWARD, limit, Limits.MAX_BATCH_BYTES);
  }

  /** Whether the message of a key was never delivered and was ready when it was sent. */
  boolean isFresh(byte[] key) {
    return key[0] == QueueKeyFormat.FRESH
        && QueueKeyFormat.idOf(key) >= lane(QueueKeyFormat.laneOf(key)).from();
  }

  /** What is due in a lane behind {@code last}, without removing it. */
  List<QueueAttempts> peekDue(int number, @Nullable QueueAttempts last, long nowMillis, int limit) {
    QueueLane lane = lane(number);
    if (lane.dueMillis() > nowMillis) {
      return List.of();
    }
    SortRange range =
        last == null
            ? waiting(lane)
            : waiting(lane)
                .from(QueueKeyFormat.waiting(number, last.dueMillis(), last.id()), false);
    return row.scan(range, Direction.FORWARD, limit).stream()
        .filter(record -> QueueKeyFormat.dueOfWaiting(record.sortKey()) <= nowMillis)
        .map(record -> QueueAttempts.decode(record.value()))
        .toList();
  }

  /** The first fresh messages and turns from an id on, which stay; fewer if they are large. */
  List<RowRecord> freshFrom(int number, long fromId, int limit) {
    QueueLane lane = lane(number);
    return fresh(lane.startingAt(Math.max(fromId, lane.from())), limit).records();
  }

  /** Shows fresh messages and turns, which stay, while {@code more} returns true. */
  void eachFresh(int number, int pageRecords, Predicate<RowRecord> more) {
    QueueLane left = lane(number);
    while (pageRecords > 0 && left.from() < left.to()) {
      Row.Page page = fresh(left, pageRecords);
      for (RowRecord record : page.records()) {
        if (!more.test(record)) {
          return;
        }
      }
      left = behind(page, left);
    }
  }
}
