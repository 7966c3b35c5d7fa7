package io.rockpool.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.rockpool.Rockpool;
import io.rockpool.encryption.KeyProviders;
import io.rockpool.testing.Slow;
import io.rockpool.testing.Tmpfs;
import io.rockpool.testing.tools.Needs;
import io.rockpool.testing.tools.Tool;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Arguments and files that the command refuses: what it shows of them, and what stays. */
@Slow
final class RefusedInputTest {
  @TempDir Path parent;
  private Path store = Path.of("");

  @BeforeEach
  void makeStore() {
    store = parent.resolve("store");
    try (Rockpool pool = Rockpool.open(store)) {
      pool.map("names", String.class, String.class).putAll(Map.of("a", "1", "b", "2"));
    }
  }

  /** Each argument that may be a URI, in each verb. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "ls URI",
        "info URI names",
        "import URI FILE --write",
        "import STORE name --from URI --write",
        "backup STORE URI",
        "backups URI",
        "verify-backup URI",
        "restore URI OUT",
        "drop URI names --write"
      })
  void aMalformedUriIsShownWithoutItsPassword(String command) {
    for (String uri :
        List.of(
            "redis://user:pa ss@localhost:6379",
            "redis://user:pa^ss@localhost",
            "redis://user:a/pa%ss@localhost",
            "redis://user:pa@ss@lo calhost/p?password=pa ss")) {
      CommandRun ran =
          CommandRun.of(
              Stream.of(command.split(" ", -1))
                  .map(
                      part ->
                          switch (part) {
                            case "URI" -> uri;
                            case "STORE" -> store.toString();
                            case "FILE", "OUT" -> parent.resolve(part).toString();
                            default -> part;
                          })
                  .toArray());
      assertThat(ran.code()).as(ran.err()).isNotZero();
      assertThat(ran.out() + ran.err())
          .contains("The URI redis://")
          .doesNotContain("pa ss", "pa^ss", "pa%ss", "pa@ss", "a/pa", "\tat ");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "--values"})
  @Needs(Tool.MOUNTS)
  void anExportThatDoesNotFitLeavesTheOldOne(String how) throws Exception {
    try (Rockpool pool = Rockpool.open(store)) {
      pool.map("large", Integer.class, String.class)
          .putAll(
              IntStream.range(0, 2_000)
                  .boxed()
                  .collect(Collectors.toMap(i -> i, i -> "value ".repeat(200) + i)));
    }
    try (Tmpfs disk = Tmpfs.mount(parent.resolve("disk"), 1)) {
      Path file = disk.directory().resolve("export.jsonl");
      for (String old : Arrays.asList("the old export", null)) {
        if (old == null) {
          Files.delete(file);
        } else {
          Files.writeString(file, old);
        }
        CommandRun.of(
                Stream.of("export", store, "large", file, how)
                    .filter(argument -> !argument.equals(""))
                    .toArray())
            .assertRefused("could not be written to " + file);
        assertThat(files(disk.directory())).isEqualTo(old == null ? List.of() : List.of(file));
        if (old != null) {
          assertThat(file).hasContent(old);
        }
      }
    }
  }

  /**
   * Each number in each place of an export: how it is exported, where, how a number comes there.
   */
  @ParameterizedTest
  @CsvSource(
      delimiter = ' ',
      value = {
        "'' 1 \"layout\": \"expires\":N,\"layout\":",
        "'' 1 \"layout\": \"tags\":[N,1],\"layout\":",
        "'' 1 \"layout\": \"tags\":[1,N],\"layout\":",
        "'' 2 \"r\": \"e\":N,\"r\":",
        "--values 1 \"type\": \"expires\":N,\"type\":",
        "--values 1 \"type\": \"options\":{\"capacity\":N},\"type\":",
        "--values 2 {\"key\": {\"expires\":N,\"key\":"
      })
  void aNumberThatDoesNotFitIsRefusedWithItsLine(String how, int line, String at, String with)
      throws IOException {
    String good = exported(how);
    for (String number :
        List.of("18446744073709551617", "-18446744073709551617", "1.5", "\"soon\"", "true")) {
      Path file = parent.resolve("numbers.jsonl");
      Files.writeString(file, good.replace(at, with.replace("N", number)));
      CommandRun.of("import", parent.resolve("new"), file, "--as", "n", "--write")
          .assertRefused("Line " + line + " ");
      assertThat(parent.resolve("new")).doesNotExist();
    }
  }

  /** In a new store with new keys, and in one that is there. */
  @ParameterizedTest
  @ValueSource(strings = {"", "--values", "csv:"})
  void aRefusedImportLeavesNothing(String how) throws IOException {
    Path key = Files.writeString(parent.resolve("key"), KeyProviders.newKey("may"));
    String good = how.equals("csv:") ? "id,name\n1,Ann\n2,Bob\n3,Carl" : exported(how);
    List<String> lines = good.lines().toList();
    Map<String, List<String>> cases =
        Map.of(
            "a bad line", List.of(lines.get(0), lines.get(1), "\"bad", lines.get(2)),
            "a bad first line", List.of("bad", lines.get(1)),
            "a missing end", List.of(lines.get(0), lines.get(1), lines.get(2).substring(0, 1)));
    Path file = parent.resolve("import");
    Path keys = parent.resolve("data-keys");
    for (Map.Entry<String, List<String>> each : cases.entrySet()) {
      Files.write(file, each.getValue());
      List<Path> before = files(parent);
      for (List<?> where :
          List.of(
              List.of(parent.resolve("new"), "--key-file", key, "--data-keys", keys),
              List.of(parent.resolve("new")),
              List.of(store))) {
        List<Object> arguments = new ArrayList<>(List.of("import", "--write"));
        arguments.addAll(where);
        arguments.addAll(
            how.equals("csv:")
                ? List.of("n", "--from", how + file, "--key", "id")
                : List.of(file, "--as", "n"));
        CommandRun ran = CommandRun.of(arguments.toArray());
        ran.assertRefused("");
        assertThat(ran.err()).doesNotContain("is not complete");
        assertThat(files(parent)).as(each.getKey() + where).isEqualTo(before);
      }
      assertThat(CommandRun.out("ls", store)).contains("names").doesNotContain("n ");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "--values"})
  void aNameThatIsNotCompleteIsNamed(String how) throws IOException {
    try (Rockpool pool = Rockpool.open(store)) {
      pool.map("names", String.class, String.class)
          .putAll(
              IntStream.range(0, 2_000)
                  .boxed()
                  .collect(Collectors.toMap(i -> "key " + i, i -> "value " + i)));
    }
    List<String> lines = exported(how).lines().toList();
    List<String> bad = new ArrayList<>(lines);
    bad.set(1_500, "bad");
    Path file = Files.write(parent.resolve("bad.jsonl"), bad);
    Path copy = parent.resolve("new");
    for (String more : List.of("--format=text", "--resume")) {
      CommandRun.of("import", copy, file, "--write", "--as", "n", more)
          .assertRefused("\"n\" is not complete: give --resume with the whole file, or drop it.");
    }
    Files.write(file, lines);
    CommandRun.of("import", copy, file, "--write", "--as", "n", "--resume").assertDone();
    assertThat(CommandRun.out("count", copy, "n")).contains("2002");
  }

  @Test
  void linesThatWereCopiedToATableAreSaid() throws IOException {
    Path file = Files.writeString(parent.resolve("good.csv"), "id,name\n1,Ann\n");
    Object[] command = {"import", store, "n", "--from", "csv:" + file, "--key", "id", "--write"};
    CommandRun.of(command).assertDone();
    Files.writeString(file, "id,name\n2,Bob\n3\n");
    CommandRun.of(command).assertRefused("Line 3 has 1 values; expected 2. \"n\" was there before");
    assertThat(CommandRun.out("count", store, "n")).contains("2");
  }

  @Test
  void twoLinesOfCommaSeparatedValuesWithOneKey() throws IOException {
    Path file = parent.resolve("rows.csv");
    String repeated = "id,name\n1,Ann\n2,Bob\n1,Carl\n";
    Files.writeString(file, repeated);
    Object[] command = {"import", store, "n", "--from", "csv:" + file, "--key", "id", "--write"};
    CommandRun.of(command).assertRefused("Line 4 has the key \"1\" of an earlier line");
    assertThat(CommandRun.out("ls", store)).contains("names").doesNotContain("n ");
    Files.writeString(file, "id,name\n1,Ann\n2,Bob\n");
    CommandRun.of(command).assertDone();
    CommandRun.of(command).assertDone(); // the copy may be repeated
    Files.writeString(file, repeated);
    CommandRun.of(command).assertRefused("Line 4 has the key \"1\" of an earlier line");
  }

  @ParameterizedTest
  @ValueSource(strings = {"4294967295", "-1", "0"})
  void aCapacityThatNoDequeCanHaveIsRefused(String capacity) throws IOException {
    Path file =
        Files.writeString(
            parent.resolve("deque.jsonl"),
            "{\"rockpool\":1,\"name\":\"n\",\"type\":\"deque\",\"key\":\"java.lang.Long\",\"options\":"
                + "{\"capacity\":"
                + capacity
                + "}}\n{\"records\":0}\n");
    CommandRun.of("import", store, file, "--write").assertRefused("the option \"capacity\"");
  }

  @Test
  void anElementOfTheLeastTimeHasExpired() throws IOException {
    Path file = parent.resolve("expired.jsonl");
    Files.writeString(
        file,
        exported("--values").replace("{\"key\":", "{\"expires\":" + Long.MIN_VALUE + ",\"key\":"));
    CommandRun.of("import", store, file, "--as", "expired", "--write").assertDone();
    try (Rockpool pool = Rockpool.open(store)) {
      assertThat(pool.map("expired", String.class, String.class)).isEmpty();
    }
  }

  /** An export of the map. */
  private String exported(String how) throws IOException {
    Path file = parent.resolve("good.jsonl");
    Files.deleteIfExists(file);
    CommandRun.of(
            Stream.of("export", store, "names", file, how)
                .filter(argument -> !argument.equals(""))
                .toArray())
        .assertDone();
    return Files.readString(file);
  }

  /** A link to an export elsewhere stays one. */
  @Test
  void anExportThroughALinkReplacesItsTarget() throws IOException {
    Path file = Files.writeString(parent.resolve("file"), "old");
    Path link = Files.createSymbolicLink(parent.resolve("link"), file.getFileName());
    CommandRun.of("export", store, "names", link).assertDone();
    assertThat(link).isSymbolicLink();
    assertThat(Files.readString(file)).startsWith("{").endsWith("{\"records\":2}\n");
  }

  private static List<Path> files(Path folder) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.sorted().toList();
    }
  }
}
