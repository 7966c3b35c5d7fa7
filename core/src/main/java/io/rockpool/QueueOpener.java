package io.rockpool;

import io.rockpool.codec.TypeRef;
import io.rockpool.error.NameConflictException;
import io.rockpool.internal.queue.Queues;
import io.rockpool.queue.PersistentQueue;
import io.rockpool.queue.PersistentTimer;
import io.rockpool.queue.QueueOptions;
import io.rockpool.queue.Schedule;
import java.util.Objects;
import java.util.function.UnaryOperator;

/** The methods of {@link Rockpool} that open queues by name. */
abstract class QueueOpener extends StructureOpener {
  /** Hidden, so that only {@link Rockpool} extends this. */
  QueueOpener() {}

  /** The queues of the open store. */
  abstract Queues queues();

  /**
   * Opens a queue with the options that are kept with its name, or creates it. Opening it twice
   * returns the same queue.
   *
   * @throws NameConflictException if the name holds something else
   */
  public <T> PersistentQueue<T> queue(String name, Class<T> type) {
    return queues().open(name, TypeRef.of(type), null);
  }

  /**
   * Opens or creates a queue with changed default options, as in {@code o -> o.maxSize(1_000)}; see
   * {@link #queue(String, TypeRef, QueueOptions)}.
   */
  public <T> PersistentQueue<T> queue(
      String name, Class<T> type, UnaryOperator<QueueOptions> options) {
    return queue(name, TypeRef.of(type), options.apply(QueueOptions.defaults()));
  }

  /** Opens a queue, like {@link #queue(String, Class)}, of a type with type arguments. */
  public <T> PersistentQueue<T> queue(String name, TypeRef<T> type) {
    return queues().open(name, type, null);
  }

  /**
   * Opens or creates a queue, and that of its dead letters. Options that are not set have the
   * values that are kept with the name; see {@link QueueOptions}.
   *
   * @throws NameConflictException if the name holds something else
   * @throws IllegalStateException if it is open with other options
   * @throws IllegalArgumentException if it has a maximum number of deliveries and no dead letters
   */
  public <T> PersistentQueue<T> queue(String name, TypeRef<T> type, QueueOptions options) {
    return queues().open(name, type, Objects.requireNonNull(options, "options"));
  }

  /**
   * Opens a durable timer with the options that are kept with its name, or creates it. {@link
   * PersistentTimer#start} starts it.
   *
   * @param schedule when it fires from now on
   * @throws NameConflictException if the name holds something else
   */
  public <T> PersistentTimer<T> schedule(String name, Schedule schedule, Class<T> type) {
    return queues().schedule(name, TypeRef.of(type), Objects.requireNonNull(schedule), null);
  }

  /** Opens or creates a timer, with options of the queue of its firings. */
  public <T> PersistentTimer<T> schedule(
      String name, Schedule schedule, TypeRef<T> type, QueueOptions options) {
    return queues()
        .schedule(name, type, Objects.requireNonNull(schedule), Objects.requireNonNull(options));
  }
}
