package io.rockpool.structure;

import static org.assertj.core.api.Assertions.assertThat;

import io.rockpool.Rockpool;
import io.rockpool.testing.Child;
import io.rockpool.testing.Rounds;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A process with a small heap fills collections from streams of elements that would not fit in
 * there, and walks over all of them. With {@code -Drockpool.test.longRuns=true} they are ten
 * million.
 */
class SmallHeapTest {
  private static final int ELEMENTS = Rounds.of(100_000, 10_000_000);
  private static final int TEXT_CHARS = Rounds.of(1_000, 10);
  private static final long MINUTES = 15;

  @TempDir Path directory;

  @Test
  @Timeout(value = MINUTES, unit = TimeUnit.MINUTES)
  void walksOverMoreThanFitsIn() throws Exception {
    List<String> heap = List.of("-Xmx64m");
    Path store = directory.resolve("store");
    try (Child child = Child.start(SmallHeapTest.class, heap, store, ELEMENTS, TEXT_CHARS)) {
      assertThat(child.readLine()).isEqualTo("map " + ELEMENTS);
      assertThat(child.readLine()).isEqualTo("sorted set " + ELEMENTS);
      assertThat(child.waitFor()).isZero();
    }
  }

  /** Arguments: directory, number of elements, characters of each. */
  public static void main(String[] args) {
    int count = Integer.parseInt(args[1]);
    String text = "x".repeat(Integer.parseInt(args[2]));
    try (Rockpool pool = Rockpool.open(Path.of(args[0]))) {
      PersistentMap<Integer, String> map = pool.map("map", Integer.class, String.class);
      PersistentSortedSet<Integer> set = pool.sortedSet("set", Integer.class);
      set.addAllFrom(IntStream.range(0, count).boxed());
      map.putAllFrom(IntStream.range(0, count).mapToObj(n -> Map.entry(n, text + n)));
      System.out.println(
          "map "
              + map.entrySet().stream()
                  .filter(entry -> entry.getValue().equals(text + entry.getKey()))
                  .count());
      System.out.println("sorted set " + set.stream().filter(n -> n < count).count());
    }
  }
}
