package io.rockpool.structure;

import io.rockpool.structure.StoreUnderTest.Kind;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** On three elements, two of which have a rank by each other. */
@Tag("lincheck")
class PersistentScoredSetLinearizabilityTest {
  @TempDir Path directory;

  @ParameterizedTest
  @EnumSource(names = {"MEMORY", "ROCKSDB"})
  void isLinearizable(Kind kind) {
    Linearizability.check(kind, directory, Tested.class, Model.class);
  }

  /** The set, empty again for each run. */
  @Param(name = "element", gen = IntGen.class, conf = "1:2")
  @Param(name = "score", gen = IntGen.class, conf = "-1:1")
  public static final class Tested {
    private final PersistentScoredSet<Integer> set =
        Linearizability.store().pool().scoredSet("tested", Integer.class);

    public Tested() {
      set.pollFirst(2);
    }

    @Operation
    public boolean add(@Param(name = "element") int element, @Param(name = "score") int score) {
      return set.add(element, score);
    }

    @Operation
    public double incrementScore(
        @Param(name = "element") int element, @Param(name = "score") int by) {
      return set.incrementScore(element, by);
    }

    @Operation
    public boolean remove(@Param(name = "element") int element) {
      return set.remove(element);
    }

    @Operation
    public @Nullable Double score(@Param(name = "element") int element) {
      return set.score(element).stream().boxed().findFirst().orElse(null);
    }

    @Operation
    public long rank(@Param(name = "element") int element) {
      return set.rank(element).orElse(-1);
    }

    @Operation
    public long reverseRank(@Param(name = "element") int element) {
      return set.reverseRank(element).orElse(-1);
    }

    @Operation
    public @Nullable Integer atRank(@Param(name = "element") int rank) {
      return element(set.atRank(rank - 1).orElse(null));
    }

    @Operation
    public @Nullable Integer pollFirst() {
      return element(set.pollFirst());
    }

    @Operation
    public @Nullable Integer pollLast() {
      return element(set.pollLast());
    }

    @Operation
    public long countOfPositive() {
      return set.count(Range.greaterThan(0.0));
    }

    @Operation
    public int size() {
      return set.size();
    }

    @Operation
    public void clear() {
      set.clear();
    }

    @Operation
    public List<Integer> inOrder() {
      return set.rangeByRank(Range.closed(0L, 1L)).stream().map(ScoredElement::element).toList();
    }

    private static @Nullable Integer element(@Nullable ScoredElement<Integer> found) {
      return found == null ? null : found.element();
    }
  }

  /** The same operations, one after the other, on a map. */
  public static final class Model {
    private final Map<Integer, Double> scores = new HashMap<>();

    public boolean add(int element, int score) {
      return scores.put(element, (double) score) == null;
    }

    public double incrementScore(int element, int by) {
      return scores.merge(element, (double) by, Double::sum);
    }

    public boolean remove(int element) {
      return scores.remove(element) != null;
    }

    public @Nullable Double score(int element) {
      return scores.get(element);
    }

    public long rank(int element) {
      return inOrder().indexOf(element);
    }

    public long reverseRank(int element) {
      return scores.containsKey(element) ? scores.size() - 1 - rank(element) : -1;
    }

    public @Nullable Integer atRank(int rank) {
      List<Integer> order = inOrder();
      return rank <= order.size() ? order.get(rank - 1) : null;
    }

    public @Nullable Integer pollFirst() {
      return pop(0);
    }

    public @Nullable Integer pollLast() {
      return pop(scores.size() - 1);
    }

    private @Nullable Integer pop(int rank) {
      if (scores.isEmpty()) {
        return null;
      }
      Integer element = inOrder().get(rank);
      scores.remove(element);
      return element;
    }

    public long countOfPositive() {
      return scores.values().stream().filter(score -> score > 0).count();
    }

    public int size() {
      return scores.size();
    }

    public void clear() {
      scores.clear();
    }

    public List<Integer> inOrder() {
      List<Integer> order = new ArrayList<>(scores.keySet());
      order.sort(Comparator.comparing((Integer e) -> scores.get(e)).thenComparing(e -> e));
      return order;
    }
  }
}
