package io.rockpool.structure;

import io.rockpool.engine.Direction;
import io.rockpool.engine.RowRecord;
import io.rockpool.engine.SortRange;
import io.rockpool.internal.format.ScoredSetFormat;
import java.util.AbstractSet;
import java.util.Collection;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.Spliterator;
import java.util.Spliterators;
import java.util.function.Consumer;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/** The read operations of scored sets. */
abstract class ScoredView<E> extends AbstractSet<E> {
  private static final int TRAITS =
      Spliterator.ORDERED | Spliterator.DISTINCT | Spliterator.NONNULL;

  private final ScoredReads<E> reads;
  private final RankedReads<E> ranked;

  ScoredView(ScoredReads<E> reads, RankedReads<E> ranked) {
    this.reads = reads;
    this.ranked = ranked;
  }

  final ScoredReads<E> reads() {
    return reads;
  }

  /** Removes the element of a place, for an iterator. */
  abstract void removePlace(RowRecord place);

  public OptionalDouble score(Object element) {
    Member member = reads.member(element);
    return member == null ? OptionalDouble.empty() : OptionalDouble.of(member.score());
  }

  public Map<E, Double> scores(Collection<? extends E> elements) {
    return reads.scores(elements);
  }

  @Override
  public boolean contains(Object element) {
    return reads.member(element) != null;
  }

  @Override
  public boolean containsAll(Collection<?> elements) {
    return reads.containsAll(elements);
  }

  public List<ScoredElement<E>> randomElements(int count) {
    return ranked.sample(RandomElements.checked(count));
  }

  public List<ScoredElement<E>> randomElementsWithRepeats(int count) {
    return ranked.draw(RandomElements.checked(count));
  }

  public OptionalLong rank(Object element) {
    return ranked.rank(element, Direction.FORWARD);
  }

  public OptionalLong reverseRank(Object element) {
    return ranked.rank(element, Direction.BACKWARD);
  }

  public Optional<ScoredElement<E>> atRank(long rank) {
    return ranked.at(rank);
  }

  public Optional<ScoredElement<E>> first() {
    return reads.range(ScoredSetFormat.PLACES, Direction.FORWARD, 0, 1).stream().findFirst();
  }

  public Optional<ScoredElement<E>> last() {
    return reads.range(ScoredSetFormat.PLACES, Direction.BACKWARD, 0, 1).stream().findFirst();
  }

  public List<ScoredElement<E>> range(Range<Double> scores) {
    return ranked.range(
        Scores.places(scores), Scores.direction(scores), scores.offset(), scores.listLimit());
  }

  public List<ScoredElement<E>> range(double score, Range<E> elements) {
    return ranked.range(
        Scores.places(score, elements, reads.codec()),
        Scores.direction(elements),
        elements.offset(),
        elements.listLimit());
  }

  public List<ScoredElement<E>> rangeByRank(Range<Long> ranks) {
    return ranked.range(Ranks.of(ranks));
  }

  public long count(Range<Double> scores) {
    return count(Scores.places(scores), scores);
  }

  public long count(double score, Range<E> elements) {
    return count(Scores.places(score, elements, reads.codec()), elements);
  }

  private long count(SortRange places, Range<?> range) {
    return Math.min(range.limit(), Math.max(0, ranked.count(places) - range.offset()));
  }

  public long count() {
    return ranked.count();
  }

  @Override
  public int size() {
    return (int) Math.min(Integer.MAX_VALUE, count());
  }

  public Stream<ScoredElement<E>> stream(Range<Double> scores) {
    Iterator<ScoredElement<E>> walk =
        reads.walk(
            Scores.places(scores), Scores.direction(scores), found -> found, this::removePlace);
    return StreamSupport.stream(Spliterators.spliteratorUnknownSize(walk, TRAITS), false)
        .skip(scores.offset())
        .limit(scores.limit());
  }

  @Override
  public Iterator<E> iterator() {
    return reads.walk(
        ScoredSetFormat.PLACES, Direction.FORWARD, ScoredElement::element, this::removePlace);
  }

  @Override
  public Spliterator<E> spliterator() {
    return Spliterators.spliteratorUnknownSize(iterator(), TRAITS | Spliterator.CONCURRENT);
  }

  /** Like {@link Iterable#forEach}; reads a page at a time. */
  @Override
  public void forEach(Consumer<? super E> action) {
    Objects.requireNonNull(action, "action");
    iterator().forEachRemaining(action);
  }
}
