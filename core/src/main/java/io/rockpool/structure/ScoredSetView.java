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
 * The read operations of a set ordered by score: a {@link PersistentScoredSet} or a snapshot of
 * one. Elements of equal score are in the order of their encoded bytes. The rank of an element is
 * the number of elements before it. Returned lists belong to the caller and hold the whole result,
 * so limit ranges that may be long.
 *
 * <p>With a rank index, a read by rank and a count cost O(log n): a read for each of two or three
 * levels, and a scan of a few hundred elements at most. Without it, they scan every element before
 * the requested one and are weakly consistent.
 *
 * @param <E> the type of elements
 */
public sealed interface ScoredSetView<E> extends Set<E>
    permits PersistentScoredSet, ScoredSnapshot {
  /** The score of an element, or empty. One read without a lock. */
  OptionalDouble score(Object element);

  /**
   * The scores of the {@code elements} that are present, in their order. One read per 1,024
   * elements.
   */
  Map<E, Double> scores(Collection<? extends E> elements);

  /**
   * The rank of an element, counted from the lowest score, starting at 0; empty if it is absent.
   */
  OptionalLong rank(Object element);

  /**
   * The rank of an element, counted from the highest score, starting at 0; empty if it is absent.
   */
  OptionalLong reverseRank(Object element);

  /**
   * The element at a rank, or empty.
   *
   * @throws IllegalArgumentException if the rank is negative
   */
  Optional<ScoredElement<E>> atRank(long rank);

  /** The element with the lowest score, or empty. One seek. */
  Optional<ScoredElement<E>> first();

  /** The element with the highest score, or empty. One seek. */
  Optional<ScoredElement<E>> last();

  /**
   * The elements with the lowest scores, lowest first.
   *
   * @throws IllegalArgumentException if {@code count} is negative
   */
  default List<ScoredElement<E>> first(int count) {
    return range(Range.<Double>all().limit(count));
  }

  /**
   * The elements with the highest scores, highest first: the top {@code count}.
   *
   * @throws IllegalArgumentException if {@code count} is negative
   */
  default List<ScoredElement<E>> last(int count) {
    return range(Range.<Double>all().limit(count).reversed());
  }

  /**
   * The elements with scores in a range, lowest first, or highest first if it is {@link
   * Range#reversed}. Skipping an {@link Range#offset} costs as much as a read by rank. To read page
   * by page, use an offset: a page may end between elements of equal score.
   *
   * @throws IllegalArgumentException if a bound is NaN, or the lower bound is above the upper
   */
  List<ScoredElement<E>> range(Range<Double> scores);

  /**
   * The elements with ranks in a range, lowest first. Ranks count from the lowest score, starting
   * at 0: {@code rangeByRank(Range.closed(0L, 9L))} returns the ten elements with the lowest
   * scores. Ranks past the last element are allowed.
   *
   * @throws IllegalArgumentException if a bound is negative, or the lower bound is above the upper;
   *     also if the range is reversed, because that may be meant to count from the highest score.
   *     Give {@link #range} a reversed range of scores for that.
   */
  List<ScoredElement<E>> rangeByRank(Range<Long> ranks);

  /** The number of elements that {@link #range} would return. */
  long count(Range<Double> scores);

  /**
   * The exact number of elements. O(1): two reads, and one transaction if elements have expired
   * since the last sweep.
   */
  long count();

  /** The number of elements, at most {@link Integer#MAX_VALUE}. */
  @Override
  int size();

  /** Like {@link #range}, as a lazy stream. It reads the elements that an offset skips. */
  Stream<ScoredElement<E>> stream(Range<Double> scores);
}
