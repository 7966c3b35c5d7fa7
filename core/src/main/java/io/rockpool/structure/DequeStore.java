package io.rockpool.structure;

import io.rockpool.engine.Expiry;
import io.rockpool.engine.Limits;
import io.rockpool.engine.Row;
import io.rockpool.engine.RowRecord;
import io.rockpool.error.OutcomeUnknownException;
import io.rockpool.error.UndecodableValueException;
import io.rockpool.internal.access.structure.TakenElement;
import io.rockpool.internal.concurrent.WaitingLine;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Runs the transactions on a deque's row, and wakes waiting threads after the commit. */
final class DequeStore<E> {
  /** The capacity of an unbounded deque. */
  static final long UNBOUNDED = Long.MAX_VALUE;

  /** Elements in one page of a batch, fewer if they are large. */
  private static final int PAGE_RECORDS = 64;

  private final StructureSpace space;
  private final ElementCodec<E> codec;
  private final byte[] hashKey;
  private final long capacity;
  private final StructureListeners<ElementListener<? super E>> listeners;
  private final WaitingLine takers = new WaitingLine();
  private final WaitingLine putters = new WaitingLine();

  DequeStore(StructureSpace space, ElementCodec<E> codec, @Nullable Integer capacity) {
    this.space = space;
    this.codec = codec;
    this.hashKey = Buckets.of(space.shape()).rows().get(0);
    this.capacity = capacity == null ? UNBOUNDED : capacity;
    this.listeners = new StructureListeners<>(space);
    space.wakeBy(this::callAll);
  }

  /** An element that was taken out, and its record. */
  record Taken<E>(E element, RowRecord record) {}

  /** The result and the changes of a transaction, and whether an element may expire earlier. */
  private record Done<R extends @Nullable Object>(
      R result, List<DequeRow.Change> changes, boolean expiresEarlier) {}

  StructureSpace space() {
    return space;
  }

  ElementCodec<E> codec() {
    return codec;
  }

  byte[] hashKey() {
    return hashKey;
  }

  long capacity() {
    return capacity;
  }

  /**
   * Runs {@code work} on the row in one transaction. After the commit it wakes waiting threads and
   * notifies listeners.
   */
  <R extends @Nullable Object> R transact(Function<DequeRow, R> work) {
    Done<R> done;
    try {
      done =
          space.transact(
              hashKey,
              row -> {
                DequeRow deque = new DequeRow(row);
                R result = work.apply(deque);
                deque.save();
                return new Done<>(result, deque.changes(), deque.expiresEarlier());
              });
    } catch (OutcomeUnknownException e) {
      space.afterTransaction(this::callAll);
      throw e;
    }
    if (!done.changes().isEmpty()) {
      callFor(done);
      tell(done.changes());
    }
    return done.result();
  }

  private void callFor(Done<?> done) {
    long added = done.changes().stream().filter(DequeRow.Change::added).count();
    long grown = added - (done.changes().size() - added);
    if (done.expiresEarlier() && capacity != UNBOUNDED) {
      space.afterTransaction(putters::callAll); // each sleeps until the time that it knew
    }
    if (grown > 0) {
      space.afterTransaction(() -> takers.call(grown));
    } else if (grown < 0) {
      space.afterTransaction(() -> putters.call(-grown));
    }
  }

  private void tell(List<DequeRow.Change> changes) {
    if (listeners.isEmpty()) {
      return;
    }
    for (DequeRow.Change change : changes) {
      E element = codec.decodeOrNull(change.value());
      if (element != null) {
        listeners.tell(listener -> listener.onChange(element, change.added()));
      }
    }
  }

  /** The threads that wait for an element. */
  WaitingLine takers() {
    return takers;
  }

  StructureListeners<ElementListener<? super E>> listeners() {
    return listeners;
  }

  /** Removes all elements, then notifies the listeners and wakes all waiting threads. */
  void clear() {
    try {
      space.use().clear();
      listeners.tell(ElementListener::onClear);
    } finally {
      callAll();
    }
  }

  /** Wakes all waiting threads. */
  void callAll() {
    takers.callAll();
    putters.callAll();
  }

  /** Adds an element at an end; returns false if the deque is full. */
  boolean offer(DequeEnd end, byte[] value, long expiryMillis) {
    return offer(end, List.of(value), expiryMillis) == 1;
  }

  /** Adds elements at an end, in order, until the deque is full; returns how many. */
  int offer(DequeEnd end, List<byte[]> values, long expiryMillis) {
    return transact(
        row -> {
          int fitting = (int) Math.min(values.size(), room(row, values.size()));
          for (byte[] value : values.subList(0, fitting)) {
            row.add(end, value, expiryMillis);
          }
          return fitting;
        });
  }

  /** Adds an element at an end if there is another one; returns false if not, or without room. */
  boolean offerIfNotEmpty(DequeEnd end, byte[] value, long expiryMillis) {
    return transact(
        row -> {
          boolean offered = row.edge(end) != null && room(row, 1) > 0;
          if (offered) {
            row.add(end, value, expiryMillis);
          }
          return offered;
        });
  }

  /** How many more elements fit; exact if fewer than {@code wanted}. */
  long room(DequeRow row, long wanted) {
    return capacity == UNBOUNDED ? UNBOUNDED : row.room(capacity, wanted);
  }

  /** The element at an end, or null. */
  @Nullable E peek(DequeEnd end) {
    RowRecord record = transact(row -> row.edge(end));
    return record == null ? null : decodeEdge(record);
  }

  /** Decodes the element at an end, which an exception says how to remove. */
  private E decodeEdge(RowRecord record) {
    try {
      return codec.decode(record);
    } catch (UndecodableValueException e) {
      throw new UndecodableValueException(
          e.getMessage()
              + " It stays at this end of the deque. An iterator's remove() after its next() has"
              + " thrown removes it, and so does trim.",
          space.name(),
          null,
          e.key().orElse(null),
          e);
    }
  }

  /**
   * Removes and returns the element at an end, or null. An element that cannot be decoded stays.
   *
   * <p>So the codec, which may be the application's, runs in the transaction, under the row's lock.
   * A decode before the transaction would need two more reads for each poll, and would be repeated
   * whenever another thread has polled the element. A decode after the commit would lose an element
   * that cannot be decoded if the process dies before the element is put back.
   */
  @Nullable E poll(DequeEnd end) {
    return transact(
        row -> {
          RowRecord record = row.edge(end);
          if (record == null) {
            return null;
          }
          E element = decodeEdge(record);
          row.removeEdge(end, record);
          return element;
        });
  }

  /**
   * Removes elements at an end in one transaction: up to {@code wanted}, up to the size of a batch,
   * and up to the first that cannot be decoded. The list is empty only if the deque is.
   *
   * @throws UndecodableValueException if the first cannot be decoded
   */
  List<Taken<E>> poll(DequeEnd end, int wanted) {
    return transact(
        row -> {
          List<Taken<E>> taken = new ArrayList<>();
          for (long bytes = 0; taken.size() < wanted && bytes < Limits.MAX_BATCH_BYTES; ) {
            int limit = Math.min(PAGE_RECORDS, wanted - taken.size());
            Row.Page page = row.page(DequeRow.range(row.ends()), end, limit);
            for (RowRecord record : page.records()) {
              if (!take(row, end, record, taken)) {
                return taken;
              }
              bytes += record.value().length;
            }
            if (page.isLast()) {
              break;
            }
          }
          return taken;
        });
  }

  private boolean take(DequeRow row, DequeEnd end, RowRecord record, List<Taken<E>> taken) {
    try {
      taken.add(new Taken<>(decodeEdge(record), record));
    } catch (UndecodableValueException e) {
      if (taken.isEmpty()) {
        throw e;
      }
      return false;
    }
    row.removeEdge(end, record);
    return true;
  }

  /** Puts elements back at the end where they were taken, even beyond the capacity. */
  void putBack(DequeEnd end, List<Taken<E>> taken) {
    transact(
        row -> {
          for (int i = taken.size() - 1; i >= 0; i--) {
            row.add(end, taken.get(i).record().value(), taken.get(i).record().expiryMillis());
          }
          return taken.size();
        });
  }

  /** Adds an element at an end, and waits for room; returns false after the timeout. */
  boolean put(DequeEnd end, byte[] value, Supplier<Long> expiryMillis, long nanos)
      throws InterruptedException {
    space.refuseToWaitInTransaction();
    Boolean put =
        putters.<Boolean>awaitExpiry(
            () -> offer(end, value, expiryMillis.get()) ? true : null, nanos, this::nanosToExpiry);
    return put != null;
  }

  /** Repeats a removal of one element, and waits for an element; null after the timeout. */
  <R> @Nullable R take(Supplier<@Nullable R> removal, long nanos) throws InterruptedException {
    space.refuseToWaitInTransaction();
    return takers.await(removal, nanos, space::nanosToLook);
  }

  /** Removes the element at an end, and waits until there is one; it can be put back. */
  TakenElement<E> takeReturnable(DequeEnd end) throws InterruptedException {
    TakenElement<E> taken = null;
    while (taken == null) {
      taken = take(() -> pollReturnable(end), Long.MAX_VALUE);
    }
    return taken;
  }

  private @Nullable TakenElement<E> pollReturnable(DequeEnd end) {
    List<Taken<E>> taken = poll(end, 1);
    if (taken.isEmpty()) {
      return null;
    }
    return new TakenElement<>() {
      @Override
      public E element() {
        return taken.get(0).element();
      }

      @Override
      public void putBack() {
        DequeStore.this.putBack(end, taken);
      }
    };
  }

  /** Nanoseconds until an element or the whole deque may expire and make room. */
  private long nanosToExpiry() {
    long expiryMillis =
        Math.min(DequeRow.ends(space.use(), hashKey).nextExpiryMillis(), space.expiryMillis());
    long millis =
        expiryMillis == Expiry.NEVER ? Long.MAX_VALUE : expiryMillis - space.clock().millis();
    return Math.min(space.nanosToLook(), TimeUnit.MILLISECONDS.toNanos(Math.max(1, millis)));
  }
}
