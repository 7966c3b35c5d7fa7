package io.rockpool.structure;

import static org.assertj.core.api.Assertions.assertThat;

import io.rockpool.Rockpool;
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
  private static final boolean LONG = Boolean.getBoolean("rockpool.test.longRuns");
  private static final int ELEMENTS = LONG ? 10_000_000 : 100_000;
  private static final long MINUTES = 15;
  private static final String TEXT = "x".repeat(LONG ? 10 : 1_000);

  @TempDir Path directory;

  @Test
  @Timeout(value = MINUTES, unit = TimeUnit.MINUTES)
  void walksOverMoreThanFitsIn() throws Exception {
    Process process =
        new ProcessBuilder(
                List.of(
                    Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                    "-Xmx64m",
                    "-Drockpool.test.longRuns=" + LONG,
                    "-cp",
                    System.getProperty("java.class.path"),
                    SmallHeapTest.class.getName(),
                    directory.resolve("store").toString(),
                    Integer.toString(ELEMENTS)))
            .redirectErrorStream(true)
            .redirectOutput(directory.resolve("output").toFile())
            .start();
    try {
      assertThat(process.waitFor(MINUTES, TimeUnit.MINUTES)).isTrue();
      assertThat(process.exitValue()).as("see %s", directory.resolve("output")).isZero();
      assertThat(directory.resolve("output"))
          .content()
          .contains("map " + ELEMENTS, "sorted set " + ELEMENTS);
    } finally {
      process.destroyForcibly();
    }
  }

  /** Arguments: directory, number of elements. */
  public static void main(String[] args) {
    int count = Integer.parseInt(args[1]);
    try (Rockpool pool = Rockpool.open(Path.of(args[0]))) {
      PersistentMap<Integer, String> map = pool.map("map", Integer.class, String.class);
      PersistentSortedSet<Integer> set = pool.sortedSet("set", Integer.class);
      set.addAll(IntStream.range(0, count).boxed());
      map.putAll(IntStream.range(0, count).mapToObj(n -> Map.entry(n, TEXT + n)));
      System.out.println("map " + map.entrySet().stream().filter(SmallHeapTest::isWhole).count());
      System.out.println("sorted set " + set.stream().filter(n -> n < count).count());
    }
  }

  private static boolean isWhole(Map.Entry<Integer, String> entry) {
    return entry.getValue().equals(TEXT + entry.getKey());
  }
}
