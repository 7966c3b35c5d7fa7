package io.rockpool.cache;

import static org.assertj.core.api.Assertions.assertThat;

import io.rockpool.Rockpool;
import io.rockpool.testing.Child;
import io.rockpool.testing.Rounds;
import io.rockpool.testing.Slow;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A process with a small heap fills many caches, of which none says what it may keep in memory. */
@Slow
class CachesSmallHeapTest {
  private static final long MINUTES = 10;
  private static final int HEAP_MEBIBYTES = 64;
  private static final int TIMES_THE_HEAP = Rounds.of(3, 10);
  private static final int VALUE_BYTES = 2_000;

  @TempDir Path directory;

  @ParameterizedTest
  @ValueSource(ints = {45, 1_000})
  @Timeout(value = MINUTES, unit = TimeUnit.MINUTES)
  void manyCachesFitIn(int caches) throws Exception {
    List<String> heap = List.of("-Xmx" + HEAP_MEBIBYTES + "m");
    Path store = directory.resolve("store");
    try (Child child =
        Child.start(CachesSmallHeapTest.class, heap, store, caches, TIMES_THE_HEAP)) {
      assertThat(child.readLine()).as("what it has in memory").isNotNull();
      assertThat(child.readLine()).isEqualTo("all read");
      assertThat(child.waitFor()).isZero();
    }
  }

  /** Arguments: directory, number of caches, how many times the heap they hold. */
  public static void main(String[] args) {
    int number = Integer.parseInt(args[1]);
    int entries = ((Integer.parseInt(args[2]) * HEAP_MEBIBYTES) << 20) / VALUE_BYTES / number;
    try (Rockpool pool = Rockpool.open(Path.of(args[0]))) {
      List<PersistentCache<Integer, String>> caches = new ArrayList<>();
      for (int i = 0; i < number; i++) {
        caches.add(pool.cache("cache-" + i, Integer.class, String.class));
      }
      for (int key = 0; key < entries; key++) {
        for (PersistentCache<Integer, String> cache : caches) {
          cache.put(key, value(key));
        }
      }
      for (PersistentCache<Integer, String> cache : caches) {
        for (int key = 0; key < entries; key += 10) {
          if (!value(key).equals(cache.get(key))) {
            throw new AssertionError(cache.name() + " " + key);
          }
        }
      }
      long bytes = caches.stream().mapToLong(cache -> cache.hotMemory().bytes()).sum();
      HeapBudget budget = pool.state().heap();
      if (bytes > budget.bytes() || budget.takenBytes() > budget.bytes()) {
        throw new AssertionError(bytes + " bytes of " + budget.bytes());
      }
      Runtime runtime = Runtime.getRuntime();
      System.gc();
      System.out.println(
          bytes
              + " of "
              + budget.bytes()
              + " bytes in memory, the heap has "
              + (runtime.totalMemory() - runtime.freeMemory()));
      System.out.println("all read");
    }
  }

  private static String value(int key) {
    return key + "x".repeat(VALUE_BYTES);
  }
}
