package io.rockpool;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rockpool.backup.DirectoryTarget;
import io.rockpool.backup.Shipping;
import io.rockpool.backup.ShippingOptions;
import io.rockpool.cache.PersistentCache;
import io.rockpool.change.ChangeEvent;
import io.rockpool.change.ChangeOptions;
import io.rockpool.encryption.Encryption;
import io.rockpool.encryption.KeyProvider;
import io.rockpool.encryption.KeyProviders;
import io.rockpool.encryption.TestKeys;
import io.rockpool.engine.Cursor;
import io.rockpool.engine.RowRecord;
import io.rockpool.engine.Space;
import io.rockpool.engine.rocksdb.RocksDbEngine;
import io.rockpool.engine.rocksdb.RocksDbOptions;
import io.rockpool.error.CorruptStoreException;
import io.rockpool.error.EncryptionKeyException;
import io.rockpool.error.RockpoolException;
import io.rockpool.store.Durability;
import io.rockpool.structure.PersistentMap;
import io.rockpool.testing.NotEncrypted;
import io.rockpool.testing.Slow;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Slow
@Timeout(120)
@NotEncrypted("opens clear and encrypted stores")
final class EncryptionTest {
  private static final String SECRET = "a plaintext that no file may have";

  @TempDir Path directory;

  private Rockpool open(Encryption encryption) {
    return Rockpool.at(directory.resolve("store")).encryption(encryption).open();
  }

  private Rockpool open() {
    return open(TestKeys.all());
  }

  private static PersistentMap<String, String> map(Rockpool pool) {
    return pool.map("map", String.class, String.class);
  }

  /** The embedded engine below, with the values as they are stored. */
  private RocksDbEngine raw() {
    return RocksDbEngine.open(directory.resolve("store"), RocksDbOptions.builder().build());
  }

  private static List<Path> filesWith(Path below, String text) throws IOException {
    List<Path> with = new ArrayList<>();
    try (Stream<Path> files = Files.walk(below)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        String bytes = new String(Files.readAllBytes(file), ISO_8859_1);
        if (bytes.contains(text)) {
          with.add(file);
        }
      }
    }
    return with;
  }

  private void fill(Rockpool pool, String value) {
    map(pool).put("k", value);
    map(pool).put("long", value.repeat(1_000));
    PersistentCache<String, String> cache = pool.cache("cache", String.class, String.class);
    for (int i = 0; i < 100; i++) {
      cache.put("k" + i, value);
      assertThat(cache.get("k" + i)).isEqualTo(value);
      assertThat(cache.get("k" + i)).isEqualTo(value);
    }
    pool.deque("deque", String.class).add(value);
    pool.scoredSet("scored", Long.class).add(1L, 2);
    pool.table("table", String.class, String.class, String.class).put("r", "c", value);
    pool.queue("queue", String.class).send(value);
    pool.value("value", String.class).set(value);
    pool.atomically(tx -> map(pool).put("in a transaction", value));
  }

  @Test
  void noFileHasAPlaintext() throws IOException {
    Path store = directory.resolve("store");
    Path backups = directory.resolve("backups");
    try (Rockpool pool = open()) {
      fill(pool, SECRET);
      assertThat(filesWith(store, SECRET)).isEmpty(); // journal and log
      pool.backups().make(DirectoryTarget.at(backups));
      pool.reclaim();
      assertThat(filesWith(directory, SECRET)).isEmpty();
      try (Rockpool copy = Rockpool.at(store).encryption(TestKeys.all()).openCopy()) {
        assertThat(map(copy).get("k")).isEqualTo(SECRET);
        assertThat(filesWith(directory, SECRET)).isEmpty();
      }
      assertThat(pool.verify().isClean()).isTrue();
      assertThat(pool.backups().verify(DirectoryTarget.at(backups)).isClean()).isTrue();
    }
    assertThat(filesWith(directory, SECRET)).isEmpty();
    try (Rockpool pool = open()) {
      assertThat(map(pool)).containsEntry("k", SECRET).containsEntry("in a transaction", SECRET);
      assertThat(pool.cache("cache", String.class, String.class).get("k7")).isEqualTo(SECRET);
      assertThat(pool.deque("deque", String.class)).containsExactly(SECRET);
    }
  }

  @Test
  void theSearchFindsWhatIsNotEncrypted() throws IOException {
    try (Rockpool pool = Rockpool.open(directory.resolve("store"))) {
      fill(pool, SECRET);
    }
    assertThat(filesWith(directory, SECRET)).isNotEmpty();
  }

  @Test
  void aMissingOrWrongKeyIsNamed() {
    try (Rockpool pool = open(Encryption.with(TestKeys.of("may")))) {
      map(pool).put("k", SECRET);
    }
    Path store = directory.resolve("store");
    assertKeyIsNamed(() -> Rockpool.open(store), "may");
    assertKeyIsNamed(() -> open(Encryption.with(TestKeys.of("june"))), "may");
    assertKeyIsNamed(() -> open(Encryption.with(TestKeys.wrong("may"))), "may");
    assertKeyIsNamed(() -> Rockpool.at(store).openCopy(), "may");
    try (Rockpool pool = open(Encryption.with(TestKeys.of("may", "june")))) {
      assertThat(map(pool).get("k")).isEqualTo(SECRET);
    }
    // That has wrapped the keys again, which needs the older key no longer.
    try (Rockpool pool = open(Encryption.with(TestKeys.of("june")))) {
      assertThat(map(pool).get("k")).isEqualTo(SECRET);
    }
    assertKeyIsNamed(() -> open(Encryption.with(TestKeys.of("may"))), "june");
  }

  private static void assertKeyIsNamed(Runnable opening, String keyId) {
    assertThatThrownBy(opening::run)
        .isInstanceOfSatisfying(
            EncryptionKeyException.class, e -> assertThat(e.keyId()).contains(keyId))
        .hasMessageContaining("\"" + keyId + "\"");
  }

  @Test
  void swappedAndChangedRecordsAreRefused() {
    try (Rockpool pool = open()) {
      map(pool).put("one", "1");
      map(pool).put("two", "2");
    }
    Map<String, RowRecord> records = new HashMap<>();
    try (RocksDbEngine raw = raw()) {
      Space space = raw.open("map");
      try (Cursor all = space.scanAll()) {
        while (all.next()) {
          String key = new String(all.sortKey(), UTF_8);
          records.put(
              key.contains("one") ? "one" : "two",
              new RowRecord(all.hashKey(), all.sortKey(), all.value(), all.expiryMillis()));
        }
      }
      assertThat(records).containsOnlyKeys("one", "two");
      putValue(space, records.get("one"), records.get("two").value());
      putValue(space, records.get("two"), records.get("one").value());
    }
    try (Rockpool pool = open()) {
      assertThatThrownBy(() -> map(pool).get("one"))
          .isInstanceOf(CorruptStoreException.class)
          .hasMessageContaining("one")
          .hasMessageContaining("belongs to another record");
      assertThatThrownBy(() -> map(pool).forEach((key, value) -> {}))
          .isInstanceOf(CorruptStoreException.class);
      assertThat(pool.verify().isClean()).isFalse();
    }
  }

  private static void putValue(Space space, RowRecord record, byte[] value) {
    space.transact(
        record.hashKey(),
        row -> {
          row.putCounted(record.sortKey(), value, record.expiryMillis());
          return null;
        });
  }

  @Test
  void namesMoveWithTheirKeys() {
    try (Rockpool pool = open()) {
      map(pool).put("k", "old");
      assertThat(pool.names().rename("map", "renamed")).isTrue();
      PersistentMap<String, String> renamed = pool.map("renamed", String.class, String.class);
      assertThat(renamed).containsEntry("k", "old");
      assertThat(pool.names().copy("renamed", "copy")).isTrue();
      PersistentMap<String, String> copy = pool.map("copy", String.class, String.class);
      copy.put("k2", "new");
      assertThat(copy).hasSize(2).containsEntry("k", "old");
      awaitRotation(pool);
      assertThat(pool.names().drop("renamed")).isTrue();
      assertThat(copy).containsEntry("k", "old").containsEntry("k2", "new");
      assertThat(pool.verify().isClean()).isTrue();
    }
    try (Rockpool pool = open()) {
      assertThat(pool.map("copy", String.class, String.class))
          .hasSize(2)
          .containsEntry("k", "old")
          .containsEntry("k2", "new");
      pool.names().dropAll();
      map(pool).put("k", "after all were dropped");
    }
    try (Rockpool pool = open()) {
      assertThat(map(pool)).containsEntry("k", "after all were dropped");
    }
  }

  @Test
  void aCopyThatReplacesAnotherKeepsItsKeys() {
    try (Rockpool pool = open()) {
      for (int i = 0; i < 300; i++) {
        map(pool).put("k" + i, "v" + i);
      }
      for (int round = 0; round < 60; round++) {
        assertThat(pool.names().copyReplacing("map", "copy")).isTrue();
        PersistentMap<String, String> copy = pool.map("copy", String.class, String.class);
        assertThat(copy).hasSize(300);
        copy.forEach((key, value) -> assertThat(value).isEqualTo("v" + key.substring(1)));
      }
      awaitRotation(pool);
      assertThat(pool.verify().isClean()).isTrue();
    }
  }

  private static void awaitRotation(Rockpool pool) {
    while (pool.state().keyRotation().pendingNames() > 0) {
      assertThat(pool.state().upkeep().failing()).isEmpty();
      try {
        Thread.sleep(5);
      } catch (InterruptedException e) {
        throw new AssertionError(e);
      }
    }
  }

  @Test
  void rotationRewritesEverything() throws Exception {
    Map<String, byte[]> before;
    try (Rockpool pool = open()) {
      fill(pool, SECRET);
      for (int i = 0; i < 2_000; i++) {
        map(pool).put("n" + i, "v" + i);
      }
    }
    before = stored();
    try (Rockpool pool = open()) {
      Thread writer =
          new Thread(
              () -> {
                for (int i = 0; i < 2_000; i++) {
                  int n = i;
                  map(pool).put("w" + n, "v");
                  pool.atomically(tx -> map(pool).merge("sum", "x", (one, two) -> one));
                }
              });
      writer.start();
      pool.rotateKeys();
      pool.rotateKeys();
      awaitRotation(pool);
      writer.join();
      assertThat(pool.state().keyRotation().rewrittenRecords()).isGreaterThan(2_000);
      assertThat(map(pool)).hasSize(4_000 + 4).containsEntry("n7", "v7").containsEntry("w7", "v");
      assertThat(pool.verify().isClean()).isTrue();
    }
    Map<String, byte[]> after = stored();
    before.forEach(
        (key, value) -> {
          if (after.containsKey(key)) {
            assertThat(after.get(key)[1]).as(key).isNotEqualTo(value[1]);
          }
        });
    try (Rockpool pool = open()) {
      assertThat(pool.state().keyRotation().pendingNames()).isZero();
      assertThat(map(pool)).hasSize(4_004).containsEntry("n7", "v7");
      assertThat(pool.deque("deque", String.class)).containsExactly(SECRET);
      assertThat(pool.cache("cache", String.class, String.class).get("k7")).isEqualTo(SECRET);
      assertThat(pool.verify().isClean()).isTrue();
    }
  }

  /** The values as they are stored, by the name and key. */
  private Map<String, byte[]> stored() {
    Map<String, byte[]> stored = new HashMap<>();
    try (RocksDbEngine raw = raw()) {
      for (String name : List.of("map", "cache", "deque", "scored", "table", "queue")) {
        try (Cursor all = raw.open(name).scanAll()) {
          while (all.next()) {
            stored.put(
                name + new String(all.hashKey(), UTF_8) + "/" + new String(all.sortKey(), UTF_8),
                all.value());
          }
        }
      }
    }
    return stored;
  }

  @Test
  void backupsOfADroppedNameAreUnreadableIfKeysAreElsewhere() {
    Encryption encryption = TestKeys.all().keysIn(directory.resolve("keys"));
    DirectoryTarget target = DirectoryTarget.at(directory.resolve("backups"));
    try (Rockpool pool = open(encryption)) {
      map(pool).put("k", SECRET);
      pool.map("kept", String.class, String.class).put("k", "kept");
      pool.backups().make(target);
      pool.rotateKeys();
      awaitRotation(pool);
      assertThat(map(pool)).containsEntry("k", SECRET);
      pool.backups().make(target);
      assertThat(pool.names().drop("map")).isTrue();
      assertThat(pool.backups().verify(target).isClean()).isFalse();
    }
    Path restored = directory.resolve("restored");
    StoreBackups.restore(target, restored);
    try (Rockpool pool = Rockpool.at(restored).encryption(encryption).open()) {
      assertThat(pool.map("kept", String.class, String.class)).containsEntry("k", "kept");
      assertThatThrownBy(() -> map(pool))
          .isInstanceOf(EncryptionKeyException.class)
          .hasMessageContaining("\"map\"");
      assertThat(pool.names().drop("map")).isTrue();
      map(pool).put("k", "new");
    }
    assertThatThrownBy(() -> Rockpool.at(restored).encryption(TestKeys.all()).open())
        .isInstanceOf(EncryptionKeyException.class)
        .hasMessageContaining("keysIn");
    assertThatThrownBy(
            () -> Rockpool.at(directory.resolve("another")).encryption(encryption).open().close())
        .isInstanceOf(EncryptionKeyException.class);
  }

  @Test
  void verifyingABackupChangesNoKeysOfTheStore() throws Exception {
    Path keys = directory.resolve("keys");
    Encryption encryption = TestKeys.all().keysIn(keys);
    DirectoryTarget target = DirectoryTarget.at(directory.resolve("backups"));
    try (Rockpool pool = open(encryption)) {
      map(pool).put("k", SECRET);
      CountDownLatch mayEnd = new CountDownLatch(1);
      CountDownLatch written = new CountDownLatch(1);
      CompletableFuture<?> transaction =
          CompletableFuture.runAsync(
              () ->
                  pool.atomically(
                      tx -> {
                        map(pool).put("other", SECRET);
                        written.countDown();
                        return awaited(mayEnd);
                      }));
      assertThat(written.await(10, SECONDS)).isTrue();
      byte[] before = Files.readAllBytes(keys);
      pool.rotateKeys(); // waits for the transaction
      while (Arrays.equals(Files.readAllBytes(keys), before)) {
        Thread.sleep(1);
      }
      pool.backups().make(target);
      byte[] rotating = Files.readAllBytes(keys);
      assertThat(pool.backups().verify(target).isClean()).isTrue();
      assertThat(Files.readAllBytes(keys)).isEqualTo(rotating);
      mayEnd.countDown();
      transaction.get(10, SECONDS);
      awaitRotation(pool);
    }
    try (Rockpool pool = open(encryption)) {
      assertThat(map(pool)).containsEntry("k", SECRET).containsEntry("other", SECRET);
    }
  }

  private static boolean awaited(CountDownLatch latch) {
    try {
      return latch.await(60, SECONDS);
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void encryptedBackupsAreOpenedWithTheirKeys() {
    Encryption encryption = TestKeys.all().keysIn(directory.resolve("keys"));
    DirectoryTarget target = DirectoryTarget.at(directory.resolve("backups"));
    Instant until;
    try (Rockpool pool = open(encryption);
        Shipping shipping = pool.backups().ship(target, ShippingOptions.defaults())) {
      map(pool).put("k", SECRET);
      shipping.ship();
      until = shipping.until();
      map(pool).put("k", "later");
      pool.backups().make(target);
    }
    try (Rockpool backup = StoreBackups.open(target, o -> o.encryption(encryption))) {
      assertThat(map(backup)).containsEntry("k", "later");
    }
    try (Rockpool backup = StoreBackups.open(target, until, o -> o.encryption(encryption))) {
      assertThat(map(backup)).containsEntry("k", SECRET);
    }
    assertKeyIsNamed(() -> StoreBackups.open(target), "test");
  }

  @Test
  void feedsOfEncryptedLevelsAreEncrypted() throws IOException {
    Encryption encryption = TestKeys.all().only("secret");
    ChangeOptions feed = ChangeOptions.keep(Duration.ofDays(1));
    try (Rockpool pool = open(encryption)) {
      pool.map("secret/map", String.class, String.class, o -> o.changes(feed)).put("k", SECRET);
      assertThat(pool.names().copy("secret/map", "secret/copy")).isTrue();
      assertThat(pool.changes("secret/map", String.class, String.class).cursor("c").poll(10))
          .extracting(ChangeEvent::value)
          .containsExactly(SECRET);
      pool.reclaim();
      assertThat(filesWith(directory, SECRET)).isEmpty();
    }
    try (Rockpool pool = open(encryption)) {
      assertThat(pool.changes("secret/map", String.class, String.class).cursor("c").poll(10))
          .extracting(ChangeEvent::value)
          .containsExactly(SECRET);
      assertThat(pool.names().rename("secret/map", "map")).isTrue();
      pool.map("map", String.class, String.class).put("k", SECRET + " again");
    }
    assertThat(filesWith(directory, SECRET)).isEmpty();
  }

  @Test
  void levelsDecideWhatIsEncrypted() throws IOException {
    try (Rockpool pool = open(TestKeys.all().except("public"))) {
      map(pool).put("k", SECRET);
      pool.map("public/map", String.class, String.class).put("k", "public plaintext");
      assertThat(pool.names().copy("public/map", "copy")).isTrue();
      assertThat(pool.map("copy", String.class, String.class))
          .containsEntry("k", "public plaintext");
      assertThat(pool.verify().isClean()).isTrue();
    }
    assertThat(filesWith(directory, SECRET)).isEmpty();
    assertThat(filesWith(directory, "public plaintext")).isNotEmpty();
    try (Rockpool pool = open()) {
      assertThat(pool.map("public/map", String.class, String.class))
          .containsEntry("k", "public plaintext");
    }
  }

  @Test
  void aClearStoreStaysClearAndNewNamesAreEncrypted() throws IOException {
    try (Rockpool pool = Rockpool.open(directory.resolve("store"))) {
      map(pool).put("k", "clear");
    }
    try (Rockpool pool = open()) {
      assertThat(map(pool)).containsEntry("k", "clear");
      pool.map("new", String.class, String.class).put("k", SECRET);
      pool.rotateKeys();
      awaitRotation(pool);
      assertThat(map(pool)).containsEntry("k", "clear");
    }
    assertThat(filesWith(directory, SECRET)).isEmpty();
  }

  @Test
  void keysAreInFilesAndKeyStores() throws Exception {
    Path file = directory.resolve("master");
    String first = KeyProviders.newKey("first");
    Files.writeString(file, "# a comment\n" + first + "\n" + KeyProviders.newKey("second") + "\n");
    KeyProvider provider = KeyProviders.file(file);
    assertThat(provider.currentKeyId()).isEqualTo("second");
    assertThat(provider)
        .isEqualTo(KeyProviders.file(file))
        .hasToString("master keys [first, second]");
    byte[] wrapped = provider.wrap("first", new byte[32]);
    assertThat(provider.unwrap("first", wrapped)).isEqualTo(new byte[32]);
    assertThat(provider.unwrap("third", wrapped)).isNull();
    assertThatThrownBy(() -> provider.unwrap("second", wrapped))
        .isInstanceOf(GeneralSecurityException.class);
    Files.writeString(file, "first dG9vIHNob3J0");
    assertThatThrownBy(() -> KeyProviders.file(file))
        .isInstanceOf(RockpoolException.class)
        .hasMessageNotContaining("dG9vIHNob3J0");
    assertThatThrownBy(() -> KeyProviders.environment("ROCKPOOL_NO_SUCH_VARIABLE"))
        .isInstanceOf(EncryptionKeyException.class)
        .hasMessageContaining("ROCKPOOL_NO_SUCH_VARIABLE");

    Path keyStore = directory.resolve("keys.p12");
    char[] password = "changeit".toCharArray();
    KeyStore store = KeyStore.getInstance("PKCS12");
    store.load(null, null);
    store.setEntry(
        "prod",
        new KeyStore.SecretKeyEntry(new SecretKeySpec(new byte[32], "AES")),
        new KeyStore.PasswordProtection(password));
    try (OutputStream out = Files.newOutputStream(keyStore)) {
      store.store(out, password);
    }
    KeyProvider pkcs12 = KeyProviders.pkcs12(keyStore, password, "prod");
    assertThat(pkcs12.unwrap("prod", pkcs12.wrap("prod", new byte[32]))).isEqualTo(new byte[32]);
    assertThatThrownBy(() -> KeyProviders.pkcs12(keyStore, password, "test"))
        .isInstanceOfSatisfying(
            EncryptionKeyException.class, e -> assertThat(e.keyId()).contains("test"));
  }

  @Test
  void durabilityIsThatOfTheHandle() {
    try (Rockpool pool = open()) {
      pool.withDurability(Durability.SYNC, () -> map(pool).put("k", "v"));
      assertThat(map(pool)).containsEntry("k", "v");
    }
  }
}
