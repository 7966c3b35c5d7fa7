package io.rockpool.structure;

import static io.rockpool.structure.DequeEnd.FIRST;
import static io.rockpool.structure.DequeEnd.LAST;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The methods of a deque that add, remove or read one element at an end, with or without a wait.
 */
abstract class TwoEndedQueue<E> extends DequeAliases<E> {
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
}
