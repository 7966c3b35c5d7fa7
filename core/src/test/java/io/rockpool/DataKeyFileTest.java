package io.rockpool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.rockpool.backup.DirectoryTarget;
import io.rockpool.encryption.Encryption;
import io.rockpool.encryption.TestKeys;
import io.rockpool.engine.memory.MemoryEngine;
import io.rockpool.error.EncryptionKeyException;
import io.rockpool.error.StoreLockedException;
import io.rockpool.internal.encryption.EncryptedEngine;
import io.rockpool.structure.PersistentMap;
import io.rockpool.testing.Child;
import io.rockpool.testing.Slow;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The file of data keys belongs to one store that writes. */
@Slow
@Timeout(120)
final class DataKeyFileTest {
  @TempDir Path directory;

  /** A process that holds a store open until its input ends. */
  static final class KeyFileHolder {
    private KeyFileHolder() {}

    public static void main(String[] arguments) throws IOException {
      Encryption encryption = TestKeys.all().keysIn(Path.of(arguments[1]));
      try (Rockpool pool = Rockpool.at(Path.of(arguments[0])).encryption(encryption).open()) {
        System.out.println("holds " + pool);
        System.in.transferTo(OutputStream.nullOutputStream());
      }
    }
  }

  private Path keys() {
    return directory.resolve("keys");
  }

  private Rockpool open(Path store) {
    return Rockpool.at(store)
        .encryption(TestKeys.all().keysIn(keys()))
        .lockWait(Duration.ZERO)
        .open();
  }

  private static PersistentMap<String, String> map(Rockpool pool) {
    return pool.map("map", String.class, String.class);
  }

  /** A store, and another one that was restored from its backup: both could use the file. */
  private void storeAndRestored() {
    DirectoryTarget target = DirectoryTarget.at(directory.resolve("backups"));
    try (Rockpool pool = open(directory.resolve("store"))) {
      map(pool).put("k", "v");
      pool.backups().make(target);
    }
    StoreBackups.restore(target, directory.resolve("restored"));
  }

  @Test
  void twoStoresThatWriteCannotHaveOneFile() {
    storeAndRestored();
    try (Rockpool pool = open(directory.resolve("store"))) {
      assertThatThrownBy(() -> open(directory.resolve("restored")))
          .isInstanceOf(StoreLockedException.class)
          .hasMessageContaining("The file of data keys " + keys());
      pool.map("more", String.class, String.class).put("k", "v");
      // Reading is no harm.
      assertThat(pool.backups().verify(DirectoryTarget.at(directory.resolve("backups"))).isClean())
          .isTrue();
      try (Rockpool copy =
          Rockpool.at(directory.resolve("restored"))
              .encryption(TestKeys.all().keysIn(keys()))
              .openCopy()) {
        assertThat(map(copy)).containsEntry("k", "v");
      }
    }
    try (Rockpool restored = open(directory.resolve("restored"))) {
      assertThat(map(restored)).containsEntry("k", "v");
    }
    try (Rockpool pool = open(directory.resolve("store"))) {
      assertThat(pool.map("more", String.class, String.class)).containsEntry("k", "v");
    }
  }

  @Test
  void neitherCanTwoProcesses() throws Exception {
    storeAndRestored();
    try (Child holder =
        Child.start(KeyFileHolder.class, List.of(), directory.resolve("store"), keys())) {
      assertThat(holder.readLine()).startsWith("holds");
      assertThatThrownBy(() -> open(directory.resolve("restored")))
          .isInstanceOf(StoreLockedException.class)
          .hasMessageContaining("the process with pid " + holder.pid());
      holder.release();
      assertThat(holder.waitFor()).isZero();
    }
    open(directory.resolve("restored")).close();
  }

  @Test
  void anOpeningThatFailsLeavesTheFileUnlocked() {
    storeAndRestored();
    assertThatThrownBy(() -> open(directory.resolve("another")))
        .isInstanceOf(EncryptionKeyException.class);
    open(directory.resolve("store")).close();
  }

  @Test
  void aTemporaryStoreKeepsItsKeysInside() {
    storeAndRestored();
    try (Rockpool pool = open(directory.resolve("store"))) {
      map(pool).put("k", "v2");
      try (Rockpool instead =
          Rockpool.at(directory.resolve("restored"))
              .encryption(TestKeys.all().keysIn(keys()))
              .lockWait(Duration.ZERO)
              .whenLocked(WhenLocked.TEMPORARY)
              .open()) {
        assertThat(map(instead)).isEmpty();
        map(instead).put("k", "temporary");
      }
      assertThat(map(pool)).containsEntry("k", "v2");
    }
  }

  @Test
  void sharedEnginesCannotHaveOne() {
    try (MemoryEngine engine = MemoryEngine.builder().shared().build()) {
      assertThatThrownBy(
              () ->
                  EncryptedEngine.over(
                      engine, TestKeys.all().keysIn(keys()), /* readOnly= */ false))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("keysIn");
    }
    assertThat(keys()).doesNotExist();
  }

  @Test
  void onlyItsOwnerMayReadIt() throws IOException {
    open(directory.resolve("store")).close();
    try (Rockpool pool = open(directory.resolve("store"))) {
      map(pool).put("k", "v");
    }
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(keys())))
        .isEqualTo("rw-------");
  }

  private Rockpool openWith(Path keyFile) {
    return Rockpool.at(directory.resolve("store"))
        .encryption(TestKeys.all().keysIn(keyFile))
        .lockWait(Duration.ZERO)
        .open();
  }

  /** Names before and after: a store without any has the identity of its file, too. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aMissingOrMistypedFileIsRefused(boolean hasNames) throws IOException {
    try (Rockpool pool = open(directory.resolve("store"))) {
      if (hasNames) {
        map(pool).put("k", "v");
      }
    }
    Path mistyped = directory.resolve("keyz");
    for (int attempt = 0; attempt < 2; attempt++) {
      assertThatThrownBy(() -> openWith(mistyped).close())
          .isInstanceOf(EncryptionKeyException.class)
          .hasMessageContaining("There is no file " + mistyped);
      assertThatThrownBy(
              () ->
                  Rockpool.at(directory.resolve("store"))
                      .encryption(TestKeys.all().keysIn(mistyped))
                      .openCopy())
          .isInstanceOf(EncryptionKeyException.class);
      assertThat(mistyped).doesNotExist();
    }
    Files.move(keys(), directory.resolve("moved"));
    assertThatThrownBy(() -> open(directory.resolve("store")))
        .isInstanceOf(EncryptionKeyException.class);
    assertThat(keys()).doesNotExist();
    try (Rockpool pool = openWith(directory.resolve("moved"))) {
      map(pool).put("k", "v2");
    }
  }

  /** The message says how: a new file with the store's first line, and nothing else. */
  @Test
  void aLostFileCanBeReplacedOnPurpose() throws IOException {
    Encryption encryption = TestKeys.all().except("public").keysIn(keys());
    try (Rockpool pool = Rockpool.at(directory.resolve("store")).encryption(encryption).open()) {
      map(pool).put("k", "v");
      pool.map("public", String.class, String.class).put("k", "clear");
    }
    Files.delete(keys());
    String message =
        catchThrowable(
                () -> Rockpool.at(directory.resolve("store")).encryption(encryption).open().close())
            .getMessage();
    Matcher line = Pattern.compile("\"(rockpool-data-keys [^\"]+)\"").matcher(message);
    assertThat(line.find()).as(message).isTrue();
    Files.writeString(keys(), line.group(1) + "\n");
    try (Rockpool pool = Rockpool.at(directory.resolve("store")).encryption(encryption).open()) {
      assertThat(pool.map("public", String.class, String.class)).containsEntry("k", "clear");
      assertThatThrownBy(() -> map(pool).get("k")).isInstanceOf(EncryptionKeyException.class);
    }
  }

  @Test
  void aFileInsideOfTheStoreIsRefused() throws IOException {
    Path store = directory.resolve("store");
    Path link = directory.resolve("link");
    for (Path inside : List.of(store.resolve("keys"), store.resolve("below").resolve("keys"))) {
      assertInside(inside);
      assertThat(store).doesNotExist();
    }
    open(store).close();
    Files.createSymbolicLink(link, store);
    assertInside(link.resolve("keys"));
    open(store).close();
  }

  private void assertInside(Path file) {
    assertThatThrownBy(() -> openWith(file).close())
        .as("%s", file)
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("is inside of the store");
  }

  @Test
  void aDamagedLineIsNamed() throws IOException {
    try (Rockpool pool = open(directory.resolve("store"))) {
      map(pool).put("k", "v");
    }
    List<String> lines = Files.readAllLines(keys());
    for (String damaged : List.of("", "id", "id key more", "id *not-base64*")) {
      Files.write(keys(), List.of(lines.get(0), lines.get(1), damaged));
      assertThatThrownBy(() -> open(directory.resolve("store")))
          .as(damaged)
          .isInstanceOf(EncryptionKeyException.class)
          .hasMessageContaining("line 3 of " + keys());
    }
  }
}
