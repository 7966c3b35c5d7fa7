package io.rockpool.structure;

import static org.assertj.core.api.Assertions.assertThat;

import io.rockpool.structure.StoreUnderTest.Kind;
import io.rockpool.testing.ModelCheck;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Tag("encrypted")
class ScoredSetModelTest {
  /** Fewer where a step may open a store on disk. */
  private static final int STEPS_ON_DISK = 200;

  private static final int STEPS_IN_MEMORY = 400;

  @TempDir Path directory;
  private int worlds;

  @ParameterizedTest
  @CsvSource({"ADVERSARIAL, true", "ADVERSARIAL, false", "ROCKSDB, true", "ROCKSDB, false"})
  void doesWhatRedisDoes(Kind kind, boolean ranked) {
    int steps = kind == Kind.ROCKSDB ? STEPS_ON_DISK : STEPS_IN_MEMORY;
    ModelCheck.run(
        () ->
            new ScoredSetWorld(
                new StoreUnderTest(kind, directory.resolve("world-" + worlds++)), ranked),
        steps);
  }

  @Test
  void ranksHoldOverSeveralLevels() {
    try (StoreUnderTest store = new StoreUnderTest(Kind.ROCKSDB, directory)) {
      PersistentScoredSet<Integer> set = store.pool().scoredSet("large", Integer.class);
      int size = 25_000;
      ScoredSetWorld.addAll(set, size);
      ScoredSetRecords.check(store.engine(), set);
      for (int rank = 0; rank < size; rank += 1_111) {
        ScoredElement<Integer> element = set.atRank(rank).orElseThrow();
        assertThat(element.score()).isEqualTo(rank);
        assertThat(set.rank(element.element())).hasValue(rank);
      }
      assertThat(set.removeRangeByRank(Range.closedOpen(100L, size - 100L))).isEqualTo(size - 200);
      ScoredSetRecords.check(store.engine(), set);
      assertThat(set.rangeByRank(Range.closed(99L, 100L)))
          .extracting(ScoredElement::score)
          .containsExactly(99.0, size - 100.0);
    }
  }
}
