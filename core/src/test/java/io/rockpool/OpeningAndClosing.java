package io.rockpool;

import io.rockpool.cache.PersistentCache;
import io.rockpool.structure.PersistentMap;
import io.rockpool.structure.PersistentSortedMap;
import io.rockpool.structure.Snapshot;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.Map;
import java.util.stream.Stream;

/**
 * A process that opens and closes a store, and in it caches, structures, iterators and snapshots,
 * some of which nobody closes but the store. It says now and then what it takes of the machine.
 */
final class OpeningAndClosing {
  private static final long MEMORY_BYTES = 16L << 20;
  private static final int PARTS = 10;

  /** What it takes: resident memory in KiB, threads, open files. */
  record Taken(long residentKib, long threads, long files) {
    static Taken now() throws IOException {
      try (Stream<Path> open = Files.list(Path.of("/proc/self/fd"))) {
        return new Taken(status("VmRSS:"), status("Threads:"), open.count());
      }
    }

    private static long status(String field) throws IOException {
      return Files.readAllLines(Path.of("/proc/self/status")).stream()
          .filter(line -> line.startsWith(field))
          .mapToLong(line -> Long.parseLong(line.replaceAll("[^0-9]", "")))
          .findFirst()
          .orElseThrow();
    }

    String line() {
      return residentKib + " " + threads + " " + files;
    }

    static Taken of(String line) {
      String[] numbers = line.split(" ", -1);
      return new Taken(
          Long.parseLong(numbers[0]), Long.parseLong(numbers[1]), Long.parseLong(numbers[2]));
    }
  }

  private OpeningAndClosing() {}

  public static void main(String[] arguments) throws IOException {
    Path directory = Path.of(arguments[0]);
    int rounds = Integer.parseInt(arguments[1]);
    PrintStream said = new PrintStream(System.out, true);
    for (int round = 0; round < rounds; round++) {
      openAndClose(directory, round);
      if ((round + 1) % (rounds / PARTS) == 0) {
        System.gc();
        said.println(Taken.now().line());
      }
    }
  }

  private static void openAndClose(Path directory, int round) {
    try (Rockpool pool = Rockpool.at(directory).memoryBytes(MEMORY_BYTES).open()) {
      for (int i = 0; i < 3; i++) {
        PersistentCache<Integer, String> cache =
            pool.cache("cache-" + i, Integer.class, String.class);
        cache.put(round % 100, "x".repeat(1_000));
        Iterator<Map.Entry<Integer, String>> left = cache.iterator();
        left.next();
        if (i == 0) {
          cache.close();
        }
      }
      PersistentMap<Integer, String> map = pool.map("map", Integer.class, String.class);
      map.put(round % 100, "y");
      PersistentSortedMap<Integer, String> sorted =
          pool.sortedMap("sorted", Integer.class, String.class);
      sorted.put(round % 100, "z");
      try (Snapshot<Map<Integer, String>> closed = map.snapshot()) {
        closed.view().keySet().iterator().next();
      }
      // This one, nobody closes.
      sorted.snapshot().view().keySet().iterator().next();
    }
  }
}
