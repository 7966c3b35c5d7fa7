package io.rockpool;

import static org.assertj.core.api.Assertions.assertThat;

import io.rockpool.internal.format.LibraryVersion;
import io.rockpool.internal.rocksdb.files.JournalFile;
import io.rockpool.testing.Child;
import io.rockpool.testing.Slow;
import java.io.IOException;
import java.nio.file.Path;
import java.time.DayOfWeek;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a process prints that logs at INFO and sets no flag of the JVM. */
@Slow
final class PrintedLinesTest {
  private static final int RECORDS = 2_000;

  @TempDir Path directory;

  /** A value of each kind that Fory treats in its own way. */
  static final class Basket {
    final String owner;
    final List<Object> content = new ArrayList<>();
    final Map<String, Runnable> hooks = new TreeMap<>();
    final DayOfWeek day = DayOfWeek.MONDAY;

    Basket(String owner) {
      this.owner = owner;
      content.add(Map.of("apple", 1));
      content.add(new int[] {1, 2});
    }
  }

  /** Uses a store as an application does. */
  static final class Application {
    public static void main(String[] args) {
      try (Rockpool pool = Rockpool.open(Path.of(args[0]))) {
        var baskets = pool.map("baskets", Long.class, Basket.class);
        for (long i = 0; i < RECORDS; i++) {
          baskets.put(i, new Basket("customer " + i));
        }
        pool.cache("anything", Object.class, Object.class).put("key", new Basket("Ann"));
        pool.runAtomically(tx -> baskets.remove(0L));
      }
    }
  }

  /** Uses nothing but the file that is mapped: the JVM warns of a kind of call only once. */
  static final class Journal {
    public static void main(String[] args) {
      try (JournalFile journal = JournalFile.create(Path.of(args[0]), 1 << 16)) {
        journal.first().append(1, 1, new byte[100], 0, 100);
      }
    }
  }

  private List<String> run(Class<?> main) throws IOException {
    List<String> withErrors = List.of("sh", "-c", "exec \"$@\" 2>&1", "sh");
    try (Child child = Child.startUnder(withErrors, main, List.of(), directory)) {
      return child.readAll();
    }
  }

  private static List<String> containing(List<String> lines, String text) {
    return lines.stream().filter(line -> line.contains(text)).toList();
  }

  @Test
  void openingAndClosingAreOneLineEach() throws IOException {
    List<String> first = run(Application.class);
    assertThat(containing(first, "INFO")).as("%s", first).hasSize(2);
    assertThat(containing(first, "INFO").get(0))
        .contains("Opened the store in " + directory + ": Rockpool " + LibraryVersion.TEXT)
        .contains(" MiB in files, about ", " MiB of native memory", "The store is new.");
    assertThat(containing(first, "INFO").get(1)).contains("Closed the store in " + directory + ".");
    String again = containing(run(Application.class), "Opened the store").get(0);
    int records = Integer.parseInt(again.replaceAll(".*about (\\d+) records.*", "$1"));
    assertThat(records).isBetween(RECORDS / 2, RECORDS * 3);
    assertThat(again).contains("The store was closed");
  }

  /** The JVM's warnings about Fory and RocksDB are documented, with the flags against them. */
  @Test
  void noWarningIsOurs() throws IOException {
    List<String> warnings = containing(run(Application.class), "WARN");
    assertThat(warnings)
        .filteredOn(line -> line.contains("has been called by"))
        .allMatch(line -> line.matches(".*by (org\\.rocksdb|org\\.apache\\.fory)\\..*"));
    assertThat(warnings).filteredOn(line -> !line.startsWith("WARNING: ")).isEmpty();
  }

  @Test
  void mappingAFileIsNoCauseOfWarnings() throws IOException {
    assertThat(run(Journal.class)).isEmpty();
  }
}
