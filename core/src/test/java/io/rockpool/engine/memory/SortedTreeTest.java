package io.rockpool.engine.memory;

import static org.assertj.core.api.Assertions.assertThat;

import io.rockpool.engine.Direction;
import io.rockpool.engine.SortRange;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

final class SortedTreeTest {
  @Test
  void itDoesWhatATreeMapDoesAndLeavesItsPredecessorsAlone() {
    for (long seed = 0; seed < 20; seed++) {
      Random random = new Random(seed);
      TreeMap<String, Integer> expected = new TreeMap<>();
      SortedTree<Integer> tree = SortedTree.empty();
      for (int i = 0; i < 500; i++) {
        String key = Integer.toString(random.nextInt(100));
        SortedTree<Integer> before = tree;
        List<String> beforeKeys = keys(before, Direction.FORWARD);
        if (random.nextInt(3) == 0) {
          expected.remove(key);
          tree = tree.without(bytes(key));
        } else {
          expected.put(key, i);
          tree = tree.with(bytes(key), i);
        }
        assertThat(tree.get(bytes(key))).as("seed %d", seed).isEqualTo(expected.get(key));
        assertThat(keys(before, Direction.FORWARD)).as("seed %d", seed).isEqualTo(beforeKeys);
      }
      assertThat(keys(tree, Direction.FORWARD)).containsExactlyElementsOf(expected.keySet());
      assertThat(keys(tree, Direction.BACKWARD))
          .containsExactlyElementsOf(expected.descendingKeySet());
      assertThat(tree.isEmpty()).isEqualTo(expected.isEmpty());
    }
  }

  @Test
  void itStaysShallow() {
    SortedTree<Integer> tree = SortedTree.empty();
    for (int i = 0; i < 10_000; i++) {
      tree = tree.with(bytes(String.format(Locale.ROOT, "%05d", i)), i);
    }
    for (int i = 0; i < 10_000; i += 2) {
      tree = tree.without(bytes(String.format(Locale.ROOT, "%05d", i)));
    }
    // The height of an AVL tree is below 1.45 log2(n + 2).
    assertThat(tree.height()).isLessThanOrEqualTo(18);
    assertThat(keys(tree, Direction.FORWARD)).hasSize(5_000).isSorted();
  }

  private static List<String> keys(SortedTree<Integer> tree, Direction direction) {
    List<String> keys = new ArrayList<>();
    SortRange rest = SortRange.all();
    for (var node = tree.first(rest, direction); node != null; node = tree.first(rest, direction)) {
      keys.add(new String(node.key, StandardCharsets.ISO_8859_1));
      rest = SortedTree.past(node.key, rest, direction);
    }
    return keys;
  }

  private static byte[] bytes(String key) {
    return key.getBytes(StandardCharsets.ISO_8859_1);
  }
}
