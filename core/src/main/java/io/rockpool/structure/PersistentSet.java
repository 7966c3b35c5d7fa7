package io.rockpool.structure;

import io.rockpool.engine.Expiry;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.Collections;
import java.util.Iterator;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A {@link Set} that lives on disk and survives the death of its process. Thread-safe.
 *
 * <p>What is said of keys in {@link PersistentMap} holds for elements here: they go in and come out
 * by value, are equal if they encode to equal bytes, and are never null; each operation on one is
 * atomic; iteration is weakly consistent, and holds nothing open. To add an element that is there
 * leaves it as it is, its expiry too.
 *
 * <p><b>Cost.</b> A contains is one read, without a lock. To add or remove is one read and one
 * write. {@link #size} is one read for each of the rows that the set is spread over, {@link #clear}
 * one write, however many elements there are.
 *
 * @param <E> the type of elements
 */
public final class PersistentSet<E> extends LiveSet<E> implements PersistentStructure {
  private final EntryCodec<E, Present> codec;
  private final StructureSpace space;
  private final EntryReads<E, Present> reads;
  private final EntryWrites<E, Present> writes;

  PersistentSet(EntryCodec<E, Present> codec, Records records) {
    this(codec, EntryReads.live(codec, records.buckets()), new EntryWrites<>(codec, records));
  }

  private PersistentSet(
      EntryCodec<E, Present> codec, EntryReads<E, Present> reads, EntryWrites<E, Present> writes) {
    this.codec = codec;
    this.space = codec.space();
    this.reads = reads;
    this.writes = writes;
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
  public boolean contains(Object element) {
    return reads.contains(element);
  }

  @Override
  public boolean add(E element) {
    return writes.putIfAbsent(element, Present.HERE) == null;
  }

  /**
   * Adds an element that lives for {@code ttl} from now on, or lets one that is there live so; zero
   * or less removes it. Says whether it was added.
   */
  public boolean add(E element, Duration ttl) {
    long expiryMillis = space.expiryMillis(ttl);
    return writes.put(element, Present.HERE, expiryMillis) == null && expiryMillis > 0;
  }

  @Override
  public boolean remove(Object element) {
    return writes.remove(element) != null;
  }

  /**
   * Adds every element, in batches of up to {@link io.rockpool.engine.Limits#MAX_BATCH_BYTES}
   * bytes, one write for each row in a batch. Where it throws, some may have been added.
   */
  @Override
  public boolean addAll(Collection<? extends E> elements) {
    return writes.putAllAbsent(elements.iterator(), Present.HERE) > 0;
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
   * Empties {@code target} and fills it with the {@link #intersection}; see {@link
   * #storeUnionInto}.
   */
  public long storeIntersectionInto(PersistentSet<E> target, Set<E> other) {
    return store(intersection(other), target, other);
  }

  /**
   * Empties {@code target} and fills it with the {@link #union}, in batches. Not atomic: meanwhile,
   * and after an exception, it holds a part.
   *
   * @return how many elements there are
   * @throws IllegalArgumentException if the target is one of the two; it is left as it is
   */
  public long storeUnionInto(PersistentSet<E> target, Set<? extends E> other) {
    return store(union(other), target, other);
  }

  /**
   * Empties {@code target} and fills it with the {@link #difference}; see {@link #storeUnionInto}.
   */
  public long storeDifferenceInto(PersistentSet<E> target, Set<?> other) {
    return store(difference(other), target, other);
  }

  @SuppressWarnings("ReferenceEquality") // the very same set, not one with equal elements
  private long store(Stream<? extends E> elements, PersistentSet<E> target, Set<?> other) {
    if (target.isOn(space) || (other instanceof PersistentSet<?> set && target.isOn(set.space))) {
      throw new IllegalArgumentException(
          "The target "
              + target.space
              + " is one of the two sets; use retainAll, addAll or removeAll.");
    }
    target.clear();
    return target.writes.putAllAbsent(elements.iterator(), Present.HERE);
  }

  private boolean isOn(StructureSpace other) {
    return space == other;
  }

  @Override
  public Iterator<E> iterator() {
    return reads.walk(
        false,
        record -> codec.decodeKey(record.sortKey()),
        record -> writes.removeRecord(record.sortKey()));
  }

  /** How many elements there are, or {@link Integer#MAX_VALUE} if they are more. */
  @Override
  public int size() {
    return super.size();
  }

  @Override
  long count() {
    return reads.count();
  }

  /**
   * How many elements there are. O(1): one read for each row. May include elements that have
   * expired and are not yet swept.
   */
  public long elementCount() {
    return reads.count();
  }

  /** Whether there is no element; not mistaken by expired ones. */
  @Override
  public boolean isEmpty() {
    return reads.isEmpty();
  }

  @Override
  public void clear() {
    writes.clear();
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

  /**
   * The set as it is now, unchanging and for reading only. O(1).
   *
   * @return it; to be closed
   * @throws UnsupportedOperationException if the store's engine has no snapshots
   */
  public Snapshot<Set<E>> snapshot() {
    return new Snapshot<>(
        space.use().snapshot(),
        taken -> Collections.unmodifiableSet(new PersistentSet<>(codec, reads.of(taken), writes)));
  }

  /** Lets {@code listener} be told of changes from now on, until the registration is closed. */
  public Registration addListener(ElementListener<? super E> listener) {
    Objects.requireNonNull(listener, "listener");
    return writes.listeners().add(ElementListener.ofEntries(listener));
  }
}
