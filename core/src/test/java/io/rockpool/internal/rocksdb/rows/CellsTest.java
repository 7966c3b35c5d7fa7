package io.rockpool.internal.rocksdb.rows;

import static org.assertj.core.api.Assertions.assertThat;

import io.rockpool.internal.rocksdb.rows.RowChanges.Cell;
import io.rockpool.internal.rocksdb.rows.RowChanges.Cells;
import io.rockpool.testing.Seeds;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import java.util.TreeSet;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class CellsTest {
  static LongStream seeds() {
    return Seeds.all();
  }

  private static byte[] key(int number) {
    return new byte[] {(byte) (number >>> 8), (byte) number};
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2, 500})
  void thoseInOrderAreFoundAgainInAnyOrder(int count) {
    Cells cells = new Cells();
    Map<Integer, Cell> made = new HashMap<>();
    for (int i = 0; i < count; i++) {
      made.put(i, cells.at(key(i)));
    }
    for (int i = 0; i < count; i++) {
      assertThat(cells.at(key(i))).isSameAs(made.get(i));
    }
    for (int i = count - 1; i >= 0; i--) {
      assertThat(cells.at(key(i))).isSameAs(made.get(i));
    }
    assertThat(cells.all()).hasSize(count);
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void eachKeyHasOneCellAndAllAreInOrder(long seed) {
    Random random = new Random(seed);
    for (int round = 0; round < 100; round++) {
      Cells cells = new Cells();
      Map<Integer, Cell> made = new HashMap<>();
      int number = 0;
      for (int i = 0; i < 300; i++) {
        // Mostly on from the last, for it is a list that long.
        number = random.nextInt(50) < 49 ? number + random.nextInt(3) : random.nextInt(600);
        Cell cell = cells.at(key(number));
        assertThat(made.computeIfAbsent(number, any -> cell)).as("seed %d", seed).isSameAs(cell);
        if (random.nextInt(500) == 0) {
          assertThat(cells.tree().values()).containsExactlyElementsOf(cells.all());
        }
      }
      assertThat(cells.all())
          .as("seed %d", seed)
          .containsExactlyElementsOf(new TreeSet<>(made.keySet()).stream().map(made::get).toList());
    }
  }
}
