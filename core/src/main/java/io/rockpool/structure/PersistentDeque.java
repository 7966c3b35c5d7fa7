package io.rockpool.structure;

import static io.rockpool.structure.DequeEnd.FIRST;
import static io.rockpool.structure.DequeEnd.LAST;

import io.rockpool.internal.access.structure.TakenElement;
import io.rockpool.store.Registration;
import java.time.Duration;
import java.util.Collection;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Objects;
import java.util.Optional;
import java.util.Spliterator;
import java.util.Spliterators;
import java.util.concurrent.BlockingDeque;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A persistent {@link BlockingDeque}: a queue between threads, a stack, or a list that changes at
 * any position. Thread-safe.
 *
 * <pre>{@code
 * PersistentDeque<String> waiting = pool.deque("jobs/waiting", String.class);
 * PersistentDeque<String> running = pool.deque("jobs/running", String.class);
 * waiting.addLast("resize");
 * String job = waiting.takeFirstTo(running, DequeEnd.LAST); // waits for a job
 * running.remove(job);
 * }</pre>
 *
 * <p><b>Elements</b> are copied on the way in and out: later changes to an instance do not change
 * the deque. Searches ({@link #contains}, {@link #remove(Object)}, {@link #removeFirstOccurrence},
 * {@link #insertBefore}) treat two elements as equal if their encoded bytes are equal, which also
 * finds arrays and instances without {@code equals}, or if {@code equals} returns true. {@code
 * equals} runs without a lock. A null element is rejected with a {@link NullPointerException}; a
 * search for null finds nothing.
 *
 * <p><b>Indices.</b> The first element has index 0, the second 1. Negative indices count from the
 * end: the last element has index -1. Methods that take an index or a range of them say so.
 *
 * <p><b>Cost.</b> At an end, an offer or a poll is two reads and one write, a peek two reads,
 * however many elements were removed there before. A capacity adds one read to an offer. {@link
 * #size} is one read, {@link #clear} one write. An index is computed if nothing was removed or
 * inserted in the middle and no element may have expired. Otherwise finding it is a scan that
 * blocks other changes: from the nearer end, or from the first element if some may have expired. An
 * insertion takes the middle between two positions. After as few as 16 insertions at one place
 * there may be none left. Then the elements around it move: on average 6 per insertion after 10,000
 * insertions at the worst place, 11 after 200,000.
 *
 * <p><b>Atomicity.</b> Each operation on one element or one index is atomic, and every later
 * operation sees it. Each element goes to one thread only. A search for an element scans first,
 * then changes the element if it is still there. It finds every element that is present throughout;
 * a search without result has scanned twice. The batch methods document their own atomicity.
 *
 * <p><b>Durability.</b> A completed operation survives {@code kill -9}. Its {@link
 * io.rockpool.store.Durability} says whether it survives a power loss: the level of the deque, or
 * of {@link io.rockpool.Rockpool#withDurability} around the call.
 *
 * <p><b>Transactions.</b> Operations of the calling thread join {@link
 * io.rockpool.Rockpool#atomically}, bulk operations and iterations as well. The deque is one row,
 * so no other thread changes it between the first read or change in the transaction and the commit.
 * Methods that wait ({@link #put(Object)}, {@link #take()}, {@link #takeFirstTo}, those with a
 * timeout, and their variants) throw {@link IllegalStateException}, even if they would not have to
 * wait. {@link #clear}, {@link #clearAt}, {@link #clearAfter}, {@link #cancelClear} and {@link
 * #snapshot} throw {@link IllegalStateException} there and change nothing. {@link #clearsIn} works,
 * but does not join. {@link #trim} joins. A collection given to {@link #drainTo} keeps its elements
 * even if the transaction fails or runs again. Waiting threads are woken after the transaction,
 * listeners are notified after the commit.
 *
 * <p><b>Waiting.</b> {@link #put(Object)}, {@link #take()} and the methods with a timeout wait for
 * other threads, also of other processes that share the store: for an element, or for room in a
 * deque with a {@link StructureOptions#capacity}. A commit wakes them, longest waiting first, also
 * at the end of a transaction. A thread that has not waited can still be faster. Expiring elements
 * also make room. If the deque is closed, dropped or reset, waiting threads get an {@link
 * IllegalStateException}. An interrupted thread gets an {@link InterruptedException}, also on
 * entry, and the deque does not change.
 *
 * <p><b>Expiry.</b> Each element can have its own time to live; the default is the {@link
 * StructureOptions#entryTtl} of the deque. An expired element is never returned and uses no
 * capacity. {@code size} may include it until it is swept.
 *
 * <p><b>Iteration</b> is weakly consistent. An iterator returns every element that is present
 * throughout once, in order. It may or may not reflect concurrent puts, removals and clears. An
 * element that an insertion moves may be returned twice or not at all. Its {@code remove} removes
 * the element at the position that it returned last, if that element is still equal. An iterator
 * holds no native resources and a bounded number of elements in memory. If the deque is closed or
 * dropped during the iteration, it throws {@link IllegalStateException}, at the latest after the
 * elements that it has read ahead.
 *
 * <p><b>Errors.</b> {@link PersistentStructure} documents the exceptions of all structures. Adding
 * to a full deque throws {@link IllegalStateException}, or returns false, as {@link BlockingDeque}
 * says. An element whose class has changed so that it can no longer be decoded stays in the deque.
 * Operations that would return it throw {@link io.rockpool.error.UndecodableValueException}. An
 * iterator continues after it, and searches skip it. {@link #trim} removes it, and so does an
 * iterator's {@code remove} after {@code next} has thrown.
 *
 * @param <E> the type of elements
 */
public final class PersistentDeque<E> extends IndexedDeque<E> implements PersistentStructure {
  static {
    TakenElement.TAKER.set(PersistentDeque::taken);
  }

  private final DequeBatches<E> batches;

  PersistentDeque(DequeStore<E> store) {
    super(store);
    this.batches = new DequeBatches<>(store);
  }

  private static <E> TakenElement<E> taken(PersistentDeque<E> deque, DequeEnd end)
      throws InterruptedException {
    return deque.store.takeReturnable(end);
  }

  StructureSpace space() {
    return space;
  }

  @Override
  IllegalStateException full() {
    return elements.full();
  }

  @Override
  NoSuchElementException empty() {
    return new NoSuchElementException(space + " is empty; use poll or peek where that may be.");
  }

  /**
   * Removes and returns up to {@code count} elements at the front (Redis: {@code LPOP} with a
   * count). Each batch of up to 4 MiB is one transaction, and each element goes to one caller only.
   * Stops before an element that cannot be decoded.
   *
   * @return the elements in order; empty only if the deque is empty or {@code count} is 0
   * @throws IllegalArgumentException if {@code count} is negative
   */
  public List<E> pollFirst(int count) {
    return poll(FIRST, count);
  }

  /**
   * Like {@link #pollFirst(int)}, at the back.
   *
   * @return the elements, the last first
   */
  public List<E> pollLast(int count) {
    return poll(LAST, count);
  }

  private List<E> poll(DequeEnd end, int count) {
    if (count < 0) {
      throw new IllegalArgumentException("count is " + count + "; give 0 or more.");
    }
    return batches.poll(end, count);
  }

  /**
   * Adds all elements at the back, in one transaction for each 4 MiB. If it throws, some elements
   * may have been added.
   *
   * @throws IllegalStateException if not all fit; those that fit were added
   * @throws IllegalArgumentException if {@code all} is this deque
   */
  @Override
  public boolean addAll(Collection<? extends E> all) {
    if (all == this) {
      throw new IllegalArgumentException(space + " was to be added to itself; copy it first.");
    }
    return batches.addAll(all.iterator(), space.defaultExpiryMillis(), this::full);
  }

  /**
   * Adds every element of a stream at the back, in its order, in batches like {@link
   * #addAll(Collection)}: the memory does not grow with the stream. Reads the stream in the calling
   * thread, without a lock, and does not close it.
   *
   * @return whether there was at least one element
   */
  public boolean addAllFrom(Stream<? extends E> elements) {
    return batches.addAll(
        elements.sequential().iterator(), space.defaultExpiryMillis(), this::full);
  }

  @Override
  public int drainTo(Collection<? super E> target) {
    return drainTo(target, Integer.MAX_VALUE);
  }

  /**
   * Moves up to {@code count} elements from the front into a collection, in batches as {@link
   * #pollFirst(int)} does. Each element moves once. If the collection throws, the element it
   * rejected and those after it are at the front of the deque again.
   *
   * @return how many were moved
   */
  @Override
  public int drainTo(Collection<? super E> target, int count) {
    if (Objects.requireNonNull(target, "target") == this) {
      throw new IllegalArgumentException(space + " was to be moved into itself; name another.");
    }
    return batches.drainTo(target, count);
  }

  /**
   * Moves the first element to an end of another deque of the same store, or of this one (Redis:
   * {@code LMOVE}). Atomic: one transaction. The element keeps its expiry.
   *
   * @return the element, or null if there was none
   * @throws IllegalStateException if the target is full; nothing is changed
   * @throws IllegalArgumentException if the target is in another store
   * @throws UnsupportedOperationException if the store's engine has no transactions over rows
   */
  public @Nullable E moveFirstTo(PersistentDeque<E> target, DequeEnd end) {
    return move(FIRST, target, end);
  }

  /** Like {@link #moveFirstTo}, with the last element (Redis: {@code RPOPLPUSH}). */
  public @Nullable E moveLastTo(PersistentDeque<E> target, DequeEnd end) {
    return move(LAST, target, end);
  }

  /**
   * Like {@link #moveFirstTo}, but waits for an element (Redis: {@code BLMOVE}). It does not wait
   * for room in the target.
   *
   * @throws IllegalStateException if the target is full, when there is an element; nothing is
   *     changed. Also inside a transaction
   */
  public E takeFirstTo(PersistentDeque<E> target, DequeEnd end) throws InterruptedException {
    return take(() -> move(FIRST, target, end));
  }

  /** Like {@link #takeFirstTo}, with the last element. */
  public E takeLastTo(PersistentDeque<E> target, DequeEnd end) throws InterruptedException {
    return take(() -> move(LAST, target, end));
  }

  /** Like {@link #takeFirstTo}, but returns null if there is no element until the timeout. */
  public @Nullable E pollFirstTo(PersistentDeque<E> target, DequeEnd end, Duration timeout)
      throws InterruptedException {
    return store.take(() -> move(FIRST, target, end), nanos(timeout));
  }

  /** Like {@link #pollFirstTo}, with the last element. */
  public @Nullable E pollLastTo(PersistentDeque<E> target, DequeEnd end, Duration timeout)
      throws InterruptedException {
    return store.take(() -> move(LAST, target, end), nanos(timeout));
  }

  /**
   * Removes and returns up to {@code count} elements at the front of the first deque that has any
   * (Redis: {@code LMPOP}). Asks one deque after the other, each as {@link #pollFirst(int)} does:
   * atomic for one deque and one batch. Never returns an expired element.
   *
   * @return the elements and their deque; empty if all deques are empty, or {@code count} is 0
   * @throws IllegalArgumentException if {@code count} is negative
   */
  public static <E> Optional<Polled<PersistentDeque<E>, E>> pollFirstOf(
      List<PersistentDeque<E>> deques, int count) {
    return pollOf(deques, FIRST, count).now();
  }

  /** Like {@link #pollFirstOf(List, int)}, at the back. */
  public static <E> Optional<Polled<PersistentDeque<E>, E>> pollLastOf(
      List<PersistentDeque<E>> deques, int count) {
    return pollOf(deques, LAST, count).now();
  }

  /**
   * Like {@link #pollFirstOf(List, int)}, but waits until one of the deques has an element (Redis:
   * {@code BLMPOP}, {@code BLPOP}). A worker with two queues asks the urgent one first:
   *
   * <pre>{@code
   * PersistentDeque.pollFirstOf(List.of(urgent, normal), 1, ofSeconds(30))
   *     .ifPresent(job -> ran.add(job.elements().get(0)));
   * }</pre>
   *
   * <p>The deques may be in several stores. A thread that waits in this way is woken by each
   * addition to one of them, and may find that another thread was faster.
   *
   * @return the elements and their deque; empty if there was none until the timeout
   * @throws IllegalArgumentException if {@code count} is negative
   * @throws IllegalStateException also inside a transaction; nothing is changed
   */
  public static <E> Optional<Polled<PersistentDeque<E>, E>> pollFirstOf(
      List<PersistentDeque<E>> deques, int count, Duration timeout) throws InterruptedException {
    return pollOf(deques, FIRST, count).await(timeout);
  }

  /** Like {@link #pollFirstOf(List, int, Duration)}, at the back. */
  public static <E> Optional<Polled<PersistentDeque<E>, E>> pollLastOf(
      List<PersistentDeque<E>> deques, int count, Duration timeout) throws InterruptedException {
    return pollOf(deques, LAST, count).await(timeout);
  }

  private static <E> PollOfSeveral<PersistentDeque<E>, E> pollOf(
      List<PersistentDeque<E>> deques, DequeEnd end, int count) {
    return new PollOfSeveral<>(
        deques,
        deque -> deque.poll(end, count),
        deque -> deque.space,
        deque -> deque.store.takers());
  }

  private @Nullable E move(DequeEnd from, PersistentDeque<E> target, DequeEnd to) {
    Objects.requireNonNull(to, "end");
    if (!space.isInSameStoreAs(target.space)) {
      throw new IllegalArgumentException(
          target.space + " lies in another store than " + name() + "; move between deques of one.");
    }
    return space.atomically(
        () -> {
          List<DequeStore.Taken<E>> taken = store.poll(from, 1);
          if (taken.isEmpty()) {
            return null;
          }
          E element = taken.get(0).element();
          long expiryMillis = taken.get(0).record().expiryMillis();
          if (!target.store.offer(to, target.codec.encode(element), expiryMillis)) {
            throw target.full();
          }
          return element;
        });
  }

  @Override
  public Iterator<E> iterator() {
    return elements.walk(FIRST);
  }

  @Override
  public Iterator<E> descendingIterator() {
    return elements.walk(LAST);
  }

  /** A spliterator without a size, because the deque's size may include expired elements. */
  @Override
  public Spliterator<E> spliterator() {
    return Spliterators.spliteratorUnknownSize(
        iterator(), Spliterator.ORDERED | Spliterator.NONNULL | Spliterator.CONCURRENT);
  }

  /** The number of elements, at most {@link Integer#MAX_VALUE}; see {@link #count}. */
  @Override
  public int size() {
    return (int) Math.min(Integer.MAX_VALUE, count());
  }

  /**
   * The number of elements. O(1), one read. May include expired elements that are not yet swept.
   */
  public long count() {
    return space.use().count(store.hashKey());
  }

  /** Whether there is no live element. Expired elements do not count. */
  @Override
  public boolean isEmpty() {
    return count() == 0 || store.transact(row -> row.edge(FIRST)) == null;
  }

  /**
   * How many elements would fit now; {@link Integer#MAX_VALUE} without a capacity. Expired elements
   * do not count.
   */
  @Override
  public int remainingCapacity() {
    long room = store.transact(row -> store.room(row, store.capacity()));
    return (int) Math.min(Integer.MAX_VALUE, room);
  }

  /**
   * A read-only snapshot of the deque, first to last. O(1), or one scan if some elements may have
   * expired. Reading by index is one read if nothing was removed or inserted in the middle, else a
   * scan from the nearer end.
   *
   * @return the snapshot; the caller closes it
   * @throws UnsupportedOperationException if the store's engine has no snapshots
   */
  public Snapshot<List<E>> snapshot() {
    return new Snapshot<>(
        space.use().snapshot(), taken -> new DequeView<>(taken, store.hashKey(), codec));
  }

  @Override
  public void clear() {
    store.clear();
  }

  /** Notifies {@code listener} of changes of this process until the registration is closed. */
  public Registration addListener(ElementListener<? super E> listener) {
    return store.listeners().add(listener);
  }
}
