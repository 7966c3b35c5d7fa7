package io.rockpool.internal.queue;

import io.rockpool.engine.Cursor;
import io.rockpool.engine.Direction;
import io.rockpool.engine.Expiry;
import io.rockpool.engine.SortRange;
import io.rockpool.internal.format.QueueKeyFormat;
import io.rockpool.internal.format.QueueMessage;
import io.rockpool.internal.queue.QueueRow.Outgoing;
import io.rockpool.queue.PersistentQueue;
import io.rockpool.queue.PersistentTimer;
import io.rockpool.queue.Schedule;
import java.time.Instant;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A timer over the queue of its firings. */
final class StoredTimer<T> implements PersistentTimer<T> {
  private static final Logger LOG = LoggerFactory.getLogger(StoredTimer.class);

  private final StoredQueue<T> queue;
  private final Schedule schedule;

  /** Sets the schedule of a queue. */
  StoredTimer(StoredQueue<T> queue, Schedule schedule) {
    this.queue = queue;
    this.schedule = schedule;
    queue.store().followBy(new Following(schedule));
    queue.dropUndecodable(taken -> isFollowed(schedule, taken));
    queue.store().reschedule(this::rescheduled, schedule.toString());
  }

  /** Sends the firing after another one. */
  private record Following(Schedule by) implements QueueStore.Follower {
    @Override
    public @Nullable Outgoing following(Taken taken, long nowMillis) {
      return StoredTimer.following(by, taken, nowMillis);
    }

    @Override
    public String schedule() {
      return by.toString();
    }
  }

  /** A firing that waits, at the first time of this schedule. */
  private @Nullable Outgoing rescheduled(QueueMessage waiting) {
    long now = queue.store().space().nowMillis();
    return schedule
        .first(Instant.ofEpochMilli(now))
        .map(first -> firing(content(waiting), first.toEpochMilli(), now))
        .orElse(null);
  }

  private static byte[] content(QueueMessage message) {
    return Arrays.copyOfRange(message.value(), message.contentAt(), message.value().length);
  }

  /** The firing after another one; a function of its arguments. */
  private static @Nullable Outgoing following(Schedule schedule, Taken taken, long nowMillis) {
    QueueMessage message = QueueMessage.decode(taken.value());
    String due = message.headers().get(DUE);
    if (due == null) {
      return null; // sent by hand
    }
    byte[] content = content(message);
    return schedule
        .next(Instant.ofEpochMilli(Long.parseLong(due)), Instant.ofEpochMilli(nowMillis))
        .map(next -> firing(content, next.toEpochMilli(), nowMillis))
        .orElse(null);
  }

  /** Whether another firing with the same content follows. */
  private static boolean isFollowed(Schedule schedule, Taken taken) {
    return following(schedule, taken, 0) != null;
  }

  private static Outgoing firing(byte[] content, long dueMillis, long nowMillis) {
    Map<String, String> headers = Map.of(DUE, Long.toString(dueMillis));
    return new Outgoing(
        new QueueMessage(nowMillis, headers, null, content, 0).encode(),
        0,
        dueMillis,
        null,
        null,
        0,
        Expiry.NEVER);
  }

  @Override
  public String name() {
    return queue.name();
  }

  @Override
  public boolean start(T payload) {
    long now = queue.store().space().nowMillis();
    byte[] content = queue.codec().encode(payload);
    Optional<Instant> first = schedule.first(Instant.ofEpochMilli(now));
    if (first.isEmpty()) {
      return false;
    }
    Outgoing firing = firing(content, first.get().toEpochMilli(), now);
    boolean started = queue.store().startFiring(firing, schedule.toString());
    if (!started) {
      warnOfPayload(content);
    }
    return started;
  }

  private void warnOfPayload(byte[] content) {
    QueueMessage waiting = queue.store().waitingFiring();
    if (waiting != null && !Arrays.equals(content(waiting), content)) {
      LOG.warn(
          "The timer \"{}\" was started with another payload than before. It is started already,"
              + " and keeps the earlier one. Cancel it before, to change the payload.",
          name());
    }
  }

  @Override
  public Optional<Instant> next() {
    return next(queue.store().space());
  }

  /** When the next firing in the space of a timer is due. */
  static Optional<Instant> next(QueueSpace space) {
    SortRange range = SortRange.prefix(new byte[] {QueueKeyFormat.WAITING});
    try (Cursor cursor = space.use().scan(QueueSpace.ROW, range, Direction.FORWARD, 1)) {
      return cursor.next()
          ? Optional.of(Instant.ofEpochMilli(QueueKeyFormat.dueOfWaiting(cursor.sortKey())))
          : Optional.empty();
    }
  }

  @Override
  public void cancel() {
    queue.purge();
  }

  @Override
  public PersistentQueue<T> firings() {
    return queue;
  }
}
