package io.rockpool.cli;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import io.rockpool.Rockpool;
import io.rockpool.cache.CacheOptions;
import io.rockpool.cache.PersistentCache;
import io.rockpool.encryption.Encryption;
import io.rockpool.encryption.KeyProviders;
import io.rockpool.testing.NotEncrypted;
import io.rockpool.testing.Slow;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The command on stores whose keys are encrypted. */
@Slow
@Timeout(180)
@NotEncrypted("opens stores with and without encrypted keys")
final class HiddenKeysCommandTest {
  private static final String KEY = "a-key-that-no-file-may-have-";
  private static final int ELEMENTS = 2_500;
  private static final List<String> NAMES =
      List.of("cache", "map", "set", "table", "deque", "value", "counter");

  @TempDir Path parent;
  private Path store = Path.of("");
  private Path keys = Path.of("");

  @BeforeEach
  void makeKeys() throws IOException {
    store = parent.resolve("store");
    keys = parent.resolve("keys");
    Files.writeString(keys, KeyProviders.newKey("may"));
  }

  private Rockpool open(Path directory, boolean hiding) {
    Encryption encryption = Encryption.with(KeyProviders.file(keys));
    return Rockpool.at(directory)
        .encryption(hiding ? encryption.hidingKeys("") : encryption)
        .open();
  }

  private static PersistentCache<String, String> cache(Rockpool pool) {
    CacheOptions<String, String> options = CacheOptions.defaults();
    return pool.cache("cache", String.class, String.class, o -> options);
  }

  private static void fill(Rockpool pool) {
    PersistentCache<String, String> cache = cache(pool);
    var map = pool.map("map", String.class, Long.class);
    var set = pool.set("set", String.class);
    var table = pool.table("table", String.class, Integer.class, String.class);
    pool.atomically(
        tx -> {
          for (int i = 0; i < ELEMENTS; i++) {
            map.put(KEY + i, (long) i);
            set.add(KEY + i);
            table.put(KEY + i % 100, i, "v" + i);
          }
          return null;
        });
    for (int i = 0; i < ELEMENTS; i++) {
      cache.put(KEY + i, "v" + i);
    }
    cache.put(KEY + "short", "v", Duration.ofDays(1));
    map.put(KEY + "short", 5L, Duration.ofDays(1));
    pool.deque("deque", String.class).addAll(List.of("one", "two", "one"));
    pool.value("value", String.class).set("v");
    pool.counter("counter").addAndGet(41);
  }

  private void makeStore() {
    try (Rockpool pool = open(store, true)) {
      fill(pool);
    }
  }

  /** Runs the command with the keys. */
  private String out(Object... arguments) {
    CommandRun ran = run(arguments);
    assertThat(ran.code()).as("%s %s %s", List.of(arguments), ran.out(), ran.err()).isZero();
    return ran.out();
  }

  private CommandRun run(Object... arguments) {
    return CommandRun.of(
        Stream.concat(
                Stream.of(arguments).filter(each -> !each.equals("")),
                Stream.of("--key-file", keys))
            .toArray());
  }

  private List<String> elements(Path directory, String name) {
    return out("scan", directory, name, "--limit=0", "--format=json").lines().sorted().toList();
  }

  private static List<Path> filesWithKeys(Path directory) throws IOException {
    List<Path> with = new ArrayList<>();
    try (Stream<Path> files = Files.walk(directory)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        if (Files.readString(file, ISO_8859_1).contains(KEY)) {
          with.add(file);
        }
      }
    }
    return with;
  }

  /** An element may expire later by the time of its write. */
  private static List<String> withoutTimes(List<String> lines) {
    return lines.stream().map(line -> line.replaceAll("\"expires\":\"[^\"]*\"", "E")).toList();
  }

  @ParameterizedTest
  @CsvSource({
    "'', --hide-keys",
    "'', ''",
    "'', clear",
    "--values, --hide-keys",
    "--values, ''",
    "--values, clear"
  })
  void everyNameGoesToAnotherStoreAndBack(String how, String target) throws IOException {
    makeStore();
    Path other = parent.resolve("other");
    Path back = parent.resolve("back");
    for (String name : NAMES) {
      Path file = parent.resolve(name + ".jsonl");
      out("export", store, name, file, how);
      if (target.equals("clear")) {
        String unused = CommandRun.out("import", other, file, "--write");
        unused = CommandRun.out("export", other, name, file, "--format=text");
      } else {
        out("import", other, file, "--write", target);
        assertThat(out("info", other, name))
            .containsPattern(
                target.isEmpty() || !hasHiddenKeys(name)
                    ? "encrypted +values\n"
                    : "encrypted +values and keys\n");
        assertThat(withoutTimes(elements(other, name)))
            .isEqualTo(withoutTimes(elements(store, name)));
        out("export", other, name, file, how);
      }
      out("import", back, file, "--write", "--hide-keys");
      assertThat(withoutTimes(elements(back, name))).isEqualTo(withoutTimes(elements(store, name)));
    }
    if (target.equals("--hide-keys")) {
      assertThat(filesWithKeys(other)).isEmpty();
    } else {
      assertThat(filesWithKeys(other)).isNotEmpty();
    }
    assertThat(filesWithKeys(back)).isEmpty();
    assertThat(filesWithKeys(store)).isEmpty();
    try (Rockpool pool = open(back, false)) {
      assertThat(cache(pool).get(KEY + 7)).isEqualTo("v7");
      assertThat(cache(pool).ttl(KEY + "short").orElseThrow()).isLessThan(Duration.ofDays(2));
      assertThat(pool.map("map", String.class, Long.class))
          .hasSize(ELEMENTS + 1)
          .containsEntry(KEY + 9, 9L);
      assertThat(pool.set("set", String.class)).hasSize(ELEMENTS).contains(KEY + 9);
      assertThat(pool.table("table", String.class, Integer.class, String.class).row(KEY + 9))
          .hasSize(ELEMENTS / 100);
      assertThat(pool.deque("deque", String.class)).containsExactly("one", "two", "one");
      assertThat(pool.verify().isClean()).as("%s", pool.verify()).isTrue();
    }
  }

  private static boolean hasHiddenKeys(String name) {
    return Set.of("cache", "map", "set", "table").contains(name);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "--values"})
  void aSortedNameIsRefusedBeforeItIsMade(String how) {
    try (Rockpool pool = open(store, false)) {
      pool.sortedMap("sorted", String.class, Long.class).put("k", 1L);
    }
    Path file = parent.resolve("file");
    out("export", store, "sorted", file, how);
    Path other = parent.resolve("other");
    run("import", other, file, "--write", "--hide-keys")
        .assertRefused("The keys of \"sorted\" cannot be encrypted");
    assertThat(other).doesNotExist();
    out("import", other, file, "--write");
  }

  @Test
  void keysAreNotHiddenWithoutAMasterKey() {
    CommandRun ran = CommandRun.of("import", store, "file", "--write", "--hide-keys");
    assertThat(ran.code()).isEqualTo(RockpoolCommand.USAGE);
    assertThat(ran.err()).contains("give --key-file");
    assertThat(store).doesNotExist();
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "--values"})
  void anImportIsResumed(String how) throws IOException {
    makeStore();
    Path other = parent.resolve("other");
    for (String name : List.of("cache", "map", "set", "table")) {
      Path file = parent.resolve("file");
      out("export", store, name, file, how);
      List<String> lines = Files.readAllLines(file);
      Path part = parent.resolve("part");
      Files.write(part, lines.subList(0, 1_700));
      run("import", other, part, "--write", "--hide-keys").assertRefused("The file ends before");
      out("import", other, file, "--write", "--resume", name.equals("set") ? "" : "--hide-keys");
      assertThat(withoutTimes(elements(other, name)))
          .as(name)
          .isEqualTo(withoutTimes(elements(store, name)));
      assertThat(out("count", other, name)).isEqualTo(out("count", store, name));
    }
    assertThat(filesWithKeys(other)).isEmpty();
  }

  /** Keys that are in the clear already would not become encrypted. */
  @ParameterizedTest
  @ValueSource(strings = {"", "--values"})
  void anImportThatBeganInTheClearIsNotResumedWithHiddenKeys(String how) throws IOException {
    makeStore();
    Path file = parent.resolve("file");
    out("export", store, "map", file, how);
    Path part = parent.resolve("part");
    Files.write(part, Files.readAllLines(file).subList(0, 1_700));
    Path other = parent.resolve("other");
    run("import", other, part, "--write").assertRefused("The file ends before");
    run("import", other, file, "--write", "--resume", "--hide-keys")
        .assertRefused("The keys of \"map\" are in the clear");
    out("import", other, file, "--write", "--resume");
  }

  @Test
  void linesOfAnotherProgram() throws IOException {
    Path csv = parent.resolve("people.csv");
    Files.writeString(csv, "id,name\n" + KEY + "1,ann\n" + KEY + "2,bob\n");
    for (int round = 0; round < 2; round++) { // it can be repeated
      out("import", store, "people", "--from", "csv:" + csv, "--key=id", "--write", "--hide-keys");
    }
    assertThat(filesWithKeys(store)).isEmpty();
    assertThat(out("get", store, "people", KEY + "2")).contains("bob");
    out("import", store, "clear", "--from", "csv:" + csv, "--key=id", "--write");
    run("import", store, "clear", "--from", "csv:" + csv, "--key=id", "--write", "--hide-keys")
        .assertRefused("The keys of \"clear\" are in the clear");
  }

  private void assertCanBeRead(Path directory) {
    assertThat(out("get", directory, "map", KEY + 7)).contains("7");
    assertThat(out("get", directory, "cache", KEY + 7)).contains("v7");
    assertThat(out("get", directory, "table", KEY + 7, "--format=json").lines()).hasSize(25);
    assertThat(run("get", directory, "map", KEY + "none").code()).isEqualTo(RockpoolCommand.NO);
    assertThat(out("scan", directory, "set", "--prefix", KEY + 249, "--format=json").lines())
        .hasSize(11);
    assertThat(out("scan", directory, "map", "--from", KEY + 5, "--to", KEY + 6, "--limit=9"))
        .contains(KEY + 5)
        .hasLineCount(10);
    assertThat(out("count", directory, "map")).contains("" + (ELEMENTS + 1));
    assertThat(out("count", directory, "cache")).contains("" + (ELEMENTS + 1));
    assertThat(out("count", directory, "table")).contains("" + ELEMENTS);
    assertThat(out("info", directory, "map")).contains("values and keys");
    assertThat(out("ls", directory)).contains("map", "cache");
    assertThat(out("top", directory, "--by=entries")).contains("map");
    assertThat(out("stat", directory)).isNotEmpty();
    assertThat(out("verify", directory, "--deep")).contains("clean");
  }

  @Test
  void everyVerbOnAStoreThatIsOpenAndClosed() throws IOException {
    Path backups = parent.resolve("backups");
    try (Rockpool pool = open(store, true)) {
      fill(pool);
      assertCanBeRead(store);
      out("backup", store, backups);
    }
    assertCanBeRead(store);
    out("backup", store, backups, "--keep=2");
    assertThat(CommandRun.out("backups", backups, "--format=json").lines()).hasSize(2);
    out("verify-backup", backups);
    for (int number = 1; number <= 2; number++) {
      Path restored = parent.resolve("restored-" + number);
      String unused = CommandRun.out("restore", backups, restored, "--number", number);
      assertCanBeRead(restored);
    }
    Path restored = parent.resolve("restored-1");
    assertThat(out("rekey", restored, "--write")).contains("left names  0");
    assertCanBeRead(restored);
    out("reclaim", restored, "--write");
    out("compact", restored, "--write");
    assertCanBeRead(restored);
    out("drop", restored, "set", "--write");
    assertThat(out("ls", restored)).doesNotContain("set ");
    assertThat(filesWithKeys(parent)).isEmpty();
    CommandRun.of("scan", store, "map").assertRefused("\"may\", which was not given");
    Files.writeString(keys, KeyProviders.newKey("june"));
    run("scan", store, "map").assertRefused("\"may\", which was not given");
    Files.writeString(keys, KeyProviders.newKey("may"));
    run("scan", store, "map").assertRefused("\"may\", and that given is another");
  }

  /** The largest table loses a block. */
  @Test
  void aDamagedStoreIsSalvaged() throws IOException {
    makeStore();
    out("compact", store, "--write");
    Path table;
    try (Stream<Path> files = Files.walk(store)) {
      table =
          files
              .filter(file -> file.toString().endsWith(".sst"))
              .max((one, two) -> Long.compare(one.toFile().length(), two.toFile().length()))
              .orElseThrow();
    }
    try (FileChannel channel = FileChannel.open(table, StandardOpenOption.WRITE)) {
      int unused = channel.write(ISO_8859_1.encode("damaged"), channel.size() / 3);
    }
    CommandRun verified = run("verify", store);
    assertThat(verified.code()).as(verified.out()).isEqualTo(RockpoolCommand.NO);
    Path salvaged = parent.resolve("salvaged");
    CommandRun ran = run("salvage", store, salvaged);
    assertThat(ran.code()).as(ran.out() + ran.err()).isEqualTo(RockpoolCommand.NO);
    for (String name : List.of("cache", "map", "set", "table")) {
      assertThat(out("info", salvaged, name)).contains("values and keys");
      assertThat(withoutTimes(elements(salvaged, name)))
          .as(name)
          .isNotEmpty()
          .isSubsetOf(withoutTimes(expected(name)));
    }
    assertThat(out("verify", salvaged, "--deep")).contains("clean");
    assertThat(filesWithKeys(parent)).isEmpty();
  }

  private List<String> expected(String name) {
    Path whole = parent.resolve("whole");
    if (Files.notExists(whole)) {
      try (Rockpool pool = open(whole, true)) {
        fill(pool);
      }
    }
    return elements(whole, name);
  }

  /** The keys of names in a file outside of the store. */
  @Test
  void keysOfNamesElsewhere() throws IOException {
    Path file = parent.resolve("data-keys");
    try (Rockpool pool =
        Rockpool.at(store)
            .encryption(Encryption.with(KeyProviders.file(keys)).hidingKeys("").keysIn(file))
            .open()) {
      fill(pool);
      assertThat(out("count", store, "map", "--data-keys", file)).contains("2501");
      out("backup", store, parent.resolve("backups"), "--data-keys", file);
    }
    assertThat(out("get", store, "map", KEY + 7, "--data-keys", file)).contains("7");
    run("get", store, "map", KEY + 7).assertRefused("key");
    out("verify-backup", parent.resolve("backups"), "--data-keys", file);
    out("verify", store, "--deep", "--data-keys", file);
    Path copy = parent.resolve("data-keys-copy");
    Files.copy(file, copy); // the rotation forgets the keys that the backup needs
    assertThat(out("rekey", store, "--write", "--data-keys", file)).contains("left names  0");
    Path exported = parent.resolve("map.jsonl");
    out("export", store, "map", exported, "--data-keys", file);
    out("drop", store, "map", "--write", "--data-keys", file);
    out("import", store, exported, "--write", "--hide-keys", "--data-keys", file);
    assertThat(out("get", store, "map", KEY + 7, "--data-keys", file)).contains("7");
    Path restored = parent.resolve("restored");
    String unused = CommandRun.out("restore", parent.resolve("backups"), restored);
    assertThat(out("count", restored, "set", "--data-keys", copy)).contains("2500");
    Path salvaged = parent.resolve("salvaged");
    byte[] before = Files.readAllBytes(copy);
    assertThat(run("salvage", restored, salvaged, "--data-keys", copy).err())
        .contains("give --new-data-keys with --data-keys");
    Path own = parent.resolve("new-data-keys");
    Path damaged = Files.writeString(parent.resolve("damaged-data-keys"), "none");
    run("salvage", restored, salvaged, "--data-keys", damaged, "--new-data-keys", own)
        .assertRefused("has not the keys of this store");
    assertThat(parent.toFile().list()).doesNotContain("salvaged", "new-data-keys");
    run("salvage", restored, salvaged, "--data-keys", copy, "--new-data-keys", damaged)
        .assertRefused("it exists already");
    out("salvage", restored, salvaged, "--data-keys", copy, "--new-data-keys", own);
    assertThat(copy).hasBinaryContent(before);
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(own)))
        .isEqualTo("rw-------");
    assertThat(out("count", salvaged, "set", "--data-keys", own)).contains("2500");
    assertThat(out("count", restored, "set", "--data-keys", copy)).contains("2500");
  }
}
