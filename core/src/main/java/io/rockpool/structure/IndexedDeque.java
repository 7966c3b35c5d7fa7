package io.rockpool.structure;

import static io.rockpool.structure.DequeEnd.FIRST;
import static io.rockpool.structure.DequeEnd.LAST;

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The methods of a deque that use an index or search for an element. The first element has index 0;
 * negative indices count from the end, so that the last element has index -1.
 */
abstract class IndexedDeque<E> extends TwoEndedQueue<E> {
  final DequeElements<E> elements;

  IndexedDeque(DequeStore<E> store) {
    super(store);
    this.elements = new DequeElements<>(store);
  }

  /**
   * The element at an index (Redis: {@code LINDEX}). The first has index 0, the last -1: {@code
   * log.get(-1)}. See the class for the cost. Expired elements have no index.
   *
   * @throws IndexOutOfBoundsException if there is none
   */
  public E get(long index) {
    return elements.get(index);
  }

  /**
   * The elements from index {@code from}, inclusive, to {@code to}, exclusive, in order (Redis:
   * {@code LRANGE}, whose end is inclusive). Negative indices count from the end: {@code
   * log.range(-10, Long.MAX_VALUE)} has the last ten. A range that reaches beyond the elements ends
   * with them; one that ends before it begins is empty.
   *
   * <p>Atomic: the elements of one instant, without those that have expired. Costs as much as
   * {@link #get} for both ends, and a scan of the range. The whole range is in memory; to walk a
   * long deque, use an iterator.
   *
   * @return the elements; the list is the caller's
   */
  public List<E> range(long from, long to) {
    return elements.range(from, to);
  }

  /**
   * Replaces the element at an index (Redis: {@code LSET}). The new element gets the default
   * expiry. A negative index counts from the end.
   *
   * @return the old element
   * @throws IndexOutOfBoundsException if there is none; nothing is changed
   */
  public E set(long index, E element) {
    return elements.set(index, codec.encode(element), space.defaultExpiryMillis());
  }

  /**
   * Like {@link #set(long, Object)}. The new element expires after {@code ttl}, as in {@code
   * offers.set(0, offer, ofHours(1))}; with a ttl of zero or less, the element at the index is
   * removed.
   */
  public E set(long index, E element, Duration ttl) {
    return elements.set(index, codec.encode(element), space.expiryMillis(ttl));
  }

  /**
   * Inserts an element before the one at an index, or at the back if the index is the size.
   *
   * @throws IndexOutOfBoundsException if the index is negative or larger
   * @throws IllegalStateException if the deque is full
   */
  public void insert(long index, E element) {
    elements.insert(index, codec.encode(element), space.defaultExpiryMillis());
  }

  /**
   * Like {@link #insert(long, Object)}. The element expires after {@code ttl}, as in {@code
   * offers.insert(2, offer, ofHours(1))}; with a ttl of zero or less, nothing changes.
   */
  public void insert(long index, E element, Duration ttl) {
    elements.insert(index, codec.encode(element), space.expiryMillis(ttl));
  }

  /**
   * Inserts an element before the first one equal to {@code pivot} (Redis: {@code LINSERT}). One
   * scan up to the pivot, then one transaction.
   *
   * @return whether there was a pivot
   * @throws IllegalStateException if the deque is full
   */
  public boolean insertBefore(Object pivot, E element) {
    return insertBeside(pivot, FIRST, element, space.defaultExpiryMillis());
  }

  /**
   * Like {@link #insertBefore(Object, Object)}. The element expires after {@code ttl}, as in {@code
   * offers.insertBefore(dearer, offer, ofHours(1))}; with a ttl of zero or less, nothing changes.
   */
  public boolean insertBefore(Object pivot, E element, Duration ttl) {
    return insertBeside(pivot, FIRST, element, space.expiryMillis(ttl));
  }

  /** Like {@link #insertBefore(Object, Object)}, but after the pivot. */
  public boolean insertAfter(Object pivot, E element) {
    return insertBeside(pivot, LAST, element, space.defaultExpiryMillis());
  }

  /** Like {@link #insertBefore(Object, Object, Duration)}, but after the pivot. */
  public boolean insertAfter(Object pivot, E element, Duration ttl) {
    return insertBeside(pivot, LAST, element, space.expiryMillis(ttl));
  }

  private boolean insertBeside(Object pivot, DequeEnd side, E element, long expiryMillis) {
    Objects.requireNonNull(pivot, "pivot");
    return elements.insertBeside(pivot, side, codec.encode(element), expiryMillis);
  }

  /**
   * Keeps the elements from index {@code from}, inclusive, to {@code to}, exclusive, and removes
   * the others (Redis: {@code LTRIM}, whose end is inclusive). Negative indices count from the end:
   * {@code log.trim(-100, Long.MAX_VALUE)} keeps the last 100. Removes from each end inward, up to
   * 1,024 elements or 4 MiB per transaction. Elements that are added at an end during the call
   * stay.
   *
   * @return how many were removed
   */
  public long trim(long from, long to) {
    return elements.trim(from, to);
  }

  /**
   * The index of the first element equal to {@code element}, counted from the front (Redis: {@code
   * LPOS}), as in {@code waiting.indexOf(job)}; -1 if there is none. See {@link #indicesOf}.
   */
  public long indexOf(@Nullable Object element) {
    return indexOf(element, FIRST);
  }

  /**
   * The index of the last element equal to {@code element}, counted from the front (Redis: {@code
   * LPOS} with the rank -1); -1 if there is none. See {@link #indicesOf}.
   */
  public long lastIndexOf(@Nullable Object element) {
    return indexOf(element, LAST);
  }

  private long indexOf(@Nullable Object element, DequeEnd from) {
    List<Long> first = elements.indicesOf(from, element, 0, 1);
    return first.isEmpty() ? -1 : first.get(0);
  }

  /**
   * The indices of the elements equal to {@code element}, in the order of a search that starts at
   * an end (Redis: {@code LPOS} with a rank and a count). {@code visits.indicesOf("ann",
   * DequeEnd.LAST, 1, 3)} has the last three. Indices count from the front, whichever end the
   * search starts at. Expired elements have none.
   *
   * <p>Atomic: all indices are those of one instant. A search from the front ends with the last
   * index; one from the back reads all elements, to count them. {@code equals} runs without a lock
   * if the engine has snapshots.
   *
   * @param rank the first occurrence of the result: 1 for the first one that the search finds
   * @param count the most occurrences of the result
   * @throws IllegalArgumentException if {@code rank} is less than 1 or {@code count} is negative
   */
  public List<Long> indicesOf(@Nullable Object element, DequeEnd from, long rank, long count) {
    Objects.requireNonNull(from, "from");
    if (rank < 1) {
      throw new IllegalArgumentException("rank is " + rank + "; give 1 or more.");
    }
    return elements.indicesOf(from, element, rank - 1, checkCount(count));
  }

  private static long checkCount(long count) {
    if (count < 0) {
      throw new IllegalArgumentException("count is " + count + "; give 0 or more.");
    }
    return count;
  }

  @Override
  public boolean removeFirstOccurrence(@Nullable Object element) {
    return elements.removeOccurrence(FIRST, element);
  }

  @Override
  public boolean removeLastOccurrence(@Nullable Object element) {
    return elements.removeOccurrence(LAST, element);
  }

  /**
   * Removes up to {@code count} elements equal to {@code element}, in the order of a search that
   * starts at an end (Redis: {@code LREM}). {@code alarms.removeOccurrences("door", DequeEnd.LAST,
   * 2)} removes the last two; {@link Long#MAX_VALUE} removes all. One scan, and one transaction for
   * each removal: the whole is atomic inside a transaction only. Never counts an expired element.
   *
   * @return how many were removed
   * @throws IllegalArgumentException if {@code count} is negative
   */
  public long removeOccurrences(@Nullable Object element, DequeEnd from, long count) {
    Objects.requireNonNull(from, "from");
    return elements.removeOccurrences(from, element, checkCount(count));
  }

  @Override
  public boolean contains(@Nullable Object element) {
    return elements.contains(element);
  }

  /**
   * Removes the elements that {@code filter} accepts, each in its own transaction. Tests every
   * element that is present throughout at least once, without holding a lock. If it throws, some
   * elements may have been removed.
   */
  @Override
  public boolean removeIf(Predicate<? super E> filter) {
    return elements.removeIf(Objects.requireNonNull(filter, "filter"));
  }
}
