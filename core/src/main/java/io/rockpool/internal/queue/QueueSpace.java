package io.rockpool.internal.queue;

import io.rockpool.engine.Engine;
import io.rockpool.engine.RowTransaction;
import io.rockpool.engine.Space;
import io.rockpool.error.StoreClosedException;
import io.rockpool.internal.format.BucketFormat;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** The space of one queue, until it is closed. */
final class QueueSpace {
  /** The only row. */
  static final byte[] ROW = BucketFormat.hashKey(0);

  /** Why a space is closed when its store is closed. */
  static final String WITH_STORE = "is closed: its store is.";

  /** How often a waiting thread looks while changes of other handles may go unreported. */
  private static final long UNREPORTED_LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

  private final Engine engine;
  private final Space space;
  private final BooleanSupplier feedLost;
  private final List<Runnable> wakers = new CopyOnWriteArrayList<>();
  private volatile @Nullable String closed;

  /**
   * Creates an open space.
   *
   * @param feedLost whether changes of other handles of the store may go unreported
   */
  QueueSpace(Engine engine, Space space, BooleanSupplier feedLost) {
    this.engine = engine;
    this.space = space;
    this.feedLost = feedLost;
  }

  Engine engine() {
    return engine;
  }

  String name() {
    return space.name();
  }

  long nowMillis() {
    return Math.max(0, engine.clock().millis());
  }

  /** The open space, also after it was closed. */
  Space space() {
    return space;
  }

  /**
   * The open space. Call it for each use.
   *
   * @throws IllegalStateException if it is closed
   */
  Space use() {
    String message = closed;
    if (message != null) {
      throw new StoreClosedException(message);
    }
    return space;
  }

  /** Runs a transaction on the row. */
  <R extends @Nullable Object> R transact(RowTransaction<R> transaction) {
    return use().transact(ROW, transaction);
  }

  /** Runs a transaction on the row, and undoes what it changes. */
  <R> R look(RowTransaction<R> transaction) {
    List<R> result = new ArrayList<>(1);
    try {
      return transact(
          row -> {
            result.clear();
            result.add(transaction.run(row));
            throw new UndoneException();
          });
    } catch (UndoneException e) {
      return result.get(0);
    }
  }

  /** Ends a transaction without its changes. */
  private static final class UndoneException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    UndoneException() {
      super(null, null, false, false);
    }
  }

  /** Registers what wakes waiting threads. */
  void wakeBy(Runnable waking) {
    wakers.add(waking);
  }

  /** Wakes waiting threads: they look again. */
  void wake() {
    wakers.forEach(Runnable::run);
  }

  /** Nanoseconds after which a waiting thread looks again by itself. */
  long nanosToLook() {
    return feedLost.getAsBoolean() ? UNREPORTED_LOOK_NANOS : Long.MAX_VALUE;
  }

  /** Closes the space; {@code why} follows the name in the message. */
  void close(String why) {
    closed = this + " " + why;
    wake();
  }

  boolean isClosed() {
    return closed != null;
  }

  boolean isClosedWithStore() {
    return (this + " " + WITH_STORE).equals(closed);
  }

  /** The type and name, as the start of a sentence. */
  @Override
  public String toString() {
    return "The queue \"" + name() + "\"";
  }
}
