package io.rockpool.internal.queue;

import java.util.function.Supplier;

/** The queue of another one's dead letters. It is opened again after it was dropped or renamed. */
final class DeadQueue<T> implements Supplier<StoredQueue<T>>, QueueStore.DeadLetters {
  private final Supplier<StoredQueue<T>> opener;
  private volatile StoredQueue<T> open;

  DeadQueue(StoredQueue<T> open, Supplier<StoredQueue<T>> opener) {
    this.open = open;
    this.opener = opener;
  }

  /** The open queue. May open it, so not inside a transaction. */
  @Override
  public StoredQueue<T> get() {
    StoredQueue<T> known = open;
    if (known.isClosed()) {
      known = opener.get();
      open = known;
    }
    return known;
  }

  @Override
  public QueueStore store() {
    return get().store();
  }

  @Override
  public boolean isClosed() {
    return open.isClosed();
  }
}
