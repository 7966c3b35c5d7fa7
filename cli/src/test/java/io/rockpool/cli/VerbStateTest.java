package io.rockpool.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.rockpool.Rockpool;
import io.rockpool.encryption.Encryption;
import io.rockpool.encryption.KeyProviders;
import io.rockpool.testing.Child;
import io.rockpool.testing.Slow;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import picocli.CommandLine;

/** Every verb with a store, on stores in every state: exit codes, messages, and no other change. */
@Slow
@Timeout(300)
final class VerbStateTest {
  @TempDir static Path parent;
  private static Child holder;

  /** The verbs that read, with what follows the directory. {@code OUT} is a new path. */
  private static final Map<String, List<String>> READING =
      new TreeMap<>(
          Map.ofEntries(
              Map.entry("ls", List.of()),
              Map.entry("info", List.of()),
              Map.entry("get", List.of("names", "a")),
              Map.entry("scan", List.of("names")),
              Map.entry("count", List.of("names")),
              Map.entry("stat", List.of()),
              Map.entry("top", List.of()),
              Map.entry("ui", List.of("--idle", "1ms")),
              Map.entry("verify", List.of()),
              Map.entry("backup", List.of("OUT")),
              Map.entry("export", List.of("names", "OUT"))));

  private static final Map<String, List<String>> CHANGING =
      new TreeMap<>(
          Map.of(
              "drop", List.of("names", "--write"),
              "reclaim", List.of("--write"),
              "compact", List.of("--write"),
              "import", List.of("EXPORT", "--as", "imported", "--write")));

  /** What a run of the command did. */
  private record Ran(int code, String out, String err) {}

  private static Ran run(String... arguments) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    int code = RockpoolCommand.run(new PrintWriter(out), new PrintWriter(err), arguments);
    return new Ran(code, out.toString(), err.toString());
  }

  @BeforeAll
  static void makeStores() throws IOException {
    make("closed");
    assertThat(run("export", path("closed"), "names", path("export")).code()).isZero();
    make("live");
    holder =
        Child.start(RockpoolCommandTest.Holder.class, List.of(), parent.resolve("live").toString());
    assertThat(holder.readLine()).isEqualTo("holds");
    Rockpool.open(parent.resolve("empty")).close();
    make("damaged");
    Files.writeString(parent.resolve("damaged/db/CURRENT"), "MANIFEST-999999\n");
    Files.createDirectory(parent.resolve("newer"));
    Files.writeString(parent.resolve("newer/ROCKPOOL"), "Rockpool store\nformat 999\n");
    Files.createDirectory(parent.resolve("newer/db"));
    Files.writeString(parent.resolve("key"), KeyProviders.newKey("may"));
    try (Rockpool pool =
        Rockpool.at(parent.resolve("encrypted"))
            .encryption(Encryption.with(KeyProviders.file(parent.resolve("key"))))
            .open()) {
      pool.map("names", String.class, String.class).put("a", "b");
    }
    Files.createDirectory(parent.resolve("foreign"));
    Files.writeString(parent.resolve("foreign/file"), "x");
    Files.writeString(parent.resolve("file"), "x");
  }

  @AfterAll
  static void endHolder() throws Exception {
    holder.release();
    assertThat(holder.waitFor()).isZero();
    holder.close();
  }

  private static void make(String name) {
    try (Rockpool pool = Rockpool.open(parent.resolve(name))) {
      pool.map("names", String.class, String.class).put("a", "b");
    }
  }

  private static String path(String name) {
    return parent.resolve(name).toString();
  }

  static Stream<Arguments> readingOnEach() {
    return onEach(READING);
  }

  static Stream<Arguments> changingOnEach() {
    return onEach(CHANGING);
  }

  private static Stream<Arguments> onEach(Map<String, List<String>> verbs) {
    return verbs.keySet().stream()
        .flatMap(verb -> states().map(state -> Arguments.of(verb, state)));
  }

  private static Ran run(String verb, String state, Map<String, List<String>> verbs, Path store) {
    Path out = parent.resolve("out-" + verb + "-" + state);
    String[] rest =
        verbs.get(verb).stream()
            .map(part -> part.equals("OUT") ? out.toString() : part)
            .map(part -> part.equals("EXPORT") ? path("export") : part)
            .toArray(String[]::new);
    return run(
        Stream.concat(Stream.of(verb, store.toString()), Arrays.stream(rest))
            .toArray(String[]::new));
  }

  @ParameterizedTest
  @MethodSource("readingOnEach")
  void aVerbThatReads(String verb, String state) throws IOException {
    Path store = parent.resolve(state);
    Map<String, byte[]> before = content(store);
    Ran ran = run(verb, state, READING, store);
    boolean hasName = List.of("get", "scan", "count", "export").contains(verb);
    switch (state) {
      case "closed", "live" -> assertDone(ran);
      case "empty" -> {
        if (hasName) {
          assertRefused(ran, "has no name \"names\"; ls shows");
        } else {
          assertDone(ran);
        }
      }
      default -> assertRefused(ran, message(state));
    }
    if (!state.equals("live")) {
      Map<String, byte[]> after = content(store);
      assertThat(after.keySet()).isEqualTo(before.keySet());
      before.forEach((file, bytes) -> assertThat(after.get(file)).as(file).isEqualTo(bytes));
    }
    if (ran.code() != 0) {
      assertThat(parent.resolve("out-" + verb + "-" + state)).doesNotExist();
    }
  }

  @ParameterizedTest
  @MethodSource("changingOnEach")
  void aVerbThatChanges(String verb, String state) throws IOException {
    Path store = parent.resolve(state);
    if (state.equals("closed") || state.equals("empty")) {
      store = parent.resolve(state + "-" + verb);
      if (state.equals("closed")) {
        make(state + "-" + verb);
      } else {
        Rockpool.open(store).close();
      }
    }
    boolean makesStore = verb.equals("import") && state.equals("missing");
    if (makesStore) {
      store = parent.resolve("made");
    }
    String[] withoutLeave =
        Stream.concat(Stream.of(verb, store.toString()), CHANGING.get(verb).stream())
            .filter(part -> !part.equals("--write"))
            .toArray(String[]::new);
    assertThat(run(withoutLeave).code()).isEqualTo(RockpoolCommand.USAGE);
    Ran ran = run(verb, state, CHANGING, store);
    switch (state) {
      case "closed" -> assertDone(ran);
      case "live" -> assertRefused(ran, "in use by the process with pid " + holder.pid());
      case "empty" ->
          assertThat(ran.code())
              .as(ran.err())
              .isEqualTo(verb.equals("drop") ? RockpoolCommand.NO : RockpoolCommand.DONE);
      default -> {
        if (makesStore) {
          assertDone(ran);
        } else {
          assertRefused(ran, message(state));
        }
      }
    }
    assertThat(parent.resolve("missing")).doesNotExist();
  }

  @ParameterizedTest
  @MethodSource("states")
  void salvaging(String state) {
    Path out = parent.resolve("salvaged-" + state);
    Ran ran = run("salvage", path(state), out.toString());
    switch (state) {
      case "closed", "empty" -> assertDone(ran);
      case "damaged" -> {
        assertThat(ran.code()).as(ran.err()).isIn(RockpoolCommand.DONE, RockpoolCommand.NO);
        assertThat(run("get", out.toString(), "names", "a").code()).isZero();
      }
      case "live" -> assertRefused(ran, "in use by the process with pid " + holder.pid());
      case "newer", "encrypted" -> assertRefused(ran, message(state));
      default -> assertRefused(ran, "holds no files of a Rockpool store");
    }
  }

  @ParameterizedTest
  @MethodSource("states")
  void rekeying(String state) throws IOException {
    Path store = parent.resolve(state);
    Map<String, byte[]> before = content(store);
    assertThat(run("rekey", path(state)).code()).isEqualTo(RockpoolCommand.USAGE);
    Ran ran = run("rekey", path(state), "--write");
    switch (state) {
      case "closed", "empty" -> assertRefused(ran, "is not encrypted");
      case "live" -> assertRefused(ran, "in use by the process with pid " + holder.pid());
      default -> {
        assertRefused(ran, message(state));
        assertThat(ownFiles(content(store))).isEqualTo(ownFiles(before));
      }
    }
  }

  /** Opening writes new files of RocksDB also if it fails later. */
  private static Set<String> ownFiles(Map<String, byte[]> content) {
    return content.keySet().stream()
        .filter(file -> !file.startsWith("db/"))
        .collect(Collectors.toSet());
  }

  @ParameterizedTest
  @MethodSource("states")
  void verbsOfBackups(String state) {
    String message =
        switch (state) {
          case "missing" -> "There are no backups in";
          case "file" -> "is not a directory";
          default -> "holds no backups of Rockpool";
        };
    for (String verb : List.of("backups", "verify-backup")) {
      assertRefused(run(verb, path(state)), message);
    }
    assertRefused(run("restore", path(state), path("restored-" + state)), message);
    assertThat(parent.resolve("restored-" + state)).doesNotExist();
    assertThat(parent.resolve("missing")).doesNotExist();
  }

  /** A target and an output that are not what they should be. */
  @ParameterizedTest
  @MethodSource("states")
  void backupsToWhatIsNoTargetAndRestoresOverWhatIsThere(String state) throws IOException {
    if (state.equals("missing")) {
      return; // both make it
    }
    Path there = parent.resolve(state);
    Map<String, byte[]> before = content(there);
    assertRefused(run("backup", path("closed"), path(state)), path(state));
    assertDone(run("backup", path("closed"), path("good-" + state)));
    assertRefused(run("restore", path("good-" + state), path(state)), path(state));
    assertRefused(run("salvage", path("closed"), path(state)), path(state));
    if (!state.equals("live")) {
      Map<String, byte[]> after = content(there);
      assertThat(after.keySet()).isEqualTo(before.keySet());
      before.forEach((file, bytes) -> assertThat(after.get(file)).as(file).isEqualTo(bytes));
    }
  }

  /** Files that are no exports. */
  @ParameterizedTest
  @MethodSource("states")
  void importsOfWhatIsNoExport(String state) throws IOException {
    Ran ran = run("import", path("made-by-import"), path(state), "--write");
    assertThat(ran.code()).as(ran.out() + ran.err()).isEqualTo(RockpoolCommand.REFUSED);
    assertThat(ran.err()).startsWith("rockpool: ").hasLineCount(1);
    assertThat(parent.resolve("made-by-import")).doesNotExist();
    Ran csv =
        run(
            "import",
            path("made-by-import"),
            "n",
            "--from=csv:" + path(state),
            "--key=k",
            "--write");
    assertThat(csv.code()).as(csv.out() + csv.err()).isEqualTo(RockpoolCommand.REFUSED);
    assertThat(csv.err()).startsWith("rockpool: ").hasLineCount(1);
    assertThat(parent.resolve("made-by-import")).doesNotExist();
  }

  @Test
  void everyVerbIsTried() {
    Set<String> all =
        new TreeSet<>(new CommandLine(new RockpoolCommand()).getSubcommands().keySet());
    all.removeAll(READING.keySet());
    all.removeAll(CHANGING.keySet());
    assertThat(all)
        .containsExactlyInAnyOrder(
            "salvage",
            "rekey",
            "backups",
            "verify-backup",
            "restore",
            "generate-completion", // these have no store
            "help");
  }

  static Stream<String> states() {
    return Stream.of(
        "closed", "live", "empty", "encrypted", "damaged", "newer", "foreign", "file", "missing");
  }

  private static void assertDone(Ran ran) {
    assertThat(ran.code()).as(ran.err()).isEqualTo(RockpoolCommand.DONE);
  }

  private static void assertRefused(Ran ran, String message) {
    assertThat(ran.code()).as(ran.out() + ran.err()).isEqualTo(RockpoolCommand.REFUSED);
    assertThat(ran.err()).startsWith("rockpool: ").contains(message);
    assertThat(ran.err().lines()).hasSize(1);
  }

  private static String message(String state) {
    return switch (state) {
      case "damaged" -> "damaged";
      case "newer" -> "format 999";
      case "encrypted" -> "\"may\"";
      case "foreign" -> "holds no Rockpool store";
      case "file" -> "is not a directory";
      default -> "There is no store at";
    };
  }

  /** The files of a store, without the directories of copies. */
  private static Map<String, byte[]> content(Path directory) throws IOException {
    Map<String, byte[]> content = new TreeMap<>();
    if (Files.exists(directory)) {
      try (Stream<Path> files = Files.walk(directory)) {
        for (Path file : files.filter(Files::isRegularFile).toList()) {
          content.put(directory.relativize(file).toString(), Files.readAllBytes(file));
        }
      }
    }
    return content;
  }
}
