package io.rockpool.queue;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * A persistent queue with acknowledgement: each message is delivered at least once, to one consumer
 * at a time. Thread-safe.
 *
 * <pre>{@code
 * PersistentQueue<Mail> mails =
 *     pool.queue(
 *         "mails",
 *         Mail.class,
 *         o -> o.visibilityTimeout(Duration.ofSeconds(30)).maxDeliveries(10).deadLetters("mails-dead"));
 * mails.send(mail, o -> o.delay(Duration.ofMinutes(5)));
 * for (Delivery<Mail> delivery : mails.receive(10, Duration.ofSeconds(20))) {
 *   deliver(delivery.message());
 *   delivery.acknowledge();
 * }
 * }</pre>
 *
 * <p>{@link QueueListener} is a listener (consumer, subscriber): its threads receive, handle and
 * acknowledge.
 *
 * <p><b>Delivery.</b> {@code receive} leases messages to the caller for the {@link
 * QueueOptions#visibilityTimeout}. A message that is not acknowledged when its lease ends is
 * delivered again. The leases of a process that has ended are free as soon as the store is opened
 * again; if several processes share the store, they end by time alone. The number of deliveries
 * survives {@code kill -9}. Clock times are exact to the millisecond.
 *
 * <p><b>Order.</b> A higher priority is delivered first. In a priority, messages that came back or
 * whose delay is over precede the others, in the order in which they became due. The others are
 * delivered in the order of sending. All messages of a {@link SendOptions#group} are delivered in
 * the order of sending, also over retries: one at a time, the next after the last was acknowledged
 * or given up. Groups take turns with each other and with messages without a group.
 *
 * <p><b>Undecodable messages.</b> A message that cannot be decoded, because its class is gone or
 * has changed, is not delivered and blocks no other: it becomes a dead letter when a consumer would
 * get it, and a warning is logged. In a queue without dead letters it waits, up to 10 minutes, and
 * is tried again; of a timer's firings only the last is kept. {@link #redrive} sends it again once
 * its class is back.
 *
 * <p><b>Atomicity.</b> Each operation is atomic, batches as well. Operations of the calling thread
 * join {@link io.rockpool.Rockpool#atomically}: a message that is received and acknowledged there,
 * or acknowledged there, has its effects in the same store exactly once. A transaction holds the
 * queue until its commit. {@link #receive(int, Duration)} and {@link #offer} throw {@link
 * IllegalStateException} there if they would have to wait, {@link #purge} in any case.
 *
 * <p><b>Durability.</b> A completed operation survives {@code kill -9}. Its {@link
 * io.rockpool.store.Durability} says whether it survives a power loss.
 *
 * <p><b>Cost.</b> Sending is one read and one write. Receiving is two reads and one write, however
 * many messages there are; delayed messages cost nothing until they are due. Acknowledging is one
 * read and one write, none of its own with {@link #acknowledgeAndReceive}. A waiting receiver uses
 * no processor time: a commit or a due time wakes it.
 *
 * <p><b>Errors.</b> A closed queue throws {@link IllegalStateException}. Errors of the store are
 * {@link io.rockpool.error.RockpoolException}s. A failed operation has no effect unless its
 * exception says otherwise.
 *
 * @param <T> the type of messages
 */
public interface PersistentQueue<T> {
  /** The name of the queue. Never throws. */
  String name();

  /** How long a consumer has a message; see {@link QueueOptions#visibilityTimeout}. */
  Duration visibilityTimeout();

  /**
   * Sends a message, ready at once.
   *
   * @return its id
   * @throws IllegalStateException if the queue is full
   */
  default long send(T message) {
    return send(message, SendOptions.defaults());
  }

  /** Sends a message with changed default options, as in {@code o -> o.priority(3)}. */
  default long send(T message, UnaryOperator<SendOptions> options) {
    return send(message, options.apply(SendOptions.defaults()));
  }

  /**
   * Sends a message.
   *
   * @return its id; that of the first message if its deduplication id was used during the window
   * @throws IllegalStateException if the queue is full
   */
  default long send(T message, SendOptions options) {
    return sendAll(List.of(message), options).get(0);
  }

  /**
   * Sends messages in one transaction, all or none. They are in memory until then.
   *
   * @param options apply to each of the messages
   * @return their ids
   * @throws IllegalArgumentException for several messages with a deduplication id
   * @throws IllegalStateException if not all fit; none was sent
   */
  List<Long> sendAll(Collection<? extends T> messages, SendOptions options);

  /**
   * Sends a message, and waits for room in a full queue.
   *
   * @return its id, or empty if the queue is full until the timeout
   * @throws InterruptedException if the thread is interrupted; nothing was sent
   */
  OptionalLong offer(T message, SendOptions options, Duration timeout) throws InterruptedException;

  /**
   * Leases up to {@code max} ready messages to the caller. Does not wait.
   *
   * @param max 1 to 1,000
   * @return the messages, in the order of delivery; empty if none is ready or the queue is paused
   */
  List<Delivery<T>> receive(int max);

  /** Like {@link #receive(int)} of one message; empty if none is ready. */
  default Optional<Delivery<T>> receive() {
    return receive(1).stream().findFirst();
  }

  /**
   * Leases up to {@code max} ready messages to the caller, and waits for the first.
   *
   * @return the messages; empty after the timeout
   * @throws InterruptedException if the thread is interrupted; nothing was leased
   */
  List<Delivery<T>> receive(int max, Duration timeout) throws InterruptedException;

  /**
   * Acknowledges deliveries of this queue in one transaction: all of them, or none.
   *
   * @return false if a lease has ended; nothing was changed
   */
  boolean acknowledgeAll(Collection<? extends Delivery<T>> deliveries);

  /**
   * Acknowledges deliveries of this queue and leases the next messages, in one transaction: cheaper
   * than both. A delivery whose lease has ended is ignored: its message is, or was, delivered
   * again. Also acknowledges if no message is ready; then it waits like {@link #receive(int,
   * Duration)}.
   *
   * @return the next messages; empty after the timeout
   * @throws InterruptedException if the thread is interrupted; nothing was leased, but the
   *     deliveries may have been acknowledged
   */
  List<Delivery<T>> acknowledgeAndReceive(
      Collection<? extends Delivery<T>> handled, int max, Duration timeout)
      throws InterruptedException;

  /**
   * Reads ready messages, in the order of delivery if no other thread receives. They stay ready.
   *
   * @param max 1 to 1,000
   */
  List<QueuedMessage<T>> peek(int max);

  /**
   * Finds a message by its id, whether it is ready, delayed, or in flight. The number of its
   * deliveries is not read: it is 0. Reads up to 20 records, and one for each group.
   *
   * @return the message; empty if it was acknowledged, given up or removed
   */
  Optional<QueuedMessage<T>> find(long id);

  /**
   * Removes a message that no consumer has, as a delayed job that is no longer wanted: {@code
   * jobs.cancel(id)} with the id that {@code send} returned. One transaction, which reads as much
   * as {@link #find}, and a record for each message in flight.
   *
   * @return false if it is in flight, or was acknowledged, given up or removed; nothing was changed
   */
  boolean cancel(long id);

  /**
   * The number of messages, those in flight and delayed ones included. Two reads. May include
   * messages that have outlived their time to live, until they are swept.
   */
  long size();

  /** Measures the queue. Reads a record for each message in flight. */
  QueueStatistics statistics();

  /**
   * Removes all messages, also those in flight, and ends all deduplication windows. O(1).
   *
   * @throws IllegalStateException also inside a transaction; nothing is changed
   */
  void purge();

  /** Stops deliveries until {@link #resume}, also after the store was closed. */
  void pause();

  /** Continues deliveries after {@link #pause}. */
  void resume();

  /**
   * The queue of dead letters, or null if this queue keeps none. If it was dropped or renamed, a
   * new one is created.
   */
  @Nullable PersistentQueue<T> deadLetters();

  /**
   * Sends dead letters of this queue again, with their headers, groups and priorities, and with no
   * deliveries. Each moves in a transaction of its own. Considers the letters that are there at the
   * start and that no consumer has when it reaches them, each once. Ends early when this queue is
   * full. Letters have the name that the queue had when they died.
   *
   * @param filter chooses the letters; called without a lock. It accepts no letter whose {@link
   *     QueuedMessage#message} it calls and that cannot be decoded
   * @param perSecond the most letters that are moved in a second
   * @return how many were moved, also if this queue is full
   * @throws InterruptedException if the thread is interrupted; those moved before stay moved
   * @throws IllegalStateException if this queue keeps no dead letters
   */
  long redrive(Predicate<? super QueuedMessage<T>> filter, double perSecond)
      throws InterruptedException;

  /** Whether every operation throws because the store was closed, or the name dropped. */
  boolean isClosed();
}
