package io.rockpool.backup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.rockpool.Rockpool;
import io.rockpool.StoreBackups;
import io.rockpool.error.ForeignDirectoryException;
import io.rockpool.error.FormatVersionException;
import io.rockpool.error.StoreClosedException;
import io.rockpool.error.StoreIoException;
import io.rockpool.error.StoreLockedException;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is refused, and what ends a backup or restore early. */
final class BackupRefusalTest {
  @TempDir Path parent;

  private BackupFiles files() {
    return new BackupFiles(parent);
  }

  @Test
  void aDirectoryWithOtherContentIsRefused() throws IOException {
    Files.createDirectories(files().backups());
    Files.writeString(files().backups().resolve("letter.txt"), "Dear");
    try (Rockpool pool = Rockpool.open(files().store())) {
      assertThatExceptionOfType(ForeignDirectoryException.class)
          .isThrownBy(() -> pool.backups().make(files().target()));
      assertThat(BackupFiles.files(files().backups())).hasSize(1);
      assertThatExceptionOfType(ForeignDirectoryException.class)
          .isThrownBy(
              () ->
                  pool.backups().make(DirectoryTarget.at(files().backups().resolve("letter.txt"))));
      assertThatExceptionOfType(ForeignDirectoryException.class)
          .isThrownBy(() -> StoreBackups.restore(files().target(), parent.resolve("restored")));
    }
  }

  /** The root of a new file system. */
  @Test
  void aDirectoryWithLostAndFoundIsEmpty() throws IOException {
    Files.createDirectories(files().backups().resolve("lost+found"));
    try (Rockpool pool = Rockpool.open(files().store())) {
      assertThat(pool.backups().make(files().target()).number()).isEqualTo(1);
    }
  }

  @Test
  void restoringIntoAStoreIsRefused() {
    try (Rockpool pool = Rockpool.open(files().store())) {
      pool.backups().make(files().target());
      Path inside = files().store().resolve("restored/deep");
      assertThatExceptionOfType(ForeignDirectoryException.class)
          .isThrownBy(() -> StoreBackups.restore(files().target(), inside))
          .withMessageContaining("inside of the store");
      assertThat(inside.getParent()).doesNotExist();
    }
  }

  @Test
  void restoringIntoABackupTargetIsRefused() throws IOException {
    files().backUpSome();
    for (String inside : List.of("restored", "restored/deep")) {
      assertThatExceptionOfType(ForeignDirectoryException.class)
          .isThrownBy(
              () -> StoreBackups.restore(files().target(), files().backups().resolve(inside)))
          .withMessageContaining("inside of the backups");
    }
    assertThat(files().backups().resolve("restored")).doesNotExist();
  }

  @Test
  void aDirectoryInsideOfAStoreIsRefused() {
    try (Rockpool pool = Rockpool.open(files().store())) {
      for (Path inside :
          List.of(
              files().store(),
              files().store().resolve("backups"),
              files().store().resolve("db/deep/backups"))) {
        assertThatExceptionOfType(ForeignDirectoryException.class)
            .isThrownBy(() -> pool.backups().make(DirectoryTarget.at(inside)))
            .withMessageContaining("inside of the store");
        assertThat(inside.resolve("ROCKPOOL.backups")).doesNotExist();
      }
    }
  }

  @Test
  void backupsOfANewerFormatAreRefused() throws IOException {
    files().backUpSome();
    Files.writeString(
        files().backups().resolve("ROCKPOOL.backups"), "Rockpool backups\nformat 2\n");
    assertThatExceptionOfType(FormatVersionException.class)
        .isThrownBy(() -> StoreBackups.list(files().target()));
  }

  @Test
  void anInterruptedFirstUseIsContinued() throws IOException {
    Files.createDirectories(files().backups());
    Files.writeString(files().backups().resolve("ROCKPOOL.backups"), "Rockpool b");
    assertThatExceptionOfType(StoreIoException.class)
        .isThrownBy(() -> StoreBackups.list(files().target()))
        .withMessageContaining("no backups");
    files().backUpSome();
    assertThat(files().restored("restored")).hasSize(100);
  }

  @Test
  void restoringNeedsAnEmptyDirectoryAndABackup() throws IOException {
    assertThatExceptionOfType(StoreIoException.class)
        .isThrownBy(() -> StoreBackups.restore(files().target(), parent.resolve("restored")));
    files().backUpSome();
    Path full = Files.createDirectories(parent.resolve("full"));
    Files.writeString(full.resolve("letter.txt"), "Dear");
    assertThatExceptionOfType(ForeignDirectoryException.class)
        .isThrownBy(() -> StoreBackups.restore(files().target(), full))
        .withMessageContaining("not empty");
    assertThat(BackupFiles.files(full)).hasSize(1);
    assertThatExceptionOfType(ForeignDirectoryException.class)
        .isThrownBy(() -> StoreBackups.restore(files().target(), files().store()));
    assertThatExceptionOfType(StoreIoException.class)
        .isThrownBy(
            () ->
                StoreBackups.restore(
                    files().target(), 7, parent.resolve("restored"), BackupOptions.defaults()));
    Files.createDirectories(parent.resolve("empty"));
    assertThat(files().restored("empty")).hasSize(100);
  }

  @Test
  void anInterruptedRestoreIsNoStore() {
    files().backUpSome();
    Path directory = parent.resolve("restored");
    AtomicLong calls = new AtomicLong();
    assertThatExceptionOfType(CancellationException.class)
        .isThrownBy(
            () ->
                StoreBackups.restore(
                    files().target(),
                    1,
                    directory,
                    BackupOptions.defaults().stopWhen(() -> calls.incrementAndGet() > 5)))
        .withMessageContaining("BackupOptions.stopWhen");
    assertThat(directory).doesNotExist();
    Thread.currentThread().interrupt();
    assertThatExceptionOfType(CancellationException.class)
        .isThrownBy(() -> StoreBackups.restore(files().target(), directory))
        .withMessageContaining("interrupt of thread " + Thread.currentThread().getName());
    assertThat(Thread.interrupted()).isTrue();
    assertThat(directory).doesNotExist();
  }

  @Test
  void twoBackupsToOneTargetExcludeEachOther() throws IOException {
    try (Rockpool pool = Rockpool.open(files().store());
        Rockpool other = Rockpool.open(parent.resolve("other"))) {
      BackupFiles.fill(pool, 0, 100);
      List<Object> refused = new ArrayList<>();
      BackupOptions nested =
          BackupOptions.defaults()
              .onProgress(
                  progress -> {
                    for (Rockpool each : List.of(pool, other)) {
                      assertThatExceptionOfType(StoreLockedException.class)
                          .isThrownBy(() -> each.backups().make(files().target()));
                    }
                    refused.add(progress);
                  });
      BackupInfo info = pool.backups().make(files().target(), nested);
      assertThat(refused).hasSize((int) info.files());
      try (Closeable lock = files().target().lock(BackupTarget.BACKUPS)) {
        assertThat(lock).isNotNull();
        assertThatExceptionOfType(StoreLockedException.class)
            .isThrownBy(() -> pool.backups().make(files().target()))
            .withMessageContaining("backup directory");
      }
      pool.backups().make(files().target());
      assertThat(StoreBackups.list(files().target())).hasSize(2);
    }
  }

  @Test
  void aStoppedBackupLeavesNoneAndIsContinued() throws IOException {
    try (Rockpool pool = Rockpool.open(files().store())) {
      BackupFiles.fill(pool, 0, 1_000);
      AtomicLong files = new AtomicLong();
      BackupOptions stopping =
          BackupOptions.defaults()
              .onProgress(progress -> files.set(progress.files()))
              .stopWhen(() -> files.get() >= 3);
      assertThatExceptionOfType(CancellationException.class)
          .isThrownBy(() -> pool.backups().make(files().target(), stopping))
          .withMessageContaining("by BackupOptions.stopWhen")
          .withMessageContaining("Start it again");
      assertThat(files.get()).isEqualTo(3);
      assertThat(StoreBackups.list(files().target())).isEmpty();
      assertThat(files().backups().resolve("incoming/backups")).isEmptyDirectory();
      assertThat(files().store().resolve("checkpoints")).isEmptyDirectory();
      Thread.currentThread().interrupt();
      assertThatExceptionOfType(CancellationException.class)
          .isThrownBy(() -> pool.backups().make(files().target()))
          .withMessageContaining("interrupt of thread " + Thread.currentThread().getName());
      assertThat(Thread.interrupted()).isTrue();
      assertThat(StoreBackups.list(files().target())).isEmpty();
      BackupInfo info = pool.backups().make(files().target());
      assertThat(info.number()).isEqualTo(1);
      assertThat(info.addedBytes()).isLessThan(info.bytes());
    }
    assertThat(files().restored("restored")).hasSize(1_000);
  }

  @Test
  void closingTheStoreEndsTheBackup() throws Exception {
    Rockpool pool = Rockpool.open(files().store());
    BackupFiles.fill(pool, 0, 1_000);
    AtomicLong files = new AtomicLong();
    assertThatExceptionOfType(StoreClosedException.class)
        .isThrownBy(
            () ->
                pool.backups()
                    .make(
                        files().target(),
                        BackupOptions.defaults()
                            .onProgress(
                                progress -> {
                                  if (files.incrementAndGet() == 2) {
                                    pool.close();
                                  }
                                })));
    assertThat(files.get()).isEqualTo(2);
    assertThat(StoreBackups.list(files().target())).isEmpty();
    try (Rockpool again = Rockpool.open(files().store())) {
      again.backups().make(files().target());
    }
    assertThat(files().restored("restored")).hasSize(1_000);
  }

  @Test
  void theStoreCanBeClosedAndOpenedDuringABackup() throws Exception {
    Rockpool pool = Rockpool.open(files().store());
    BackupFiles.fill(pool, 0, 1_000);
    AtomicLong files = new AtomicLong();
    List<Rockpool> opened = new ArrayList<>();
    assertThatExceptionOfType(StoreClosedException.class)
        .isThrownBy(
            () ->
                pool.backups()
                    .make(
                        files().target(),
                        BackupOptions.defaults()
                            .onProgress(
                                progress -> {
                                  if (files.incrementAndGet() == 2) {
                                    pool.close();
                                    opened.add(Rockpool.open(files().store()));
                                  }
                                })));
    try (Rockpool again = opened.get(0)) {
      again.backups().make(files().target());
    }
    assertThat(files().restored("restored")).hasSize(1_000);
  }

  @Test
  void aStoreInMemoryHasNoBackups() {
    try (Rockpool pool = Rockpool.inMemory()) {
      assertThatExceptionOfType(UnsupportedOperationException.class)
          .isThrownBy(() -> pool.backups().make(files().target()));
    }
  }

  @Test
  void aTransactionHasNoBackups() {
    try (Rockpool pool = Rockpool.open(files().store())) {
      assertThatExceptionOfType(IllegalStateException.class)
          .isThrownBy(() -> pool.runAtomically(tx -> pool.backups().make(files().target())));
    }
    assertThat(files().backups()).doesNotExist();
  }

  @Test
  void badOptionsAreRefused() {
    assertThatExceptionOfType(IllegalArgumentException.class)
        .isThrownBy(() -> BackupOptions.defaults().keep(0));
    assertThatExceptionOfType(IllegalArgumentException.class)
        .isThrownBy(() -> BackupOptions.defaults().bytesPerSecond(0));
  }
}
