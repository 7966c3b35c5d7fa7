package io.rockpool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rockpool.cache.PersistentCache;
import io.rockpool.encryption.Encryption;
import io.rockpool.encryption.TestKeys;
import io.rockpool.error.EncryptionKeyException;
import io.rockpool.error.ForeignDirectoryException;
import io.rockpool.internal.access.Internals;
import io.rockpool.internal.engine.EngineUpkeep;
import io.rockpool.internal.format.RecoveryPoint;
import io.rockpool.internal.rocksdb.files.StoreDirectory;
import io.rockpool.internal.rocksdb.natives.ColumnFamily;
import io.rockpool.internal.rocksdb.natives.TableCondition;
import io.rockpool.queue.PersistentQueue;
import io.rockpool.store.SalvageReport;
import io.rockpool.structure.PersistentDeque;
import io.rockpool.structure.PersistentMap;
import io.rockpool.structure.PersistentScoredSet;
import io.rockpool.structure.PersistentSortedMap;
import io.rockpool.testing.FaultLog;
import io.rockpool.testing.Seeds;
import io.rockpool.testing.Slow;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What is salvaged of a damaged store. {@code -Drockpool.test.salvages=200} damages more often than
 * the gate does.
 */
@Slow
@Tag("encrypted")
final class SalvageTest {
  private static final int ROUNDS = Integer.getInteger("rockpool.test.salvages", 3);
  private static final int IN_FILES = 6_000;
  private static final int ALL = 6_500;
  private static final int LARGE_EVERY = 1_500;

  @TempDir static Path parent;
  private static Path store;

  @BeforeAll
  static void create() {
    store = parent.resolve("store");
    try (Rockpool pool = Rockpool.open(store)) {
      for (int number = 0; number < IN_FILES; number++) {
        fill(pool, number);
      }
      pool.map("map", Integer.class, String.class).put(3, "later");
      EngineUpkeep.of(Internals.store(pool).engine()).compact();
      for (int number = IN_FILES; number < ALL; number++) {
        fill(pool, number);
      }
      pool.map("map", Integer.class, String.class).put(5, "later");
      pool.map("map", Integer.class, String.class).remove(7);
    }
  }

  private static void fill(Rockpool pool, int number) {
    PersistentCache<Integer, String> cache = pool.cache("cache", Integer.class, String.class);
    cache.put(number, value(number));
    pool.map("map", Integer.class, String.class).put(number, value(number));
    pool.sortedMap("sorted", Integer.class, String.class).put(number, value(number));
    if (number % 10 == 0) {
      pool.scoredSet("scored", Integer.class).add(number, -number);
      pool.deque("deque", Integer.class).addLast(number);
      pool.<Integer>queue("queue", Integer.class).send(number);
      pool.set("set", Integer.class).add(number);
    }
    if (number == ALL - 1) {
      pool.deque("deque", Integer.class).pollFirst();
      pool.counter("counter").addAndGet(7);
    }
  }

  private static String value(int number) {
    return ("value-" + number + " ").repeat(number % LARGE_EVERY == 1 ? 3_000 : 10);
  }

  /** What a salvaged store has: how many right elements, and that none is wrong. */
  private static long rightElements(Path directory) {
    try (Rockpool pool = Rockpool.open(directory)) {
      assertThat(pool.verify().isClean()).as(pool.verify().toString()).isTrue();
      long right = 0;
      PersistentMap<Integer, String> map = pool.map("map", Integer.class, String.class);
      PersistentSortedMap<Integer, String> sorted =
          pool.sortedMap("sorted", Integer.class, String.class);
      PersistentCache<Integer, String> cache = pool.cache("cache", Integer.class, String.class);
      long mapped = 0;
      for (Map.Entry<Integer, String> entry : map.entrySet()) {
        mapped++;
        String wanted = value(entry.getKey());
        // The older value may be back where a block is damaged.
        boolean wasReplaced = entry.getKey() == 3 || entry.getKey() == 5;
        assertThat(entry.getValue()).isIn(wanted, wasReplaced ? "later" : wanted);
        right++;
      }
      assertThat(map).hasSize((int) mapped);
      for (Map.Entry<Integer, String> entry : sorted.entrySet()) {
        assertThat(entry.getValue()).isEqualTo(value(entry.getKey()));
        right++;
      }
      for (int number = 0; number < ALL; number++) {
        String cached = cache.get(number);
        assertThat(cached).isIn(null, value(number));
        right += cached == null ? 0 : 1;
      }
      PersistentScoredSet<Integer> scored = pool.scoredSet("scored", Integer.class);
      long rank = scored.size();
      for (Integer element : scored) {
        assertThat(scored.score(element)).hasValue(-element);
        rank--;
        right++;
      }
      assertThat(rank).isZero();
      PersistentDeque<Integer> deque = pool.deque("deque", Integer.class);
      List<Integer> elements = List.copyOf(deque);
      assertThat(elements).isSorted().hasSize(deque.size());
      right += elements.size();
      deque.addFirst(-1);
      deque.addLast(ALL);
      assertThat(deque.pollLast()).isEqualTo(ALL);
      assertThat(deque.pollFirst()).isEqualTo(-1);
      PersistentQueue<Integer> queue = pool.queue("queue", Integer.class);
      right += queue.size();
      right += pool.set("set", Integer.class).size();
      return right;
    }
  }

  private static Path copy(String name) throws IOException {
    Path copy = parent.resolve(name);
    try (Stream<Path> files = Files.walk(store)) {
      for (Path file : files.toList()) {
        Files.copy(file, copy.resolve(store.relativize(file).toString()));
      }
    }
    return copy;
  }

  private static Map<String, byte[]> content(Path directory) throws IOException {
    Map<String, byte[]> content = new TreeMap<>();
    try (Stream<Path> files = Files.walk(directory)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        content.put(directory.relativize(file).toString(), Files.readAllBytes(file));
      }
    }
    return content;
  }

  private static List<Path> files(Path directory, String end) throws IOException {
    try (Stream<Path> files = Files.walk(directory)) {
      return files
          .filter(Files::isRegularFile)
          .filter(file -> file.getFileName().toString().contains(end))
          .sorted()
          .toList();
    }
  }

  private static void assertUnchanged(Path directory, Map<String, byte[]> before)
      throws IOException {
    Map<String, byte[]> after = content(directory);
    assertThat(after.keySet()).isEqualTo(before.keySet());
    before.forEach((file, bytes) -> assertThat(Arrays.equals(bytes, after.get(file))).isTrue());
  }

  @Test
  void aSoundStoreIsCopied() throws IOException {
    Path copy = copy("sound");
    Map<String, byte[]> before = content(copy);
    SalvageReport report = StoreSalvage.copy(copy, parent.resolve("sound-out"));
    assertThat(report.isComplete()).as(report.toString()).isTrue();
    assertUnchanged(copy, before);
    assertThat(rightElements(parent.resolve("sound-out"))).isEqualTo(rightElements(copy));
    try (Rockpool pool = Rockpool.open(parent.resolve("sound-out"))) {
      PersistentMap<Integer, String> map = pool.map("map", Integer.class, String.class);
      assertThat(map).hasSize(ALL - 1).containsEntry(3, "later").containsEntry(5, "later");
      assertThat(map).doesNotContainKey(7);
      assertThat(pool.counter("counter").get()).isEqualTo(7);
      assertThat(pool.scoredSet("scored", Integer.class).rank(0)).hasValue(ALL / 10 - 1);
    }
  }

  @Test
  void bitsAreFlippedAnywhere() throws IOException {
    long all = rightElements(copy("whole"));
    long mostLost = 0;
    for (long seed : Seeds.all().toArray()) {
      Random random = new Random(seed);
      for (int round = 0; round < ROUNDS; round++) {
        Path copy = copy("flips-" + seed + "-" + round);
        List<Path> blobs = files(copy, ".blob"); // none if encryption has made values smaller
        List<Path> tables = round % 3 == 2 && !blobs.isEmpty() ? blobs : files(copy, ".sst");
        Path file = tables.get(random.nextInt(tables.size()));
        try (RandomAccessFile bytes = new RandomAccessFile(file.toFile(), "rw")) {
          // Not in the footer and the index, without which a table cannot be read.
          long at = (long) (bytes.length() * 0.8 * random.nextDouble());
          bytes.seek(at);
          int old = bytes.read();
          bytes.seek(at);
          bytes.write(old ^ 1 << random.nextInt(8));
        }
        Map<String, byte[]> before = content(copy);
        Path out = parent.resolve("flips-out-" + seed + "-" + round);
        SalvageReport report = StoreSalvage.copy(copy, out);
        assertUnchanged(copy, before);
        String as = "seed " + seed + " round " + round + " " + file.getFileName() + " " + report;
        assertThat(report.notes()).as(as).noneMatch(note -> note.contains("not sound"));
        // A block of 4 KiB has few records of some dozens of bytes. Names have copies elsewhere.
        assertThat(rightElements(out)).as(as).isGreaterThan(all - 700);
        if (rightElements(out) < all) {
          assertThat(report.lost()).as(as).isNotEmpty();
        }
        mostLost = Math.max(mostLost, all - rightElements(out));
      }
    }
    FaultLog.write(
        FaultLog.Kind.DISK,
        "A bit is flipped in a table or a large value, and the store is salvaged",
        ROUNDS * Seeds.all().count(),
        Seeds.all().mapToObj(Long::toString).collect(Collectors.joining(", ")),
        FaultLog.number(all) + " elements; what is lost is named",
        mostLost + " elements at most");
  }

  @Test
  void filesAreMissingOrCut() throws IOException {
    long all = rightElements(copy("whole-2"));
    for (String kind : List.of("MANIFEST", "CURRENT", "ROCKPOOL", "recovery", "journal", ".log")) {
      for (boolean isCut : new boolean[] {false, true}) {
        Path copy = copy("without-" + kind.replace(".", "") + "-" + isCut);
        for (Path file : files(copy, kind)) {
          if (isCut) {
            Files.write(file, Arrays.copyOf(Files.readAllBytes(file), (int) Files.size(file) / 2));
          } else {
            Files.delete(file);
          }
        }
        Path out = parent.resolve("without-out-" + kind + isCut);
        SalvageReport report = StoreSalvage.copy(copy, out);
        String as = kind + " " + isCut + " " + report;
        long right = rightElements(out);
        assertThat(report.notes()).as(as).noneMatch(note -> note.contains("not sound"));
        if (kind.equals(".log")) {
          assertThat(right).as(as).isGreaterThan(all * 8 / 10);
          assertThat(report.lostChanges()).as(as).isPositive();
        } else {
          assertThat(right).as(as).isEqualTo(all);
        }
      }
    }
  }

  /** Names and their keys are in two column families: damage of either loses nothing. */
  @Test
  void allNamesAreDamagedInOnePlace() throws IOException {
    long all = rightElements(copy("whole-3"));
    Random random = new Random(1);
    for (ColumnFamily family : List.of(ColumnFamily.CATALOG, ColumnFamily.DEFAULT)) {
      for (boolean isDeleted : new boolean[] {false, true}) {
        Path copy = copy("names-" + family + isDeleted);
        for (Path table : files(copy, ".sst")) {
          if (TableCondition.of(table).family() != family) {
            continue;
          }
          if (isDeleted) {
            Files.delete(table);
          } else {
            try (RandomAccessFile bytes = new RandomAccessFile(table.toFile(), "rw")) {
              byte[] noise = new byte[(int) bytes.length() / 4];
              random.nextBytes(noise);
              bytes.write(noise);
            }
          }
        }
        Path out = parent.resolve("names-out-" + family + isDeleted);
        SalvageReport report = StoreSalvage.copy(copy, out);
        String as = family + " " + isDeleted + " " + report;
        assertThat(rightElements(out)).as(as).isEqualTo(all);
        assertThat(report.lost()).as(as).isEmpty();
        assertThat(report.notes()).as(as).isNotEmpty();
        assertThat(report.notes()).as(as).noneMatch(note -> note.contains("not sound"));
      }
    }
  }

  @Test
  void tablesAreMissing() throws IOException {
    for (Path table : files(store, ".sst")) {
      Path copy = copy("missing-" + table.getFileName());
      Files.delete(copy.resolve(store.relativize(table)));
      Path out = parent.resolve("missing-out-" + table.getFileName());
      SalvageReport report = StoreSalvage.copy(copy, out);
      assertThat(report.toString()).contains(table.getFileName() + " is missing");
      try (Rockpool pool = Rockpool.open(out)) {
        assertThat(pool.verify().isClean()).as(pool.verify().toString()).isTrue();
      }
    }
  }

  @Test
  void whatCannotBeSalvagedIsRefused() throws IOException {
    assertThatThrownBy(() -> StoreSalvage.copy(parent.resolve("nothing"), parent.resolve("out-1")))
        .isInstanceOf(ForeignDirectoryException.class);
    Path full = Files.createDirectory(parent.resolve("full"));
    Files.writeString(full.resolve("file"), "x");
    assertThatThrownBy(() -> StoreSalvage.copy(store, full))
        .isInstanceOf(ForeignDirectoryException.class)
        .hasMessageContaining("not empty");
    Path unmarked = copy("unmarked");
    Files.delete(unmarked.resolve(StoreDirectory.MARKER));
    for (Path damaged : List.of(store, unmarked)) {
      Map<String, byte[]> before = content(damaged);
      assertThatThrownBy(() -> StoreSalvage.copy(damaged, damaged.resolve("inside/out")))
          .isInstanceOf(ForeignDirectoryException.class)
          .hasMessageContaining("inside of the store");
      assertUnchanged(damaged, before);
    }
    assertThatThrownBy(() -> StoreSalvage.copy(unmarked, store.resolve("out")))
        .isInstanceOf(ForeignDirectoryException.class)
        .hasMessageContaining(store.toString());
  }

  @Test
  void anEncryptedStoreNeedsItsKeys() throws IOException {
    Path encrypted = parent.resolve("encrypted");
    Encryption encryption = TestKeys.all().except("public").keysIn(parent.resolve("data-keys"));
    try (Rockpool pool = Rockpool.at(encrypted).encryption(encryption).open()) {
      for (int number = 0; number < 100; number++) {
        fill(pool, number);
      }
      pool.map("public", Integer.class, String.class).put(1, "clear");
      pool.map("dropped", Integer.class, String.class).put(1, "its key is lost");
      pool.reclaim();
    }
    String keys = Files.readString(parent.resolve("data-keys"));
    Path out = parent.resolve("encrypted-out");
    assertThatThrownBy(() -> StoreSalvage.copy(encrypted, out, o -> o.encryption(wrongKeys())))
        .isInstanceOf(EncryptionKeyException.class)
        .hasMessageContaining("\"test\"");
    assertThat(out).doesNotExist();
    assertThat(Files.readString(parent.resolve("data-keys"))).isEqualTo(keys);
    SalvageReport report = StoreSalvage.copy(encrypted, out, o -> o.encryption(encryption));
    assertThat(report.isComplete()).as(report.toString()).isTrue();
    for (Path file : files(out, "")) {
      String bytes = Files.readString(file, StandardCharsets.ISO_8859_1);
      assertThat(bytes).doesNotContain("value-7", "its key is lost");
    }
    try (Rockpool pool = Rockpool.at(out).encryption(encryption).open()) {
      assertThat(pool.map("map", Integer.class, String.class)).containsEntry(7, value(7));
      assertThat(pool.map("public", Integer.class, String.class)).containsEntry(1, "clear");
      assertThat(pool.deque("deque", Integer.class)).hasSize(10).startsWith(0).endsWith(90);
      assertThat(pool.scoredSet("scored", Integer.class).rank(90)).hasValue(0);
      assertThat(pool.<Integer>queue("queue", Integer.class).size()).isEqualTo(10);
      assertThat(pool.cache("cache", Integer.class, String.class).get(1)).isEqualTo(value(1));
      assertThat(pool.verify().isClean()).as(pool.verify().toString()).isTrue();
      pool.names().drop("map");
      assertThat(pool.map("sorted-2", Integer.class, String.class)).isEmpty();
    }
    // The damaged store still has its keys in the file, which both share.
    try (Rockpool pool = Rockpool.at(encrypted).encryption(encryption).open()) {
      assertThat(pool.map("map", Integer.class, String.class)).containsEntry(7, value(7));
    }
  }

  private static void awaitPoint(Path directory, long sequence) throws IOException {
    RecoveryPoint point;
    do {
      point = RecoveryPoint.decode(Files.readAllBytes(directory.resolve("recovery")));
    } while (point == null || point.sequence() < sequence);
  }

  /** The journal has later changes than those that the log lost; they do not hide the gap. */
  @Test
  void aCutLogIsReportedAsByOpening() throws IOException {
    Path open = parent.resolve("open");
    Path cut = parent.resolve("cut");
    try (Rockpool pool = Rockpool.open(open)) {
      PersistentMap<Integer, String> map = pool.map("map", Integer.class, String.class);
      for (int number = 0; number < 5_000; number++) {
        map.put(number, value(number));
      }
      pool.flush();
      awaitPoint(open, 5_000);
      for (int number = 5_000; number < 5_005; number++) {
        map.put(number, value(number));
      }
      try (Stream<Path> all = Files.walk(open)) {
        for (Path file : all.toList()) {
          Files.copy(file, cut.resolve(open.relativize(file).toString()));
        }
      }
    }
    Path log = files(cut, ".log").get(0);
    try (FileChannel channel = FileChannel.open(log, StandardOpenOption.WRITE)) {
      channel.truncate(channel.size() / 2);
    }
    SalvageReport report = StoreSalvage.copy(cut, parent.resolve("cut-out"));
    long lost;
    long records;
    try (Rockpool pool = Rockpool.open(cut)) {
      lost = pool.state().recovery().orElseThrow().changesLost();
      records = pool.map("map", Integer.class, String.class).size();
    }
    assertThat(lost).isPositive();
    assertThat(report.isComplete()).isFalse();
    assertThat(report.lostChanges()).isGreaterThanOrEqualTo(lost);
    try (Rockpool pool = Rockpool.open(parent.resolve("cut-out"))) {
      assertThat(pool.map("map", Integer.class, String.class))
          .hasSize((int) records)
          .doesNotContainKey(5_004);
    }
  }

  /** The keys of the names that were not rotated yet are wrapped by an older key of the store. */
  @Test
  void aRotationThatWasInterruptedLosesNoName() throws IOException {
    int names = 30;
    Path encrypted = parent.resolve("rotating");
    Encryption encryption = TestKeys.all();
    try (Rockpool pool = Rockpool.at(encrypted).encryption(encryption).open()) {
      for (int name = 0; name < names; name++) {
        PersistentMap<Integer, String> map = pool.map("map-" + name, Integer.class, String.class);
        for (int number = 0; number < 200; number++) {
          map.put(number, value(number));
        }
      }
      pool.rotateKeys();
    }
    try (Rockpool copy = Rockpool.at(encrypted).encryption(encryption).openCopy()) {
      assertThat(copy.state().keyRotation().pendingNames()).isPositive();
    }
    Path out = parent.resolve("rotating-out");
    SalvageReport report = StoreSalvage.copy(encrypted, out, o -> o.encryption(encryption));
    assertThat(report.isComplete()).as(report.toString()).isTrue();
    try (Rockpool pool = Rockpool.at(out).encryption(encryption).open()) {
      for (int name = 0; name < names; name++) {
        assertThat(pool.map("map-" + name, Integer.class, String.class))
            .hasSize(200)
            .containsEntry(7, value(7));
      }
    }
  }

  private static Encryption wrongKeys() {
    return Encryption.with(TestKeys.wrong("test")).keysIn(parent.resolve("data-keys"));
  }

  @Test
  void aNameWithoutItsKeyIsLost() throws IOException {
    Path encrypted = parent.resolve("keyless");
    Path keys = parent.resolve("keyless-keys");
    Encryption encryption = TestKeys.all().keysIn(keys);
    byte[] before;
    try (Rockpool pool = Rockpool.at(encrypted).encryption(encryption).open()) {
      pool.map("first", Integer.class, String.class).put(1, "one");
      before = Files.readAllBytes(keys);
      pool.map("second", Integer.class, String.class).put(1, "one");
    }
    Files.write(keys, before);
    Path out = parent.resolve("keyless-out");
    SalvageReport report = StoreSalvage.copy(encrypted, out, o -> o.encryption(encryption));
    assertThat(report.isComplete()).isFalse();
    assertThat(report.lost()).extracting(SalvageReport.Lost::name).containsExactly("second");
    assertThat(report.lost().get(0).records()).isEqualTo(1);
    try (Rockpool pool = Rockpool.at(out).encryption(encryption).open()) {
      assertThat(pool.map("first", Integer.class, String.class)).containsEntry(1, "one");
    }
  }
}
