package io.rockpool.structure;

import java.util.AbstractQueue;
import java.util.Collection;
import java.util.NoSuchElementException;
import java.util.Objects;
import java.util.concurrent.BlockingDeque;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The methods of {@link BlockingDeque} that are aliases of others: those of a queue and of a stack,
 * and those that throw instead of returning null or false.
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

  /** Like {@link #removeIf}, for the elements that {@code some} contains. */
  @Override
  public boolean removeAll(Collection<?> some) {
    return removeIf(Objects.requireNonNull(some, "some")::contains);
  }

  /** Like {@link #removeIf}, for the elements that {@code some} does not contain. */
  @Override
  public boolean retainAll(Collection<?> some) {
    Objects.requireNonNull(some, "some");
    return removeIf(element -> !some.contains(element));
  }
}
