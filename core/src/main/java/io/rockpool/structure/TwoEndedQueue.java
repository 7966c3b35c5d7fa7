package io.rockpool.structure;

import static io.rockpool.structure.DequeEnd.FIRST;
import static io.rockpool.structure.DequeEnd.LAST;
import static java.util.concurrent.TimeUnit.NANOSECONDS;

import io.rockpool.internal.concurrent.Durations;
import java.time.Duration;
import java.util.AbstractQueue;
import java.util.Collection;
import java.util.NoSuchElementException;
import java.util.Objects;
import java.util.concurrent.BlockingDeque;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The methods of a deque that add, remove or read one element at an end, with or without a wait,
 * and their aliases: those of a queue and of a stack, those that throw instead of returning null or
 * false, and those with a timeout as a {@link Duration}.
 */
abstract class TwoEndedQueue<E> extends AbstractQueue<E> implements BlockingDeque<E> {
  final DequeStore<E> store;
  final StructureSpace space;
  final ElementCodec<E> codec;

  TwoEndedQueue(DequeStore<E> store) {
    this.store = store;
    this.space = store.space();
    this.codec = store.codec();
  }

  @Override
  public boolean offerFirst(E element) {
    return store.offer(FIRST, codec.encode(element), space.defaultExpiryMillis());
  }

  @Override
  public boolean offerLast(E element) {
    return store.offer(LAST, codec.encode(element), space.defaultExpiryMillis());
  }

  /**
   * Adds an element at the front that expires after {@code ttl}. With a ttl of zero or less it
   * expires immediately, and the method returns true.
   *
   * @return false if the deque is full
   */
  public boolean offerFirstExpiring(E element, Duration ttl) {
    return offerExpiring(FIRST, element, ttl);
  }

  /** Like {@link #offerFirstExpiring}, at the back. */
  public boolean offerLastExpiring(E element, Duration ttl) {
    return offerExpiring(LAST, element, ttl);
  }

  /**
   * Adds an element at the front if the deque is not empty (Redis: {@code LPUSHX}): {@code
   * history.offerFirstIfNotEmpty(page)} adds to a list that another thread has begun. Atomic, three
   * reads at most and one write. Expired elements do not count.
   *
   * @return false if the deque is empty or full
   */
  public boolean offerFirstIfNotEmpty(E element) {
    return store.offerIfNotEmpty(FIRST, codec.encode(element), space.defaultExpiryMillis());
  }

  /** Like {@link #offerFirstIfNotEmpty}, at the back (Redis: {@code RPUSHX}). */
  public boolean offerLastIfNotEmpty(E element) {
    return store.offerIfNotEmpty(LAST, codec.encode(element), space.defaultExpiryMillis());
  }

  private boolean offerExpiring(DequeEnd end, E element, Duration ttl) {
    byte[] value = codec.encode(element);
    long expiryMillis = space.expiryMillis(ttl);
    return expiryMillis == 0 || store.offer(end, value, expiryMillis);
  }

  @Override
  public boolean offerFirst(E element, long timeout, TimeUnit unit) throws InterruptedException {
    return put(FIRST, element, unit.toNanos(timeout));
  }

  @Override
  public boolean offerLast(E element, long timeout, TimeUnit unit) throws InterruptedException {
    return put(LAST, element, unit.toNanos(timeout));
  }

  @Override
  public void putFirst(E element) throws InterruptedException {
    put(FIRST, element, Long.MAX_VALUE);
  }

  @Override
  public void putLast(E element) throws InterruptedException {
    put(LAST, element, Long.MAX_VALUE);
  }

  private boolean put(DequeEnd end, E element, long nanos) throws InterruptedException {
    return store.put(end, codec.encode(element), space::defaultExpiryMillis, nanos);
  }

  @Override
  public @Nullable E pollFirst() {
    return store.poll(FIRST);
  }

  @Override
  public @Nullable E pollLast() {
    return store.poll(LAST);
  }

  @Override
  public @Nullable E pollFirst(long timeout, TimeUnit unit) throws InterruptedException {
    return store.take(() -> store.poll(FIRST), unit.toNanos(timeout));
  }

  @Override
  public @Nullable E pollLast(long timeout, TimeUnit unit) throws InterruptedException {
    return store.take(() -> store.poll(LAST), unit.toNanos(timeout));
  }

  @Override
  public E takeFirst() throws InterruptedException {
    return take(() -> store.poll(FIRST));
  }

  @Override
  public E takeLast() throws InterruptedException {
    return take(() -> store.poll(LAST));
  }

  /** Repeats a removal of one element until there is one. */
  final E take(Supplier<@Nullable E> removal) throws InterruptedException {
    E element = null;
    while (element == null) {
      element = store.take(removal, Long.MAX_VALUE);
    }
    return element;
  }

  @Override
  public @Nullable E peekFirst() {
    return store.peek(FIRST);
  }

  @Override
  public @Nullable E peekLast() {
    return store.peek(LAST);
  }

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
