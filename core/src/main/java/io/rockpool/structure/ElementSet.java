package io.rockpool.structure;

import io.rockpool.engine.Expiry;
import io.rockpool.engine.Limits;
import io.rockpool.engine.RowRecord;
import io.rockpool.store.Registration;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collection;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Common base of sets, sorted or not. An element is the key of an entry, and all entries have the
 * same value. Without that value, this is the key set of a map, which rejects additions.
 */
abstract non-sealed class ElementSet<E, V> extends KeyView<E, V> implements PersistentStructure {
  private final StructureSpace space;
  private final @Nullable V added;
  private final RandomElements<E> random;

  ElementSet(EntryReads<E, V> reads, EntryWrites<E, V> writes, @Nullable V added) {
    super(reads, writes);
    this.space = reads.codec().space();
    this.added = added;
    this.random = new RandomElements<>(reads, writes);
  }

  /** The space of the set, for reads of the whole set. */
  StructureSpace space() {
    return space;
  }

  /** The value of an added element's entry. */
  private V added() {
    if (added == null) {
      throw new UnsupportedOperationException(
          "A key cannot be added without a value; put it into the map.");
    }
    return added;
  }

  @Override
  public boolean add(E element) {
    return writes.putIfAbsent(element, added()) == null;
  }

  /**
   * Adds an element that expires after {@code ttl}, or sets that expiry for a present one; zero or
   * less removes it. So each add restarts the time. In a set with {@link
   * StructureOptions#entryTtl}, {@link #add(Object)} does not restart that of a present element.
   * Returns whether it was added.
   */
  public boolean add(E element, Duration ttl) {
    long expiryMillis = space.expiryMillis(ttl);
    return writes.put(element, added(), expiryMillis) == null && expiryMillis > 0;
  }

  /**
   * Adds every element, in batches of up to {@link io.rockpool.engine.Limits#MAX_BATCH_BYTES}
   * bytes, with one write for each row in a batch. If it throws, some elements may have been added.
   */
  @Override
  public boolean addAll(Collection<? extends E> elements) {
    return writes.putAllAbsent(elements.iterator()::forEachRemaining, added()) > 0;
  }

  /**
   * Adds every element of a stream, in its order, in batches like {@link #addAll(Collection)}: the
   * memory does not grow with the stream. The elements of one row in one batch are added
   * atomically, the whole is not; inside a transaction the changes are in memory until the commit.
   * Reads the stream in the calling thread, without a lock, and does not close it. If it throws,
   * some elements may have been added.
   *
   * @return whether at least one was absent
   */
  public boolean addAllFrom(Stream<? extends E> elements) {
    return writes.putAllAbsent(elements.sequential()::forEachOrdered, added()) > 0;
  }

  /** Removes every element, in batches like {@link #addAll(Collection)}. */
  @Override
  public boolean removeAll(Collection<?> elements) {
    return writes.removeAll(elements) > 0;
  }

  /**
   * Makes an element expire at {@code when}; a past instant removes it. Returns whether it was
   * present.
   */
  public boolean expireAt(E element, Instant when) {
    return writes.expire(element, space.expiryMillis(when));
  }

  /**
   * Makes an element expire after {@code ttl}; zero or less removes it. Returns whether it was
   * present.
   */
  public boolean expireAfter(E element, Duration ttl) {
    return writes.expire(element, space.expiryMillis(ttl));
  }

  /** Removes the expiry of an element. Returns whether it is present. */
  public boolean persist(E element) {
    return writes.expire(element, Expiry.NEVER);
  }

  /** The remaining time to live of an element, or {@link #FOREVER}; empty if it is absent. */
  public Optional<Duration> ttl(E element) {
    return reads.ttl(element);
  }

  /**
   * Whether the set contains each of the {@code elements} (Redis: {@code SMISMEMBER}), as in {@code
   * permissions.containsAll(List.of("read", "write"))}. One read for each 1,024 elements, without a
   * lock; not atomic over several rows outside a transaction. Expired elements are absent.
   */
  @Override
  public boolean containsAll(Collection<?> elements) {
    // The values of a map may be large; those of a set are empty.
    return added == null ? super.containsAll(elements) : reads.containsAll(elements);
  }

  @Override
  BitSet contained(List<?> page) {
    return added == null ? super.contained(page) : reads.present(page);
  }

  /**
   * A random element, or null if there is none (Redis: {@code SRANDMEMBER}). Up to a few thousand
   * elements are equally likely. In larger sets, an element whose bytes follow a wide gap is more
   * likely. Scans at most a few hundred records.
   */
  public @Nullable E randomElement() {
    return random.pick();
  }

  /**
   * Up to {@code count} different random elements in random order (Redis: {@code SRANDMEMBER} with
   * a count), as in {@code players.randomElements(3)}; all elements if there are not more. Never
   * returns an expired element.
   *
   * <p>Costs {@code count} times a {@link #randomElement}, whose probabilities it has; or, where
   * that is cheaper, one walk over the set, after which all samples are equally likely. The memory
   * grows with {@code count} only. Takes no lock: an element that is added or removed meanwhile may
   * or may not be part of the sample.
   *
   * @throws IllegalArgumentException if {@code count} is negative
   */
  public List<E> randomElements(int count) {
    return random.pick(count);
  }

  /**
   * Random elements, each drawn from the whole set, so that one may be there several times (Redis:
   * {@code SRANDMEMBER} with a negative count), as in {@code prizes.randomElementsWithRepeats(10)}.
   * Costs {@code count} times a {@link #randomElement}.
   *
   * @return {@code count} elements; none if the set is empty
   * @throws IllegalArgumentException if {@code count} is negative
   */
  public List<E> randomElementsWithRepeats(int count) {
    return random.pickWithRepeats(count);
  }

  /**
   * Removes and returns an element chosen like {@link #randomElement} (Redis: {@code SPOP}); null
   * if there is none. Concurrent calls never return the same element.
   */
  public @Nullable E removeRandom() {
    return random.remove();
  }

  /**
   * Removes and returns up to {@code count} elements chosen like {@link #randomElements} (Redis:
   * {@code SPOP} with a count), as in {@code tickets.removeRandom(6)}. Concurrent calls never
   * return the same element. Costs as much as {@link #randomElements} and {@link #removeAll}. The
   * elements of one row in one batch are removed atomically; all are inside a transaction only. If
   * it throws, some elements may have been removed.
   *
   * @return the elements; fewer than {@code count} only if the set is empty then
   * @throws IllegalArgumentException if {@code count} is negative
   */
  public List<E> removeRandom(int count) {
    return random.remove(count);
  }

  /**
   * Moves an element to another set of the same store (Redis: {@code SMOVE}), as in {@code
   * online.moveTo(offline, "ann")}. Atomic: one transaction of two reads and two writes. The
   * element keeps its expiry; an element that the target has already does not change there. An
   * expired element is absent.
   *
   * @param target a set, sorted or not; this one changes nothing
   * @return whether the element was in this set
   * @throws IllegalArgumentException if the target is not a set of the same store
   * @throws UnsupportedOperationException if the store's engine has no transactions over rows
   */
  public boolean moveTo(Set<E> target, E element) {
    if (!(target instanceof ElementSet<E, ?> other && space.isInSameStoreAs(other.space))) {
      throw new IllegalArgumentException(
          space + " moves elements to sets of its own store only; give one of these.");
    }
    return other.space == space ? contains(element) : move(other, element);
  }

  private <W> boolean move(ElementSet<E, W> target, E element) {
    return space.atomically(
        () -> {
          RowRecord moved = writes.remove(element);
          if (moved != null) {
            target.writes.putIfAbsent(element, target.added(), moved.expiryMillis());
          }
          return moved != null;
        });
  }

  /**
   * The elements that are in both sets (Redis: {@code SINTER}); see {@link #intersection(List)}.
   */
  public Stream<E> intersection(Set<E> other) {
    return intersection(List.of(other));
  }

  /**
   * The elements that are in all the sets (Redis: {@code SINTER}), as in {@code
   * readers.intersection(List.of(writers, editors)).toList()}. Lazy; walks the smallest set, with
   * one read in each other persistent set for a page of up to 1,024 elements. Weakly consistent
   * outside a transaction, and without expired elements.
   */
  public Stream<E> intersection(List<? extends Set<E>> others) {
    List<Set<E>> all = new ArrayList<>(others);
    all.add(this);
    all.sort(Comparator.comparingInt(Set::size));
    List<Set<E>> rest = all.subList(1, all.size());
    return SetPages.inAll(all.get(0), rest);
  }

  /**
   * The number of elements that are in all the sets, up to {@code limit} (Redis: {@code
   * SINTERCARD}): {@code likes.intersectionSize(List.of(friends), 100)} stops at 100. Costs as much
   * as that part of an {@link #intersection(List)}.
   *
   * @throws IllegalArgumentException if {@code limit} is negative
   */
  public long intersectionSize(List<? extends Set<E>> others, long limit) {
    return intersection(others).limit(limit).count();
  }

  /** The elements of both sets, each once (Redis: {@code SUNION}); see {@link #union(List)}. */
  public Stream<E> union(Set<? extends E> other) {
    return union(List.of(other));
  }

  /**
   * The elements of all the sets, each once (Redis: {@code SUNION}), as in {@code
   * monday.union(List.of(tuesday, friday)).count()}. Lazy; for a page of up to 1,024 elements of a
   * later set, one read in each persistent set before it. Weakly consistent outside a transaction,
   * and without expired elements.
   */
  public Stream<E> union(List<? extends Set<? extends E>> others) {
    Stream<E> all = stream();
    List<Set<?>> before = new ArrayList<>();
    before.add(this);
    for (Set<? extends E> next : others) {
      all = Stream.concat(all, SetPages.inNone(next, List.copyOf(before)));
      before.add(next);
    }
    return all;
  }

  /**
   * The elements that {@code other} does not contain (Redis: {@code SDIFF}); see {@link
   * #difference(List)}.
   */
  public Stream<E> difference(Set<?> other) {
    return difference(List.of(other));
  }

  /**
   * The elements that none of the others contains (Redis: {@code SDIFF}), as in {@code
   * invited.difference(List.of(accepted, declined)).toList()}. Lazy; one read in each other
   * persistent set for a page of up to 1,024 elements. Weakly consistent outside a transaction, and
   * without expired elements.
   */
  public Stream<E> difference(List<? extends Set<?>> others) {
    return SetPages.inNone(this, others);
  }

  /**
   * Replaces the content of {@code target} with the {@link #intersection} (Redis: {@code
   * SINTERSTORE}); see {@link #storeUnionInto(Set, Set)}.
   */
  public long storeIntersectionInto(Set<E> target, Set<E> other) {
    return storeIntersectionInto(target, List.of(other));
  }

  /** Like {@link #storeIntersectionInto(Set, Set)}, of any number of sets. */
  public long storeIntersectionInto(Set<E> target, List<? extends Set<E>> others) {
    return store(() -> intersection(others), target, others);
  }

  /**
   * Replaces the content of {@code target} with the {@link #union} (Redis: {@code SUNIONSTORE}).
   *
   * <p>Atomic if the target is a set of the same store, the store's engine has transactions over
   * rows, and the sets have at most 16,384 elements together. Listeners then see each removed and
   * added element. Otherwise the target is cleared, then filled in batches: during the call, and
   * after an exception, it holds a part. If the target is one of the sets, opened through another
   * store object on the same server, the elements are in memory meanwhile. Inside a transaction of
   * the store it joins that transaction, however many elements there are; the changes are in memory
   * until the commit.
   *
   * @return how many elements there are
   * @throws IllegalArgumentException if the target is one of the sets; nothing is changed
   */
  public long storeUnionInto(Set<E> target, Set<? extends E> other) {
    return storeUnionInto(target, List.of(other));
  }

  /** Like {@link #storeUnionInto(Set, Set)}, of any number of sets. */
  public long storeUnionInto(Set<E> target, List<? extends Set<? extends E>> others) {
    return store(() -> union(others), target, others);
  }

  /**
   * Replaces the content of {@code target} with the {@link #difference} (Redis: {@code
   * SDIFFSTORE}); see {@link #storeUnionInto(Set, Set)}.
   */
  public long storeDifferenceInto(Set<E> target, Set<?> other) {
    return storeDifferenceInto(target, List.of(other));
  }

  /** Like {@link #storeDifferenceInto(Set, Set)}, of any number of sets. */
  public long storeDifferenceInto(Set<E> target, List<? extends Set<?>> others) {
    return store(() -> difference(others), target, others);
  }

  @SuppressWarnings("ReferenceEquality") // the set itself, not one with equal elements
  private long store(
      Supplier<Stream<? extends E>> elements, Set<E> target, List<? extends Set<?>> others) {
    if (isOn(target, this)
        || others.stream().anyMatch(other -> target == other || isOn(target, other))) {
      throw new IllegalArgumentException(
          space + " was to store into one of the sets; use its retainAll, addAll or removeAll.");
    }
    return storeAtOnce(elements, target, others)
        .orElseGet(
            () -> {
              Stream<? extends E> all = elements.get();
              if (mayBeRead(target, others)) {
                all = all.toList().stream();
              }
              target.clear();
              return fill(target, all.iterator());
            });
  }

  /** Whether the target may be one of the sets, opened through another handle of their store. */
  private boolean mayBeRead(Set<E> target, List<? extends Set<?>> others) {
    return target instanceof ElementSet<?, ?> stored
        && stored.space.isShared()
        && Stream.concat(Stream.of(this), others.stream())
            .anyMatch(
                it ->
                    it instanceof ElementSet<?, ?> read
                        && read.space.name().equals(stored.space.name()));
  }

  private Optional<Long> storeAtOnce(
      Supplier<Stream<? extends E>> elements, Set<E> target, List<? extends Set<?>> others) {
    if (!(target instanceof ElementSet<E, ?> stored && space.isInSameStoreAs(stored.space))) {
      return Optional.empty();
    }
    return space.atomicallyIfFew(
        () -> count() + stored.count() + others.stream().mapToLong(Set::size).sum(),
        () -> {
          stored.removeEach(); // a transaction rejects clear
          return fill(target, elements.get().iterator());
        });
  }

  private void removeEach() {
    writes.removeIf(reads, false, record -> record, record -> true);
  }

  private static <E> long fill(Set<E> target, Iterator<? extends E> elements) {
    long stored = 0;
    List<E> batch = new ArrayList<>();
    while (elements.hasNext()) {
      batch.add(elements.next());
      if (batch.size() == Limits.MAX_PAGE_RECORDS || !elements.hasNext()) {
        target.addAll(batch);
        stored += batch.size();
        batch.clear();
      }
    }
    return stored;
  }

  /** Whether both belong to the same structure, as the whole or as a view. */
  private static boolean isOn(Set<?> a, Set<?> b) {
    return a instanceof ElementSet<?, ?> one
        && b instanceof ElementSet<?, ?> other
        && one.space == other.space;
  }

  /** The number of elements, at most {@link Integer#MAX_VALUE}. */
  @Override
  public int size() {
    return super.size();
  }

  /**
   * The number of elements. O(1): one read per row. May include expired elements that are not yet
   * swept.
   */
  @Override
  public long count() {
    return super.count();
  }

  /** Notifies {@code listener} of changes of this process until the registration is closed. */
  public Registration addListener(ElementListener<? super E> listener) {
    Objects.requireNonNull(listener, "listener");
    return writes.listeners().add(ElementListener.ofEntries(listener));
  }
}
