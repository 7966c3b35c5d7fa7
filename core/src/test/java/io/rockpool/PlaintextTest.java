package io.rockpool;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rockpool.backup.DirectoryTarget;
import io.rockpool.backup.Shipping;
import io.rockpool.backup.ShippingOptions;
import io.rockpool.cache.BatchWriter;
import io.rockpool.cache.CacheOptions;
import io.rockpool.cache.PersistentCache;
import io.rockpool.cache.WriteBehindOptions;
import io.rockpool.change.ChangeOptions;
import io.rockpool.encryption.Encryption;
import io.rockpool.encryption.TestKeys;
import io.rockpool.engine.Cursor;
import io.rockpool.engine.SpaceInfo;
import io.rockpool.engine.rocksdb.RocksDbEngine;
import io.rockpool.engine.rocksdb.RocksDbOptions;
import io.rockpool.queue.PersistentQueue;
import io.rockpool.structure.PersistentMap;
import io.rockpool.testing.NotEncrypted;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** No file has a plaintext, whatever wrote it. */
@Timeout(120)
@NotEncrypted("opens clear and encrypted stores")
final class PlaintextTest {
  private static final String SECRET = "a plaintext that no file may have";
  private static final String KEY = "a-key-that-only-keys-may-have";

  @TempDir Path directory;

  /** A writer of another system that is down. */
  private static final class DownWriter implements BatchWriter<String, String> {
    @Override
    public void writeAll(Map<String, String> entries) throws IOException {
      throw new IOException("down");
    }

    @Override
    public void deleteAll(Set<String> keys) throws IOException {
      throw new IOException("down");
    }
  }

  private Rockpool open(Encryption encryption) {
    return Rockpool.at(directory.resolve("store")).encryption(encryption).open();
  }

  private List<Path> filesWithPlaintext() throws IOException {
    List<Path> with = new ArrayList<>();
    try (Stream<Path> files = Files.walk(directory)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        if (Files.readString(file, ISO_8859_1).contains(SECRET)) {
          with.add(file);
        }
      }
    }
    return with;
  }

  private static CacheOptions<String, String> cacheOptions() {
    return CacheOptions.<String, String>defaults()
        .tags((key, value) -> Set.of(value + " as a tag"))
        .changes(ChangeOptions.keep(Duration.ofDays(1)))
        .writeBehind(
            new DownWriter(),
            WriteBehindOptions.defaults()
                .delay(Duration.ofDays(1))
                .closeTimeout(Duration.ofMillis(1)));
  }

  private static void fill(Rockpool pool) {
    PersistentCache<String, String> cache =
        pool.cache("secret/cache", String.class, String.class, o -> cacheOptions());
    for (int i = 0; i < 200; i++) {
      cache.put(KEY + i, SECRET);
      assertThat(cache.get(KEY + i)).isEqualTo(SECRET);
      assertThat(cache.get(KEY + i)).isEqualTo(SECRET);
    }
    cache.remove(KEY + 7);
    pool.map(
            "secret/map",
            String.class,
            String.class,
            o -> o.changes(ChangeOptions.keep(Duration.ofDays(1))))
        .put("k", SECRET);
    PersistentQueue<String> queue = pool.queue("secret/queue", String.class);
    for (int i = 0; i < 3; i++) {
      queue.send(SECRET);
    }
    String result = pool.once("a call", Duration.ofDays(1), tx -> SECRET);
    assertThat(result).isEqualTo(SECRET);
  }

  private void assertNoFileHasIt(Encryption encryption) throws IOException {
    DirectoryTarget target = DirectoryTarget.at(directory.resolve("backups"));
    try (Rockpool pool = open(encryption)) {
      fill(pool);
      assertThat(filesWithPlaintext()).isEmpty(); // journal and log
      pool.backups().make(target);
      try (Shipping shipping = pool.backups().ship(target, ShippingOptions.defaults())) {
        pool.map("secret/map", String.class, String.class).put("shipped", SECRET);
        shipping.ship();
      }
      assertThat(filesWithPlaintext()).isEmpty();
      pool.reclaim();
      assertThat(pool.backups().verify(target).isClean()).isTrue();
    }
    // Closing writes the hot keys.
    assertThat(filesWithPlaintext()).isEmpty();
    try (Rockpool pool = open(encryption)) {
      PersistentCache<String, String> cache =
          pool.cache("secret/cache", String.class, String.class, o -> cacheOptions());
      assertThat(cache.get(KEY + 8)).isEqualTo(SECRET);
      assertThat(cache.tags(KEY + 8)).containsExactly(SECRET + " as a tag");
      assertThat(cache.writeBehind().pending()).isEqualTo(200);
      String result = pool.once("a call", Duration.ofDays(1), tx -> "again");
      assertThat(result).isEqualTo(SECRET);
      assertThat(pool.verify().isClean()).as(pool.verify().toString()).isTrue();
    }
    assertThat(filesWithPlaintext()).isEmpty();
    StoreSalvage.copy(
        directory.resolve("store"), directory.resolve("salvaged"), o -> o.encryption(encryption));
    assertThat(filesWithPlaintext()).isEmpty();
    Path restored = directory.resolve("restored");
    StoreBackups.restore(target, restored);
    assertThat(filesWithPlaintext()).isEmpty();
  }

  @Test
  void nothingHasAPlaintextIfAllIsEncrypted() throws IOException {
    assertNoFileHasIt(TestKeys.all());
  }

  @Test
  void neitherIfOnlyALevelIs() throws IOException {
    assertNoFileHasIt(Encryption.with(TestKeys.of("test")).only("secret", "rockpool:once"));
  }

  @Test
  void theSearchFindsWhatIsClear() throws IOException {
    assertThatThrownBy(() -> assertNoFileHasIt(TestKeys.all().except("secret")))
        .isInstanceOf(AssertionError.class);
  }

  /** As docs/encryption.md shows it. */
  @Test
  void aClearNameIsCopiedIntoAnEncryptedOne() throws IOException {
    try (Rockpool pool = Rockpool.open(directory.resolve("store"))) {
      pool.map("customers", String.class, String.class).put("k", SECRET);
    }
    assertThat(filesWithPlaintext()).isNotEmpty();
    try (Rockpool pool = open(TestKeys.all())) {
      PersistentMap<String, String> clear = pool.map("customers", String.class, String.class);
      PersistentMap<String, String> sealed = pool.map("customers-2", String.class, String.class);
      sealed.putAll(clear);
      assertThat(pool.names().renameReplacing("customers-2", "customers")).isTrue();
      pool.reclaim();
      assertThat(pool.map("customers", String.class, String.class)).containsEntry("k", SECRET);
    }
    assertThat(filesWithPlaintext()).isEmpty();
    try (Rockpool pool = open(TestKeys.all())) {
      assertThat(pool.map("customers", String.class, String.class)).containsEntry("k", SECRET);
    }
  }

  /** The notes of hot keys are values, and so encrypted, although keys in their places are not. */
  @Test
  void hotKeysAreNotNotedInTheClear() {
    try (Rockpool pool = open(TestKeys.all())) {
      fill(pool);
    }
    int notes = 0;
    try (RocksDbEngine raw =
        RocksDbEngine.open(directory.resolve("store"), RocksDbOptions.defaults())) {
      for (SpaceInfo info : raw.list("")) {
        try (Cursor records = raw.open(info.name()).scanAll()) {
          while (records.next()) {
            assertThat(new String(records.value(), UTF_8)).doesNotContain(KEY, SECRET);
            notes += info.name().equals("rockpool:hot/secret/cache") ? 1 : 0;
          }
        }
      }
    }
    assertThat(notes).isPositive();
  }
}
