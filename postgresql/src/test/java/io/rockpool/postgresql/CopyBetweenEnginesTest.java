package io.rockpool.postgresql;

import static org.assertj.core.api.Assertions.assertThat;

import io.rockpool.Rockpool;
import io.rockpool.cli.RockpoolCommand;
import io.rockpool.testing.Child;
import io.rockpool.testing.Slow;
import io.rockpool.testing.tools.Needs;
import io.rockpool.testing.tools.Tool;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Names are exported from a directory, imported into a database, and back. */
@Slow
@Needs(Tool.POSTGRESQL)
final class CopyBetweenEnginesTest {
  private static final int MANY = 2_500;

  @TempDir Path parent;
  private final String schema = PostgresServer.newSchema();

  @AfterEach
  void dropSchema() throws Exception {
    PostgresServer.running().execute("DROP SCHEMA IF EXISTS " + schema + " CASCADE");
  }

  /** Runs the command in a process of its own; returns its lines. */
  private static List<String> run(Object... arguments) throws IOException, InterruptedException {
    List<String> lines = new ArrayList<>();
    try (Child child = Child.start(RockpoolCommand.class, List.of(), arguments)) {
      for (String line = child.readLine(); line != null; line = child.readLine()) {
        lines.add(line);
      }
      assertThat(child.waitFor()).as("%s: %s", List.of(arguments), lines).isZero();
    }
    return lines;
  }

  @Test
  void intoADatabaseAndBack() throws Exception {
    String uri =
        PostgresServer.running().url().replaceFirst("^jdbc:", "")
            + (PostgresServer.running().url().contains("?") ? "&" : "?")
            + "schema="
            + schema;
    Path store = parent.resolve("store");
    Path back = parent.resolve("back");
    try (Rockpool pool = Rockpool.open(store)) {
      var map = pool.sortedMap("map", Integer.class, String.class);
      for (int key = 0; key < MANY; key++) {
        map.put(key, "value " + key);
      }
      pool.map("short", String.class, String.class).put("k", "v", Duration.ofDays(1));
      pool.scoredSet("ranks", String.class).add("ann", 1.5);
      pool.deque("lines", String.class).addAll(List.of("one", "two"));
    }
    for (String name : List.of("map", "short", "ranks", "lines")) {
      Path file = parent.resolve(name + ".jsonl");
      Path again = parent.resolve(name + "-again.jsonl");
      run("export", store, name, file);
      run("import", uri, file, "--write");
      run("export", uri, name, again);
      run("import", back, again, "--write");
    }
    try (Rockpool pool = Rockpool.at(URI.create(uri)).open()) {
      check(pool);
    }
    try (Rockpool pool = Rockpool.open(back)) {
      check(pool);
      assertThat(pool.verify().isClean()).isTrue();
    }
  }

  private static void check(Rockpool pool) {
    var map = pool.sortedMap("map", Integer.class, String.class);
    assertThat(map).hasSize(MANY).containsEntry(MANY - 1, "value " + (MANY - 1));
    assertThat(map.firstKey()).isZero();
    var brief = pool.map("short", String.class, String.class);
    assertThat(brief).containsExactlyEntriesOf(Map.of("k", "v"));
    assertThat(brief.ttl("k").orElseThrow()).isBetween(Duration.ofHours(23), Duration.ofDays(1));
    var ranks = pool.scoredSet("ranks", String.class);
    assertThat(ranks.score("ann")).hasValue(1.5);
    assertThat(pool.deque("lines", String.class)).containsExactly("one", "two");
  }
}
