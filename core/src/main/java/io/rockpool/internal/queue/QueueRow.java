package io.rockpool.internal.queue;

import io.rockpool.engine.Direction;
import io.rockpool.engine.Expiry;
import io.rockpool.engine.Limits;
import io.rockpool.engine.Row;
import io.rockpool.engine.RowRecord;
import io.rockpool.engine.SortRange;
import io.rockpool.internal.bytes.BigEndian;
import io.rockpool.internal.format.NewestFiring;
import io.rockpool.internal.format.QueueAttempts;
import io.rockpool.internal.format.QueueHead;
import io.rockpool.internal.format.QueueKeyFormat;
import io.rockpool.internal.format.QueueMessage;
import io.rockpool.queue.PersistentTimer;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The row of a queue inside one transaction. Changes are complete only after {@link #save}.
 *
 * <p>A message is in one of four states, and exactly one record says which: <i>fresh</i>, its id is
 * between the bounds of its lane; <i>waiting</i> until it is due; <i>leased</i>; <i>dying</i>, on
 * its way to the dead letters. The message itself never moves. All messages of a group share one
 * place: a turn that is fresh, waiting or leased. So one message of a group is in flight at a time.
 */
final class QueueRow {
  /** How many ended leases a call returns at least, if there are as many. */
  private static final int ENDED_PER_CALL = 256;

  private final Row row;
  private final long owner;
  private final long nowMillis;
  private final QueueHead before;
  private final boolean isNew;
  private final LeaseLine leases;
  private final ReadyLanes lanes;
  private boolean paused;
  private long nextId;
  private long dying;
  private long lasting;
  private int readied;
  private boolean hasTaken;

  /** A message to send. */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  record Outgoing(
      byte[] value,
      int priority,
      long dueMillis,
      byte @Nullable [] group,
      byte @Nullable [] seen,
      long seenUntilMillis,
      long expiryMillis) {}

  /**
   * Reads the head.
   *
   * @param owner the opening that owns new leases; leases of any other are free. 0 if several
   *     openings may be alive, so that only time frees leases
   * @param first the head of a row without one
   */
  QueueRow(Row row, long owner, QueueHead first) {
    RowRecord record = row.get(QueueKeyFormat.head());
    this.isNew = record == null;
    this.row = row;
    this.owner = owner;
    this.nowMillis = Math.max(0, row.nowMillis());
    this.before = record == null ? first : QueueHead.decode(record.value());
    this.leases = new LeaseLine(row, before.leases());
    this.lanes = new ReadyLanes(row, before.lanes());
    this.paused = before.paused();
    this.nextId = before.nextId();
    this.dying = before.dying();
    this.lasting = before.lasting();
    if (before.owner() != owner) {
      leases.orphanAll();
    }
  }

  /** Writes the head if it has changed, and returns it. */
  QueueHead save() {
    QueueHead head =
        new QueueHead(owner, paused, nextId, dying, lasting, leases.save(), lanes.save());
    if (isNew || !head.equals(before)) {
      row.put(QueueKeyFormat.head(), head.encode(), Expiry.NEVER);
    }
    return head;
  }

  /** The time of this transaction. */
  long nowMillis() {
    return nowMillis;
  }

  /** The head before this transaction. */
  QueueHead before() {
    return before;
  }

  /** How many messages and turns became ready and were not taken. */
  int readied() {
    return readied;
  }

  /** Whether messages were leased. */
  boolean hasTaken() {
    return hasTaken;
  }

  void pause(boolean value) {
    paused = value;
  }

  /** Gives no lower ids any longer. */
  void continueFrom(long id) {
    nextId = Math.max(nextId, id);
  }

  /** The number of messages, in whatever state. */
  long count() {
    return lasting + row.count();
  }

  /** Whether the row counts a message; the head counts the others. */
  private static boolean isCounted(long expiryMillis) {
    return expiryMillis != Expiry.NEVER;
  }

  private void remove(byte[] messageKey, long expiryMillis) {
    if (!isCounted(expiryMillis)) {
      lasting = Math.max(0, lasting - 1); // the head of a damaged store may know of fewer
    }
    row.delete(messageKey);
  }

  private void remove(@Nullable RowRecord message) {
    if (message != null) {
      remove(message.sortKey(), message.expiryMillis());
    }
  }

  /** Whether a message with its deduplication id was sent during the window. */
  boolean isSeen(Outgoing message) {
    byte[] seen = message.seen();
    return seen != null && row.get(QueueKeyFormat.seen(seen)) != null;
  }

  /**
   * Sends the newest firing of a timer: the only one whose delivery sends the next.
   *
   * @param schedule the text of the schedule that it is due by
   */
  void sendFiring(Outgoing firing, String schedule) {
    row.put(
        QueueKeyFormat.newestFiring(),
        new NewestFiring(send(firing), schedule).encode(),
        Expiry.NEVER);
  }

  private @Nullable NewestFiring newestFiring() {
    RowRecord newest = row.get(QueueKeyFormat.newestFiring());
    return newest == null ? null : NewestFiring.decode(newest.value());
  }

  /**
   * Replaces the newest firing of a timer if it waits until it is due.
   *
   * @param replacement returns the new firing; null for none, which leaves the old one
   */
  void replaceFiring(Function<QueueMessage, @Nullable Outgoing> replacement, String schedule) {
    NewestFiring newest = newestFiring();
    if (newest == null) {
      return;
    }
    byte[] key = newest.waitingMessageKey();
    RowRecord record = row.get(key);
    QueueMessage message = record == null ? null : QueueMessage.decode(record.value());
    String due = message == null ? null : message.headers().get(PersistentTimer.DUE);
    if (message == null || due == null || Long.parseLong(due) <= nowMillis) {
      return;
    }
    Outgoing firing = replacement.apply(message);
    if (firing != null && removeWaiting(QueueAttempts.none(Long.parseLong(due), key))) {
      remove(record);
      sendFiring(firing, schedule);
    }
  }

  /**
   * Whether a firing is the newest. One that died and was redriven, or was returned uncounted, is
   * not: another has followed it.
   */
  boolean isNewestFiring(Taken taken) {
    NewestFiring newest = newestFiring();
    return newest == null
        ? taken.attempts().deliveries() == 1
        : newest.id() == taken.attempts().id();
  }

  /**
   * Sends a message.
   *
   * @return its id, or that of the message with its deduplication id
   */
  long send(Outgoing message) {
    byte[] seen = message.seen();
    if (seen != null) {
      RowRecord there = row.get(QueueKeyFormat.seen(seen));
      if (there != null) {
        if (there.expiryMillis() > message.seenUntilMillis()) { // the clock was ahead
          row.put(there.sortKey(), there.value(), message.seenUntilMillis());
        }
        return BigEndian.getLong(there.value(), 0);
      }
    }
    long id = nextId++;
    boolean counted = isCounted(message.expiryMillis());
    lasting += counted ? 0 : 1;
    if (seen != null) {
      byte[] value = new byte[Long.BYTES];
      BigEndian.putLong(value, 0, id);
      row.put(QueueKeyFormat.seen(seen), value, message.seenUntilMillis());
    }
    byte[] group = message.group();
    if (group != null) {
      sendToGroup(group, id, message, counted);
    } else if (message.dueMillis() > nowMillis) {
      int lane = QueueKeyFormat.lane(message.priority());
      byte[] key = QueueKeyFormat.message(QueueKeyFormat.DELAYED, lane, id);
      row.insert(key, message.value(), message.expiryMillis(), counted);
      lanes.addWaiting(QueueAttempts.none(message.dueMillis(), key));
    } else {
      int lane = QueueKeyFormat.lane(message.priority());
      lanes.addFresh(lane, id, message.value(), message.expiryMillis(), counted);
      readied++;
    }
    return id;
  }

  private void sendToGroup(byte[] group, long id, Outgoing message, boolean counted) {
    row.insert(QueueKeyFormat.grouped(group, id), message.value(), message.expiryMillis(), counted);
    byte[] key = QueueKeyFormat.group(group);
    if (row.get(key) == null) {
      row.put(key, LeaseLine.NOTHING, Expiry.NEVER);
      addTurn(group, id, id);
    }
  }

  private void addTurn(byte[] group, long id, long firstId) {
    byte[] turn = new QueueMessage.Turn(firstId, group).encode();
    lanes.addFresh(QueueKeyFormat.lane(0), id, turn, Expiry.NEVER, false);
    readied++;
  }

  /**
   * Leases ready messages. Returned and delayed messages precede those of their priority that were
   * never delivered.
   *
   * @param untilMillis when the leases end
   */
  List<Taken> receive(int limit, long token, long untilMillis, DeliveryLimit deliveries) {
    List<Taken> taken = new ArrayList<>();
    if (paused) {
      return taken;
    }
    returnEnded(limit, deliveries);
    for (int lane : lanes.numbers()) {
      receiveDue(lane, limit, token, untilMillis, taken);
      receiveFresh(lane, limit, token, untilMillis, taken);
      if (taken.size() == limit) {
        break;
      }
    }
    readied -= taken.size();
    hasTaken = !taken.isEmpty();
    return taken;
  }

  /** Makes messages ready whose lease has ended. */
  void returnEnded(int limit, DeliveryLimit deliveries) {
    for (QueueAttempts ended : leases.ended(nowMillis, Math.max(limit, ENDED_PER_CALL))) {
      QueueAttempts attempts = ended.because(""); // that of an earlier delivery
      if (deliveries.isReached(attempts.deliveries())) {
        die(attempts, deliveries.keepsDead());
      } else {
        waitUntil(attempts, Math.min(nowMillis, attempts.dueMillis()));
      }
    }
  }

  private void waitUntil(QueueAttempts attempts, long dueMillis) {
    lanes.addWaiting(attempts.waiting(dueMillis));
    readied += dueMillis <= nowMillis ? 1 : 0;
  }

  private void receiveDue(int lane, int limit, long token, long untilMillis, List<Taken> taken) {
    while (taken.size() < limit) {
      List<QueueAttempts> due = lanes.takeDue(lane, nowMillis, limit - taken.size());
      if (due.isEmpty()) {
        return;
      }
      for (QueueAttempts attempts : due) {
        RowRecord message = row.get(attempts.messageKey());
        if (message != null) {
          lease(message, attempts, token, untilMillis, taken);
        } else if (QueueKeyFormat.isGrouped(attempts.messageKey())) { // it has expired
          byte[] group = QueueKeyFormat.groupOf(attempts.messageKey());
          QueueMessage.Turn turn = new QueueMessage.Turn(attempts.id(), group);
          receiveTurn(turn, token, untilMillis, taken);
        }
      }
    }
  }

  private void receiveFresh(int lane, int limit, long token, long untilMillis, List<Taken> taken) {
    while (taken.size() < limit) {
      List<RowRecord> fresh = lanes.takeFresh(lane, limit - taken.size());
      if (fresh.isEmpty()) {
        return;
      }
      for (RowRecord record : fresh) {
        QueueMessage.Turn turn = QueueMessage.turnOf(record.value());
        if (turn == null) {
          lease(record, QueueAttempts.none(0, record.sortKey()), token, untilMillis, taken);
        } else {
          row.delete(record.sortKey());
          receiveTurn(turn, token, untilMillis, taken);
        }
      }
    }
  }

  private void receiveTurn(
      QueueMessage.Turn turn, long token, long untilMillis, List<Taken> taken) {
    RowRecord first = ReadyReads.firstOf(row, turn.group(), turn.firstId());
    if (first == null) {
      row.delete(QueueKeyFormat.group(turn.group()));
    } else {
      lease(first, QueueAttempts.none(0, first.sortKey()), token, untilMillis, taken);
    }
  }

  private void lease(
      RowRecord message, QueueAttempts attempts, long token, long untilMillis, List<Taken> taken) {
    QueueAttempts delivered = attempts.delivered(token, untilMillis, nowMillis);
    long lease = leases.add(delivered);
    taken.add(new Taken(lease, delivered, message.value(), message.expiryMillis()));
  }

  /** The lease of a message, if it is still the receiver's; else null. */
  @Nullable QueueAttempts held(Taken taken) {
    QueueAttempts attempts = leases.get(taken.lease());
    return attempts != null && isHeld(attempts, taken, nowMillis) ? attempts : null;
  }

  /** Whether a lease is that of a receiver, and has not ended. */
  static boolean isHeld(QueueAttempts lease, Taken taken, long nowMillis) {
    return lease.token() == taken.attempts().token() && lease.dueMillis() > nowMillis;
  }

  /** Removes leased messages: all, or none if one of the leases has ended. */
  boolean acknowledgeAll(List<Taken> all) {
    List<QueueAttempts> held = new ArrayList<>(all.size());
    Set<Long> numbers = new HashSet<>();
    for (Taken taken : all) {
      QueueAttempts attempts = numbers.add(taken.lease()) ? held(taken) : null;
      if (attempts == null) {
        return false;
      }
      held.add(attempts);
    }
    for (int i = 0; i < held.size(); i++) {
      leases.remove(all.get(i).lease(), held.get(i));
      remove(held.get(i).messageKey(), all.get(i).expiryMillis());
    }
    held.forEach(attempts -> passTurn(attempts.messageKey()));
    return true;
  }

  /** Removes those leased messages whose lease has not ended, and returns how many. */
  int acknowledgeHeld(List<Taken> all) {
    int done = 0;
    for (Taken taken : all) {
      done += acknowledgeAll(List.of(taken)) ? 1 : 0;
    }
    return done;
  }

  /** Gives its group another turn, behind the others. */
  private void passTurn(byte[] messageKey) {
    if (QueueKeyFormat.isGrouped(messageKey)) {
      byte[] group = QueueKeyFormat.groupOf(messageKey);
      RowRecord next = ReadyReads.firstOf(row, group, QueueKeyFormat.idOf(messageKey) + 1);
      if (next == null) {
        row.delete(QueueKeyFormat.group(group));
      } else {
        addTurn(group, nextId++, QueueKeyFormat.idOf(next.sortKey()));
      }
    }
  }

  /**
   * Makes a leased message ready at a time, or gives it up. Its group waits no longer than it
   * lives.
   */
  void release(Taken taken, QueueAttempts held, long dueMillis, DeliveryLimit deliveries) {
    leases.remove(taken.lease(), held);
    if (deliveries.isReached(held.deliveries())) {
      die(held, deliveries.keepsDead());
    } else if (QueueKeyFormat.isGrouped(held.messageKey())) {
      waitUntil(held, Math.min(dueMillis, taken.expiryMillis()));
    } else {
      waitUntil(held, dueMillis);
    }
  }

  /** Makes a leased message ready, as if it had not been delivered. */
  void releaseUncounted(long lease, QueueAttempts held) {
    leases.remove(lease, held);
    waitUntil(held.undelivered(), nowMillis);
  }

  /** Gives up a leased message. */
  void reject(long lease, QueueAttempts held, String cause, boolean keepsDead) {
    leases.remove(lease, held);
    die(held.because(cause), keepsDead);
  }

  void extend(long lease, QueueAttempts held, long untilMillis) {
    leases.extend(lease, held, untilMillis);
  }

  private void die(QueueAttempts attempts, boolean keepsDead) {
    if (keepsDead) {
      row.put(
          QueueKeyFormat.dying(attempts.id()), attempts.waiting(nowMillis).encode(), Expiry.NEVER);
      dying++;
    } else {
      remove(row.get(attempts.messageKey()));
    }
    passTurn(attempts.messageKey());
  }

  /** Removes messages that are on their way to the dead letters; fewer if they are large. */
  List<Taken> takeDying(int limit) {
    List<Taken> taken = new ArrayList<>();
    List<RowRecord> records =
        row.scan(SortRange.prefix(new byte[] {QueueKeyFormat.DYING}), Direction.FORWARD, limit);
    int read = 0;
    for (long bytes = 0; read < records.size() && bytes < Limits.MAX_BATCH_BYTES; read++) {
      RowRecord record = records.get(read);
      QueueAttempts attempts = QueueAttempts.decode(record.value());
      RowRecord message = row.get(attempts.messageKey());
      row.delete(record.sortKey());
      remove(message);
      if (message != null) {
        bytes += message.value().length;
        taken.add(new Taken(-1, attempts, message.value(), message.expiryMillis()));
      }
    }
    boolean areLast = read == records.size() && read < limit;
    dying = areLast ? 0 : Math.max(1, dying - read);
    return taken;
  }

  /** Reads what is ready. */
  ReadyReads ready() {
    return new ReadyReads(row, lanes, nowMillis);
  }

  /** The same, also of what is ready because a lease has ended. */
  ReadyReads ready(int limit, DeliveryLimit deliveries) {
    returnEnded(limit, deliveries);
    return ready();
  }

  /**
   * Removes the message with an id if no consumer has it and it is not given up. A record that says
   * until when it waits stays until then, and shows nothing.
   */
  boolean cancel(long id, DeliveryLimit deliveries) {
    returnEnded(1, deliveries);
    RowRecord message = ready().find(id);
    if (message == null
        || row.get(QueueKeyFormat.dying(id)) != null
        || leases.isLeased(message.sortKey())) {
      return false;
    }
    remove(message);
    return true;
  }

  /** Removes a message that {@link #ready} has shown, if no consumer has received it since. */
  boolean removeShown(Taken shown) {
    byte[] key = shown.attempts().messageKey();
    RowRecord message = row.get(key);
    if (message == null) {
      return false;
    }
    boolean fresh = shown.attempts().deliveries() == 0 && lanes.isFresh(key);
    if (!fresh && !removeWaiting(shown.attempts())) {
      return false;
    }
    remove(message);
    if (!fresh) {
      passTurn(key);
    }
    return true;
  }

  private boolean removeWaiting(QueueAttempts attempts) {
    byte[] key =
        QueueKeyFormat.waiting(
            QueueKeyFormat.laneOf(attempts.messageKey()), attempts.dueMillis(), attempts.id());
    boolean waits = row.get(key) != null;
    row.delete(key);
    return waits;
  }
}
