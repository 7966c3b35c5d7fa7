package io.rockpool.structure;

import io.rockpool.engine.Limits;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Unions and intersections of scored sets, a batch of elements at a time: memory does not grow with
 * the sets.
 */
final class ScoredCombination<E> {
  private final List<WeightedSet<E>> sources;
  private final ScoreAggregate aggregate;
  private final PersistentScoredSet<E> target;
  private Map<E, Double> batch = new LinkedHashMap<>();

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
                + "\" cannot be replaced by a combination of itself; take a snapshot of it, or another set.");
      }
    }
  }

  /** Adds what is in any of the sources. */
  void union() {
    for (int i = 0; i < sources.size(); i++) {
      combine(i, i, true);
    }
    target.addAll(batch);
  }

  /** Adds what is in all of the sources. */
  void intersection() {
    if (!sources.isEmpty()) {
      combine(smallest(), 0, false);
    }
    target.addAll(batch);
  }

  private int smallest() {
    int smallest = 0;
    for (int i = 1; i < sources.size(); i++) {
      if (sources.get(i).set().elementCount() < sources.get(smallest).set().elementCount()) {
        smallest = i;
      }
    }
    return smallest;
  }

  /**
   * Walks over one source and combines its elements with the others.
   *
   * @param walked the source's number
   * @param earlier how many of the sources hold no element that is wanted
   * @param any whether an element need not be in all others
   */
  private void combine(int walked, int earlier, boolean any) {
    Iterator<ScoredElement<E>> elements =
        sources.get(walked).set().stream(ScoreRange.all()).iterator();
    List<E> chunk = new ArrayList<>();
    while (elements.hasNext()) {
      chunk.add(elements.next().element());
      if (chunk.size() == Limits.MAX_PAGE_RECORDS || !elements.hasNext()) {
        combine(chunk, earlier, any);
        chunk.clear();
      }
    }
  }

  private void combine(List<E> elements, int earlier, boolean any) {
    List<Map<E, Double>> scores = new ArrayList<>();
    sources.forEach(source -> scores.add(source.set().scores(elements)));
    for (E element : elements) {
      Double score = score(element, scores, earlier, any);
      if (score != null) {
        batch.put(element, score);
      }
    }
    if (batch.size() >= Limits.MAX_PAGE_RECORDS) {
      target.addAll(batch);
      batch = new LinkedHashMap<>();
    }
  }

  private @Nullable Double score(E element, List<Map<E, Double>> scores, int earlier, boolean any) {
    Double combined = null;
    for (int i = 0; i < sources.size(); i++) {
      Double score = scores.get(i).get(element);
      if (score == null ? !any : i < earlier) {
        return null;
      }
      if (score != null) {
        double weighted = ScoreAggregate.weighted(score, sources.get(i).weight());
        combined = combined == null ? weighted : aggregate.of(combined, weighted);
      }
    }
    return combined;
  }
}
