package io.rockpool.structure;

import io.rockpool.engine.Direction;
import io.rockpool.engine.Expiry;
import io.rockpool.engine.RowRecord;
import io.rockpool.internal.format.ScoredSetFormat;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/**
 * A {@link Set} on disk whose elements have scores and are ordered by them: Redis' sorted set,
 * nemo's ZSet. Thread-safe. Elements of the same score are in the order of their encoded bytes.
 *
 * <p><b>Scores</b> are all doubles but NaN, which is refused; the infinities are the lowest and the
 * highest, and -0.0 is 0.0.
 *
 * <p><b>Elements</b> go in and come out by value: to change an instance that was added, or that was
 * returned, changes nothing in the set. Two are equal if they encode to equal bytes; where that is
 * not what their {@code equals} says, the set follows the bytes. An object of another class is no
 * element: to ask for it, or to remove it, is no error. Nulls are refused by name.
 *
 * <p><b>Atomicity.</b> Each operation on one element is atomic, and so is every one that does not
 * say otherwise; all are seen by every later read. Operations on many elements are atomic for
 * batches of 1,024, {@code retainAll} and {@code removeIf} for each element. All elements lie in
 * one row: writes of one set come one after the other.
 *
 * <p><b>Durability.</b> An operation that has returned survives {@code kill -9}; what it survives
 * of a power loss is the {@link io.rockpool.engine.Durability} the set was opened with, or what
 * {@link io.rockpool.Rockpool#withDurability} says around it.
 *
 * <p><b>Ranks.</b> A set keeps an index of ranks unless it was created with {@link
 * StructureOptions#ranked} off. With it, ranks, positions and counts cost O(log n), and wait for
 * writes that are in progress; a write costs a read and a write more for each of two or three
 * levels, about as much again as without. Without it, they look at each element before the one that
 * is asked for.
 *
 * <p><b>Expiry.</b> Each element may have a time to live of its own. {@link #add(Object, double)}
 * starts it anew, with the {@link StructureOptions#entryTtl} of the set; what changes the score of
 * an element that is there (a condition, {@link #incrementScore}) leaves its expiry as it is. From
 * the instant of its expiry on an element is never seen, and neither counted nor ranked. Its disk
 * is given back when the set is next changed, counted or asked for a rank, each of which first
 * removes what has expired; or within a minute or so while the store is open.
 *
 * <p><b>Iteration</b>, by iterators and streams, is in order and weakly consistent: it shows every
 * element that keeps its score all the time once, and may or may not show what is added, moved or
 * removed meanwhile; an element whose score rises may come twice. It holds nothing open and a
 * bounded number of elements in memory.
 *
 * @param <E> the type of elements
 */
public final class PersistentScoredSet<E> extends ScoredView<E>
    implements ScoredSetView<E>, PersistentStructure {
  /** What became of an element that was to be added. */
  public enum Added {
    /** It was not there and is now. */
    ADDED,
    /** It was there and has another score now. */
    UPDATED,
    /** It is as it was: the condition was not met, or the score is the same. */
    UNCHANGED
  }

  private final EntryCodec<E, Double> codec;
  private final StructureSpace space;
  private final ScoredWrites<E> writes;
  private final boolean ranked;

  private PersistentScoredSet(ScoredReads<E> reads, ScoredWrites<E> writes, boolean ranked) {
    super(reads, new RankedReads<>(reads, writes, ranked));
    this.codec = reads.codec();
    this.space = codec.space();
    this.writes = writes;
    this.ranked = ranked;
  }

  static <E> PersistentScoredSet<E> of(EntryCodec<E, Double> codec, byte[] row, boolean ranked) {
    StructureSpace space = codec.space();
    return new PersistentScoredSet<>(
        new ScoredReads<>(codec, row, space::use, space.clock()),
        new ScoredWrites<>(codec, row, ranked),
        ranked);
  }

  @Override
  public String name() {
    return space.name();
  }

  @Override
  public boolean isClosed() {
    return space.isClosed();
  }

  /** Whether the set keeps an index of ranks, as was chosen when it was created. */
  public boolean isRanked() {
    return ranked;
  }

  /** Adds an element with the score 0 if it is not there; if it is, it stays as it is. */
  @Override
  public boolean add(E element) {
    Member member = new Member(0, space.defaultExpiryMillis());
    return writes.change(element, before -> before == null ? member : null).before() == null;
  }

  /**
   * Gives an element a score, and the set's time to live.
   *
   * @return whether the element was not there
   */
  public boolean add(E element, double score) {
    return put(element, score, space.defaultExpiryMillis());
  }

  /**
   * Gives an element a score, and lets it live for {@code ttl} from now on; zero or less removes
   * it.
   *
   * @return whether the element was not there
   */
  public boolean add(E element, double score, Duration ttl) {
    return put(element, score, space.expiryMillis(ttl));
  }

  private boolean put(E element, double score, long expiryMillis) {
    Member member = new Member(Scores.check(score, "score"), expiryMillis);
    return writes.change(element, before -> member).before() == null;
  }

  /** Gives an element a score if a condition is met, and leaves the expiry of what is there. */
  public Added add(E element, double score, ScoreCondition condition) {
    Objects.requireNonNull(condition, "condition");
    Member added = new Member(Scores.check(score, "score"), space.defaultExpiryMillis());
    ScoredWrites.Change change =
        writes.change(
            element,
            before -> {
              if (!condition.allows(before == null ? null : before.score(), added.score())) {
                return null;
              }
              return before == null ? added : before.withScore(added.score());
            });
    if (!change.isOfScore()) {
      return Added.UNCHANGED;
    }
    return change.before() == null ? Added.ADDED : Added.UPDATED;
  }

  /**
   * Gives each element its score, as {@link #add(Object, double)} does, in batches of up to 1,024
   * elements, one write for each. Where it throws, some may have been added.
   */
  public void addAll(Map<? extends E, Double> scores) {
    writes.addAll(scores);
  }

  /**
   * Adds each element as {@link #add(Object)} does, in batches of up to 1,024 elements, one write
   * for each. Where it throws, some may have been added.
   */
  @Override
  public boolean addAll(Collection<? extends E> elements) {
    return writes.addAllAbsent(elements) > 0;
  }

  /**
   * Adds to the score of an element, or to 0 if it is not there, and leaves the expiry of what is.
   *
   * @return the score it has now
   * @throws ArithmeticException if that would be no number, the sum of both infinities; nothing is
   *     changed
   */
  public double incrementScore(E element, double by) {
    double delta = Scores.check(by, "by");
    Member added = new Member(delta, space.defaultExpiryMillis());
    ScoredWrites.Change change =
        writes.change(
            element, before -> before == null ? added : before.withScore(sum(before, delta)));
    return Objects.requireNonNull(change.after()).score();
  }

  private static double sum(Member member, double by) {
    double sum = member.score() + by;
    if (Double.isNaN(sum)) {
      throw new ArithmeticException(
          "The score " + member.score() + " cannot be incremented by " + by + ": there is no sum.");
    }
    return sum + 0.0;
  }

  @Override
  public boolean remove(Object element) {
    return writes.remove(element);
  }

  /** Removes each element, in batches as {@link #addAll(Collection)} adds them. */
  @Override
  public boolean removeAll(Collection<?> elements) {
    return writes.removeAll(elements) > 0;
  }

  @Override
  void removePlace(RowRecord place) {
    writes.removeBytes(ScoredSetFormat.element(place.sortKey()));
  }

  /** Removes the element of the lowest score and returns it; empty if there is none. */
  public Optional<ScoredElement<E>> popMin() {
    return popMin(1).stream().findFirst();
  }

  /** Removes the element of the highest score and returns it; empty if there is none. */
  public Optional<ScoredElement<E>> popMax() {
    return popMax(1).stream().findFirst();
  }

  /**
   * Removes up to {@code count} elements of the lowest scores and returns them, lowest first.
   *
   * @throws IllegalArgumentException if {@code count} is negative
   */
  public List<ScoredElement<E>> popMin(int count) {
    return writes.pop(Direction.FORWARD, count);
  }

  /**
   * Removes up to {@code count} elements of the highest scores and returns them, highest first.
   *
   * @throws IllegalArgumentException if {@code count} is negative
   */
  public List<ScoredElement<E>> popMax(int count) {
    return writes.pop(Direction.BACKWARD, count);
  }

  /** Removes the elements with scores in a range; returns how many there were. */
  public long removeRange(ScoreRange range) {
    return writes.removeRange(range.places());
  }

  /**
   * Removes the elements whose rank is {@code from} or more and below {@code to}. With ranks, each
   * batch is found and removed at once; without, the first is found before, by a scan.
   *
   * @return how many there were
   */
  public long removeRangeByRank(long from, long to) {
    RankedReads.checkRanks(from, to);
    if (ranked) {
      return writes.removeFromRank(from, to - from);
    }
    return atRank(from).map(first -> writes.removeFrom(place(first), to - from)).orElse(0L);
  }

  private byte[] place(ScoredElement<E> element) {
    return ScoredSetFormat.placeKey(element.score(), codec.key(element.element()));
  }

  /**
   * Replaces what is in this set by the union of others: every element that is in one of them at
   * least. Atomic, as one transaction, if the store's engine has such transactions, and all the
   * sets, this included, have no more than 16,384 elements together; listeners are then told of
   * each element that is removed and added. Else this set is cleared, then filled in batches, and
   * memory does not grow with the sets. Inside a transaction it is a part of that, however many
   * elements there are. What a set in another store holds is no part of the transaction.
   *
   * @param sources the sets, none of them this
   * @param aggregate what becomes of an element's scores, each multiplied by its set's weight
   * @return how many elements there are now
   * @throws IllegalArgumentException if a source is this set; nothing is changed
   */
  public long setToUnion(List<WeightedSet<E>> sources, ScoreAggregate aggregate) {
    return replace(combination(sources, aggregate), ScoredCombination::union);
  }

  /** As {@link #setToUnion}, with the elements that are in all the sets. */
  public long setToIntersection(List<WeightedSet<E>> sources, ScoreAggregate aggregate) {
    return replace(combination(sources, aggregate), ScoredCombination::intersection);
  }

  /**
   * As {@link #setToUnion}, with the elements of {@code from} that are in none of the others; each
   * keeps its score.
   */
  public long setToDifference(ScoredSetView<E> from, List<? extends ScoredSetView<E>> others) {
    List<WeightedSet<E>> sources = new ArrayList<>();
    sources.add(WeightedSet.of(from));
    others.forEach(other -> sources.add(WeightedSet.of(other)));
    return replace(combination(sources, ScoreAggregate.SUM), ScoredCombination::difference);
  }

  private ScoredCombination<E> combination(List<WeightedSet<E>> sources, ScoreAggregate aggregate) {
    return new ScoredCombination<>(sources, Objects.requireNonNull(aggregate, "aggregate"), this);
  }

  private long replace(
      ScoredCombination<E> combination, Consumer<ScoredCombination<E>> addCombined) {
    return space
        .atomicallyIfFew(
            () -> elementCount() + combination.sourceElements(),
            () -> {
              removeRange(ScoreRange.all());
              addCombined.accept(combination);
              return elementCount();
            })
        .orElseGet(
            () -> {
              clear();
              addCombined.accept(combination);
              return elementCount();
            });
  }

  /** Lets an element live until {@code when}; what is past removes it. Says whether it is there. */
  public boolean expireAt(E element, Instant when) {
    return expire(element, space.expiryMillis(when));
  }

  /** Lets an element live for {@code ttl} from now on; zero or less removes it. */
  public boolean expireAfter(E element, Duration ttl) {
    return expire(element, space.expiryMillis(ttl));
  }

  /** Lets an element live for ever. Says whether it is there. */
  public boolean persist(E element) {
    return expire(element, Expiry.NEVER);
  }

  private boolean expire(E element, long expiryMillis) {
    return writes
            .change(element, before -> before == null ? null : before.withExpiry(expiryMillis))
            .before()
        != null;
  }

  /** How much longer an element lives; {@link #FOREVER}, or empty if there is none. */
  public Optional<Duration> ttl(E element) {
    Member member = reads().member(element);
    return member == null ? Optional.empty() : Optional.of(space.ttl(member.expiryMillis()));
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
   * The set as it is now, unchanging and for reading only. O(1), and removes what has expired
   * before; an element that expires while it is taken may be seen in it.
   *
   * @return it; to be closed
   * @throws UnsupportedOperationException if the store's engine has no snapshots
   */
  public Snapshot<ScoredSetView<E>> snapshot() {
    writes.sweep();
    return new Snapshot<>(
        space.use().snapshot(), taken -> ScoredSnapshot.of(codec, reads().row(), taken, ranked));
  }

  /**
   * Lets {@code listener} be told of changes of scores from now on, until the registration is
   * closed.
   */
  public Registration addListener(EntryListener<? super E, ? super Double> listener) {
    return writes.listeners().add(listener);
  }
}
