package io.rockpool.structure;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Stream;

/**
 * A set ordered by score as it can be read: a {@link PersistentScoredSet}, or a snapshot of one.
 * Elements of the same score are in the order of their encoded bytes. The rank of an element is the
 * number of elements before it. Lists that are returned are the caller's, and as long as what was
 * asked for: bound what may be long.
 *
 * <p>A read by rank, and a count, costs O(log n) in a set that has ranks: a read for each of two or
 * three levels, and a scan of some hundred elements at most. Without ranks it looks at every
 * element before the one it is about, and is weakly consistent.
 *
 * @param <E> the type of elements
 */
public sealed interface ScoredSetView<E> extends Set<E>
    permits PersistentScoredSet, ScoredSnapshot {
  /** The score of an element, or empty. One read, without a lock. */
  OptionalDouble score(Object element);

  /** The scores of those of {@code elements} that are there, in their order. One read for 1,024. */
  Map<E, Double> scores(Collection<? extends E> elements);

  /** The rank of an element from the lowest score on, 0 for the first; or empty. */
  OptionalLong rank(Object element);

  /** The rank of an element from the highest score on, 0 for the last; or empty. */
  OptionalLong reverseRank(Object element);

  /**
   * The element of a rank, or empty if there are not so many.
   *
   * @throws IllegalArgumentException if the rank is negative
   */
  Optional<ScoredElement<E>> atRank(long rank);

  /** The element of the lowest score, or empty. One seek. */
  Optional<ScoredElement<E>> first();

  /** The element of the highest score, or empty. One seek. */
  Optional<ScoredElement<E>> last();

  /** The elements with scores in a range, lowest first. */
  List<ScoredElement<E>> range(ScoreRange range);

  /** At most {@code limit} elements with scores in a range, lowest first, behind {@code offset}. */
  List<ScoredElement<E>> range(ScoreRange range, long offset, int limit);

  /**
   * At most {@code limit} elements with scores in a range, highest first, behind {@code offset}.
   */
  List<ScoredElement<E>> reverseRange(ScoreRange range, long offset, int limit);

  /** The elements whose rank is {@code from} or more and below {@code to}. */
  List<ScoredElement<E>> rangeByRank(long from, long to);

  /** The elements whose reverse rank is {@code from} or more and below {@code to}. */
  List<ScoredElement<E>> reverseRangeByRank(long from, long to);

  /** How many elements have scores in a range. */
  long count(ScoreRange range);

  /**
   * How many elements there are; exact. O(1): two reads, and one transaction if elements have
   * expired since the last.
   */
  long elementCount();

  /** How many elements there are, or {@link Integer#MAX_VALUE} if they are more. */
  @Override
  int size();

  /** The elements with scores in a range, lowest first, read as they are asked for. */
  Stream<ScoredElement<E>> stream(ScoreRange range);

  /** The elements with scores in a range, highest first, read as they are asked for. */
  Stream<ScoredElement<E>> reverseStream(ScoreRange range);
}
