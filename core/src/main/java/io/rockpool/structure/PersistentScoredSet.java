package io.rockpool.structure;

import io.rockpool.engine.Direction;
import io.rockpool.engine.Expiry;
import io.rockpool.engine.RowRecord;
import io.rockpool.engine.SortRange;
import io.rockpool.internal.format.ScoredSetFormat;
import io.rockpool.store.Registration;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A persistent {@link Set} whose elements have scores and are ordered by them, like a sorted set of
 * Redis or a ZSet of nemo. Elements of equal score are in the order of their encoded bytes.
 * Thread-safe.
 *
 * <pre>{@code
 * PersistentScoredSet<String> board = pool.scoredSet("game/board", String.class);
 * board.incrementScore("ann", 120);
 * board.add("bob", 80, ScoreCondition.GREATER); // keeps the best score
 * List<ScoredElement<String>> best = board.last(10); // ann, bob
 * long place = board.reverseRank("bob").orElse(-1); // 1; the best has 0
 * }</pre>
 *
 * <p><b>Scores</b> are all doubles except NaN, which is rejected. The infinities are the lowest and
 * highest scores; -0.0 becomes 0.0.
 *
 * <p><b>Elements</b> are copied on the way in and out: later changes to an instance do not change
 * the set. Two elements are equal if their encoded bytes are equal, even if {@code equals}
 * disagrees. Looking up or removing an object of another class finds nothing and throws nothing.
 * Null is rejected with a message that names the argument.
 *
 * <p><b>Cost.</b> A score is one read without a lock. The first or last element is one seek. {@link
 * #clear} is one write. A set keeps a rank index unless it was created with {@link
 * StructureOptions#ranked} off. With the index, ranks, positions and counts cost O(log n) and wait
 * for writes in progress. A write then costs one more read and write for each of two or three
 * levels, about twice as much as without the index. Without it, these reads scan every element
 * before the requested one.
 *
 * <p><b>Atomicity.</b> Every operation is atomic unless it says otherwise, and every later read
 * sees it. Operations on many elements are atomic per batch of 1,024. All elements are in one row,
 * so writes of one set do not run concurrently.
 *
 * <p><b>Durability.</b> A completed operation survives {@code kill -9}. Its {@link
 * io.rockpool.store.Durability} says whether it survives a power loss: the level of the set, or of
 * {@link io.rockpool.Rockpool#withDurability} around the call.
 *
 * <p><b>Transactions.</b> Operations of the calling thread join {@link
 * io.rockpool.Rockpool#atomically}, bulk operations and iterations as well. The set is one row, so
 * no other thread changes it between the first read or change in the transaction and the commit.
 * {@link #setToUnion} and similar methods are atomic there, however many elements there are. {@link
 * #clear}, {@link #clearAt}, {@link #clearAfter}, {@link #cancelClear} and {@link #snapshot} throw
 * {@link IllegalStateException} there and change nothing. {@link #clearsIn} works, but does not
 * join. {@link #removeRange} of all scores joins. Listeners are notified after the commit.
 *
 * <p><b>Waiting.</b> {@link #pollFirst(Duration)} and the other methods with a timeout wait for
 * elements that other threads add, also of other processes that share the store. Inside a
 * transaction they throw {@link IllegalStateException}.
 *
 * <p><b>Expiry.</b> Each element can have its own time to live. {@link #add(Object, double)} starts
 * it, with the {@link StructureOptions#entryTtl} of the set. Changing the score of an existing
 * element with a condition or {@link #incrementScore} keeps its expiry. An expired element is never
 * returned, counted or ranked. The next change, count or rank of the set removes expired elements
 * from disk first; otherwise the store removes them within about a minute.
 *
 * <p><b>Iteration</b>, by iterators and streams, is in order and weakly consistent. It returns
 * every element that keeps its score throughout once, and may or may not reflect concurrent
 * changes. An element whose score rises may be returned twice. It holds no native resources and a
 * bounded number of elements in memory.
 *
 * <p><b>Errors.</b> {@link PersistentStructure} documents the exceptions of all structures. An
 * element that can no longer be decoded stays in the set, and reads that would return it throw
 * {@link io.rockpool.error.UndecodableValueException}.
 *
 * @param <E> the type of elements
 */
public final class PersistentScoredSet<E> extends StoredCombinations<E>
    implements ScoredSetView<E>, PersistentStructure {
  /** The effect of a conditional add. */
  public enum Added {
    /** The element is new. */
    ADDED,
    /** The element was present and has a new score. */
    UPDATED,
    /** Nothing changed: the condition failed, or the score is the same. */
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

  StructureSpace space() {
    return space;
  }

  /** Whether the set keeps a rank index, as chosen when it was created. */
  public boolean isRanked() {
    return ranked;
  }

  /** Adds an absent element with the score 0. A present element does not change. */
  @Override
  public boolean add(E element) {
    Member member = new Member(0, space.defaultExpiryMillis());
    return writes.change(element, before -> before == null ? member : null).before() == null;
  }

  /**
   * Sets the score of an element, and the set's default time to live. Adds the element if it is
   * absent. To add only an absent element, or only a higher score, give a {@link ScoreCondition}.
   *
   * @return whether the element was absent
   */
  public boolean add(E element, double score) {
    return put(element, score, space.defaultExpiryMillis());
  }

  /**
   * Sets the score of an element, which expires after {@code ttl}; zero or less removes it. Adds
   * the element if it is absent.
   *
   * @return whether the element was absent
   */
  public boolean add(E element, double score, Duration ttl) {
    return put(element, score, space.expiryMillis(ttl));
  }

  private boolean put(E element, double score, long expiryMillis) {
    Member member = new Member(Scores.check(score, "score"), expiryMillis);
    return writes.change(element, before -> member).before() == null;
  }

  /** Sets the score of an element if a condition holds. Keeps the expiry of a present element. */
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
   * Sets the score of each element like {@link #add(Object, double)}, in batches of up to 1,024
   * elements with one write each. If it throws, some elements may have been added.
   */
  @Override
  public void addScores(Map<? extends E, Double> scores) {
    writes.addScores(scores);
  }

  /**
   * Adds each element like {@link #add(Object)}, in batches of up to 1,024 elements with one write
   * each. If it throws, some elements may have been added.
   */
  @Override
  public boolean addAll(Collection<? extends E> elements) {
    return writes.addAllAbsent(elements) > 0;
  }

  /**
   * Adds to the score of an element, or to 0 if it is absent (Redis: {@code ZINCRBY}). Keeps the
   * expiry of a present element.
   *
   * @return the new score
   * @throws ArithmeticException if the sum is NaN, as for infinities of both signs; nothing is
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

  /**
   * Adds to the score of an element, or to 0 if it is absent, if a condition holds for the sum
   * (Redis: {@code ZADD} with {@code INCR}): {@code board.incrementScore("ann", 5,
   * ScoreCondition.PRESENT)} counts only for those who play. Atomic. Keeps the expiry of a present
   * element; an expired one is absent. Costs as much as {@link #incrementScore(Object, double)}.
   *
   * @return the new score; empty if the condition failed and nothing is changed
   * @throws ArithmeticException if the sum is NaN; nothing is changed
   */
  public OptionalDouble incrementScore(E element, double by, ScoreCondition condition) {
    Objects.requireNonNull(condition, "condition");
    double delta = Scores.check(by, "by");
    Member added = new Member(delta, space.defaultExpiryMillis());
    AtomicReference<@Nullable Double> sum = new AtomicReference<>();
    writes.change(
        element,
        before -> {
          Member after = before == null ? added : before.withScore(sum(before, delta));
          Double old = before == null ? null : before.score();
          boolean allowed = condition.allows(old, after.score());
          sum.set(allowed ? after.score() : null);
          return allowed ? after : null;
        });
    Double score = sum.get();
    return score == null ? OptionalDouble.empty() : OptionalDouble.of(score);
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

  /** Removes each element, in batches like {@link #addAll(Collection)}. */
  @Override
  public boolean removeAll(Collection<?> elements) {
    return writes.removeAll(elements) > 0;
  }

  /** Tests each element without a lock, and removes in batches like {@link #removeAll}. */
  @Override
  public boolean removeIf(Predicate<? super E> filter) {
    return writes.removeIf(reads(), filter);
  }

  /** Removes every other element, in batches like {@link #removeAll}. */
  @Override
  public boolean retainAll(Collection<?> elements) {
    Objects.requireNonNull(elements, "elements");
    return removeIf(codec.isOutside(elements));
  }

  @Override
  void removePlace(RowRecord place) {
    writes.removeBytes(ScoredSetFormat.element(place.sortKey()));
  }

  /**
   * Removes and returns the element with the lowest score (Redis: {@code ZPOPMIN}); null if the set
   * is empty.
   */
  public @Nullable ScoredElement<E> pollFirst() {
    return writes.poll(Direction.FORWARD);
  }

  /**
   * Removes and returns the element with the highest score (Redis: {@code ZPOPMAX}); null if the
   * set is empty.
   */
  public @Nullable ScoredElement<E> pollLast() {
    return writes.poll(Direction.BACKWARD);
  }

  /**
   * Removes and returns up to {@code count} elements with the lowest scores, lowest first. The list
   * is empty if the set is.
   *
   * @throws IllegalArgumentException if {@code count} is negative
   */
  public List<ScoredElement<E>> pollFirst(int count) {
    return writes.poll(Direction.FORWARD, count);
  }

  /**
   * Removes and returns up to {@code count} elements with the highest scores, highest first. The
   * list is empty if the set is.
   *
   * @throws IllegalArgumentException if {@code count} is negative
   */
  public List<ScoredElement<E>> pollLast(int count) {
    return writes.poll(Direction.BACKWARD, count);
  }

  /**
   * Like {@link #pollFirst()}, but waits for an element (Redis: {@code BZPOPMIN}): {@code
   * due.pollFirst(ofSeconds(30))} is the next task. Threads that wait are woken by each commit that
   * adds an element, longest waiting first.
   *
   * @return the element; null if there was none until the timeout
   * @throws IllegalStateException also inside a transaction, and if the set is closed, dropped or
   *     reset during the wait; nothing is changed
   * @throws InterruptedException if the thread is interrupted, also on entry
   */
  public @Nullable ScoredElement<E> pollFirst(Duration timeout) throws InterruptedException {
    return writes.take(Direction.FORWARD, timeout);
  }

  /** Like {@link #pollFirst(Duration)}, with the highest score (Redis: {@code BZPOPMAX}). */
  public @Nullable ScoredElement<E> pollLast(Duration timeout) throws InterruptedException {
    return writes.take(Direction.BACKWARD, timeout);
  }

  /**
   * Removes and returns up to {@code count} elements with the lowest scores of the first set that
   * has any (Redis: {@code ZMPOP}). Asks one set after the other, each as {@link #pollFirst(int)}
   * does. Never returns an expired element.
   *
   * @return the elements and their set; empty if all sets are empty, or {@code count} is 0
   * @throws IllegalArgumentException if {@code count} is negative
   */
  public static <E> Optional<Polled<PersistentScoredSet<E>, ScoredElement<E>>> pollFirstOf(
      List<PersistentScoredSet<E>> sets, int count) {
    return pollOf(sets, Direction.FORWARD, count).now();
  }

  /** Like {@link #pollFirstOf(List, int)}, with the highest scores. */
  public static <E> Optional<Polled<PersistentScoredSet<E>, ScoredElement<E>>> pollLastOf(
      List<PersistentScoredSet<E>> sets, int count) {
    return pollOf(sets, Direction.BACKWARD, count).now();
  }

  /**
   * Like {@link #pollFirstOf(List, int)}, but waits until one of the sets has an element (Redis:
   * {@code BZMPOP}), as in {@code PersistentScoredSet.pollFirstOf(List.of(urgent, normal), 1,
   * ofSeconds(30))}. The sets may be in several stores. A thread that waits in this way is woken by
   * each addition to one of them, and may find that another thread was faster.
   *
   * @return the elements and their set; empty if there was none until the timeout
   * @throws IllegalArgumentException if {@code count} is negative
   * @throws IllegalStateException also inside a transaction; nothing is changed
   */
  public static <E> Optional<Polled<PersistentScoredSet<E>, ScoredElement<E>>> pollFirstOf(
      List<PersistentScoredSet<E>> sets, int count, Duration timeout) throws InterruptedException {
    return pollOf(sets, Direction.FORWARD, count).await(timeout);
  }

  /** Like {@link #pollFirstOf(List, int, Duration)}, with the highest scores. */
  public static <E> Optional<Polled<PersistentScoredSet<E>, ScoredElement<E>>> pollLastOf(
      List<PersistentScoredSet<E>> sets, int count, Duration timeout) throws InterruptedException {
    return pollOf(sets, Direction.BACKWARD, count).await(timeout);
  }

  private static <E> PollOfSeveral<PersistentScoredSet<E>, ScoredElement<E>> pollOf(
      List<PersistentScoredSet<E>> sets, Direction direction, int count) {
    return new PollOfSeveral<>(
        sets,
        set -> set.writes.poll(direction, count),
        set -> set.space,
        set -> set.writes.takers());
  }

  /**
   * Removes the elements with scores in a range, in its direction up to its limit (Redis: {@code
   * ZREMRANGEBYSCORE}).
   *
   * @return how many there were
   * @throws IllegalArgumentException if the range has an offset, or as in {@link #range}; nothing
   *     is changed
   */
  @Override
  public long removeRange(Range<Double> scores) {
    SortRange places = Scores.places(scores.removable());
    return writes.removeRange(places, Scores.direction(scores), scores.limit());
  }

  /**
   * Removes elements of equal score (Redis: {@code ZREMRANGEBYLEX}), as in {@code
   * words.removeRange(0, Range.prefix("ap"))}; see {@link ScoredSetView#range(double, Range)} for
   * the order. Atomic per batch of 1,024 elements.
   *
   * @return how many there were
   * @throws IllegalArgumentException if the range has an offset, or as in {@link
   *     ScoredSetView#range(double, Range)}; nothing is changed
   */
  public long removeRange(double score, Range<E> elements) {
    SortRange places = Scores.places(score, elements.removable(), codec);
    return writes.removeRange(places, Scores.direction(elements), elements.limit());
  }

  /**
   * Removes the elements with ranks in a range (Redis: {@code ZREMRANGEBYRANK}); see {@link
   * #rangeByRank}. With a rank index, one transaction finds and removes each batch. Without it, a
   * scan finds the first element before the transactions.
   *
   * @return how many there were
   */
  public long removeRangeByRank(Range<Long> range) {
    Ranks ranks = Ranks.of(range);
    if (ranked) {
      return writes.removeFromRank(ranks.first(), ranks.count());
    }
    return atRank(ranks.first())
        .map(first -> writes.removeFrom(place(first), ranks.count()))
        .orElse(0L);
  }

  private byte[] place(ScoredElement<E> element) {
    return ScoredSetFormat.placeKey(element.score(), codec.key(element.element()));
  }

  /**
   * Makes an element expire at {@code when}; a past instant removes it. Returns whether it was
   * present.
   */
  public boolean expireAt(E element, Instant when) {
    return expire(element, space.expiryMillis(when));
  }

  /**
   * Makes an element expire after {@code ttl}; zero or less removes it. Returns whether it was
   * present.
   */
  public boolean expireAfter(E element, Duration ttl) {
    return expire(element, space.expiryMillis(ttl));
  }

  /** Removes the expiry of an element. Returns whether it is present. */
  public boolean persist(E element) {
    return expire(element, Expiry.NEVER);
  }

  private boolean expire(E element, long expiryMillis) {
    return writes
            .change(element, before -> before == null ? null : before.withExpiry(expiryMillis))
            .before()
        != null;
  }

  /** The remaining time to live of an element, or {@link #FOREVER}; empty if it is absent. */
  public Optional<Duration> ttl(E element) {
    Member member = reads().member(element);
    return member == null
        ? Optional.empty()
        : StructureSpace.ttl(member.expiryMillis(), space.clock());
  }

  @Override
  public void clear() {
    writes.clear();
  }

  /**
   * A read-only snapshot of the set. O(1). It first removes expired elements; an element that
   * expires just before the snapshot may be visible in it.
   *
   * @return the snapshot; the caller closes it
   * @throws UnsupportedOperationException if the store's engine has no snapshots
   */
  public Snapshot<ScoredSetView<E>> snapshot() {
    writes.sweep();
    return new Snapshot<>(
        space.use().snapshot(), taken -> ScoredSnapshot.of(codec, reads().row(), taken, ranked));
  }

  /**
   * Notifies {@code listener} of score changes of this process, until the registration is closed.
   */
  public Registration addListener(EntryListener<? super E, ? super Double> listener) {
    return writes.listeners().add(listener);
  }
}
