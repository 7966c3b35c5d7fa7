package io.rockpool.structure;

import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** The methods of a scored set that replace its content with elements of other sets. */
abstract class StoredCombinations<E> extends ScoredView<E> {
  StoredCombinations(ScoredReads<E> reads, RankedReads<E> ranked) {
    super(reads, ranked);
  }

  /** Sets the score of each element. */
  public abstract void addScores(Map<? extends E, Double> scores);

  /** Removes the elements with scores in a range; returns how many. */
  public abstract long removeRange(Range<Double> scores);

  private StructureSpace space() {
    return reads().codec().space();
  }

  /**
   * Replaces the content of this set with the union of other sets: all elements that are in at
   * least one of them (Redis: {@code ZUNIONSTORE}). An element of a set without scores has the
   * score 1.
   *
   * <p>Atomic if the store's engine has transactions over rows and all the sets, including this
   * one, have at most 16,384 elements together. Listeners then see each removed and added element.
   * Otherwise this set is cleared, then filled in batches, with bounded memory. Inside a
   * transaction it joins that transaction, however many elements there are. Sets of another store
   * are not part of the transaction.
   *
   * @param sources the sets; this set is not allowed
   * @param aggregate how to combine an element's scores, each multiplied by its set's weight
   * @return how many elements there are now
   * @throws IllegalArgumentException if a source is this set; nothing is changed
   */
  public long setToUnion(List<WeightedSet<E>> sources, ScoreAggregate aggregate) {
    ScoredCombination<E> combination = new ScoredCombination<>(sources, aggregate);
    return replace(combination, combination::union);
  }

  /**
   * Like {@link #setToUnion}, with the elements that are in all the sets (Redis: {@code
   * ZINTERSTORE}).
   */
  public long setToIntersection(List<WeightedSet<E>> sources, ScoreAggregate aggregate) {
    ScoredCombination<E> combination = new ScoredCombination<>(sources, aggregate);
    return replace(combination, combination::intersection);
  }

  /**
   * Like {@link #setToUnion}, with the elements of {@code from} that are in none of the others
   * (Redis: {@code ZDIFFSTORE}). Each keeps its score.
   */
  public long setToDifference(Set<E> from, List<? extends Set<E>> others) {
    ScoredCombination<E> combination = ScoredCombination.ofFirst(from, others);
    return replace(combination, combination::difference);
  }

  /**
   * Replaces the content of this set with a range of another one (Redis: {@code ZRANGESTORE}), as
   * in {@code best.setToRange(board, Range.<Double>all().reversed().limit(100))}. Atomic like
   * {@link #setToUnion}, where the elements of the range count. Expired elements are not part of
   * it.
   *
   * @return how many elements there are now
   * @throws IllegalArgumentException if {@code from} is this set, or as in {@link
   *     ScoredSetView#range}; nothing is changed
   */
  public long setToRange(ScoredSetView<E> from, Range<Double> scores) {
    checkSource(from);
    return replace(() -> from.count(scores), () -> from.stream(scores));
  }

  /**
   * Like {@link #setToRange(ScoredSetView, Range)}, with a range of elements of equal score; see
   * {@link ScoredSetView#range(double, Range)}.
   */
  public long setToRange(ScoredSetView<E> from, double score, Range<E> elements) {
    checkSource(from);
    return replace(() -> from.count(score, elements), () -> from.range(score, elements).stream());
  }

  /** Like {@link #setToRange(ScoredSetView, Range)}, with a range of ranks. */
  public long setToRangeByRank(ScoredSetView<E> from, Range<Long> ranks) {
    checkSource(from);
    long count = Ranks.of(ranks).count();
    return replace(() -> Math.min(count, from.count()), () -> from.rangeByRank(ranks).stream());
  }

  private long replace(
      ScoredCombination<E> combination, Supplier<Stream<ScoredElement<E>>> elements) {
    combination.sets().forEach(this::checkSource);
    return replace(combination::sourceElements, elements);
  }

  @SuppressWarnings("ReferenceEquality") // the set itself, not one with equal elements
  private void checkSource(Set<E> source) {
    if (source == this) {
      throw new IllegalArgumentException(
          space()
              + " cannot be replaced by a combination or a part of itself; take a snapshot of it,"
              + " or another set.");
    }
  }

  private long replace(LongSupplier count, Supplier<Stream<ScoredElement<E>>> elements) {
    return space()
        .atomicallyIfFew(
            () -> count() + count.getAsLong(),
            () -> {
              removeRange(Range.all());
              return fill(elements.get().iterator());
            })
        .orElseGet(
            () -> {
              clear();
              return fill(elements.get().iterator());
            });
  }

  private long fill(Iterator<ScoredElement<E>> elements) {
    Map<E, Double> batch = new LinkedHashMap<>();
    while (elements.hasNext()) {
      ScoredElement<E> next = elements.next();
      batch.put(next.element(), next.score());
      if (batch.size() == SetPages.PAGE || !elements.hasNext()) {
        addScores(batch);
        batch.clear();
      }
    }
    return count();
  }
}
