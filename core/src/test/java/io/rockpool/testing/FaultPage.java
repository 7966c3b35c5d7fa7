package io.rockpool.testing;

import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Properties;
import java.util.stream.Stream;

/**
 * Writes {@code docs/faults.md} from what {@link FaultLog} has left. {@code .ci/faults} runs it as
 * a source file, in the root of the repository.
 */
final class FaultPage {
  private static final String HEAD =
      """
      # What was done to stores

      The release runs these campaigns again: `.ci/faults` writes this page. Each row is a test whose assertions held.
      What a row may lose is what its durability or interval allows; [failures](bad-days.md) says what each one means, and
      what no store can do. A row with a seed can be repeated: `-Drockpool.test.seed=…`.

      """;

  private static final String LIMITS =
      """

      ## Known limits
      - Power losses are played from a trace of system calls: what was not forced to the disk is dropped, or some of it
        kept. The hardware, the controller's cache and the file system are not tested. A disk that lies about what it has
        forced is beyond any store.
      - Full and read-only disks are real file systems in memory or in a file, of Linux alone.
      - A flipped bit in the index of a table costs the whole table, and `salvage` names what is lost.
      - Lincheck runs its scenarios often. It does not explore all schedules: its model checker does not see into native
        code.
      - Servers fail on one machine, with real processes, signals and a proxy in front of them. There is no second host.
      - Redis loses what its own settings allow: `appendfsync everysec` about a second, a failover what had not reached the
        replica. The rows say how much it was.
      """;

  private FaultPage() {}

  /** Writes the page. */
  public static void main(String[] arguments) throws IOException {
    List<Properties> all = new ArrayList<>();
    try (Stream<Path> files = Files.walk(Path.of("."), 5)) {
      for (Path file : files.filter(FaultPage::isFound).toList()) {
        Properties found = new Properties();
        try (Reader reader = Files.newBufferedReader(file)) {
          found.load(reader);
        }
        all.add(found);
      }
    }
    all.sort(
        Comparator.comparing((Properties found) -> found.getProperty("order"))
            .thenComparing(found -> found.getProperty("test"))
            .thenComparing(found -> found.getProperty("what")));
    StringBuilder page = new StringBuilder(HEAD).append(machine());
    String kind = "";
    for (Properties found : all) {
      if (!found.getProperty("kind").equals(kind)) {
        kind = found.getProperty("kind");
        page.append("\n## ").append(kind).append("\n\n");
        page.append(
            "| what | times | compared | lost | seed | test |\n|---|---|---|---|---|---|\n");
      }
      for (String cell : List.of("what", "times", "checked", "lost", "seed")) {
        page.append("| ").append(found.getProperty(cell)).append(' ');
      }
      String test = found.getProperty("test");
      page.append("| `").append(test.substring(test.lastIndexOf('.') + 1)).append("` |\n");
    }
    Files.writeString(Path.of("docs", "faults.md"), page.append(LIMITS));
  }

  private static boolean isFound(Path file) {
    return file.toString().endsWith(".properties")
        && file.getParent().endsWith(Path.of("target", "faults"));
  }

  private static String machine() throws IOException {
    String memory = Files.readAllLines(Path.of("/proc/meminfo")).get(0).replaceAll("\\D", "");
    return "Measured on %s %s with %d processors, %d GiB of memory, and Java %s.\n"
        .formatted(
            System.getProperty("os.name"),
            System.getProperty("os.arch"),
            Runtime.getRuntime().availableProcessors(),
            Long.parseLong(memory) >> 20,
            System.getProperty("java.version"));
  }
}
