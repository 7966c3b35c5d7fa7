package io.rockpool.structure;

import io.rockpool.engine.Direction;
import io.rockpool.engine.RowRecord;
import io.rockpool.engine.SortRange;
import io.rockpool.internal.format.ScoredSetFormat;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/**
 * Reads a scored set by rank. With a rank index it reads the index; without, it scans every element
 * before the requested one and is weakly consistent.
 */
final class RankedReads<E> {
  private final ScoredReads<E> reads;
  private final SteadyReads steady;
  private final boolean ranked;

  RankedReads(ScoredReads<E> reads, SteadyReads steady, boolean ranked) {
    this.reads = reads;
    this.steady = steady;
    this.ranked = ranked;
  }

  /** The number of elements. */
  long count() {
    steady.sweep();
    return reads.storedCount();
  }

  /** The number of elements in a range. */
  long count(SortRange places) {
    if (!ranked) {
      return reads.count(places);
    }
    byte[] to = places.to();
    return places.isEmpty() || to == null
        ? 0
        : steady.read(ranks -> ranks.below(to) - ranks.below(places.from()));
  }

  /** The rank of an element, counted from the lowest or the highest score. */
  OptionalLong rank(Object element, Direction direction) {
    byte[] bytes = reads.codec().keyOrNull(element);
    if (bytes == null) {
      return OptionalLong.empty();
    }
    if (!ranked) {
      Member member = reads.member(element);
      return member == null
          ? OptionalLong.empty()
          : OptionalLong.of(
              reads.count(before(ScoredSetFormat.placeKey(member.score(), bytes), direction)));
    }
    return steady.read(
        ranks -> {
          RowRecord record = ranks.row.get(ScoredSetFormat.memberKey(bytes));
          if (record == null) {
            return OptionalLong.empty();
          }
          Member member = Member.read(record.value(), 0, record.value().length);
          long rank = ranks.below(ScoredSetFormat.placeKey(member.score(), bytes));
          return OptionalLong.of(direction == Direction.FORWARD ? rank : ranks.total() - 1 - rank);
        });
  }

  /** The element at a rank. */
  Optional<ScoredElement<E>> at(long rank) {
    if (rank < 0) {
      throw new IllegalArgumentException("The rank is " + rank + "; it has to be 0 or more.");
    }
    if (!ranked) {
      return range(ScoredSetFormat.PLACES, Direction.FORWARD, rank, 1).stream().findFirst();
    }
    return steady
        .read(
            ranks ->
                rank < ranks.total() ? Optional.of(ranks.placeAt(rank)) : Optional.<byte[]>empty())
        .map(reads::element);
  }

  /** A random sample of up to {@code count} elements, in random order. */
  List<ScoredElement<E>> sample(int count) {
    return ranked && count() / RandomElements.WALK_SHARE > count
        ? atRanks(draws -> draws.distinct().limit(count))
        : RandomElements.sample(walk(), count);
  }

  /** Draws {@code count} elements, each from the whole set. */
  List<ScoredElement<E>> draw(int count) {
    return ranked ? atRanks(draws -> draws.limit(count)) : drawn(count);
  }

  /** The elements at random ranks. */
  private List<ScoredElement<E>> atRanks(UnaryOperator<LongStream> selection) {
    long seed = ThreadLocalRandom.current().nextLong();
    List<byte[]> places =
        steady.read(
            ranks -> {
              Random random = new Random(seed); // so that another run reads the same ranks
              return ranks.total() == 0
                  ? List.<byte[]>of()
                  : selection
                      .apply(random.longs(0, ranks.total()))
                      .mapToObj(ranks::placeAt)
                      .toList();
            });
    return places.stream().map(reads::element).collect(Collectors.toCollection(ArrayList::new));
  }

  /** Draws from a walk over the elements. */
  private List<ScoredElement<E>> drawn(int count) {
    List<ScoredElement<E>> drawn = new ArrayList<>();
    long total = count();
    if (total == 0) {
      return drawn;
    }
    Iterator<ScoredElement<E>> walk = walk();
    @Nullable ScoredElement<E> reached = null;
    long rank = -1;
    for (long draw : ThreadLocalRandom.current().longs(count, 0, total).sorted().toArray()) {
      for (; rank < draw && walk.hasNext(); rank++) {
        reached = walk.next();
      }
      if (reached != null) {
        drawn.add(reached);
      }
    }
    Collections.shuffle(drawn, ThreadLocalRandom.current());
    return drawn;
  }

  private Iterator<ScoredElement<E>> walk() {
    return reads.walk(ScoredSetFormat.PLACES, Direction.FORWARD, found -> found, place -> {});
  }

  private static SortRange before(byte[] place, Direction direction) {
    return direction == Direction.FORWARD
        ? ScoredSetFormat.PLACES.to(place, false)
        : ScoredSetFormat.PLACES.from(place, false);
  }

  /** The elements with these ranks. */
  List<ScoredElement<E>> range(Ranks ranks) {
    int limit = (int) Math.min(Integer.MAX_VALUE, ranks.count());
    return range(ScoredSetFormat.PLACES, Direction.FORWARD, ranks.first(), limit);
  }

  /** At most {@code limit} elements of a range of places, after the first {@code offset}. */
  List<ScoredElement<E>> range(SortRange places, Direction direction, long offset, int limit) {
    if (!ranked || offset == 0) {
      return reads.range(places, direction, offset, limit);
    }
    return reads.elements(
        steady.read(
            ranks -> {
              SortRange rest = skip(ranks, places, direction, offset);
              return ranks.row.scan(rest, direction, limit);
            }));
  }

  /** The rest of a range after its first {@code offset} places. */
  private static SortRange skip(
      RankReads ranks, SortRange places, Direction direction, long offset) {
    boolean forward = direction == Direction.FORWARD;
    byte[] to = places.to();
    long low = ranks.below(places.from());
    long high = to == null ? ranks.total() : ranks.below(to);
    if (offset >= high - low) {
      return places.to(places.from(), false);
    }
    byte[] first = ranks.placeAt(forward ? low + offset : high - 1 - offset);
    return forward ? places.from(first, true) : places.to(first, true);
  }
}
