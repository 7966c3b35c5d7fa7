package io.rockpool.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.rockpool.Rockpool;
import io.rockpool.StoreBackups;
import io.rockpool.backup.DirectoryTarget;
import io.rockpool.codec.TypeRef;
import io.rockpool.encryption.Encryption;
import io.rockpool.encryption.KeyProviders;
import io.rockpool.testing.Child;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Every verb, on stores in every state. */
@Timeout(120)
final class RockpoolCommandTest {
  @TempDir Path parent;
  private String store = "";

  /** A value of the application. */
  record Order(String id, int amount) {}

  /** What a run of the command did. */
  private record Ran(int code, String out, String err) {}

  private static Ran run(Object... arguments) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    List<String> texts = new ArrayList<>();
    for (Object argument : arguments) {
      texts.add(argument.toString());
    }
    int code =
        RockpoolCommand.run(
            new PrintWriter(out), new PrintWriter(err), texts.toArray(new String[0]));
    return new Ran(code, out.toString(), err.toString());
  }

  /** What it prints if all is well. */
  private static String out(Object... arguments) {
    Ran ran = run(arguments);
    assertThat(ran.code()).as("%s %s", ran.out(), ran.err()).isZero();
    return ran.out();
  }

  @BeforeEach
  void makeStore() {
    store = parent.resolve("store").toString();
    try (Rockpool pool = Rockpool.open(Path.of(store))) {
      fill(pool);
    }
  }

  private static void fill(Rockpool pool) {
    pool.map("shop/stock", String.class, Long.class).putAll(Map.of("apple", 3L, "pear", 5L));
    pool.sortedMap("shop/orders", Long.class, Order.class).put(7L, new Order("o-7", 12));
    pool.set("tags", String.class).addAll(List.of("a", "b"));
    pool.sortedSet("days", Integer.class).addAll(List.of(3, -1, 2));
    pool.scoredSet("ranks", String.class).add("ann", 1.5);
    pool.deque("lines", String.class).addAll(List.of("one", "two"));
    pool.table("baskets", String.class, Integer.class, String.class).put("ann", 1, "apple");
    pool.value("name", String.class).set("Rockpool");
    pool.counter("visits").addAndGet(41);
    pool.cache("pages", TypeRef.of(String.class), TypeRef.of(byte[].class))
        .put("/", new byte[] {1, 2});
    pool.map("short", String.class, String.class).put("k", "v", Duration.ofDays(1));
  }

  @Test
  void theNamesAreListedWithTheirTypes() {
    assertThat(out("ls", store))
        .containsPattern("shop/stock +map +java.lang.String to java.lang.Long")
        .containsPattern("pages +cache")
        .containsPattern("visits +counter");
    assertThat(out("ls", store, "shop", "--format", "json").lines())
        .hasSize(2)
        .allSatisfy(line -> assertThat(line).startsWith("{\"name\":\"shop/"));
  }

  @Test
  void elementsOfEachTypeAreShown() {
    assertThat(json("scan", store, "shop/stock"))
        .containsExactlyInAnyOrder(
            "{\"key\":\"apple\",\"value\":3}", "{\"key\":\"pear\",\"value\":5}");
    assertThat(json("scan", store, "shop/orders"))
        .containsExactly("{\"key\":7,\"value\":{\"id\":\"o-7\",\"amount\":12}}");
    assertThat(json("scan", store, "tags"))
        .containsExactlyInAnyOrder("{\"element\":\"a\"}", "{\"element\":\"b\"}");
    assertThat(json("scan", store, "days"))
        .containsExactly("{\"element\":-1}", "{\"element\":2}", "{\"element\":3}");
    assertThat(json("scan", store, "ranks")).containsExactly("{\"element\":\"ann\",\"score\":1.5}");
    assertThat(json("scan", store, "lines"))
        .containsExactly("{\"element\":\"one\"}", "{\"element\":\"two\"}");
    assertThat(json("scan", store, "baskets"))
        .containsExactly("{\"row\":\"ann\",\"key\":1,\"value\":\"apple\"}");
    assertThat(json("scan", store, "name")).containsExactly("{\"value\":\"Rockpool\"}");
    assertThat(json("scan", store, "visits")).containsExactly("{\"value\":41}");
    assertThat(json("scan", store, "pages"))
        .containsExactly("{\"key\":\"/\",\"value\":\"0x0102\"}");
    assertThat(out("scan", store, "short", "--format", "json")).contains("\"expires\":\"2");
    assertThat(json("scan", store, "shop/stock", "--keys-only", "--prefix", "ap"))
        .containsExactly("{\"key\":\"apple\"}");
    assertThat(json("scan", store, "shop/stock", "--from", "b", "--to", "q"))
        .containsExactly("{\"key\":\"pear\",\"value\":5}");
    assertThat(json("scan", store, "days", "--limit", "1")).hasSize(1);
  }

  private static List<String> json(Object... arguments) {
    List<Object> all = new ArrayList<>(List.of(arguments));
    all.add("--format=json");
    return out(all.toArray()).lines().toList();
  }

  @Test
  void anEncryptedStoreNeedsItsKeys() throws IOException {
    Path keys = parent.resolve("keys");
    Files.writeString(keys, KeyProviders.newKey("may"));
    Path encrypted = parent.resolve("encrypted");
    Path backups = parent.resolve("backups-of-encrypted");
    try (Rockpool pool =
        Rockpool.at(encrypted).encryption(Encryption.with(KeyProviders.file(keys))).open()) {
      fill(pool);
    }
    assertThat(run("ls", encrypted))
        .satisfies(ran -> assertThat(ran.code()).isEqualTo(RockpoolCommand.REFUSED))
        .satisfies(ran -> assertThat(ran.err()).contains("\"may\""));
    assertThat(json("get", encrypted, "visits", "--key-file", keys))
        .containsExactly("{\"value\":41}");
    assertThat(out("verify", encrypted, "--deep", "--key-file", keys)).isNotEmpty();
    assertThat(out("backup", encrypted, backups, "--key-file", keys)).isNotEmpty();
    assertThat(run("verify-backup", backups).code()).isEqualTo(RockpoolCommand.REFUSED);
    assertThat(out("verify-backup", backups, "--key-file", keys)).isNotEmpty();
  }

  @Test
  void anEncryptedStoreGetsNewKeys() throws Exception {
    Path keys = parent.resolve("keys");
    Files.writeString(keys, KeyProviders.newKey("may"));
    Path encrypted = parent.resolve("encrypted");
    Encryption encryption = Encryption.with(KeyProviders.file(keys));
    try (Rockpool pool = Rockpool.at(encrypted).encryption(encryption).open()) {
      fill(pool);
    }
    assertThat(run("rekey", encrypted, "--key-file", keys).err()).contains("needs --write");
    assertThat(run("rekey", store, "--write").err()).contains("is not encrypted");
    Ran ran = run("rekey", encrypted, "--key-file", keys, "--write", "--progress");
    assertThat(ran.code()).as(ran.err()).isZero();
    assertThat(ran.out()).containsPattern("resumed +false").containsPattern("left names +0");
    assertThat(ran.err()).contains("100 %", "records");
    assertThat(json("get", encrypted, "visits", "--key-file", keys))
        .containsExactly("{\"value\":41}");
    // A rotation that was interrupted is completed.
    try (Rockpool pool = Rockpool.at(encrypted).encryption(encryption).open()) {
      var many = pool.map("many", Integer.class, String.class);
      for (int key = 0; key < 5_000; key++) {
        many.put(key, "value " + key);
      }
      pool.rotateKeys();
    }
    String[] again = {"rekey", encrypted.toString(), "--key-file", keys.toString(), "--write"};
    assertThat(out((Object[]) again)).containsPattern("left names +0");
    try (Rockpool pool = Rockpool.at(encrypted).encryption(encryption).open()) {
      assertThat(pool.state().keyRotation().pendingNames()).isZero();
      assertThat(pool.map("many", Integer.class, String.class)).hasSize(5_000);
      assertThat(pool.verify().isClean()).isTrue();
    }
  }

  @Test
  void oneElementIsFoundByTheTextOfItsKey() {
    assertThat(json("get", store, "shop/orders", "7"))
        .containsExactly("{\"key\":7,\"value\":{\"id\":\"o-7\",\"amount\":12}}");
    assertThat(json("get", store, "baskets", "ann")).hasSize(1);
    assertThat(json("get", store, "visits")).containsExactly("{\"value\":41}");
    try (Rockpool pool = Rockpool.open(Path.of(store))) {
      pool.map("doubles", Double.class, Long.class)
          .putAll(Map.of(Double.NaN, 1L, Double.POSITIVE_INFINITY, 2L, 0.5, 3L));
    }
    assertThat(json("get", store, "doubles", "NaN"))
        .containsExactly("{\"key\":\"NaN\",\"value\":1}");
    assertThat(json("get", store, "doubles", "Infinity")).hasSize(1);
    assertThat(json("get", store, "doubles", "0.5")).hasSize(1);
    assertThat(run("get", store, "shop/stock", "plum").code()).isEqualTo(RockpoolCommand.NO);
    assertThat(run("get", store, "nothing", "k"))
        .satisfies(ran -> assertThat(ran.code()).isEqualTo(RockpoolCommand.REFUSED))
        .satisfies(ran -> assertThat(ran.err()).contains("no name \"nothing\"; ls shows"));
  }

  @Test
  void whatIsCountedAndMeasured() {
    assertThat(json("count", store, "shop/stock")).containsExactly("{\"count\":2}");
    assertThat(json("count", store, "ranks")).containsExactly("{\"count\":1}");
    assertThat(json("top", store, "--by", "entries", "--limit", "1").get(0))
        .startsWith("{\"entries\":3,\"name\":\"days\"");
    assertThat(json("top", store)).hasSize(11);
    assertThat(json("stat", store, "--watch", "1ms", "--times", "3")).hasSize(3);
    assertThat(out("info", store))
        .contains("names", "11", "state", store + "\n")
        .containsPattern("readable by +0.1.0 and later\n")
        .containsPattern("writable by +0.1.0 and later\n");
    assertThat(out("info", store, "shop/stock")).contains("key codec", "string", "created");
    assertThat(json("verify", store, "--deep").get(0)).startsWith("{\"clean\":true");
  }

  /** A process that holds a store open. */
  static final class Holder {
    private Holder() {}

    public static void main(String[] arguments) throws IOException {
      try (Rockpool pool = Rockpool.at(Path.of(arguments[0])).open()) {
        pool.map("shop/stock", String.class, Long.class).put("plum", 9L);
        System.out.println("holds");
        System.in.transferTo(java.io.OutputStream.nullOutputStream());
      }
    }
  }

  @Test
  void aLiveStoreIsReadButNotChanged() throws Exception {
    try (Child holder = Child.start(Holder.class, List.of(), store)) {
      assertThat(holder.readLine()).isEqualTo("holds");
      assertThat(json("get", store, "shop/stock", "plum"))
          .containsExactly("{\"key\":\"plum\",\"value\":9}");
      assertThat(run("verify", store).code()).isZero();
      assertThat(run("backup", store, parent.resolve("backups")).code()).isZero();
      Ran refused = run("drop", store, "shop/stock", "--write");
      assertThat(refused.code()).isEqualTo(RockpoolCommand.REFUSED);
      assertThat(refused.err()).contains("in use by the process with pid " + holder.pid());
      holder.release();
      assertThat(holder.waitFor()).isZero();
    }
  }

  @Test
  void nothingIsChangedWithoutBeingAllowed() {
    Ran ran = run("drop", store, "tags");
    assertThat(ran.code()).isEqualTo(RockpoolCommand.USAGE);
    assertThat(ran.err()).contains("needs --write; nothing was done");
    assertThat(json("count", store, "tags")).containsExactly("{\"count\":2}");
    assertThat(json("drop", store, "tags", "--write")).containsExactly("{\"dropped\":true}");
    assertThat(run("drop", store, "tags", "--write").code()).isEqualTo(RockpoolCommand.NO);
    assertThat(run("reclaim", store, "--write").code()).isZero();
  }

  @Test
  void compactingRemovesWhatWasOverwritten() {
    try (Rockpool pool = Rockpool.open(Path.of(store))) {
      var large = pool.map("large", Integer.class, byte[].class);
      for (int key = 0; key < 4_000; key++) {
        byte[] noise = new byte[2_000 + key % 2 * 30_000]; // some in files of large values
        new java.util.Random(key).nextBytes(noise);
        large.put(key % 400, noise);
      }
    }
    List<String> before = json("scan", store, "shop/stock");
    Ran ran = run("compact", store, "--write", "--progress", "--format=json");
    assertThat(ran.code()).as(ran.err()).isZero();
    assertThat(ran.err()).contains("100 %");
    String numbers = ran.out().strip().replaceAll("[^0-9,]", "");
    long bytes = Long.parseLong(numbers.substring(numbers.indexOf(',') + 1));
    assertThat(bytes).isBetween(200L * 2_000 + 200 * 32_000, 12_000_000L);
    assertThat(json("scan", store, "shop/stock")).isEqualTo(before);
    assertThat(json("verify", store).get(0)).startsWith("{\"clean\":true");
  }

  @ParameterizedTest
  @ValueSource(strings = {"ls", "info", "stat", "top", "verify"})
  void whatIsNoStoreIsRefusedWithAdvice(String verb) throws Exception {
    Path missing = parent.resolve("missing");
    assertThat(run(verb, missing))
        .satisfies(ran -> assertThat(ran.code()).isEqualTo(RockpoolCommand.REFUSED))
        .satisfies(ran -> assertThat(ran.err()).contains("There is no store at"));
    assertThat(missing).doesNotExist();
    Path foreign = Files.createDirectory(parent.resolve("foreign"));
    Files.writeString(foreign.resolve("file"), "x");
    assertThat(run(verb, foreign).err()).contains("holds no Rockpool store");
    Path newer = Files.createDirectory(parent.resolve("newer"));
    Files.writeString(newer.resolve("ROCKPOOL"), "Rockpool store\nformat 999\n");
    assertThat(run(verb, newer).err()).contains("format 999");
    Path damaged = parent.resolve("damaged");
    Rockpool.open(damaged).close();
    Files.writeString(damaged.resolve("db/CURRENT"), "MANIFEST-999999\n");
    assertThat(run(verb, damaged).code()).isEqualTo(RockpoolCommand.REFUSED);
  }

  @Test
  void writingVerbsMakeNoStore() {
    Path missing = parent.resolve("missing");
    assertThat(run("drop", missing, "x", "--write").code()).isEqualTo(RockpoolCommand.REFUSED);
    assertThat(run("reclaim", missing, "--write").code()).isEqualTo(RockpoolCommand.REFUSED);
    assertThat(missing).doesNotExist();
  }

  @Test
  void aTargetWithOneSlashAfterItsSchemeIsNoDirectory() {
    CommandRun ran = CommandRun.of("backup", store, "s3:/bucket");
    ran.assertRefused("s3://bucket");
    assertThat(Path.of("s3:")).doesNotExist();
    CommandRun.of("backups", "s3:/bucket").assertRefused("s3://bucket");
  }

  @Test
  void aTargetOfAnotherStoreIsTakenOverOnlyOnRequest() {
    Path backups = parent.resolve("backups-of-two");
    Path other = parent.resolve("other-store");
    Rockpool.open(other).close();
    assertThat(run("backup", store, backups).code()).isZero();
    assertThat(run("backup", other, backups).code()).isEqualTo(RockpoolCommand.REFUSED);
    assertThat(run("backup", other, backups).err())
        .contains("has backups of another store", "--take-over");
    assertThat(run("backup", other, backups, "--take-over").code()).isZero();
    assertThat(run("backup", other, backups).code()).isZero();
    assertThat(run("backup", store, backups).code()).isEqualTo(RockpoolCommand.REFUSED);
  }

  @Test
  void backupsAreMadeListedVerifiedAndRestored() {
    Path backups = parent.resolve("backups");
    Path restored = parent.resolve("restored");
    for (int number = 1; number <= 3; number++) {
      assertThat(json("backup", store, backups, "--keep", "2").get(0))
          .startsWith("{\"number\":" + number);
    }
    assertThat(run("backup", store, backups, "--keep", "2", "--progress").err()).contains("100 %");
    assertThat(json("backups", backups)).hasSize(2);
    assertThat(json("verify-backup", backups).get(0)).startsWith("{\"clean\":true");
    assertThat(json("restore", backups, restored).get(0)).startsWith("{\"number\":4");
    assertThat(json("scan", restored, "days")).isEqualTo(json("scan", store, "days"));
    assertThat(run("restore", backups, restored).err()).contains("not empty");
    String time =
        StoreBackups.restorableTimes(DirectoryTarget.at(backups)).get(0).from().toString();
    assertThat(json("backups", backups, "--times").get(0)).startsWith("{\"from\":\"" + time);
    Path moment = parent.resolve("moment");
    assertThat(json("restore", backups, moment, "--at", time).get(0)).contains("moment");
    assertThat(run("verify-backup", backups, "--at", time).code()).isZero();
    assertThat(run("verify-backup", backups, "--at", "2001-01-31T12:00:00Z").err())
        .contains("They can restore");
    assertThat(run("restore", backups, moment, "--at", time, "--number", "4").err())
        .contains("leave out one");
  }

  @Test
  void anExportIntoADirectoryThatIsMissing() {
    Path file = parent.resolve("no/dir/orders.jsonl");
    assertThat(run("export", store, "shop/orders", file).err())
        .contains("There is no file " + file.getParent() + ".");
  }

  @Test
  void everyNameIsExportedAndImported() throws Exception {
    Path copy = parent.resolve("copy");
    Rockpool.open(copy).close();
    for (String line : json("ls", store)) {
      String name = line.replaceAll("\\{\"name\":\"([^\"]+)\".*", "$1");
      Path file = parent.resolve(name.replace('/', '-') + ".jsonl");
      out("export", store, name, file);
      out("import", copy, file, "--write");
      assertThat(json("scan", copy, name)).isEqualTo(json("scan", store, name));
      assertThat(run("import", copy, file, "--write").err()).contains("already; drop it");
    }
    assertThat(json("verify", copy, "--deep").get(0)).startsWith("{\"clean\":true");
    try (Rockpool pool = Rockpool.open(copy)) {
      assertThat(pool.deque("lines", String.class).pollLast()).isEqualTo("two");
      assertThat(pool.scoredSet("ranks", String.class).score("ann")).hasValue(1.5);
      assertThat(pool.map("shop/stock", String.class, Long.class)).hasSize(2);
      assertThat(pool.counter("visits").incrementAndGet()).isEqualTo(42);
    }
  }

  @Test
  void everyNameIsImportedIntoAnotherEngineAndBack() throws Exception {
    String server = "memory://cli-" + java.util.UUID.randomUUID();
    Path back = parent.resolve("back");
    for (String line : json("ls", store)) {
      String name = line.replaceAll("\\{\"name\":\"([^\"]+)\".*", "$1");
      Path file = parent.resolve(name.replace('/', '-') + ".jsonl");
      out("export", store, name, file);
      out("import", server, file, "--write");
      assertThat(json("scan", server, name))
          .containsExactlyInAnyOrderElementsOf(json("scan", store, name));
      out("export", server, name, file);
      out("import", back, file, "--write");
      assertThat(json("scan", back, name)).isEqualTo(json("scan", store, name));
    }
    assertThat(json("verify", back, "--deep").get(0)).startsWith("{\"clean\":true");
    assertThat(json("ls", server)).hasSize(11);
    assertThat(out("info", server)).contains("names");
    for (String verb : List.of("stat", "compact", "salvage")) {
      Ran ran = run(verb, server, verb.equals("salvage") ? parent.resolve("out") : "--write");
      assertThat(ran.code()).as(verb + ran.err()).isNotZero();
    }
    assertThat(run("salvage", server, parent.resolve("out")).err()).contains("needs the files");
  }

  @Test
  void anImportThatWasInterruptedGoesOn() throws Exception {
    try (Rockpool pool = Rockpool.open(Path.of(store))) {
      var many = pool.sortedMap("many", Integer.class, String.class);
      for (int key = 0; key < 2_500; key++) {
        many.put(key, "value " + key);
      }
    }
    Path file = parent.resolve("many.jsonl");
    out("export", store, "many", file);
    List<String> lines = Files.readAllLines(file);
    assertThat(lines).hasSize(2_502);
    Path cut = Files.write(parent.resolve("cut.jsonl"), lines.subList(0, 1_800));
    Path copy = parent.resolve("copy");
    assertThat(run("import", copy, cut, "--write").err()).contains("ends before its last line");
    assertThat(run("import", copy, file, "--write").err()).contains("give --resume");
    assertThat(json("import", copy, file, "--write", "--resume"))
        .containsExactly("{\"imported\":2500}");
    assertThat(json("count", copy, "many")).containsExactly("{\"count\":2500}");
    assertThat(json("import", copy, file, "--write", "--as", "other"))
        .containsExactly("{\"imported\":2500}");
    assertThat(json("verify", copy, "--deep").get(0)).startsWith("{\"clean\":true");
  }

  @Test
  void decodedElementsAreExportedForOthers() throws Exception {
    assertThat(out("export", store, "shop/orders", "-", "--values").lines())
        .hasSize(3)
        .contains("{\"key\":7,\"value\":{\"id\":\"o-7\",\"amount\":12}}");
  }

  @Test
  void helpNamesEveryVerbAndTheExitCodes() {
    assertThat(out("--help")).contains("Exit codes:", "verify-backup", "import", "ls");
    assertThat(out("scan", "--help")).contains("--keys-only", "--format");
    assertThat(out("generate-completion")).contains("complete -F");
    assertThat(run("nonsense").code()).isEqualTo(RockpoolCommand.USAGE);
    assertThat(run("stat", store, "--watch", "soon").err()).contains("no duration such as");
  }
}
