package io.rockpool;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rockpool.backup.DirectoryTarget;
import io.rockpool.cache.PersistentCache;
import io.rockpool.encryption.Encryption;
import io.rockpool.encryption.TestKeys;
import io.rockpool.engine.Expiry;
import io.rockpool.engine.memory.MemoryEngine;
import io.rockpool.engine.rocksdb.RocksDbEngine;
import io.rockpool.engine.rocksdb.RocksDbOptions;
import io.rockpool.error.CorruptStoreException;
import io.rockpool.internal.encryption.EncryptedEngine;
import io.rockpool.structure.PersistentMap;
import io.rockpool.structure.PersistentSet;
import io.rockpool.structure.PersistentTable;
import io.rockpool.testing.NotEncrypted;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Keys that are encrypted, too. */
@Timeout(120)
@NotEncrypted("opens stores with and without encrypted keys")
final class HiddenKeysTest {
  private static final String KEY = "a-key-that-no-file-may-have-";
  private static final Encryption HIDING = TestKeys.all().hidingKeys("secret", "rockpool:once");

  @TempDir Path directory;

  private Rockpool open(Encryption encryption) {
    return Rockpool.at(directory.resolve("store")).encryption(encryption).open();
  }

  private List<Path> filesWithKeys() throws IOException {
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

  private static PersistentCache<String, String> cache(Rockpool pool) {
    return pool.cache(
        "secret/cache", String.class, String.class, o -> o.tags((key, value) -> Set.of(key)));
  }

  private static PersistentMap<String, String> map(Rockpool pool) {
    return pool.map("secret/map", String.class, String.class);
  }

  private static PersistentSet<String> set(Rockpool pool) {
    return pool.set("secret/set", String.class);
  }

  private static PersistentTable<String, String, String> table(Rockpool pool) {
    return pool.table("secret/table", String.class, String.class, String.class);
  }

  private static void fill(Rockpool pool) {
    for (int i = 0; i < 300; i++) {
      cache(pool).put(KEY + i, "value " + i);
      assertThat(cache(pool).get(KEY + i)).isEqualTo("value " + i);
      map(pool).put(KEY + i, "value " + i);
      set(pool).add(KEY + i);
      table(pool).put(KEY + i, "column", "value " + i);
      table(pool).put(KEY + i, "column 2", "value " + i);
    }
    cache(pool).invalidateTag(KEY + 7);
    map(pool).put(KEY + "expiring", "value", Duration.ofDays(1));
    assertThat(map(pool).remove(KEY + "expiring")).isEqualTo("value");
    pool.deque("secret/deque", String.class).add("element");
    pool.counter("secret/counter").addAndGet(5);
    pool.value("secret/value", String.class).set("value");
    String result = pool.<String>once(KEY + "call", Duration.ofDays(1), tx -> "result");
    assertThat(result).isEqualTo("result");
    pool.atomically(tx -> map(pool).put(KEY + 3, "value 3"));
  }

  private static void assertIsThere(Rockpool pool) {
    assertThat(map(pool)).hasSize(300).containsEntry(KEY + 299, "value 299");
    assertThat(map(pool).keySet()).hasSize(300).allMatch(key -> key.startsWith(KEY));
    assertThat(set(pool)).hasSize(300).contains(KEY + 1).doesNotContain("other");
    assertThat(set(pool).randomElements(20)).hasSize(20);
    assertThat(cache(pool).get(KEY + 7)).isNull();
    assertThat(cache(pool).get(KEY + 8)).isEqualTo("value 8");
    assertThat(table(pool).row(KEY + 5)).hasSize(2).containsEntry("column", "value 5");
    assertThat(pool.counter("secret/counter").get()).isEqualTo(5);
    assertThat(pool.verify().isClean()).as(pool.verify().toString()).isTrue();
  }

  @Test
  void noFileHasAKey() throws IOException {
    DirectoryTarget target = DirectoryTarget.at(directory.resolve("backups"));
    try (Rockpool pool = open(HIDING)) {
      fill(pool);
      assertIsThere(pool);
      assertThat(filesWithKeys()).isEmpty(); // journal and log
      pool.backups().make(target);
      pool.reclaim();
      assertThat(pool.backups().verify(target).isClean()).isTrue();
      try (Rockpool copy = Rockpool.at(directory.resolve("store")).encryption(HIDING).openCopy()) {
        assertThat(map(copy)).hasSize(300).containsEntry(KEY + 4, "value 4");
      }
      assertThat(filesWithKeys()).isEmpty();
    }
    assertThat(filesWithKeys()).isEmpty(); // with the hot keys
    // It was decided when the names were created.
    try (Rockpool pool = open(TestKeys.all())) {
      assertIsThere(pool);
      map(pool).put(KEY + "more", "value");
      map(pool).remove(KEY + "more");
    }
    assertThat(filesWithKeys()).isEmpty();
    Path restored = directory.resolve("restored");
    StoreBackups.restore(target, restored);
    try (Rockpool pool = Rockpool.at(restored).encryption(TestKeys.all()).open()) {
      assertIsThere(pool);
    }
    Path salvaged = directory.resolve("salvaged");
    StoreSalvage.copy(restored, salvaged, o -> o.encryption(TestKeys.all()));
    try (Rockpool pool = Rockpool.at(salvaged).encryption(TestKeys.all()).open()) {
      assertIsThere(pool);
    }
    assertThat(filesWithKeys()).isEmpty();
  }

  @Test
  void theSearchFindsWhatIsClear() throws IOException {
    try (Rockpool pool = open(TestKeys.all())) {
      fill(pool);
    }
    assertThat(filesWithKeys()).isNotEmpty();
  }

  @Test
  void aSortedNameIsRefused() {
    List<Consumer<Rockpool>> sorted =
        List.of(
            pool -> pool.sortedMap("secret/s", String.class, String.class),
            pool -> pool.sortedSet("secret/s", String.class),
            pool -> pool.scoredSet("secret/s", String.class),
            pool -> pool.queue("secret/s", String.class));
    try (Rockpool pool = open(HIDING)) {
      for (Consumer<Rockpool> each : sorted) {
        assertThatThrownBy(() -> each.accept(pool))
            .isInstanceOf(UnsupportedOperationException.class)
            .hasMessageContaining("secret/s")
            .hasMessageContaining("Encryption.hidingKeys");
      }
      assertThat(pool.names().list("secret")).isEmpty();
      pool.sortedMap("other/s", String.class, String.class).put("k", "v");
    }
  }

  @Test
  void namesMoveAndKeysRotate() throws Exception {
    try (Rockpool pool = open(HIDING)) {
      fill(pool);
      assertThat(pool.names().rename("secret/map", "moved")).isTrue();
      assertThat(pool.names().copy("secret/set", "copied")).isTrue();
      pool.rotateKeys();
      while (pool.state().keyRotation().pendingNames() > 0) {
        Thread.sleep(10);
      }
      assertThat(pool.map("moved", String.class, String.class))
          .hasSize(300)
          .containsEntry(KEY + 9, "value 9");
      assertThat(pool.set("copied", String.class)).hasSize(300).contains(KEY + 9);
      pool.set("copied", String.class).add(KEY + "added");
      pool.set("copied", String.class).remove(KEY + 9);
      assertThat(set(pool)).hasSize(300).contains(KEY + 9).doesNotContain(KEY + "added");
      map(pool).put(KEY, "a new map"); // has another key
      assertThat(map(pool)).hasSize(1);
      map(pool).clear();
      assertThat(map(pool)).isEmpty();
    }
    assertThat(filesWithKeys()).isEmpty();
    try (Rockpool pool = open(TestKeys.all())) {
      assertThat(pool.map("moved", String.class, String.class)).containsEntry(KEY + 9, "value 9");
      assertThat(pool.set("copied", String.class)).contains(KEY + "added").hasSize(300);
      assertThat(pool.verify().isClean()).as(pool.verify().toString()).isTrue();
    }
  }

  /** Changes of another handle of the store are those of the plain keys. */
  @Test
  void anotherHandleSeesWhatChanges() throws Exception {
    MemoryEngine memory = MemoryEngine.builder().shared().build();
    try (Rockpool one = Rockpool.at(o -> EncryptedEngine.over(memory, HIDING, false)).open();
        Rockpool two =
            Rockpool.at(o -> EncryptedEngine.over(memory.openAnother(), HIDING, false)).open()) {
      for (int i = 1; i <= 3; i++) {
        String value = "value " + i;
        cache(one).put(KEY, value);
        assertThat(cache(one).get(KEY)).isEqualTo(value);
        while (!value.equals(cache(two).get(KEY))) {
          Thread.sleep(1);
        }
        assertThat(cache(two).get(KEY + i, key -> "loaded")).isEqualTo("loaded");
        assertThat(cache(one).get(KEY + i)).isEqualTo("loaded");
      }
      cache(two).remove(KEY);
      while (cache(one).get(KEY) != null) {
        Thread.sleep(1);
      }
    }
  }

  @Test
  void aDroppedNameIsForgottenWithItsKeys() throws IOException {
    Path keys = directory.resolve("keys");
    Encryption encryption = HIDING.keysIn(keys);
    try (Rockpool pool = open(encryption)) {
      map(pool).put(KEY, "value");
      assertThat(Files.readString(keys)).contains(".hidden ");
      pool.names().drop("secret/map");
      assertThat(Files.readString(keys)).doesNotContain(".hidden ");
    }
  }

  @Test
  void aRecordThatTheNameHasNotWrittenIsRefused() {
    try (Rockpool pool = open(HIDING)) {
      map(pool).put(KEY, "value");
    }
    try (RocksDbEngine raw =
        RocksDbEngine.open(directory.resolve("store"), RocksDbOptions.defaults())) {
      raw.open("secret/map").put(new byte[] {0}, new byte[20], new byte[40], Expiry.NEVER);
    }
    try (Rockpool pool = open(HIDING)) {
      assertThatThrownBy(() -> map(pool).forEach((key, value) -> {}))
          .isInstanceOf(CorruptStoreException.class)
          .hasMessageContaining("cannot be decrypted");
      assertThat(pool.verify().isClean()).isFalse();
    }
  }
}
