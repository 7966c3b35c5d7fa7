package io.rockpool.structure;

import static java.util.concurrent.TimeUnit.NANOSECONDS;

import io.rockpool.internal.concurrent.Durations;
import java.time.Duration;
import java.util.AbstractQueue;
import java.util.Collection;
import java.util.NoSuchElementException;
import java.util.Objects;
import java.util.concurrent.BlockingDeque;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The methods of a deque that are aliases of others: those of a queue and of a stack, those that
 * throw instead of returning null or false, and those with a timeout as a {@link Duration}.
 */
abstract class DequeAliases<E> extends AbstractQueue<E> implements BlockingDeque<E> {
  /** The exception for an insert into a full deque. */
  abstract IllegalStateException full();

  /** The exception for a read of an empty deque. */
  abstract NoSuchElementException empty();

  @Override
  public void addFirst(E element) {
    if (!offerFirst(element)) {
      throw full();
    }
  }

  @Override
  public void addLast(E element) {
    if (!offerLast(element)) {
      throw full();
    }
  }

  @Override
  public boolean add(E element) {
    addLast(element);
    return true;
  }

  @Override
  public boolean offer(E element) {
    return offerLast(element);
  }

  @Override
  public boolean offer(E element, long timeout, TimeUnit unit) throws InterruptedException {
    return offerLast(element, timeout, unit);
  }

  /**
   * Like {@link #offer(Object, long, TimeUnit)}: the duration is how long to wait for room, not the
   * element's time to live.
   */
  public boolean offer(E element, Duration timeout) throws InterruptedException {
    return offer(element, nanos(timeout), NANOSECONDS);
  }

  /** Like {@link #offer(Object, Duration)}, at the front. */
  public boolean offerFirst(E element, Duration timeout) throws InterruptedException {
    return offerFirst(element, nanos(timeout), NANOSECONDS);
  }

  /** Like {@link #offer(Object, Duration)}. */
  public boolean offerLast(E element, Duration timeout) throws InterruptedException {
    return offerLast(element, nanos(timeout), NANOSECONDS);
  }

  /** The timeout in nanoseconds, at most {@link Durations#MAX}. */
  static long nanos(Duration timeout) {
    return Durations.nanos(Objects.requireNonNull(timeout, "timeout"));
  }

  @Override
  public void put(E element) throws InterruptedException {
    putLast(element);
  }

  @Override
  public void push(E element) {
    addFirst(element);
  }

  @Override
  public @Nullable E poll() {
    return pollFirst();
  }

  @Override
  public @Nullable E poll(long timeout, TimeUnit unit) throws InterruptedException {
    return pollFirst(timeout, unit);
  }

  /** Like {@link #poll(long, TimeUnit)}: null if there is no element until the timeout. */
  public @Nullable E poll(Duration timeout) throws InterruptedException {
    return poll(nanos(timeout), NANOSECONDS);
  }

  /** Like {@link #poll(Duration)}. */
  public @Nullable E pollFirst(Duration timeout) throws InterruptedException {
    return pollFirst(nanos(timeout), NANOSECONDS);
  }

  /** Like {@link #poll(Duration)}, at the back. */
  public @Nullable E pollLast(Duration timeout) throws InterruptedException {
    return pollLast(nanos(timeout), NANOSECONDS);
  }

  @Override
  public E take() throws InterruptedException {
    return takeFirst();
  }

  @Override
  public E remove() {
    return removeFirst();
  }

  @Override
  public E removeFirst() {
    return present(pollFirst());
  }

  @Override
  public E removeLast() {
    return present(pollLast());
  }

  @Override
  public E pop() {
    return removeFirst();
  }

  @Override
  public @Nullable E peek() {
    return peekFirst();
  }

  @Override
  public E element() {
    return getFirst();
  }

  @Override
  public E getFirst() {
    return present(peekFirst());
  }

  @Override
  public E getLast() {
    return present(peekLast());
  }

  @Override
  public boolean remove(@Nullable Object element) {
    return removeFirstOccurrence(element);
  }

  private E present(@Nullable E element) {
    if (element == null) {
      throw empty();
    }
    return element;
  }

  /**
   * Like {@link #removeIf}, for the elements that {@code some} contains. Arrays are equal if their
   * elements are.
   */
  @Override
  public boolean removeAll(Collection<?> some) {
    Objects.requireNonNull(some, "some");
    return removeIf(element -> ElementCodec.isIn(some, element));
  }

  /**
   * Like {@link #removeIf}, for the elements that {@code some} does not contain. Arrays are equal
   * if their elements are.
   */
  @Override
  public boolean retainAll(Collection<?> some) {
    Objects.requireNonNull(some, "some");
    return removeIf(element -> !ElementCodec.isIn(some, element));
  }
}
