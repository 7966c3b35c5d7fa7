package io.rockpool.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.rockpool.Rockpool;
import io.rockpool.structure.PersistentMap;
import io.rockpool.testing.Child;
import io.rockpool.testing.Slow;
import java.io.PrintWriter;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Exports and imports take constant memory. {@code -Drockpool.test.exported=10000000} has more
 * elements than the gate.
 */
@Slow
@Timeout(3_600)
final class LargeExportTest {
  private static final int ELEMENTS = Integer.getInteger("rockpool.test.exported", 200_000);
  private static final int BATCH = 10_000;

  @TempDir Path parent;

  /** A process with a small heap that runs the command. */
  static final class Runner {
    private Runner() {}

    public static void main(String[] arguments) {
      long before = System.nanoTime();
      PrintWriter errors = new PrintWriter(System.err, false, StandardCharsets.UTF_8);
      int code = RockpoolCommand.run(errors, errors, arguments);
      long bytes =
          ManagementFactory.getMemoryPoolMXBeans().stream()
              .filter(pool -> pool.getType() == java.lang.management.MemoryType.HEAP)
              .map(MemoryPoolMXBean::getPeakUsage)
              .mapToLong(usage -> usage.getUsed())
              .sum();
      System.out.println(
          code + " in " + (System.nanoTime() - before) / 1_000_000 + " ms, heap " + bytes);
    }
  }

  private static void run(Object... arguments) throws Exception {
    try (Child child =
        Child.start(Runner.class, List.of("-Xmx64m", "-XX:+UseSerialGC"), arguments)) {
      String line = child.readLine();
      assertThat(line).startsWith("0 in ");
      System.err.println(arguments[0] + " of " + ELEMENTS + ": " + line);
      assertThat(child.waitFor()).isZero();
    }
  }

  @Test
  void manyElementsTakeLittleHeap() throws Exception {
    Path store = parent.resolve("store");
    try (Rockpool pool = Rockpool.open(store)) {
      PersistentMap<Integer, String> map = pool.map("many", Integer.class, String.class);
      Map<Integer, String> batch = new HashMap<>();
      for (int key = 0; key < ELEMENTS; key++) {
        batch.put(key, "value number " + key);
        if (batch.size() == BATCH) {
          map.putAll(batch);
          batch.clear();
        }
      }
    }
    Path file = parent.resolve("many.jsonl");
    run("export", store, "many", file);
    try (var lines = Files.lines(file)) {
      assertThat(lines.count()).isEqualTo(ELEMENTS + 2L);
    }
    Path copy = parent.resolve("copy");
    run("import", copy, file, "--write");
    try (Rockpool pool = Rockpool.open(copy)) {
      PersistentMap<Integer, String> map = pool.map("many", Integer.class, String.class);
      assertThat(map.size()).isEqualTo(ELEMENTS);
      for (int key = 0; key < ELEMENTS; key += ELEMENTS / 1_000) {
        assertThat(map.get(key)).isEqualTo("value number " + key);
      }
    }
  }
}
