package io.rockpool.backup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.rockpool.Rockpool;
import io.rockpool.StoreBackups;
import io.rockpool.error.CorruptStoreException;
import io.rockpool.error.ForeignDirectoryException;
import io.rockpool.error.FormatVersionException;
import io.rockpool.error.StoreIoException;
import io.rockpool.testing.Slow;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Damage is found: of a backup when it is restored, of a store at a later backup. */
@Slow
final class BackupDamageTest {
  @TempDir Path parent;

  private BackupFiles files() {
    return new BackupFiles(parent);
  }

  @Test
  void damageOfTheStoresFilesIsFoundLater() throws IOException {
    try (Rockpool pool = Rockpool.open(files().store())) {
      BackupFiles.fill(pool, 0, 1_000);
      pool.backups().make(files().target());
      Path rows =
          BackupFiles.files(files().store().resolve("db")).stream()
              .filter(file -> file.toString().endsWith(".sst"))
              .max(Comparator.comparing(file -> file.toFile().length()))
              .orElseThrow();
      FileTime modified = Files.getLastModifiedTime(rows);
      BackupFiles.flip(rows, 10); // in the first block, which opening does not read
      Files.setLastModifiedTime(rows, modified);
      assertThatExceptionOfType(CorruptStoreException.class)
          .isThrownBy(
              () -> {
                for (int backup = 0; backup < 16; backup++) {
                  pool.backups().make(files().target());
                }
              })
          .withMessageContaining(".sst")
          .withMessageContaining("SHA-256");
    }
  }

  @Test
  void eachFlippedByteIsFound() throws IOException {
    files().backUpSome();
    Random random = new Random(1);
    for (Path file : BackupFiles.files(files().backups())) {
      if (file.endsWith("lock")) {
        continue;
      }
      byte[] before = Files.readAllBytes(file);
      boolean isManifest = file.toString().endsWith(".json");
      for (int i = 0; i < (isManifest ? before.length : 10) && before.length > 0; i++) {
        byte[] damaged = before.clone();
        damaged[isManifest ? i : random.nextInt(before.length)] ^= (byte) (1 << random.nextInt(8));
        Files.write(file, damaged);
        assertDamageIsFound(file);
      }
      Files.write(file, before);
    }
    assertThat(files().restored("undamaged")).hasSize(100);
  }

  @Test
  void eachMissingOrCutFileIsFound() throws IOException {
    files().backUpSome();
    for (Path file : BackupFiles.files(files().backups())) {
      if (file.endsWith("lock")) {
        continue;
      }
      byte[] before = Files.readAllBytes(file);
      Files.delete(file);
      assertDamageIsFound(file);
      if (before.length > 0) {
        Files.write(file, Arrays.copyOf(before, before.length - 1));
        assertDamageIsFound(file);
      }
      Files.write(file, before);
    }
    assertThat(files().restored("undamaged")).hasSize(100);
  }

  private void assertDamageIsFound(Path file) {
    Path directory = parent.resolve("damaged");
    assertThatExceptionOfType(RuntimeException.class)
        .as(file.toString())
        .isThrownBy(() -> StoreBackups.restore(files().target(), directory))
        .isInstanceOfAny(
            CorruptStoreException.class,
            StoreIoException.class,
            FormatVersionException.class,
            ForeignDirectoryException.class);
    assertThat(directory).doesNotExist();
  }

  @Test
  void aDamagedManifestSparesTheOtherBackups() throws IOException {
    try (Rockpool pool = Rockpool.open(files().store())) {
      BackupFiles.fill(pool, 0, 100);
      pool.backups().make(files().target());
      pool.backups().make(files().target());
      Path newest = BackupFiles.files(files().backups().resolve("backups")).get(1);
      BackupFiles.flip(newest, 3);
      assertThat(StoreBackups.list(files().target()))
          .extracting(BackupInfo::number)
          .containsExactly(1L);
      BackupInfo third = pool.backups().make(files().target(), BackupOptions.defaults().keep(2));
      assertThat(third.number()).isEqualTo(3);
    }
    assertThat(files().restored("restored")).hasSize(100);
  }

  @Test
  void aLostFileOfTheTargetIsCopiedAgain() throws IOException {
    try (Rockpool pool = Rockpool.open(files().store())) {
      BackupFiles.fill(pool, 0, 100);
      pool.backups().make(files().target());
      BackupFiles.delete(files().backups().resolve("files"));
      pool.backups().make(files().target());
    }
    assertThat(files().restored("restored")).hasSize(100);
  }

  @Test
  void aDamagedBackupIsNotVerified() throws IOException {
    Path scratch = Files.createDirectories(parent.resolve("scratch"));
    try (Rockpool pool = Rockpool.open(files().store())) {
      BackupFiles.fill(pool, 0, 100);
      pool.backups().make(files().target());
      for (Path file : BackupFiles.files(files().backups().resolve("files"))) {
        if (Files.size(file) > 1_000) {
          BackupFiles.flip(file, 100);
        }
      }
      assertThatExceptionOfType(CorruptStoreException.class)
          .isThrownBy(() -> pool.backups().verify(files().target(), 1, scratch));
      assertThat(BackupFiles.verifiedBackup(pool)).isEmpty();
      assertThat(scratch).isEmptyDirectory();
    }
  }

  @Test
  void aDamagedFileOfTheTargetIsReplaced() throws IOException {
    try (Rockpool pool = Rockpool.open(files().store())) {
      BackupFiles.fill(pool, 0, 100);
      pool.backups().make(files().target());
      List<Path> objects = BackupFiles.files(files().backups().resolve("files"));
      long damaged = 0;
      for (Path object : objects) {
        if (Files.size(object) > 0) {
          BackupFiles.flip(object, 0);
          damaged += Files.size(object);
        }
      }
      BackupInfo info =
          pool.backups().make(files().target(), BackupOptions.defaults().recheck(true));
      assertThat(info.addedBytes()).isBetween(damaged / 2, info.bytes());
      assertThat(files().restored("restored")).hasSize(100);
      for (Path object : objects) {
        if (Files.size(object) > 0) {
          BackupFiles.flip(object, 0);
        }
      }
      for (int backup = 0; backup < 16; backup++) {
        pool.backups().make(files().target());
      }
    }
    assertThat(files().restored("later")).hasSize(100);
  }
}
