package io.rockpool.internal.queue;

import io.rockpool.internal.concurrent.Durations;
import io.rockpool.internal.logging.ClosedWithStore;
import io.rockpool.internal.queue.QueueRow.Outgoing;
import io.rockpool.queue.Delivery;
import io.rockpool.queue.PersistentQueue;
import io.rockpool.queue.QueueStatistics;
import io.rockpool.queue.QueuedMessage;
import io.rockpool.queue.SendOptions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A queue over its store. */
final class StoredQueue<T> implements PersistentQueue<T>, ClosedWithStore {
  /** The most messages of one receive or peek: they are in memory. */
  private static final int MAX_MESSAGES = 1_000;

  private final QueueStore store;
  private final MessageCodec<T> codec;
  private final @Nullable Supplier<StoredQueue<T>> dead;
  private final UndecodableMessages<T> undecodable;

  StoredQueue(QueueStore store, MessageCodec<T> codec, @Nullable Supplier<StoredQueue<T>> dead) {
    this.store = store;
    this.codec = codec;
    this.dead = dead;
    this.undecodable = new UndecodableMessages<>(store, codec);
  }

  /** Sets which messages are removed if they cannot be decoded and there are no dead letters. */
  void dropUndecodable(Predicate<Taken> filter) {
    undecodable.dropIf(filter);
  }

  QueueStore store() {
    return store;
  }

  MessageCodec<T> codec() {
    return codec;
  }

  @Override
  public String name() {
    return store.space().name();
  }

  @Override
  public Duration visibilityTimeout() {
    return Duration.ofMillis(store.settings().visibilityMillis());
  }

  @Override
  public List<Long> sendAll(Collection<? extends T> messages, SendOptions options) {
    if (messages.size() > 1 && options.deduplicationId() != null) {
      throw new IllegalArgumentException(
          messages.size()
              + " messages were to be sent to "
              + name()
              + " with one deduplication id, which would lose all but the first. Send each by"
              + " itself.");
    }
    List<Long> ids = store.send(outgoing(contents(messages), options));
    if (ids == null) {
      throw new IllegalStateException(
          store.space()
              + " is full: "
              + messages.size()
              + " more messages do not fit. Send them later, or offer them, which waits for room.");
    }
    return ids;
  }

  private List<byte[]> contents(Collection<? extends T> messages) {
    List<byte[]> contents = new ArrayList<>(messages.size());
    messages.forEach(message -> contents.add(codec.encode(message)));
    return contents;
  }

  private List<Outgoing> outgoing(List<byte[]> contents, SendOptions options) {
    long now = store.space().nowMillis();
    List<Outgoing> all = new ArrayList<>(contents.size());
    contents.forEach(content -> all.add(MessageCodec.outgoing(content, options, now)));
    return all;
  }

  @Override
  public OptionalLong offer(T message, SendOptions options, Duration timeout)
      throws InterruptedException {
    List<byte[]> contents = contents(List.of(message));
    List<Long> ids = store.send(() -> outgoing(contents, options), nanos(timeout));
    return ids == null ? OptionalLong.empty() : OptionalLong.of(ids.get(0));
  }

  @Override
  public List<Delivery<T>> receive(int max) {
    return received(checked(max), List.of());
  }

  @Override
  public List<Delivery<T>> receive(int max, Duration timeout) throws InterruptedException {
    int most = checked(max);
    return store.await(() -> received(most, List.of()), nanos(timeout));
  }

  /** Leases messages; repeats it if none of them could be decoded. */
  private List<Delivery<T>> received(int max, List<Taken> handled) {
    List<Taken> acknowledged = handled;
    while (true) {
      List<Taken> taken = store.receive(max, acknowledged);
      List<Delivery<T>> deliveries = undecodable.decodable(taken);
      if (!deliveries.isEmpty() || taken.isEmpty()) {
        return deliveries;
      }
      acknowledged = List.of();
    }
  }

  private static int checked(int max) {
    if (max < 1 || max > MAX_MESSAGES) {
      throw new IllegalArgumentException("max is " + max + "; give 1 to " + MAX_MESSAGES + ".");
    }
    return max;
  }

  private static long nanos(Duration timeout) {
    return Durations.nanos(timeout);
  }

  @Override
  public boolean acknowledgeAll(Collection<? extends Delivery<T>> deliveries) {
    List<Taken> taken = taken(deliveries);
    return taken.isEmpty() || store.acknowledge(taken);
  }

  @Override
  public List<Delivery<T>> acknowledgeAndReceive(
      Collection<? extends Delivery<T>> handled, int max, Duration timeout)
      throws InterruptedException {
    int most = checked(max);
    List<Taken> done = taken(handled);
    return store.await(() -> received(most, done), nanos(timeout));
  }

  private List<Taken> taken(Collection<? extends Delivery<T>> deliveries) {
    List<Taken> taken = new ArrayList<>(deliveries.size());
    for (Delivery<T> delivery : deliveries) {
      if (!(delivery instanceof LeasedDelivery<T> leased) || !leased.isOf(store)) {
        throw new IllegalArgumentException(
            "A delivery of another queue was to be acknowledged by " + name() + ".");
      }
      taken.add(leased.taken());
    }
    return taken;
  }

  @Override
  public List<QueuedMessage<T>> peek(int max) {
    List<QueuedMessage<T>> messages = new ArrayList<>();
    store.peek(checked(max)).forEach(taken -> messages.add(new StoredMessage<>(codec, taken)));
    return messages;
  }

  @Override
  public Optional<QueuedMessage<T>> find(long id) {
    return store.find(id).stream()
        .<QueuedMessage<T>>map(taken -> new StoredMessage<>(codec, taken))
        .findFirst();
  }

  @Override
  public boolean cancel(long id) {
    return store.cancel(id);
  }

  @Override
  public long size() {
    return store.size();
  }

  @Override
  public QueueStatistics statistics() {
    QueueCounters counters = store.counters();
    long inFlight = store.inFlight();
    return new QueueStatistics(
        Math.max(0, size() - inFlight),
        inFlight,
        store.oldestAge(),
        counters.sent.sum(),
        counters.delivered.sum(),
        counters.redelivered.sum(),
        counters.acknowledged.sum(),
        counters.dead.sum(),
        store.head().paused());
  }

  @Override
  public void purge() {
    store.purge();
  }

  @Override
  public void pause() {
    store.pause(true);
  }

  @Override
  public void resume() {
    store.pause(false);
  }

  @Override
  public @Nullable PersistentQueue<T> deadLetters() {
    return dead == null ? null : dead.get();
  }

  @Override
  public long redrive(Predicate<? super QueuedMessage<T>> filter, double perSecond)
      throws InterruptedException {
    Objects.requireNonNull(filter, "filter");
    if (!(perSecond > 0)) {
      throw new IllegalArgumentException("perSecond is " + perSecond + "; give more than 0.");
    }
    Supplier<StoredQueue<T>> keeping = dead;
    if (keeping == null) {
      throw new IllegalStateException(store.space() + " keeps no dead letters to send again.");
    }
    long pauseNanos = (long) (TimeUnit.SECONDS.toNanos(1) / perSecond);
    QueueStore letters = keeping.get().store();
    return new Redriving<>(store, letters, codec, filter, pauseNanos).run();
  }

  @Override
  public boolean isClosed() {
    return store.space().isClosed();
  }

  @Override
  public boolean isClosedWithStore() {
    return store.space().isClosedWithStore();
  }

  @Override
  public String toString() {
    return store.space().toString();
  }
}
