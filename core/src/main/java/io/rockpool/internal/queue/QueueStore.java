package io.rockpool.internal.queue;

import io.rockpool.engine.Expiry;
import io.rockpool.engine.RowRecord;
import io.rockpool.error.OutcomeUnknownException;
import io.rockpool.error.ReadOnlyStoreException;
import io.rockpool.error.StoreFullException;
import io.rockpool.internal.concurrent.WaitingLine;
import io.rockpool.internal.format.NewestFiring;
import io.rockpool.internal.format.QueueAttempts;
import io.rockpool.internal.format.QueueHead;
import io.rockpool.internal.format.QueueKeyFormat;
import io.rockpool.internal.format.QueueMessage;
import io.rockpool.internal.logging.OutageLog;
import io.rockpool.internal.queue.QueueRow.Outgoing;
import io.rockpool.queue.Backoff;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Runs the transactions on a queue's row, and wakes waiting threads after the commit. */
final class QueueStore {
  /** Clocks of machines that differ by less are right. */
  private static final long CLOCKS_DIFFER_MILLIS = 60_000;

  private static final Logger LOG = LoggerFactory.getLogger(QueueStore.class);

  /** Messages that become dead letters in one transaction. It bounds its memory. */
  private static final int DEAD_PER_TRANSACTION = 64;

  /** How often a sender looks for the room of messages that have outlived their time to live. */
  private static final long EXPIRY_LOOK_NANOS = TimeUnit.SECONDS.toNanos(1);

  /** More ids than are given while a purge runs. */
  private static final long IDS_PER_PURGE = 1 << 20;

  private static final int MAX_CAUSE_CHARS = 1_000;

  private final QueueSpace space;
  private final Settings settings;
  private final long owner;
  private final @Nullable DeadLetters dead;
  private final DeliveryLimit limit;
  private final DueAlarm receivers;
  private final WaitingLine senders = new WaitingLine();
  private final QueueCounters counters = new QueueCounters();

  /** The head of the row while it has none: right after a purge. */
  private final AtomicReference<QueueHead> first = new AtomicReference<>(QueueHead.NEW);

  private volatile @Nullable Follower follower;

  /** Says what is sent with the first delivery of a message. Depends on its arguments only. */
  interface Follower {
    @Nullable Outgoing following(Taken taken, long nowMillis);

    /** The text of the schedule. */
    String schedule();
  }

  /** The queue of dead letters, which may have to be opened again. */
  interface DeadLetters {
    /** Whether {@link #store} would open it. */
    boolean isClosed();

    /** The open one. May open it, so not inside a transaction. */
    QueueStore store();
  }

  /** The options of an open queue, complete. */
  record Settings(
      long visibilityMillis,
      int maxDeliveries,
      @Nullable Duration deadLetterRetention,
      Backoff backoff,
      long maxSize) {}

  /**
   * The result of a transaction, and what follows from it.
   *
   * @param calls how many receivers to wake
   * @param dueMillis a receiver has to sleep until then, or no longer
   */
  private record Done<R extends @Nullable Object>(
      R result, QueueHead head, long calls, long dueMillis) {}

  /**
   * Opens a queue's store.
   *
   * @param owner drawn for this opening; 0 if another one may be alive
   * @param dead the queue of dead letters, or null
   */
  QueueStore(QueueSpace space, Settings settings, long owner, @Nullable DeadLetters dead) {
    this.space = space;
    this.settings = settings;
    this.owner = owner;
    this.dead = dead;
    this.limit = new DeliveryLimit(settings.maxDeliveries(), dead != null);
    this.receivers = new DueAlarm(space::nowMillis, space::nanosToLook);
    space.wakeBy(this::callAll);
  }

  QueueSpace space() {
    return space;
  }

  private QueueHead firstHead() {
    return Objects.requireNonNull(first.get());
  }

  Settings settings() {
    return settings;
  }

  QueueCounters counters() {
    return counters;
  }

  private void callAll() {
    receivers.callAll();
    senders.callAll();
  }

  private <R extends @Nullable Object> R transact(Function<QueueRow, R> work) {
    Done<R> done;
    try {
      done =
          space.transact(
              row -> {
                QueueRow queue = new QueueRow(row, owner, firstHead());
                R result = work.apply(queue);
                QueueHead head = queue.save();
                return new Done<>(result, head, calls(queue, head), dueMillis(queue, head));
              });
    } catch (OutcomeUnknownException e) {
      space.engine().afterTransaction(this::callAll);
      throw e;
    }
    if (done.calls() > 0 || done.dueMillis() != Expiry.NEVER) {
      space.engine().afterTransaction(() -> receivers.call(done.calls(), done.dueMillis()));
    }
    if (done.head().dying() > 0) {
      bury();
    }
    return done.result();
  }

  /** Like {@link #transact}, for work that also succeeds if the store is only read. */
  private <R> R look(Function<QueueRow, R> work) {
    try {
      return transact(work);
    } catch (ReadOnlyStoreException e) {
      return lookOnly(work);
    }
  }

  /** Undoes the changes of the work. The leases of the process that writes the store stay. */
  private <R> R lookOnly(Function<QueueRow, R> work) {
    return space.look(row -> work.apply(new QueueRow(row, head().owner(), QueueHead.NEW)));
  }

  /**
   * How many receivers to wake: one for each message that became ready, or one if others are ready.
   * So of many messages that are due together, each receiver wakes the receiver of the next.
   */
  private static long calls(QueueRow queue, QueueHead head) {
    boolean isReady = !head.paused() && head.hasReady(queue.nowMillis());
    return Math.max(queue.readied(), isReady ? 1 : 0);
  }

  /**
   * The next due time, if it is new or the thread that slept until it may have left with a message;
   * else never. A receiver that found nothing sleeps until it by itself.
   */
  private static long dueMillis(QueueRow queue, QueueHead head) {
    long due = head.paused() ? Expiry.NEVER : head.nextDueMillis();
    return queue.hasTaken() || due < queue.before().nextDueMillis() ? due : Expiry.NEVER;
  }

  /** Wakes senders that wait for room. */
  private void callSenders(long count) {
    if (settings.maxSize() != Long.MAX_VALUE && count > 0) {
      space.engine().afterTransaction(() -> senders.call(count));
    }
  }

  /** Counts after the commit. */
  private void count(Runnable counting) {
    space.engine().afterCommit(counting);
  }

  /**
   * Sends messages, all or none.
   *
   * @return their ids, or null if not all fit
   */
  @Nullable List<Long> send(List<Outgoing> messages) {
    List<Long> ids =
        this.<@Nullable List<Long>>transact(
            queue -> {
              if (!hasRoom(queue, messages)) {
                return null;
              }
              List<Long> sent = new ArrayList<>(messages.size());
              for (Outgoing message : messages) {
                sent.add(queue.send(message));
              }
              return sent;
            });
    if (ids != null) {
      count(() -> counters.sent.add(messages.size()));
    }
    return ids;
  }

  private boolean hasRoom(QueueRow queue, List<Outgoing> messages) {
    if (settings.maxSize() == Long.MAX_VALUE) {
      return true;
    }
    long room = settings.maxSize() - queue.count();
    // One that was sent before, as its deduplication id says, is not sent again.
    return messages.size() <= room || messages.stream().allMatch(queue::isSeen);
  }

  /** Whether one more message fits. */
  boolean hasRoom() {
    return settings.maxSize() == Long.MAX_VALUE
        || transact(queue -> queue.count() < settings.maxSize());
  }

  /** Like {@link #send}, but waits for room; returns null after the timeout. */
  @Nullable List<Long> send(Supplier<List<Outgoing>> messages, long nanos)
      throws InterruptedException {
    refuseToWaitInTransaction(nanos);
    return senders.<List<Long>>awaitExpiry(() -> send(messages.get()), nanos, this::nanosToRoom);
  }

  /** Messages that outlive their time to live make room without a change of this queue. */
  private long nanosToRoom() {
    boolean mayExpire = space.use().count(QueueSpace.ROW) > 0; // others are counted in the head
    return mayExpire ? Math.min(EXPIRY_LOOK_NANOS, space.nanosToLook()) : space.nanosToLook();
  }

  private void refuseToWaitInTransaction(long nanos) {
    if (nanos > 0 && space.engine().inTransaction()) {
      throw new IllegalStateException(
          space
              + " was asked to wait inside a transaction, which would block the threads that it"
              + " waits for. Give no timeout there.");
    }
  }

  /** The messages of a receive, and how many were acknowledged with it. */
  private record Received(List<Taken> taken, int acknowledged) {}

  /**
   * Leases ready messages.
   *
   * @param handled leased messages to remove before, in the same transaction, unless their lease
   *     has ended
   */
  List<Taken> receive(int max, List<Taken> handled) {
    long token = token();
    Follower follows = follower;
    Received received =
        transact(
            queue -> {
              int acknowledged = queue.acknowledgeHeld(handled);
              long now = queue.nowMillis();
              long until =
                  Math.min(Expiry.after(now, settings.visibilityMillis()), Expiry.MAX_MILLIS);
              List<Taken> taken = queue.receive(max, token, until, limit);
              if (follows != null) {
                taken.forEach(message -> follow(queue, follows, message, now));
              }
              return new Received(taken, acknowledged);
            });
    countAcknowledged(received.acknowledged());
    List<Taken> taken = received.taken();
    if (!taken.isEmpty()) {
      long again = taken.stream().filter(message -> message.attempts().deliveries() > 1).count();
      count(
          () -> {
            counters.delivered.add(taken.size());
            counters.redelivered.add(again);
          });
    }
    return taken;
  }

  private void countAcknowledged(int messages) {
    if (messages > 0) {
      callSenders(messages);
      count(() -> counters.acknowledged.add(messages));
    }
  }

  private static void follow(QueueRow queue, Follower follows, Taken taken, long nowMillis) {
    Outgoing next = queue.isNewestFiring(taken) ? follows.following(taken, nowMillis) : null;
    if (next != null) {
      queue.sendFiring(next, follows.schedule());
    }
  }

  /** Sets what is sent with the first delivery of each message. */
  void followBy(Follower follows) {
    follower = follows;
  }

  /** Sends the first firing of a timer if it has none; returns whether it did. */
  boolean startFiring(Outgoing first, String schedule) {
    return transact(
        queue -> {
          boolean empty = queue.count() == 0;
          if (empty) {
            queue.sendFiring(first, schedule);
          }
          return empty;
        });
  }

  /** The newest firing of a timer, or null. */
  private @Nullable NewestFiring newestFiring() {
    RowRecord newest = space.use().get(QueueSpace.ROW, QueueKeyFormat.newestFiring());
    return newest == null ? null : NewestFiring.decode(newest.value());
  }

  /** The message of the newest firing of a timer if it waits until it is due, or null. */
  @Nullable QueueMessage waitingFiring() {
    NewestFiring newest = newestFiring();
    RowRecord record =
        newest == null ? null : space.use().get(QueueSpace.ROW, newest.waitingMessageKey());
    return record == null ? null : QueueMessage.decode(record.value());
  }

  /** Whether the firing that waits was planned when the clock was ahead. */
  private boolean isPlannedAhead() {
    QueueMessage waiting = waitingFiring();
    return waiting != null && waiting.sentMillis() - CLOCKS_DIFFER_MILLIS > space.nowMillis();
  }

  /** Replaces the firing that waits if it is due by another schedule, or by a wrong clock. */
  void reschedule(Function<QueueMessage, @Nullable Outgoing> replacement, String schedule) {
    NewestFiring newest = newestFiring();
    if (newest == null || (newest.schedule().equals(schedule) && !isPlannedAhead())) {
      return;
    }
    try {
      transact(
          queue -> {
            queue.replaceFiring(replacement, schedule);
            return true;
          });
    } catch (ReadOnlyStoreException | StoreFullException e) {
      LOG.warn("{} keeps the firing that waits, of an earlier schedule.", space, e);
    }
  }

  private static long token() {
    long token = ThreadLocalRandom.current().nextLong();
    return token == 0 ? 1 : token;
  }

  /** Repeats a receive until it finds a message; empty after the timeout. */
  <M> List<M> await(Supplier<List<M>> receive, long nanos) throws InterruptedException {
    refuseToWaitInTransaction(nanos);
    List<M> received =
        receivers.<List<M>>await(
            () -> {
              List<M> found = receive.get();
              return found.isEmpty() ? null : found;
            },
            this::nextDueMillis,
            nanos);
    return received == null ? List.of() : received;
  }

  private long nextDueMillis() {
    QueueHead head = head();
    return head.paused() ? Expiry.NEVER : head.nextDueMillis();
  }

  QueueHead head() {
    RowRecord record = space.use().get(QueueSpace.ROW, QueueKeyFormat.head());
    return record == null ? QueueHead.NEW : QueueHead.decode(record.value());
  }

  /** The messages that would be received next. */
  List<Taken> peek(int max) {
    return look(queue -> queue.ready(max, limit).peek(max));
  }

  /** The attempts of due messages of priority 0 behind others: they came back, or were delayed. */
  List<QueueAttempts> due(@Nullable QueueAttempts last, int max) {
    return look(queue -> queue.ready(max, limit).due(last, max));
  }

  /** The message of some attempts; none if it is gone. */
  List<Taken> show(QueueAttempts attempts) {
    List<Taken> shown = new ArrayList<>(1);
    ReadyReads.show(space.use().get(QueueSpace.ROW, attempts.messageKey()), attempts, shown);
    return shown;
  }

  /** How long ago the oldest message was sent that is ready at the head of a priority. */
  Duration oldestAge() {
    long now = space.nowMillis();
    long oldest = look(queue -> queue.ready().oldestMillis());
    return Duration.ofMillis(Math.max(0, now - Math.min(now, oldest)));
  }

  /** Fresh messages of priority 0 from an id on. */
  List<Taken> page(long fromId, int max) {
    return look(queue -> queue.ready().page(fromId, max));
  }

  /** Removes a message that was shown, and does something with it in the same transaction. */
  boolean removeShown(Taken shown) {
    boolean removed = transact(queue -> queue.removeShown(shown));
    if (removed) {
      callSenders(1);
    }
    return removed;
  }

  /** The message with an id; none if it is gone. */
  List<Taken> find(long id) {
    return look(
        queue -> {
          List<Taken> found = new ArrayList<>(1);
          ReadyReads.show(queue.ready().find(id), null, found);
          return found;
        });
  }

  /** Removes the message with an id if no consumer has it; returns whether it did. */
  boolean cancel(long id) {
    boolean done = transact(queue -> queue.cancel(id, limit));
    callSenders(done ? 1 : 0);
    return done;
  }

  /** Removes leased messages: all, or none if one of the leases has ended. */
  boolean acknowledge(List<Taken> taken) {
    boolean done = transact(queue -> queue.acknowledgeAll(taken));
    countAcknowledged(done ? taken.size() : 0);
    return done;
  }

  boolean release(Taken taken, Duration delay, String cause) {
    long now = space.nowMillis();
    long due = delay.isZero() ? now : Math.min(Expiry.after(now, delay), Expiry.MAX_MILLIS);
    return answer(taken, (queue, held) -> queue.release(taken, held.because(cause), due, limit));
  }

  boolean releaseUncounted(Taken taken) {
    return answer(taken, (queue, held) -> queue.releaseUncounted(taken.lease(), held));
  }

  boolean retry(Taken taken, String cause) {
    return release(taken, settings.backoff().after(taken.attempts().deliveries()), cut(cause));
  }

  boolean reject(Taken taken, String cause) {
    boolean done =
        answer(taken, (queue, held) -> queue.reject(taken.lease(), held, cut(cause), dead != null));
    if (done && dead == null) {
      callSenders(1);
      count(() -> counters.dead.increment());
    }
    return done;
  }

  private static String cut(String cause) {
    return cause.length() <= MAX_CAUSE_CHARS ? cause : cause.substring(0, MAX_CAUSE_CHARS);
  }

  boolean extend(Taken taken, Duration fromNow) {
    long until = Math.min(Expiry.after(space.nowMillis(), fromNow), Expiry.MAX_MILLIS);
    return answer(taken, (queue, held) -> queue.extend(taken.lease(), held, until));
  }

  private boolean answer(Taken taken, BiConsumer<QueueRow, QueueAttempts> answer) {
    return transact(
        queue -> {
          QueueAttempts held = queue.held(taken);
          if (held != null) {
            answer.accept(queue, held);
          }
          return held != null;
        });
  }

  boolean isHeld(Taken taken) {
    QueueAttempts lease = LeaseReads.get(space.use(), head().leases(), taken.lease());
    return lease != null && QueueRow.isHeld(lease, taken, space.nowMillis());
  }

  void pause(boolean paused) {
    transact(
        queue -> {
          queue.pause(paused);
          return paused;
        });
    if (!paused) {
      space.engine().afterTransaction(receivers::callAll);
    }
  }

  /** Removes all messages. The ids continue, also those of messages that are sent meanwhile. */
  void purge() {
    if (space.engine().inTransaction()) {
      throw new IllegalStateException(
          space + " was to be purged inside a transaction; purge it before or after.");
    }
    QueueHead before = head();
    writeIfRoom(queue -> queue.continueFrom(before.nextId() + IDS_PER_PURGE));
    first.accumulateAndGet(
        QueueHead.startingAt(head().nextId() + IDS_PER_PURGE, before.paused()),
        (one, other) -> one.nextId() > other.nextId() ? one : other);
    try {
      space.use().clear();
      writeIfRoom(queue -> queue.continueFrom(0));
    } finally {
      callAll();
    }
  }

  /** A full disk is no reason not to purge. Then only a restart may repeat ids. */
  private void writeIfRoom(Consumer<QueueRow> work) {
    try {
      transact(
          queue -> {
            work.accept(queue);
            return true;
          });
    } catch (StoreFullException e) {
      LOG.debug("{} is purged without a place for its next id.", space, e);
    }
  }

  long size() {
    return head().lasting() + space.use().count(QueueSpace.ROW);
  }

  /** Whether messages that are given up become dead letters. */
  boolean keepsDead() {
    return dead != null;
  }

  /** The number of leases that have not ended. One read for each. */
  long inFlight() {
    look(QueueRow::ready); // by the first look of an opening, the leases of others have ended
    return LeaseReads.countHeld(space.use(), head().leases(), space.nowMillis());
  }

  /** Moves messages that were given up to the dead letters. */
  private void bury() {
    DeadLetters keeping = dead;
    if (keeping == null) {
      return;
    }
    if (space.engine().inTransaction()) {
      if (!keeping.isClosed()) {
        buryAll(keeping.store());
      }
      return;
    }
    try {
      buryAll(keeping.store());
    } catch (RuntimeException e) {
      if (OutageLog.isOutage(e)) {
        LOG.debug("{} keeps its dead letters until the server is back.", space, e);
      } else {
        LOG.warn("{} could not move its dead letters; the next call tries again.", space, e);
      }
    }
  }

  private void buryAll(QueueStore letters) {
    while (space.engine().atomically(() -> burySome(letters))) {
      // the next ones
    }
  }

  /** Moves some messages; returns whether there may be more. */
  private boolean burySome(QueueStore letters) {
    Done<List<Taken>> done =
        space.transact(
            row -> {
              QueueRow queue = new QueueRow(row, owner, firstHead());
              List<Taken> taken = queue.takeDying(DEAD_PER_TRANSACTION);
              return new Done<>(taken, queue.save(), 0, Expiry.NEVER);
            });
    List<Taken> dying = done.result();
    if (!dying.isEmpty()) {
      Duration retention = settings.deadLetterRetention();
      letters.transact(
          queue -> {
            long expiryMillis =
                retention == null ? Expiry.NEVER : Expiry.after(queue.nowMillis(), retention);
            for (Taken taken : dying) {
              queue.send(MessageCodec.deadLetter(space.name(), taken, expiryMillis));
            }
            return dying;
          });
      callSenders(dying.size());
      count(() -> counters.dead.add(dying.size()));
    }
    return done.head().dying() > 0;
  }
}
