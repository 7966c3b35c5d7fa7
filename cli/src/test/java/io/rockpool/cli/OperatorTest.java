package io.rockpool.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.rockpool.Rockpool;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What an operator reads who mistypes, asks for what is not there, or has a terminal. */
@Timeout(120)
final class OperatorTest {
  @TempDir Path parent;
  private Path store = Path.of("");

  @BeforeEach
  void makeStore() {
    store = parent.resolve("store");
    try (Rockpool pool = Rockpool.open(store)) {
      var sorted = pool.sortedMap("shop/numbers", Integer.class, String.class);
      for (int key = 0; key < 300; key++) {
        sorted.put(key, "x".repeat(key / 20));
      }
      sorted.put(299, "ends", Duration.ofDays(1));
      pool.deque("lines", String.class).add("one");
      pool.value("value", String.class).set("v");
      pool.queue("jobs", String.class).send("j");
    }
  }

  @Test
  void theCommandAloneShowsItsVerbs() {
    CommandRun ran = CommandRun.of();
    assertThat(ran.code()).isEqualTo(RockpoolCommand.USAGE);
    assertThat(ran.err()).contains("Usage: rockpool", "verify-backup", "Exit codes:");
    assertThat(CommandRun.out("scan", "-h")).isEqualTo(CommandRun.out("scan", "--help"));
  }

  @Test
  void whatIsNotThereIsSaid() {
    CommandRun key = CommandRun.of("get", store, "shop/numbers", "1000");
    assertThat(key.code()).isEqualTo(RockpoolCommand.NO);
    assertThat(key.out()).isEmpty();
    assertThat(key.err()).contains("\"shop/numbers\" does not have the key \"1000\".");
    CommandRun level = CommandRun.of("ls", store, "nothing");
    assertThat(level.code()).isEqualTo(RockpoolCommand.NO);
    assertThat(level.err()).contains("no name at or below \"nothing\"");
    assertThat(CommandRun.out("ls", store, "shop")).contains("shop/numbers");
    assertThat(CommandRun.out("ls", store, "shop/numbers")).contains("shop/numbers");
  }

  @ParameterizedTest
  @ValueSource(strings = {"lines", "value", "jobs"})
  void aNameWithoutKeysIsNotSearchedForThem(String name) {
    CommandRun.of("scan", store, name, "--prefix", "o").assertRefused("has no keys");
  }

  @Test
  void aWrongTimeIsExplained() {
    CommandRun ran = CommandRun.of("restore", parent, parent.resolve("out"), "--at", "yesterday");
    assertThat(ran.code()).isEqualTo(RockpoolCommand.USAGE);
    assertThat(ran.err()).contains("no time such as 2026-01-31T12:00:00Z").doesNotContain("java.");
  }

  @Test
  void columnsStayInTheirPlaces() {
    List<String> lines =
        CommandRun.out("scan", store, "shop/numbers", "--limit", "0").lines().toList();
    assertThat(lines).hasSize(302);
    assertThat(lines.get(0)).startsWith("key  value");
    assertThat(lines.get(201)).as("a new column").matches("key  value +expires");
    assertThat(lines.get(301)).matches("299  ends +\\d{4}-.*Z");
    assertThat(lines.get(301).indexOf("20")).isEqualTo(lines.get(201).indexOf("expires"));
  }

  @Test
  void aFindingIsALineThatNamesTheFileOfTheStore() throws IOException {
    assertThat(CommandRun.out("compact", store, "--write")).isNotEmpty();
    try (Stream<Path> files = Files.list(store.resolve("db"))) {
      // The largest has elements. Without its catalog, a store is not verified but salvaged.
      Path table =
          files
              .filter(file -> file.toString().endsWith(".sst"))
              .max(Comparator.comparing(file -> file.toFile().length()))
              .orElseThrow();
      try (RandomAccessFile file = new RandomAccessFile(table.toFile(), "rw")) {
        file.seek(20);
        file.write(new byte[] {1, 2, 3, 4});
      }
    }
    CommandRun ran = CommandRun.of("verify", store);
    assertThat(ran.code()).as(ran.err()).isEqualTo(RockpoolCommand.NO);
    assertThat(ran.out())
        .contains("clean    false")
        .doesNotContain("[\"")
        .doesNotContain("/copies/");
    assertThat(ran.out().lines()).anyMatch(line -> line.startsWith("DAMAGED_FILE"));
    assertThat(CommandRun.of("verify", store, "--format=json").out())
        .contains("\"findings\":[\"DAMAGED_FILE")
        .doesNotContain("/copies/");
  }
}
