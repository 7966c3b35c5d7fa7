package io.rockpool.structure;

import io.rockpool.engine.Limits;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Unions, intersections and differences of scored sets. It works in batches, so memory does not
 * grow with the sets.
 */
final class ScoredCombination<E> {
  private final List<WeightedSet<E>> sources;
  private final ScoreAggregate aggregate;
  private final PersistentScoredSet<E> target;

  ScoredCombination(
      List<WeightedSet<E>> sources, ScoreAggregate aggregate, PersistentScoredSet<E> target) {
    this.sources = List.copyOf(sources);
    this.aggregate = aggregate;
    this.target = target;
    for (WeightedSet<E> source : this.sources) {
      if (source.set() == target) {
        throw new IllegalArgumentException(
            "The set \""
                + target.name()
                + "\" cannot be replaced by a combination of itself; take a snapshot of it, or"
                + " another set.");
      }
    }
  }

  /** The total number of elements of the sources. */
  long sourceElements() {
    return sources.stream().mapToLong(source -> source.set().count()).sum();
  }

  /** Adds the elements that are in any source. */
  void union() {
    for (int i = 0; i < sources.size(); i++) {
      int walked = i;
      combine(walked, scores -> anyOf(scores, 0, walked) ? null : combined(scores));
    }
  }

  /** Adds the elements that are in all sources. */
  void intersection() {
    if (!sources.isEmpty()) {
      combine(smallest(), scores -> scores.contains(null) ? null : combined(scores));
    }
  }

  /** Adds the elements that are in the first source only. */
  void difference() {
    combine(0, scores -> anyOf(scores, 1, scores.size()) ? null : combined(scores));
  }

  private int smallest() {
    int smallest = 0;
    for (int i = 1; i < sources.size(); i++) {
      if (sources.get(i).set().count() < sources.get(smallest).set().count()) {
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

  /** Iterates over one source and adds its elements by the rule. */
  private void combine(int walked, Rule rule) {
    Iterator<ScoredElement<E>> elements = sources.get(walked).set().stream(Range.all()).iterator();
    Map<E, Double> batch = new LinkedHashMap<>();
    List<E> chunk = new ArrayList<>();
    while (elements.hasNext()) {
      chunk.add(elements.next().element());
      if (chunk.size() == Limits.MAX_PAGE_RECORDS || !elements.hasNext()) {
        combine(chunk, rule, batch);
        chunk.clear();
      }
      if (batch.size() >= Limits.MAX_PAGE_RECORDS) {
        target.addAll(batch);
        batch.clear();
      }
    }
    target.addAll(batch);
  }

  private void combine(List<E> elements, Rule rule, Map<E, Double> batch) {
    List<Map<E, Double>> bySource = new ArrayList<>();
    sources.forEach(source -> bySource.add(source.set().scores(elements)));
    for (E element : elements) {
      List<@Nullable Double> scores = new ArrayList<>();
      bySource.forEach(source -> scores.add(source.get(element)));
      Double score = rule.of(scores);
      if (score != null) {
        batch.put(element, score);
      }
    }
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
