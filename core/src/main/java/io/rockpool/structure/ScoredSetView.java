package io.rockpool.structure;

import java.util.ArrayList;
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
  /** The score of an element, or empty (Redis: {@code ZSCORE}). One read without a lock. */
  OptionalDouble score(Object element);

  /**
   * The scores of the {@code elements} that are present, in their order (Redis: {@code ZMSCORE}).
   * One read per 1,024 elements.
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

  /**
   * The elements of one score that are in a range of elements (Redis: {@code ZRANGEBYLEX}), where
   * all scores are equal, as in an index of words: {@code words.range(0, Range.prefix("ap"))}. The
   * order is that of the encoded bytes. For codecs that sort, which are those of strings, numbers
   * and times, it is the order of the values. {@link Range#startingWith} is for strings and byte
   * arrays.
   *
   * <p>One scan of the result, without a lock and without expired elements; an offset costs as much
   * as a read by rank.
   *
   * @throws IllegalArgumentException if the score is NaN, or the lower bound is above the upper
   * @throws UnsupportedOperationException if the range has another filter than a prefix
   */
  List<ScoredElement<E>> range(double score, Range<E> elements);

  /** The number of elements that {@link #range(Range)} would return (Redis: {@code ZCOUNT}). */
  long count(Range<Double> scores);

  /**
   * The number of elements that {@link #range(double, Range)} would return (Redis: {@code
   * ZLEXCOUNT}): {@code words.count(0, Range.prefix("ap"))}. Costs as much as a read by rank.
   */
  long count(double score, Range<E> elements);

  /**
   * Whether the set contains each of the {@code elements}. One read for each 1,024 elements,
   * without a lock. Expired elements are absent.
   */
  @Override
  boolean containsAll(Collection<?> elements);

  /**
   * A random element, or empty if there is none (Redis: {@code ZRANDMEMBER}). All elements are
   * equally likely. Costs as much as a read by rank.
   */
  default Optional<ScoredElement<E>> randomElement() {
    return randomElements(1).stream().findFirst();
  }

  /**
   * Up to {@code count} different random elements in random order (Redis: {@code ZRANDMEMBER} with
   * a count), as in {@code players.randomElements(3)}; all elements if there are not more. All
   * samples are equally likely. Never returns an expired element.
   *
   * <p>With a rank index it is atomic and costs as many reads by rank, or one scan of the set where
   * that is cheaper. Without one it is a scan and weakly consistent.
   *
   * @throws IllegalArgumentException if {@code count} is negative
   */
  List<ScoredElement<E>> randomElements(int count);

  /**
   * Random elements, each drawn from the whole set, so that one may be there several times (Redis:
   * {@code ZRANDMEMBER} with a negative count), as in {@code prizes.randomElementsWithRepeats(10)}.
   * Costs {@code count} times a {@link #randomElement}.
   *
   * @return {@code count} elements; none if the set is empty
   * @throws IllegalArgumentException if {@code count} is negative
   */
  List<ScoredElement<E>> randomElementsWithRepeats(int count);

  /**
   * The elements that are in at least one of the sets, each once (Redis: {@code ZUNION}). Two
   * boards, of which the second counts twice:
   *
   * <pre>{@code
   * Stream<ScoredElement<String>> sums =
   *     ScoredSetView.union(List.of(WeightedSet.of(first), new WeightedSet<>(second, 2)), SUM)
   *         .sorted(comparingDouble(ScoredElement::score));
   * }</pre>
   *
   * <p>Lazy and in no particular order. Walks one set after the other, with one read in each
   * persistent set for a page of up to 1,024 elements. The memory does not grow with the sets.
   * Outside a transaction it is weakly consistent: an element whose score changes may be there
   * twice. Expired elements are absent.
   *
   * @param aggregate how to combine an element's scores, each multiplied by its set's weight
   */
  static <E> Stream<ScoredElement<E>> union(
      List<WeightedSet<E>> sources, ScoreAggregate aggregate) {
    return new ScoredCombination<>(sources, aggregate).union();
  }

  /**
   * The elements that are in all the sets (Redis: {@code ZINTER}), as in {@code
   * ScoredSetView.intersection(List.of(WeightedSet.of(board), new WeightedSet<>(friends, 0)),
   * SUM)}. Walks the smallest set; else like {@link #union}.
   */
  static <E> Stream<ScoredElement<E>> intersection(
      List<WeightedSet<E>> sources, ScoreAggregate aggregate) {
    return new ScoredCombination<>(sources, aggregate).intersection();
  }

  /**
   * The elements of {@code from} that are in none of the others (Redis: {@code ZDIFF}), with their
   * scores, as in {@code ScoredSetView.difference(board, List.of(banned))}. Else like {@link
   * #union}.
   */
  static <E> Stream<ScoredElement<E>> difference(Set<E> from, List<? extends Set<E>> others) {
    return ScoredCombination.ofFirst(from, others).difference();
  }

  /**
   * The number of elements that are in all the sets, up to {@code limit} (Redis: {@code
   * ZINTERCARD}): {@code ScoredSetView.intersectionSize(List.of(board, friends), 100)} stops at
   * 100. Else like {@link #intersection}.
   *
   * @throws IllegalArgumentException if {@code limit} is negative
   */
  static <E> long intersectionSize(List<? extends Set<E>> sets, long limit) {
    List<WeightedSet<E>> sources = new ArrayList<>();
    sets.forEach(set -> sources.add(WeightedSet.of(set)));
    return intersection(sources, ScoreAggregate.SUM).limit(limit).count();
  }

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
