package io.rockpool.internal.queue;

import io.rockpool.engine.Direction;
import io.rockpool.engine.Expiry;
import io.rockpool.engine.Row;
import io.rockpool.engine.RowRecord;
import io.rockpool.engine.SortRange;
import io.rockpool.internal.format.QueueAttempts;
import io.rockpool.internal.format.QueueKeyFormat;
import io.rockpool.internal.format.QueueMessage;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads the messages of a queue that no consumer has, inside one transaction. They stay. */
final class ReadyReads {
  /** Records in a page of a scan. It bounds the scan's memory. */
  private static final int PAGE_RECORDS = 256;

  private final Row row;
  private final ReadyLanes lanes;
  private final long nowMillis;

  ReadyReads(Row row, ReadyLanes lanes, long nowMillis) {
    this.row = row;
    this.lanes = lanes;
    this.nowMillis = nowMillis;
  }

  /** The messages that are ready, in the order of delivery. */
  List<Taken> peek(int limit) {
    List<Taken> shown = new ArrayList<>();
    for (int lane : lanes.numbers()) {
      addDue(lane, limit, shown);
      addFresh(lane, limit, shown);
    }
    return shown;
  }

  /** When the oldest message was sent that is first in a lane. */
  long oldestMillis() {
    List<Taken> firsts = new ArrayList<>();
    for (int lane : lanes.numbers()) {
      addDue(lane, firsts.size() + 1, firsts);
      addFresh(lane, firsts.size() + 1, firsts);
    }
    return firsts.stream()
        .mapToLong(first -> QueueMessage.decode(first.value()).sentMillis())
        .min()
        .orElse(Expiry.NEVER);
  }

  /** Adds what is due in a lane. Messages that have outlived their time to live take no place. */
  private void addDue(int lane, int limit, List<Taken> shown) {
    QueueAttempts last = null;
    while (shown.size() < limit) {
      int wanted = limit - shown.size();
      List<QueueAttempts> page = lanes.peekDue(lane, last, nowMillis, wanted);
      for (QueueAttempts attempts : page) {
        RowRecord message = row.get(attempts.messageKey());
        if (message == null && QueueKeyFormat.isGrouped(attempts.messageKey())) {
          show(
              firstOf(row, QueueKeyFormat.groupOf(attempts.messageKey()), attempts.id()),
              null,
              shown);
        } else {
          show(message, attempts, shown);
        }
      }
      if (page.size() < wanted) {
        return;
      }
      last = page.get(wanted - 1);
    }
  }

  private void addFresh(int lane, int limit, List<Taken> shown) {
    lanes.eachFresh(
        lane,
        limit - shown.size(),
        record -> {
          show(messageOf(record), null, shown);
          return shown.size() < limit;
        });
  }

  /** A fresh message, or the first one of a group that has a turn. */
  private @Nullable RowRecord messageOf(RowRecord fresh) {
    QueueMessage.Turn turn = QueueMessage.turnOf(fresh.value());
    return turn == null ? fresh : firstOf(row, turn.group(), turn.firstId());
  }

  /**
   * The first message of a group from an id on, or null. All with lower ids are gone or given up:
   * so no scan passes what was removed before.
   */
  static @Nullable RowRecord firstOf(Row row, byte[] group, long fromId) {
    RowRecord first = row.get(QueueKeyFormat.grouped(group, fromId));
    if (first != null) {
      return first;
    }
    List<RowRecord> found =
        row.scan(QueueKeyFormat.groupRange(group, fromId), Direction.FORWARD, 1);
    return found.isEmpty() ? null : found.get(0);
  }

  /** The message with an id, also if a consumer has it, or null. */
  @Nullable RowRecord find(long id) {
    for (int lane = 0; lane <= QueueKeyFormat.MAX_PRIORITY; lane++) {
      for (byte area : List.of(QueueKeyFormat.FRESH, QueueKeyFormat.DELAYED)) {
        RowRecord record = row.get(QueueKeyFormat.message(area, lane, id));
        if (record != null && QueueMessage.turnOf(record.value()) == null) {
          return record;
        }
      }
    }
    return findInGroups(id);
  }

  private @Nullable RowRecord findInGroups(long id) {
    SortRange left = SortRange.prefix(new byte[] {QueueKeyFormat.GROUP});
    List<RowRecord> page;
    do {
      page = row.scan(left, Direction.FORWARD, PAGE_RECORDS);
      for (RowRecord group : page) {
        byte[] name = Arrays.copyOfRange(group.sortKey(), 1, group.sortKey().length);
        RowRecord record = row.get(QueueKeyFormat.grouped(name, id));
        if (record != null) {
          return record;
        }
        left = left.from(group.sortKey(), false);
      }
    } while (page.size() == PAGE_RECORDS);
    return null;
  }

  /** The attempts of due messages of priority 0 behind others. */
  List<QueueAttempts> due(@Nullable QueueAttempts last, int limit) {
    return lanes.peekDue(QueueKeyFormat.lane(0), last, nowMillis, limit);
  }

  /** The fresh messages of priority 0 from an id on, fewer if they are large. */
  List<Taken> page(long fromId, int limit) {
    List<Taken> shown = new ArrayList<>();
    for (RowRecord record : lanes.freshFrom(QueueKeyFormat.lane(0), fromId, limit)) {
      show(QueueMessage.turnOf(record.value()) == null ? record : null, null, shown);
    }
    return shown;
  }

  /** Adds a message, if it is there. */
  static void show(
      @Nullable RowRecord message, @Nullable QueueAttempts attempts, List<Taken> shown) {
    if (message != null) {
      shown.add(
          new Taken(
              -1,
              attempts == null ? QueueAttempts.none(0, message.sortKey()) : attempts,
              message.value(),
              message.expiryMillis()));
    }
  }
}
