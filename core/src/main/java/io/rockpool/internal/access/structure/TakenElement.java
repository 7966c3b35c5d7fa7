package io.rockpool.internal.access.structure;

import io.rockpool.internal.access.Internals;
import io.rockpool.structure.DequeEnd;
import io.rockpool.structure.PersistentDeque;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;

/** An element that was taken from an end of a deque, and that can be put back there. */
public interface TakenElement<E> {
  /** Takes elements. */
  interface Taker {
    <E> TakenElement<E> take(PersistentDeque<E> deque, DequeEnd end) throws InterruptedException;
  }

  /** What takes elements, which the static initializer of {@link PersistentDeque} sets. */
  AtomicReference<Taker> TAKER = new AtomicReference<>();

  /**
   * Removes the element at an end, and waits until there is one.
   *
   * @throws InterruptedException if the thread is interrupted; the deque does not change
   */
  static <E> TakenElement<E> take(PersistentDeque<E> deque, DequeEnd end)
      throws InterruptedException {
    Internals.initialize(PersistentDeque.class);
    return Objects.requireNonNull(TAKER.get()).take(deque, end);
  }

  E element();

  /** Puts the element back with the expiry that it had, even beyond the deque's capacity. */
  void putBack();
}
