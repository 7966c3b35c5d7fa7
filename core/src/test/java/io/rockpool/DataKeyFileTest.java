package io.rockpool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rockpool.backup.DirectoryTarget;
import io.rockpool.encryption.Encryption;
import io.rockpool.encryption.TestKeys;
import io.rockpool.engine.memory.MemoryEngine;
import io.rockpool.error.EncryptionKeyException;
import io.rockpool.error.StoreLockedException;
import io.rockpool.internal.encryption.EncryptedEngine;
import io.rockpool.structure.PersistentMap;
import io.rockpool.testing.Child;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The file of data keys belongs to one store that writes. */
@Timeout(120)
final class DataKeyFileTest {
  @TempDir Path directory;

  /** A process that holds a store open until its input ends. */
  static final class KeyFileHolder {
    private KeyFileHolder() {}

    public static void main(String[] arguments) throws IOException {
      Encryption encryption = TestKeys.all().keysIn(Path.of(arguments[1]));
      try (Rockpool pool = Rockpool.at(arguments[0]).encryption(encryption).open()) {
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
      pool.backup(target);
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
      assertThat(pool.verifyBackup(DirectoryTarget.at(directory.resolve("backups"))).isClean())
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
}
