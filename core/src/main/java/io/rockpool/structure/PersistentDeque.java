package io.rockpool.structure;

import static io.rockpool.structure.DequeEnd.FIRST;
import static io.rockpool.structure.DequeEnd.LAST;

import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Objects;
import java.util.Spliterator;
import java.util.Spliterators;
import java.util.concurrent.BlockingDeque;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A {@link BlockingDeque} that lives on disk and survives the death of its process: a queue between
 * threads, a stack, a list that can be changed anywhere. Thread-safe.
 *
 * <p><b>Elements</b> go in and come out by value: to change an instance that was put, or that was
 * returned, changes nothing in the deque. Where elements are looked for ({@link #contains}, {@link
 * #remove(Object)}, {@link #removeFirstOccurrence}, {@link #insertBefore}) two are equal if they
 * encode to equal bytes, as arrays and instances without an {@code equals} of their own may, or if
 * their {@code equals} says so; it is called with no lock held. Null is refused with a {@link
 * NullPointerException} where it would be put, and is nowhere found.
 *
 * <p><b>Atomicity.</b> Each operation on one element is atomic, and is seen by every later one; so
 * is what names an index. An element goes to one taker alone. What looks for an element walks to it
 * first, then acts on it if it is still there; an element that is there throughout is found. What
 * finds none has walked twice. Batches are atomic as each of them says.
 *
 * <p><b>Waiting.</b> {@link #put}, {@link #take} and the forms with a timeout wait for other
 * threads of this process: for an element, or for room in a deque that was opened with a {@link
 * StructureOptions#capacity}. They are called once the change is committed, also where it was made
 * in a transaction, and those who wait longest are called first; a thread that comes new may be
 * faster. Room is found, too, when elements expire. A thread that waits is told with an {@link
 * IllegalStateException} when the deque is closed, dropped or reset. To wait inside a transaction
 * over several structures is refused with the same. An interrupted thread gets an {@link
 * InterruptedException}, on entry too, and the deque is as it was.
 *
 * <p><b>Durability.</b> An operation that has returned survives {@code kill -9}; what it survives
 * of a power loss is the {@link io.rockpool.engine.Durability} the deque was opened with, or what
 * {@link io.rockpool.Rockpool#withDurability} says around it.
 *
 * <p><b>Cost.</b> At an end, an offer is two reads and one write, a poll the same, a peek two
 * reads, no matter how many elements were removed there before. A capacity costs an offer one more
 * read. {@link #size} is one read, {@link #clear} one write. What names an index finds it by
 * reckoning, as long as nothing was removed from or inserted into the midst and no element may have
 * expired; else it walks from the nearer end (from the first if some may have expired), holding up
 * other changes. An insertion takes the middle between two positions; where there is none left,
 * which can be after 16 insertions at one place, the elements around it move: some six for each
 * insertion after 10,000 at the worst place, eleven after 200,000.
 *
 * <p><b>Expiry.</b> Each element may have a time to live of its own, or else has the {@link
 * StructureOptions#entryTtl} of the deque. An expired element is never seen again, but {@code size}
 * may include it until it is swept; it does not take up capacity.
 *
 * <p><b>Iteration</b> is weakly consistent: an iterator shows every element that is there all the
 * time once, in order, and may or may not show what is put, removed or cleared meanwhile. What an
 * insertion has to move, it may show twice or not at all. Its {@code remove} removes what lies in
 * the place of the element shown last, if it is equal. It holds nothing open and a bounded number
 * of elements in memory. If the deque is closed or dropped meanwhile, it throws {@link
 * IllegalStateException} at the latest when it has shown what it had read ahead.
 *
 * <p>An element whose bytes can no longer be decoded, because its class changed, is an {@link
 * io.rockpool.error.UndecodableValueException} where it would be returned, and stays where it is.
 * An iterator goes on behind it; what looks for an element passes over it. It can be removed by an
 * iterator's {@code remove}, after {@code next} has thrown, and by {@link #trim}.
 *
 * @param <E> the type of elements
 */
public final class PersistentDeque<E> extends DequeAliases<E>
    implements BlockingDeque<E>, PersistentStructure {
  private final DequeStore<E> store;
  private final DequeElements<E> elements;
  private final DequeBatches<E> batches;
  private final StructureSpace space;
  private final ElementCodec<E> codec;

  PersistentDeque(DequeStore<E> store) {
    this.store = store;
    this.elements = new DequeElements<>(store);
    this.batches = new DequeBatches<>(store);
    this.space = store.space();
    this.codec = store.codec();
  }

  @Override
  public String name() {
    return space.name();
  }

  @Override
  public boolean isClosed() {
    return space.isClosed();
  }

  @Override
  IllegalStateException full() {
    return elements.full();
  }

  @Override
  NoSuchElementException empty() {
    return new NoSuchElementException(space + " is empty; use poll or peek where that may be.");
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
   * Puts an element in front that lives for {@code ttl} from now on; one of zero or less is gone at
   * once, which is no failure.
   *
   * @return false if the deque is full
   */
  public boolean offerFirst(E element, Duration ttl) {
    return offer(FIRST, element, ttl);
  }

  /** As {@link #offerFirst(Object, Duration)}, at the other end. */
  public boolean offerLast(E element, Duration ttl) {
    return offer(LAST, element, ttl);
  }

  private boolean offer(DequeEnd end, E element, Duration ttl) {
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
    return store.take(FIRST, unit.toNanos(timeout));
  }

  @Override
  public @Nullable E pollLast(long timeout, TimeUnit unit) throws InterruptedException {
    return store.take(LAST, unit.toNanos(timeout));
  }

  @Override
  public E takeFirst() throws InterruptedException {
    return take(FIRST);
  }

  @Override
  public E takeLast() throws InterruptedException {
    return take(LAST);
  }

  private E take(DequeEnd end) throws InterruptedException {
    E element = null;
    while (element == null) {
      element = store.take(end, Long.MAX_VALUE);
    }
    return element;
  }

  /**
   * Takes up to {@code count} elements from the front, in one transaction for each 4 MiB of them:
   * each element is taken once, by whoever. One that cannot be decoded ends it.
   *
   * @return the elements in their order; none only if there is none
   * @throws IllegalArgumentException if {@code count} is negative
   */
  public List<E> pollFirst(int count) {
    return poll(FIRST, count);
  }

  /**
   * As {@link #pollFirst(int)}, from the back.
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

  @Override
  public @Nullable E peekFirst() {
    return store.peek(FIRST);
  }

  @Override
  public @Nullable E peekLast() {
    return store.peek(LAST);
  }

  /**
   * Puts all elements behind the last, in one transaction for each 4 MiB of them. Where it throws,
   * some may have been put.
   *
   * @throws IllegalStateException if there is no room for all; as many are put as fit
   * @throws IllegalArgumentException for the deque itself
   */
  @Override
  public boolean addAll(Collection<? extends E> all) {
    if (all == this) {
      throw new IllegalArgumentException(space + " was to be added to itself; copy it first.");
    }
    return batches.addAll(all, space.defaultExpiryMillis(), this::full);
  }

  @Override
  public int drainTo(Collection<? super E> target) {
    return drainTo(target, Integer.MAX_VALUE);
  }

  /**
   * Moves up to {@code count} elements from the front into a collection, in batches as {@link
   * #pollFirst(int)}. Each goes there once; what the collection refuses by an exception, and what
   * comes after it, is in front of the deque again.
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
   * Moves the first element to an end of another deque of the same store, or of this one: both
   * changes are one, or neither is made. The element keeps its expiry. One transaction.
   *
   * @return the element, or null if there was none
   * @throws IllegalStateException if the target is full; nothing is changed
   * @throws IllegalArgumentException if the target lies in another store
   * @throws UnsupportedOperationException if the store's engine has no transactions over rows
   */
  public @Nullable E moveFirstTo(PersistentDeque<E> target, DequeEnd end) {
    return move(FIRST, target, end);
  }

  /** As {@link #moveFirstTo}, with the last element. */
  public @Nullable E moveLastTo(PersistentDeque<E> target, DequeEnd end) {
    return move(LAST, target, end);
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

  /**
   * The element at an index, counted from the first on. See the class for the cost.
   *
   * @throws IndexOutOfBoundsException if there is none
   */
  public E get(long index) {
    return elements.get(index);
  }

  /**
   * Puts an element in the place of another; it lives as long as one that is put anew.
   *
   * @return the element that was there
   * @throws IndexOutOfBoundsException if there is none; nothing is changed
   */
  public E set(long index, E element) {
    return elements.set(index, codec.encode(element), space.defaultExpiryMillis());
  }

  /**
   * Puts an element before the one at an index, or behind the last if the index is the size.
   *
   * @throws IndexOutOfBoundsException if the index is negative or larger
   * @throws IllegalStateException if the deque is full
   */
  public void insert(long index, E element) {
    elements.insert(index, codec.encode(element), space.defaultExpiryMillis());
  }

  /**
   * Puts an element before the first that equals {@code pivot}. A walk to that, then one
   * transaction.
   *
   * @return whether there was a pivot
   * @throws IllegalStateException if the deque is full
   */
  public boolean insertBefore(Object pivot, E element) {
    Objects.requireNonNull(pivot, "pivot");
    return elements.insertBeside(pivot, FIRST, codec.encode(element), space.defaultExpiryMillis());
  }

  /** As {@link #insertBefore}, but behind the pivot. */
  public boolean insertAfter(Object pivot, E element) {
    Objects.requireNonNull(pivot, "pivot");
    return elements.insertBeside(pivot, LAST, codec.encode(element), space.defaultExpiryMillis());
  }

  /**
   * Leaves the elements from one index up to another, excluded, and removes the others: from each
   * end inward, 1,024 in a transaction. What is put at an end meanwhile stays.
   *
   * @return how many were removed
   * @throws IllegalArgumentException if {@code from} is negative
   */
  public long trim(long from, long to) {
    if (from < 0) {
      throw new IllegalArgumentException("from is " + from + "; give 0 or more.");
    }
    return elements.trim(from, to);
  }

  @Override
  public boolean removeFirstOccurrence(@Nullable Object element) {
    return elements.removeOccurrence(FIRST, element);
  }

  @Override
  public boolean removeLastOccurrence(@Nullable Object element) {
    return elements.removeOccurrence(LAST, element);
  }

  @Override
  public boolean contains(@Nullable Object element) {
    return elements.contains(element);
  }

  /**
   * Removes the elements that {@code filter} accepts, each in a transaction of its own. Tests each
   * element that is there throughout at least once, with no lock held. Where it throws, some may
   * have been removed.
   */
  @Override
  public boolean removeIf(Predicate<? super E> filter) {
    return elements.removeIf(Objects.requireNonNull(filter, "filter"));
  }

  @Override
  public Iterator<E> iterator() {
    return elements.walk(FIRST);
  }

  @Override
  public Iterator<E> descendingIterator() {
    return elements.walk(LAST);
  }

  /** Without a size: that of a deque may include what has expired. */
  @Override
  public Spliterator<E> spliterator() {
    return Spliterators.spliteratorUnknownSize(
        iterator(), Spliterator.ORDERED | Spliterator.NONNULL | Spliterator.CONCURRENT);
  }

  /**
   * How many elements there are, or {@link Integer#MAX_VALUE} if they are more; see {@link
   * #elementCount}.
   */
  @Override
  public int size() {
    return (int) Math.min(Integer.MAX_VALUE, elementCount());
  }

  /**
   * How many elements there are. O(1), one read. May include some that have expired and are not yet
   * swept.
   */
  public long elementCount() {
    return space.use().count(store.hashKey());
  }

  /** Whether there is no element; not mistaken by expired ones. */
  @Override
  public boolean isEmpty() {
    return elementCount() == 0 || store.transact(row -> row.edge(FIRST)) == null;
  }

  /**
   * How many elements would fit in now, expired ones not counted; {@link Integer#MAX_VALUE} without
   * a capacity.
   */
  @Override
  public int remainingCapacity() {
    long nowMillis = store.nowMillis();
    long room = store.transact(row -> store.room(row, store.capacity(), nowMillis));
    return (int) Math.min(Integer.MAX_VALUE, room);
  }

  /**
   * The deque as it is now, first to last, unchanging and for reading only. O(1), or one walk if
   * some elements may have expired. To get an element by its index is one read as long as nothing
   * was removed from or inserted into the midst, else a walk from the nearer end.
   *
   * @return it; to be closed
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

  /** Lets {@code listener} be told of changes from now on, until the registration is closed. */
  public Registration addListener(ElementListener<? super E> listener) {
    return store.listeners().add(listener);
  }

  @Override
  public void expireAt(Instant when) {
    space.expireAt(when);
    store.callAll();
  }

  @Override
  public void expireAfter(Duration ttl) {
    space.expireAfter(ttl);
    store.callAll();
  }

  @Override
  public void persist() {
    space.persist();
  }

  @Override
  public Duration ttl() {
    return space.ttl();
  }
}
