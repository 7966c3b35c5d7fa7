package io.rockpool.structure;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Unions, intersections and differences of scored sets, and of sets whose elements have the score
 * 1. It works in pages, so memory does not grow with the sets.
 */
final class ScoredCombination<E> {
  /** The score of each element of a set without scores, as in Redis. */
  private static final double PLAIN_SCORE = 1;

  private final List<WeightedSet<E>> sources;
  private final ScoreAggregate aggregate;

  ScoredCombination(List<WeightedSet<E>> sources, ScoreAggregate aggregate) {
    this.sources = List.copyOf(sources);
    this.aggregate = Objects.requireNonNull(aggregate, "aggregate");
  }

  /** A combination of sets of weight 1, of which the first is the special one. */
  static <E> ScoredCombination<E> ofFirst(Set<E> first, List<? extends Set<E>> others) {
    List<WeightedSet<E>> sources = new ArrayList<>();
    sources.add(WeightedSet.of(first));
    others.forEach(other -> sources.add(WeightedSet.of(other)));
    return new ScoredCombination<>(sources, ScoreAggregate.SUM);
  }

  /** The combined sets. */
  List<Set<E>> sets() {
    return sources.stream().map(WeightedSet::set).toList();
  }

  /** The total number of elements of the sources. */
  long sourceElements() {
    return sources.stream().mapToLong(source -> count(source.set())).sum();
  }

  private static long count(Set<?> set) {
    return set instanceof ScoredSetView<?> scored ? scored.count() : set.size();
  }

  /** The elements that are in any source. */
  Stream<ScoredElement<E>> union() {
    Stream<ScoredElement<E>> union = Stream.empty();
    for (int i = 0; i < sources.size(); i++) {
      int walked = i;
      union =
          Stream.concat(
              union, combine(walked, scores -> anyOf(scores, 0, walked) ? null : combined(scores)));
    }
    return union;
  }

  /** The elements that are in all sources. */
  Stream<ScoredElement<E>> intersection() {
    return sources.isEmpty()
        ? Stream.empty()
        : combine(smallest(), scores -> scores.contains(null) ? null : combined(scores));
  }

  /** The elements that are in the first source only. */
  Stream<ScoredElement<E>> difference() {
    return combine(0, scores -> anyOf(scores, 1, scores.size()) ? null : combined(scores));
  }

  private int smallest() {
    int smallest = 0;
    for (int i = 1; i < sources.size(); i++) {
      if (count(sources.get(i).set()) < count(sources.get(smallest).set())) {
        smallest = i;
      }
    }
    return smallest;
  }

  /**
   * Computes an element's new score from its scores in the sources. A null score means absent; a
   * null result adds nothing.
   */
  private interface Rule {
    @Nullable Double of(List<@Nullable Double> scores);
  }

  /** Walks one source lazily, and combines its elements by the rule. */
  private Stream<ScoredElement<E>> combine(int walked, Rule rule) {
    return SetPages.of(sources.get(walked).set()).flatMap(page -> combine(page, rule).stream());
  }

  private List<ScoredElement<E>> combine(List<E> elements, Rule rule) {
    List<Map<E, Double>> bySource = new ArrayList<>();
    sources.forEach(source -> bySource.add(scores(source.set(), elements)));
    List<ScoredElement<E>> combined = new ArrayList<>();
    for (E element : elements) {
      List<@Nullable Double> scores = new ArrayList<>();
      bySource.forEach(source -> scores.add(source.get(element)));
      Double score = rule.of(scores);
      if (score != null) {
        combined.add(new ScoredElement<>(element, score));
      }
    }
    return combined;
  }

  /** The scores of those elements that a set contains. */
  private static <E> Map<E, Double> scores(Set<E> set, List<E> elements) {
    if (set instanceof ScoredSetView<E> scored) {
      return scored.scores(elements);
    }
    Map<E, Double> scores = new HashMap<>();
    LiveSet.contained(set, elements).stream()
        .forEach(i -> scores.put(elements.get(i), PLAIN_SCORE));
    return Collections.unmodifiableMap(scores);
  }

  private static boolean anyOf(List<@Nullable Double> scores, int from, int to) {
    return scores.subList(from, to).stream().anyMatch(Objects::nonNull);
  }

  private @Nullable Double combined(List<@Nullable Double> scores) {
    Double combined = null;
    for (int i = 0; i < scores.size(); i++) {
      Double score = scores.get(i);
      if (score != null) {
        double weighted = ScoreAggregate.weighted(score, sources.get(i).weight());
        combined = combined == null ? weighted : aggregate.of(combined, weighted);
      }
    }
    return combined;
  }
}
