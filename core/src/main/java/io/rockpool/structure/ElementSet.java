package io.rockpool.structure;

import io.rockpool.engine.Expiry;
import io.rockpool.engine.Limits;
import io.rockpool.engine.RowRecord;
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
 * What sets have in common, whether their elements have an order or not: an element is the key of
 * an entry, and each has the same value. Without that value it is the keys of a map, to which
 * nothing can be added.
 */
abstract class ElementSet<E, V> extends KeyView<E, V> implements PersistentStructure {
  private final EntryCodec<E, V> codec;
  private final StructureSpace space;
  private final EntryReads<E, V> reads;
  private final EntryWrites<E, V> writes;
  private final @Nullable V added;

  ElementSet(EntryReads<E, V> reads, EntryWrites<E, V> writes, @Nullable V added) {
    super(reads, writes);
    this.codec = reads.codec();
    this.space = codec.space();
    this.reads = reads;
    this.writes = writes;
    this.added = added;
  }

  /** The space of the set, for what is read of it as a whole. */
  StructureSpace space() {
    return space;
  }

  @Override
  public String name() {
    return space.name();
  }

  @Override
  public boolean isClosed() {
    return space.isClosed();
  }

  /** What is put for an element that is added. */
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
   * Adds an element that lives for {@code ttl} from now on, or lets one that is there live so; zero
   * or less removes it. Says whether it was added.
   */
  public boolean add(E element, Duration ttl) {
    long expiryMillis = space.expiryMillis(ttl);
    return writes.put(element, added(), expiryMillis) == null && expiryMillis > 0;
  }

  /**
   * Adds every element, in batches of up to {@link io.rockpool.engine.Limits#MAX_BATCH_BYTES}
   * bytes, one write for each row in a batch. Where it throws, some may have been added.
   */
  @Override
  public boolean addAll(Collection<? extends E> elements) {
    return writes.putAllAbsent(elements.iterator(), added()) > 0;
  }

  /** Removes every element, in batches as {@link #addAll} adds them. */
  @Override
  public boolean removeAll(Collection<?> elements) {
    return writes.removeAll(elements) > 0;
  }

  /** Lets an element live until {@code when}; what is past removes it. Says if it was there. */
  public boolean expireAt(E element, Instant when) {
    return writes.expire(element, space.expiryMillis(when));
  }

  /**
   * Lets an element live for {@code ttl} from now on; zero or less removes it. Says if it was
   * there.
   */
  public boolean expireAfter(E element, Duration ttl) {
    return writes.expire(element, space.expiryMillis(ttl));
  }

  /** Lets an element live for ever. Says if it is there. */
  public boolean persist(E element) {
    return writes.expire(element, Expiry.NEVER);
  }

  /** How much longer an element lives; {@link #FOREVER}, or empty if it is not there. */
  public Optional<Duration> ttl(E element) {
    return reads.ttl(element);
  }

  /**
   * An element at random, or null if there is none. Of some thousands each is as likely as any; of
   * more, one whose bytes lie far behind those of the one before comes more often. At most some
   * hundred steps of a scan.
   */
  public @Nullable E randomElement() {
    byte[] key = reads.randomKey();
    return key == null ? null : codec.decodeKey(key);
  }

  /**
   * Removes an element, at random as {@link #randomElement} picks it; null if there is none. Of two
   * that pop at the same time, each gets another.
   */
  public @Nullable E pop() {
    while (true) {
      byte[] key = reads.randomKey();
      if (key == null) {
        return null;
      }
      if (writes.removeRecord(key) != null) {
        return codec.decodeKey(key);
      }
    }
  }

  /** The elements that {@code other} contains, too. Lazy; one look into a set for each. */
  public Stream<E> intersection(Set<E> other) {
    boolean isSmaller = size() <= other.size();
    return isSmaller ? stream().filter(other::contains) : other.stream().filter(this::contains);
  }

  /** The elements of both, each once. Lazy; one look into this set for each of the other. */
  public Stream<E> union(Set<? extends E> other) {
    return Stream.concat(stream(), other.stream().filter(element -> !contains(element)));
  }

  /** The elements that {@code other} does not contain. Lazy; one look into the other for each. */
  public Stream<E> difference(Set<?> other) {
    return stream().filter(element -> !other.contains(element));
  }

  /**
   * Replaces what is in {@code target} by the {@link #intersection}; see {@link #storeUnionInto}.
   */
  public long storeIntersectionInto(Set<E> target, Set<E> other) {
    return store(() -> intersection(other), target, other);
  }

  /**
   * Replaces what is in {@code target} by the {@link #union}. Atomic, as one transaction, if the
   * target is a set of the same store, the store's engine has such transactions, and the three sets
   * have no more than 16,384 elements together; listeners are then told of each element that is
   * removed and added. Else the target is cleared, then filled in batches: meanwhile, and after an
   * exception, it holds a part. Inside a transaction of the store it is a part of that, however
   * many elements there are; the changes are held in memory until the commit.
   *
   * @return how many elements there are
   * @throws IllegalArgumentException if the target is one of the two; it is left as it is
   */
  public long storeUnionInto(Set<E> target, Set<? extends E> other) {
    return store(() -> union(other), target, other);
  }

  /** Replaces what is in {@code target} by the {@link #difference}; see {@link #storeUnionInto}. */
  public long storeDifferenceInto(Set<E> target, Set<?> other) {
    return store(() -> difference(other), target, other);
  }

  @SuppressWarnings("ReferenceEquality") // the very same set, not one with equal elements
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

  /** Removes all elements, one by one: in a transaction nothing is cleared. */
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

  /** Whether both are of one structure: the whole, or a view of a part. */
  private static boolean isOn(Set<?> a, Set<?> b) {
    return a instanceof ElementSet<?, ?> one
        && b instanceof ElementSet<?, ?> other
        && one.space == other.space;
  }

  /** How many elements there are, or {@link Integer#MAX_VALUE} if they are more. */
  @Override
  public int size() {
    return super.size();
  }

  /**
   * How many elements there are. O(1): one read for each row. May include elements that have
   * expired and are not yet swept.
   */
  public long elementCount() {
    return reads.count();
  }

  @Override
  public void expireAt(Instant when) {
    space.expireAt(when);
  }

  @Override
  public void expireAfter(Duration ttl) {
    space.expireAfter(ttl);
  }

  @Override
  public void persist() {
    space.persist();
  }

  @Override
  public Duration ttl() {
    return space.ttl();
  }

  /** Lets {@code listener} be told of changes from now on, until the registration is closed. */
  public Registration addListener(ElementListener<? super E> listener) {
    Objects.requireNonNull(listener, "listener");
    return writes.listeners().add(ElementListener.ofEntries(listener));
  }
}
