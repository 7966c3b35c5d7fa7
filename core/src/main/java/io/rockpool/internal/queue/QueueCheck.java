package io.rockpool.internal.queue;

import io.rockpool.codec.Codec;
import io.rockpool.engine.Expiry;
import io.rockpool.engine.RecordChecks.Problems;
import io.rockpool.engine.RecordChecks.RecordCheck;
import io.rockpool.engine.RowRecord;
import io.rockpool.error.CorruptStoreException;
import io.rockpool.internal.format.QueueAttempts;
import io.rockpool.internal.format.QueueHead;
import io.rockpool.internal.format.QueueKeyFormat;
import io.rockpool.internal.format.QueueLane;
import io.rockpool.internal.format.QueueLease;
import io.rockpool.internal.format.QueueMessage;
import io.rockpool.store.FindingKind;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Checks that the records of a queue match its head. */
final class QueueCheck implements RecordCheck {
  private final @Nullable Codec<?> codec;
  private final Problems problems;
  private QueueHead head = QueueHead.NEW;
  private long lasting;

  /**
   * Creates a check.
   *
   * @param codec decodes the messages; null to leave them
   */
  QueueCheck(@Nullable Codec<?> codec, Problems problems) {
    this.codec = codec;
    this.problems = problems;
  }

  @Override
  public void check(RowRecord record, boolean counted) {
    if (!Arrays.equals(record.hashKey(), QueueSpace.ROW)) {
      throw new CorruptStoreException("a record lies in a row that a queue does not have", null);
    }
    byte[] key = record.sortKey();
    if (key.length == 0) {
      head = QueueHead.decode(record.value());
      for (QueueLease lease : head.leases().here()) {
        checkNumber(lease.number());
      }
      return;
    }
    boolean message =
        key[0] == QueueKeyFormat.DELAYED
            || key[0] == QueueKeyFormat.GROUPED
            || (key[0] == QueueKeyFormat.FRESH && QueueMessage.turnOf(record.value()) == null);
    boolean lasts = record.expiryMillis() == Expiry.NEVER;
    if (counted != (message && !lasts)) {
      throw new CorruptStoreException(
          "a record is counted if, and only if, it is a message with a time to live", null);
    }
    lasting += message && lasts ? 1 : 0;
    switch (key[0]) {
      case QueueKeyFormat.FRESH, QueueKeyFormat.DELAYED, QueueKeyFormat.GROUPED ->
          checkMessage(record, message);
      case QueueKeyFormat.WAITING -> checkWaiting(record);
      case QueueKeyFormat.LEASE -> checkLease(record);
      case QueueKeyFormat.DYING -> checkDying(record);
      case QueueKeyFormat.EXTENDED, QueueKeyFormat.SEEN, QueueKeyFormat.GROUP -> {}
      default -> throw new CorruptStoreException("a queue has no records of kind " + key[0], null);
    }
  }

  private void checkMessage(RowRecord record, boolean isMessage) {
    byte[] key = record.sortKey();
    if (QueueKeyFormat.idOf(key) >= head.nextId()) {
      throw new CorruptStoreException(
          "a message has the id "
              + QueueKeyFormat.idOf(key)
              + ", and the next id of the queue is "
              + head.nextId(),
          null);
    }
    if (!isMessage && !isFresh(key)) {
      throw new CorruptStoreException("a turn is not in the bounds of its lane", null);
    }
    if (isMessage) {
      QueueMessage message = QueueMessage.decode(record.value());
      if (codec != null) {
        byte[] value = message.value();
        codec.decode(value, message.contentAt(), value.length - message.contentAt());
      }
    }
  }

  private boolean isFresh(byte[] key) {
    long id = QueueKeyFormat.idOf(key);
    for (QueueLane lane : head.lanes()) {
      if (lane.lane() == key[1]) {
        return id >= lane.from() && id < lane.to();
      }
    }
    return false;
  }

  private void checkWaiting(RowRecord record) {
    QueueAttempts attempts = QueueAttempts.decode(record.value());
    long due = QueueKeyFormat.dueOfWaiting(record.sortKey());
    if (attempts.dueMillis() != due) {
      throw new CorruptStoreException(
          "a message waits until " + attempts.dueMillis() + ", and its place is at " + due, null);
    }
    for (QueueLane lane : head.lanes()) {
      if (lane.lane() == record.sortKey()[1] && lane.dueMillis() <= due) {
        return;
      }
    }
    throw new CorruptStoreException(
        "a message is due at " + due + ", before the first is said to", null);
  }

  private void checkLease(RowRecord record) {
    QueueAttempts.decode(record.value());
    checkNumber(QueueKeyFormat.idOf(record.sortKey()));
  }

  private void checkNumber(long number) {
    if (number >= head.leases().next()) {
      throw new CorruptStoreException(
          "a lease has the number " + number + ", and the next is " + head.leases().next(), null);
    }
  }

  private void checkDying(RowRecord record) {
    QueueAttempts.decode(record.value());
    if (head.dying() == 0) {
      throw new CorruptStoreException("a message is given up, and the head knows of none", null);
    }
  }

  @Override
  public void end() {
    if (lasting != head.lasting()) {
      problems.add(
          FindingKind.BROKEN_STRUCTURE,
          QueueSpace.ROW,
          QueueKeyFormat.head(),
          lasting + " messages have no time to live, and the queue knows of " + head.lasting());
    }
  }
}
