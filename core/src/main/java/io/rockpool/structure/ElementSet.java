package io.rockpool.structure;

import io.rockpool.engine.Expiry;
import io.rockpool.engine.Limits;
import io.rockpool.engine.RowRecord;
import io.rockpool.store.Registration;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
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

  ElementSet(EntryReads<E, V> reads, EntryWrites<E, V> writes, @Nullable V added) {
    super(reads, writes);
    this.space = reads.codec().space();
    this.added = added;
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
   * less removes it. Returns whether it was added.
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
  public boolean addAll(Stream<? extends E> elements) {
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
   * A random element, or null if there is none. Up to a few thousand elements are equally likely.
   * In larger sets, an element whose bytes follow a wide gap is more likely. Scans at most a few
   * hundred records.
   */
  public @Nullable E randomElement() {
    byte[] key = reads.randomKey();
    return key == null ? null : reads.codec().decodeKey(key);
  }

  /**
   * Removes and returns an element chosen like {@link #randomElement}; null if there is none.
   * Concurrent calls never return the same element.
   */
  public @Nullable E removeRandom() {
    while (true) {
      byte[] key = reads.randomKey();
      if (key == null) {
        return null;
      }
      if (writes.removeRecord(key) != null) {
        return reads.codec().decodeKey(key);
      }
    }
  }

  /** The elements that are in both sets. Lazy; one lookup for each element of the smaller set. */
  public Stream<E> intersection(Set<E> other) {
    boolean isSmaller = size() <= other.size();
    return isSmaller ? stream().filter(other::contains) : other.stream().filter(this::contains);
  }

  /**
   * The elements of both sets, each once. Lazy; one lookup in this set for each element of the
   * other.
   */
  public Stream<E> union(Set<? extends E> other) {
    return Stream.concat(stream(), other.stream().filter(element -> !contains(element)));
  }

  /**
   * The elements that {@code other} does not contain. Lazy; one lookup in the other for each
   * element.
   */
  public Stream<E> difference(Set<?> other) {
    return stream().filter(element -> !other.contains(element));
  }

  /**
   * Replaces the content of {@code target} with the {@link #intersection}; see {@link
   * #storeUnionInto}.
   */
  public long storeIntersectionInto(Set<E> target, Set<E> other) {
    return store(() -> intersection(other), target, other);
  }

  /**
   * Replaces the content of {@code target} with the {@link #union}.
   *
   * <p>Atomic if the target is a set of the same store, the store's engine has transactions over
   * rows, and the three sets have at most 16,384 elements together. Listeners then see each removed
   * and added element. Otherwise the target is cleared, then filled in batches: during the call,
   * and after an exception, it holds a part. Inside a transaction of the store it joins that
   * transaction, however many elements there are; the changes are in memory until the commit.
   *
   * @return how many elements there are
   * @throws IllegalArgumentException if the target is one of the two sets; nothing is changed
   */
  public long storeUnionInto(Set<E> target, Set<? extends E> other) {
    return store(() -> union(other), target, other);
  }

  /**
   * Replaces the content of {@code target} with the {@link #difference}; see {@link
   * #storeUnionInto}.
   */
  public long storeDifferenceInto(Set<E> target, Set<?> other) {
    return store(() -> difference(other), target, other);
  }

  @SuppressWarnings("ReferenceEquality") // the set itself, not one with equal elements
  private long store(Supplier<Stream<? extends E>> elements, Set<E> target, Set<?> other) {
    if (target == other || isOn(target, this) || isOn(target, other)) {
      throw new IllegalArgumentException(
          "The target is one of the two sets; use retainAll, addAll or removeAll of "
              + space
              + ".");
    }
    return storeAtOnce(elements, target, other)
        .orElseGet(
            () -> {
              target.clear();
              return fill(target, elements.get().iterator());
            });
  }

  private Optional<Long> storeAtOnce(
      Supplier<Stream<? extends E>> elements, Set<E> target, Set<?> other) {
    if (!(target instanceof ElementSet<E, ?> stored && space.isInSameStoreAs(stored.space))) {
      return Optional.empty();
    }
    return space.atomicallyIfFew(
        () -> count() + stored.count() + other.size(),
        () -> {
          stored.removeEach();
          return fill(target, elements.get().iterator());
        });
  }

  /** Removes the elements one by one, because a transaction rejects {@code clear}. */
  private void removeEach() {
    Iterator<RowRecord> walk =
        reads.walk(false, record -> record, record -> writes.removeRecord(record.sortKey()));
    while (walk.hasNext()) {
      walk.next();
      walk.remove();
    }
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

  /** Notifies {@code listener} of changes until the registration is closed. */
  public Registration addListener(ElementListener<? super E> listener) {
    Objects.requireNonNull(listener, "listener");
    return writes.listeners().add(ElementListener.ofEntries(listener));
  }
}
