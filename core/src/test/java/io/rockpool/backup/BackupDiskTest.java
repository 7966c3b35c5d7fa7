package io.rockpool.backup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.rockpool.Rockpool;
import io.rockpool.StoreBackups;
import io.rockpool.error.StoreFullException;
import io.rockpool.error.StoreIoException;
import io.rockpool.testing.Slow;
import io.rockpool.testing.Tmpfs;
import io.rockpool.testing.tools.Needs;
import io.rockpool.testing.tools.Tool;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Backups to, and restores on, disks that are full or read-only. */
@Slow
@Timeout(60)
@Needs(Tool.MOUNTS)
final class BackupDiskTest {
  private static final int ELEMENTS = 100_000;

  @TempDir Path parent;

  private BackupFiles files() {
    return new BackupFiles(parent);
  }

  @Test
  void onAFullTargetNothingIsHalf() throws Exception {
    try (Tmpfs disk = Tmpfs.mount(files().backups(), 1);
        Rockpool pool = Rockpool.open(files().store())) {
      BackupFiles.fill(pool, 0, ELEMENTS);
      for (int attempt = 0; attempt < 2; attempt++) {
        assertThatExceptionOfType(StoreFullException.class)
            .isThrownBy(() -> pool.backups().make(files().target()))
            .withMessageContaining("disk is full")
            .withMessageContaining(files().backups().toString());
        assertThat(StoreBackups.list(files().target())).isEmpty();
        assertThat(files().backups().resolve("incoming/backups")).isEmptyDirectory();
        BackupFiles.fill(pool, ELEMENTS + attempt, ELEMENTS + attempt + 1);
      }
      disk.resize(64);
      assertThat(pool.backups().make(files().target()).number()).isEqualTo(1);
      assertThat(files().restored("restored")).hasSize(ELEMENTS + 2);
    }
  }

  /** From none that can be created to all that are needed. */
  @Test
  void aTargetThatTakesFewFilesIsFull() throws Exception {
    int refused = 0;
    try (Tmpfs disk = Tmpfs.mount(files().backups(), 64);
        Rockpool pool = Rockpool.open(files().store())) {
      BackupFiles.fill(pool, 0, 100);
      for (int limit = 2; refused == limit - 2; limit++) {
        disk.limitFiles(limit);
        try {
          pool.backups().make(files().target());
        } catch (StoreFullException e) {
          refused++;
        }
      }
      assertThat(refused).isGreaterThan(10);
      assertThat(StoreBackups.list(files().target())).hasSize(1);
      assertThat(files().restored("restored")).hasSize(100);
    }
  }

  @Test
  void aReadOnlyTargetIsAnError() throws Exception {
    try (Tmpfs disk = Tmpfs.mount(files().backups(), 64);
        Rockpool pool = Rockpool.open(files().store())) {
      BackupFiles.fill(pool, 0, 100);
      pool.backups().make(files().target());
      disk.setReadOnly(true);
      assertThatExceptionOfType(StoreIoException.class)
          .isThrownBy(() -> pool.backups().make(files().target()));
      assertThat(files().restored("restored")).hasSize(100);
    }
  }

  @Test
  void aStoreOnAFullDiskContinuesOnceThereIsRoom() throws Exception {
    try (Tmpfs disk = Tmpfs.mount(files().store(), 32);
        Rockpool pool = Rockpool.at(files().store()).freeSpaceFloorBytes(0).open()) {
      BackupFiles.fill(pool, 0, ELEMENTS);
      Path ballast = disk.directory().resolve("ballast");
      try (OutputStream out = Files.newOutputStream(ballast)) {
        byte[] block = new byte[4 << 10];
        assertThatExceptionOfType(IOException.class)
            .isThrownBy(
                () -> {
                  while (true) {
                    out.write(block);
                  }
                });
      }
      assertThatExceptionOfType(StoreFullException.class)
          .isThrownBy(() -> pool.backups().make(files().target()));
      assertThat(StoreBackups.list(files().target())).isEmpty();
      assertThat(files().store().resolve("checkpoints")).isEmptyDirectory();
      Files.delete(ballast);
      boolean resumed = false;
      while (!resumed) {
        try {
          BackupFiles.fill(pool, ELEMENTS, ELEMENTS + 1);
          pool.backups().make(files().target());
          resumed = true;
        } catch (StoreFullException e) {
          Thread.sleep(20);
        }
      }
      assertThat(files().restored("restored")).hasSize(ELEMENTS + 1);
    }
  }

  @Test
  void aRestoreOnAFullDiskLeavesNothing() throws Exception {
    try (Rockpool pool = Rockpool.open(files().store())) {
      BackupFiles.fill(pool, 0, ELEMENTS);
      pool.backups().make(files().target());
    }
    Path small = parent.resolve("small");
    try (Tmpfs disk = Tmpfs.mount(small, 1)) {
      for (Path directory : new Path[] {disk.directory(), small.resolve("new")}) {
        assertThatExceptionOfType(StoreFullException.class)
            .isThrownBy(() -> StoreBackups.restore(files().target(), directory))
            .withMessageContaining("disk is full");
        assertThat(small).isEmptyDirectory();
      }
      disk.resize(64);
      assertThat(files().restored("small")).hasSize(ELEMENTS);
    }
    assertThat(Files.exists(small)).isTrue();
  }
}
