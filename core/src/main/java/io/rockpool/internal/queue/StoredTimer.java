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

/** A timer over the queue of its firings. */
final class StoredTimer<T> implements PersistentTimer<T> {
  private final StoredQueue<T> queue;
  private final Schedule schedule;

  /** Sets the schedule of a queue. */
  StoredTimer(StoredQueue<T> queue, Schedule schedule) {
    this.queue = queue;
    this.schedule = schedule;
    queue.store().followBy((taken, nowMillis) -> following(schedule, taken, nowMillis));
    queue.dropUndecodable(taken -> isFollowed(schedule, taken));
  }

  /** The firing after another one; a function of its arguments. */
  private static @Nullable Outgoing following(Schedule schedule, Taken taken, long nowMillis) {
    QueueMessage message = QueueMessage.decode(taken.value());
    String due = message.headers().get(DUE);
    if (due == null) {
      return null; // sent by hand
    }
    byte[] content =
        Arrays.copyOfRange(message.value(), message.contentAt(), message.value().length);
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
    return first.isPresent()
        && queue.store().startFiring(firing(content, first.get().toEpochMilli(), now));
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
