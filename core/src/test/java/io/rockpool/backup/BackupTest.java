package io.rockpool.backup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.groups.Tuple.tuple;

import io.rockpool.Rockpool;
import io.rockpool.error.CorruptStoreException;
import io.rockpool.error.ForeignDirectoryException;
import io.rockpool.error.FormatVersionException;
import io.rockpool.error.StoreClosedException;
import io.rockpool.error.StoreIoException;
import io.rockpool.error.StoreLockedException;
import io.rockpool.store.VerifyReport;
import io.rockpool.structure.PersistentMap;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.CancellationException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class BackupTest {
  @TempDir Path parent;

  private Path store() {
    return parent.resolve("store");
  }

  private Path backups() {
    return parent.resolve("backups");
  }

  private BackupTarget target() {
    return DirectoryTarget.at(backups());
  }

  private static PersistentMap<Integer, String> map(Rockpool pool) {
    return pool.map("map", Integer.class, String.class);
  }

  private static void fill(Rockpool pool, int from, int to) {
    Map<Integer, String> values = new TreeMap<>();
    Random random = new Random(from);
    for (int key = from; key < to; key++) {
      values.put(key, "value " + random.nextLong());
    }
    map(pool).putAll(values);
    pool.cache("cache", Integer.class, String.class).put(from, "cached");
  }

  /** Restores the newest backup, checks all of the store, and returns the map. */
  private Map<Integer, String> restored(String name) {
    Path directory = parent.resolve(name);
    BackupInfo info = Rockpool.restore(target(), directory);
    try (Rockpool pool = Rockpool.open(directory)) {
      assertThat(pool.recoveryReport().orElseThrow().clean())
          .as(pool.recoveryReport().orElseThrow().message())
          .isTrue();
      VerifyReport report = pool.verify();
      assertThat(report.isClean()).as(report.toString()).isTrue();
      assertThat(pool.list()).hasSameSizeAs(info.names());
      return new TreeMap<>(map(pool));
    }
  }

  private static List<Path> files(Path directory) throws IOException {
    try (Stream<Path> walk = Files.walk(directory)) {
      return walk.filter(Files::isRegularFile).sorted().toList();
    }
  }

  private static void delete(Path directory) throws IOException {
    try (Stream<Path> walk = Files.walk(directory)) {
      for (Path file : walk.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }

  @Test
  void aRestoredStoreHasEverything() throws IOException {
    BackupInfo info;
    Map<Integer, String> before;
    try (Rockpool pool = Rockpool.open(store())) {
      fill(pool, 0, 1_000);
      before = new TreeMap<>(map(pool));
      info = pool.backup(target());
      fill(pool, 1_000, 1_100);
      assertThat(store().resolve("checkpoints")).isEmptyDirectory();
    }
    assertThat(info.number()).isEqualTo(1);
    assertThat(info.store()).isEqualTo(store().toRealPath().toString());
    assertThat(info.addedBytes()).isEqualTo(info.bytes());
    assertThat(info.names())
        .extracting(BackedUpName::name, BackedUpName::type)
        .containsExactly(tuple("cache", "cache"), tuple("map", "map"));
    assertThat(info.names().get(1).count()).hasValue(1_000);
    assertThat(Rockpool.backups(target())).containsExactly(info);
    assertThat(restored("restored")).isEqualTo(before);
    try (Rockpool pool = Rockpool.open(parent.resolve("restored"))) {
      assertThat(pool.cache("cache", Integer.class, String.class).get(0)).isEqualTo("cached");
      fill(pool, 2_000, 2_100);
      assertThat(map(pool)).hasSize(1_100);
    }
  }

  @Test
  void anEmptyStoreIsBackedUp() {
    try (Rockpool pool = Rockpool.open(store())) {
      assertThat(pool.backup(target()).names()).isEmpty();
    }
    assertThat(restored("restored")).isEmpty();
  }

  @Test
  void aSecondBackupCopiesOnlyWhatIsNew() {
    try (Rockpool pool = Rockpool.open(store())) {
      fill(pool, 0, 50_000);
      BackupInfo first = pool.backup(target());
      fill(pool, 50_000, 50_010);
      BackupInfo second = pool.backup(target());
      assertThat(second.number()).isEqualTo(2);
      assertThat(second.addedBytes()).isLessThan(first.bytes() / 10);
      assertThat(second.bytes()).isGreaterThan(first.bytes());
      assertThat(second.sequence()).isGreaterThan(first.sequence());
    }
    assertThat(restored("restored")).hasSize(50_010);
    assertThat(Rockpool.restore(target(), 1, parent.resolve("first"), BackupOptions.defaults()))
        .isEqualTo(Rockpool.backups(target()).get(0));
    try (Rockpool pool = Rockpool.open(parent.resolve("first"))) {
      assertThat(map(pool)).hasSize(50_000);
    }
  }

  @Test
  void aRestoredStoreIsBackedUpToTheSameTarget() {
    try (Rockpool pool = Rockpool.open(store())) {
      fill(pool, 0, 100);
      pool.backup(target());
    }
    Path copy = parent.resolve("copy");
    Rockpool.restore(target(), copy);
    try (Rockpool pool = Rockpool.open(copy)) {
      fill(pool, 100, 200);
      pool.backup(target());
    }
    assertThat(restored("restored")).hasSize(200);
  }

  @Test
  void onlyTheNewestAreKept() throws IOException {
    try (Rockpool pool = Rockpool.open(store())) {
      for (int round = 0; round < 6; round++) {
        fill(pool, 0, 100 + round);
        pool.backup(target(), BackupOptions.defaults().keep(3));
        pool.reclaim();
      }
    }
    List<BackupInfo> kept = Rockpool.backups(target());
    assertThat(kept).extracting(BackupInfo::number).containsExactly(4L, 5L, 6L);
    for (BackupInfo info : kept) {
      Path directory = parent.resolve("kept-" + info.number());
      Rockpool.restore(target(), info.number(), directory, BackupOptions.defaults());
      try (Rockpool pool = Rockpool.open(directory)) {
        assertThat(map(pool)).hasSize(100 + (int) info.number() - 1);
      }
    }
    try (Rockpool pool = Rockpool.open(store())) {
      BackupInfo last = pool.backup(target(), BackupOptions.defaults().keep(1));
      long bytes = 0;
      for (Path file : files(backups().resolve("files"))) {
        bytes += Files.size(file);
      }
      assertThat(bytes).isEqualTo(last.bytes());
    }
  }

  @Test
  void damageOfTheStoresFilesIsFoundLater() throws IOException {
    try (Rockpool pool = Rockpool.open(store())) {
      fill(pool, 0, 1_000);
      pool.backup(target());
      Path rows =
          files(store().resolve("db")).stream()
              .filter(file -> file.toString().endsWith(".sst"))
              .max(Comparator.comparing(file -> file.toFile().length()))
              .orElseThrow();
      FileTime modified = Files.getLastModifiedTime(rows);
      flip(rows, 10); // in the first block, which opening does not read
      Files.setLastModifiedTime(rows, modified);
      assertThatExceptionOfType(CorruptStoreException.class)
          .isThrownBy(
              () -> {
                for (int backup = 0; backup < 16; backup++) {
                  pool.backup(target());
                }
              })
          .withMessageContaining(".sst")
          .withMessageContaining("SHA-256");
    }
  }

  private static void flip(Path file, int at) throws IOException {
    byte[] bytes = Files.readAllBytes(file);
    bytes[at] ^= 1;
    Files.write(file, bytes);
  }

  @Test
  void eachFlippedByteIsFound() throws IOException {
    backUpSome();
    Random random = new Random(1);
    for (Path file : files(backups())) {
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
    assertThat(restored("undamaged")).hasSize(100);
  }

  @Test
  void eachMissingOrCutFileIsFound() throws IOException {
    backUpSome();
    for (Path file : files(backups())) {
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
    assertThat(restored("undamaged")).hasSize(100);
  }

  private void backUpSome() {
    try (Rockpool pool = Rockpool.open(store())) {
      fill(pool, 0, 100);
      pool.backup(target());
    }
  }

  private void assertDamageIsFound(Path file) {
    Path directory = parent.resolve("damaged");
    assertThatExceptionOfType(RuntimeException.class)
        .as(file.toString())
        .isThrownBy(() -> Rockpool.restore(target(), directory))
        .isInstanceOfAny(
            CorruptStoreException.class,
            StoreIoException.class,
            FormatVersionException.class,
            ForeignDirectoryException.class);
    assertThat(directory).doesNotExist();
  }

  @Test
  void aDamagedManifestSparesTheOtherBackups() throws IOException {
    try (Rockpool pool = Rockpool.open(store())) {
      fill(pool, 0, 100);
      pool.backup(target());
      pool.backup(target());
      Path newest = files(backups().resolve("backups")).get(1);
      flip(newest, 3);
      assertThat(Rockpool.backups(target())).extracting(BackupInfo::number).containsExactly(1L);
      BackupInfo third = pool.backup(target(), BackupOptions.defaults().keep(2));
      assertThat(third.number()).isEqualTo(3);
    }
    assertThat(restored("restored")).hasSize(100);
  }

  @Test
  void aDirectoryWithOtherContentIsRefused() throws IOException {
    Files.createDirectories(backups());
    Files.writeString(backups().resolve("letter.txt"), "Dear");
    try (Rockpool pool = Rockpool.open(store())) {
      assertThatExceptionOfType(ForeignDirectoryException.class)
          .isThrownBy(() -> pool.backup(target()));
      assertThat(files(backups())).hasSize(1);
      assertThatExceptionOfType(ForeignDirectoryException.class)
          .isThrownBy(() -> pool.backup(DirectoryTarget.at(backups().resolve("letter.txt"))));
      assertThatExceptionOfType(ForeignDirectoryException.class)
          .isThrownBy(() -> Rockpool.restore(target(), parent.resolve("restored")));
    }
  }

  @Test
  void aDirectoryInsideOfAStoreIsRefused() {
    try (Rockpool pool = Rockpool.open(store())) {
      for (Path inside :
          List.of(store(), store().resolve("backups"), store().resolve("db/deep/backups"))) {
        assertThatExceptionOfType(ForeignDirectoryException.class)
            .isThrownBy(() -> pool.backup(DirectoryTarget.at(inside)))
            .withMessageContaining("inside of the store");
        assertThat(inside.resolve("ROCKPOOL.backups")).doesNotExist();
      }
    }
  }

  @Test
  void backupsOfANewerFormatAreRefused() throws IOException {
    backUpSome();
    Files.writeString(backups().resolve("ROCKPOOL.backups"), "Rockpool backups\nformat 2\n");
    assertThatExceptionOfType(FormatVersionException.class)
        .isThrownBy(() -> Rockpool.backups(target()));
  }

  @Test
  void anInterruptedFirstUseIsContinued() throws IOException {
    Files.createDirectories(backups());
    Files.writeString(backups().resolve("ROCKPOOL.backups"), "Rockpool b");
    assertThatExceptionOfType(StoreIoException.class)
        .isThrownBy(() -> Rockpool.backups(target()))
        .withMessageContaining("no backups");
    backUpSome();
    assertThat(restored("restored")).hasSize(100);
  }

  @Test
  void restoringNeedsAnEmptyDirectoryAndABackup() throws IOException {
    assertThatExceptionOfType(StoreIoException.class)
        .isThrownBy(() -> Rockpool.restore(target(), parent.resolve("restored")));
    backUpSome();
    Path full = Files.createDirectories(parent.resolve("full"));
    Files.writeString(full.resolve("letter.txt"), "Dear");
    assertThatExceptionOfType(ForeignDirectoryException.class)
        .isThrownBy(() -> Rockpool.restore(target(), full))
        .withMessageContaining("not empty");
    assertThat(files(full)).hasSize(1);
    assertThatExceptionOfType(ForeignDirectoryException.class)
        .isThrownBy(() -> Rockpool.restore(target(), store()));
    assertThatExceptionOfType(StoreIoException.class)
        .isThrownBy(
            () ->
                Rockpool.restore(
                    target(), 7, parent.resolve("restored"), BackupOptions.defaults()));
    Files.createDirectories(parent.resolve("empty"));
    assertThat(restored("empty")).hasSize(100);
  }

  @Test
  void anInterruptedRestoreIsNoStore() {
    backUpSome();
    Path directory = parent.resolve("restored");
    AtomicLong calls = new AtomicLong();
    assertThatExceptionOfType(CancellationException.class)
        .isThrownBy(
            () ->
                Rockpool.restore(
                    target(),
                    1,
                    directory,
                    BackupOptions.defaults().stopWhen(() -> calls.incrementAndGet() > 5)));
    assertThat(directory).doesNotExist();
  }

  @Test
  void twoBackupsToOneTargetExcludeEachOther() throws IOException {
    try (Rockpool pool = Rockpool.open(store());
        Rockpool other = Rockpool.open(parent.resolve("other"))) {
      fill(pool, 0, 100);
      List<Object> refused = new ArrayList<>();
      BackupOptions nested =
          BackupOptions.defaults()
              .onProgress(
                  progress -> {
                    for (Rockpool each : List.of(pool, other)) {
                      assertThatExceptionOfType(StoreLockedException.class)
                          .isThrownBy(() -> each.backup(target()));
                    }
                    refused.add(progress);
                  });
      BackupInfo info = pool.backup(target(), nested);
      assertThat(refused).hasSize((int) info.files());
      try (Closeable lock = target().lock()) {
        assertThat(lock).isNotNull();
        assertThatExceptionOfType(StoreLockedException.class)
            .isThrownBy(() -> pool.backup(target()))
            .withMessageContaining("backup directory");
      }
      pool.backup(target());
      assertThat(Rockpool.backups(target())).hasSize(2);
    }
  }

  @Test
  void aStoppedBackupLeavesNoneAndIsContinued() throws IOException {
    try (Rockpool pool = Rockpool.open(store())) {
      fill(pool, 0, 1_000);
      AtomicLong files = new AtomicLong();
      BackupOptions stopping =
          BackupOptions.defaults()
              .onProgress(progress -> files.set(progress.files()))
              .stopWhen(() -> files.get() >= 3);
      assertThatExceptionOfType(CancellationException.class)
          .isThrownBy(() -> pool.backup(target(), stopping));
      assertThat(files.get()).isEqualTo(3);
      assertThat(Rockpool.backups(target())).isEmpty();
      assertThat(backups().resolve("incoming")).isEmptyDirectory();
      assertThat(store().resolve("checkpoints")).isEmptyDirectory();
      Thread.currentThread().interrupt();
      assertThatExceptionOfType(CancellationException.class)
          .isThrownBy(() -> pool.backup(target()));
      assertThat(Thread.interrupted()).isTrue();
      assertThat(Rockpool.backups(target())).isEmpty();
      BackupInfo info = pool.backup(target());
      assertThat(info.number()).isEqualTo(1);
      assertThat(info.addedBytes()).isLessThan(info.bytes());
    }
    assertThat(restored("restored")).hasSize(1_000);
  }

  @Test
  void aRateIsKept() {
    try (Rockpool pool = Rockpool.open(store())) {
      fill(pool, 0, 20_000);
      BackupInfo fast = pool.backup(target());
      long rate = fast.bytes();
      long start = System.nanoTime();
      BackupTarget second = DirectoryTarget.at(parent.resolve("second"));
      pool.backup(second, BackupOptions.defaults().bytesPerSecond(rate));
      // Each file is read twice: for its checksum, and to copy it.
      assertThat(Duration.ofNanos(System.nanoTime() - start))
          .isGreaterThan(Duration.ofMillis(1_900));
    }
  }

  @Test
  void closingTheStoreEndsTheBackup() throws Exception {
    Rockpool pool = Rockpool.open(store());
    fill(pool, 0, 1_000);
    AtomicLong files = new AtomicLong();
    assertThatExceptionOfType(StoreClosedException.class)
        .isThrownBy(
            () ->
                pool.backup(
                    target(),
                    BackupOptions.defaults()
                        .onProgress(
                            progress -> {
                              if (files.incrementAndGet() == 2) {
                                pool.close();
                              }
                            })));
    assertThat(files.get()).isEqualTo(2);
    assertThat(Rockpool.backups(target())).isEmpty();
    try (Rockpool again = Rockpool.open(store())) {
      again.backup(target());
    }
    assertThat(restored("restored")).hasSize(1_000);
  }

  @Test
  void theStoreCanBeClosedAndOpenedDuringABackup() throws Exception {
    Rockpool pool = Rockpool.open(store());
    fill(pool, 0, 1_000);
    AtomicLong files = new AtomicLong();
    List<Rockpool> opened = new ArrayList<>();
    assertThatExceptionOfType(StoreClosedException.class)
        .isThrownBy(
            () ->
                pool.backup(
                    target(),
                    BackupOptions.defaults()
                        .onProgress(
                            progress -> {
                              if (files.incrementAndGet() == 2) {
                                pool.close();
                                opened.add(Rockpool.open(store()));
                              }
                            })));
    try (Rockpool again = opened.get(0)) {
      again.backup(target());
    }
    assertThat(restored("restored")).hasSize(1_000);
  }

  @Test
  void whatAKilledBackupLeftInTheStoreIsDeleted() throws IOException {
    backUpSome();
    Path left = Files.createDirectories(store().resolve("checkpoints/123/db"));
    Files.writeString(left.resolve("000001.sst"), "linked");
    try (Rockpool pool = Rockpool.open(store())) {
      assertThat(store().resolve("checkpoints")).doesNotExist();
      assertThat(map(pool)).hasSize(100);
    }
  }

  @Test
  void aStoreInMemoryHasNoBackups() {
    try (Rockpool pool = Rockpool.inMemory()) {
      assertThatExceptionOfType(UnsupportedOperationException.class)
          .isThrownBy(() -> pool.backup(target()));
    }
  }

  @Test
  void aTransactionHasNoBackups() {
    try (Rockpool pool = Rockpool.open(store())) {
      assertThatExceptionOfType(IllegalStateException.class)
          .isThrownBy(() -> pool.runAtomically(tx -> pool.backup(target())));
    }
    assertThat(backups()).doesNotExist();
  }

  @Test
  void badOptionsAreRefused() {
    assertThatExceptionOfType(IllegalArgumentException.class)
        .isThrownBy(() -> BackupOptions.defaults().keep(0));
    assertThatExceptionOfType(IllegalArgumentException.class)
        .isThrownBy(() -> BackupOptions.defaults().bytesPerSecond(0));
  }

  @Test
  void aLostFileOfTheTargetIsCopiedAgain() throws IOException {
    try (Rockpool pool = Rockpool.open(store())) {
      fill(pool, 0, 100);
      pool.backup(target());
      delete(backups().resolve("files"));
      pool.backup(target());
    }
    assertThat(restored("restored")).hasSize(100);
  }
}
