package io.rockpool.backup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.groups.Tuple.tuple;

import io.rockpool.Rockpool;
import io.rockpool.StoreBackups;
import io.rockpool.store.OnCorruption;
import io.rockpool.structure.PersistentMap;
import io.rockpool.testing.FakeClock;
import io.rockpool.testing.Slow;
import java.io.ByteArrayInputStream;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Backups and what restoring them gives. */
@Slow
final class BackupTest {
  @TempDir Path parent;

  private BackupFiles files() {
    return new BackupFiles(parent);
  }

  @Test
  void aRestoredStoreHasEverything() throws IOException {
    BackupInfo info;
    Map<Integer, String> before;
    try (Rockpool pool = Rockpool.open(files().store())) {
      BackupFiles.fill(pool, 0, 1_000);
      before = new TreeMap<>(BackupFiles.map(pool));
      info = pool.backups().make(files().target());
      BackupFiles.fill(pool, 1_000, 1_100);
      assertThat(files().store().resolve("checkpoints")).isEmptyDirectory();
    }
    assertThat(info.number()).isEqualTo(1);
    assertThat(info.store()).isEqualTo(files().store().toRealPath().toString());
    assertThat(info.addedBytes()).isEqualTo(info.bytes());
    assertThat(info.names())
        .extracting(BackedUpName::name, BackedUpName::type)
        .containsExactly(tuple("cache", "cache"), tuple("map", "map"));
    assertThat(info.names().get(1).count()).hasValue(1_000);
    assertThat(StoreBackups.list(files().target())).containsExactly(info);
    assertThat(files().restored("restored")).isEqualTo(before);
    try (Rockpool pool = Rockpool.open(parent.resolve("restored"))) {
      assertThat(pool.cache("cache", Integer.class, String.class).get(0)).isEqualTo("cached");
      BackupFiles.fill(pool, 2_000, 2_100);
      assertThat(BackupFiles.map(pool)).hasSize(1_100);
    }
  }

  @Test
  void anEmptyStoreIsBackedUp() {
    try (Rockpool pool = Rockpool.open(files().store())) {
      assertThat(pool.backups().make(files().target()).names()).isEmpty();
    }
    assertThat(files().restored("restored")).isEmpty();
  }

  @Test
  void aSecondBackupCopiesOnlyWhatIsNew() {
    try (Rockpool pool = Rockpool.open(files().store())) {
      BackupFiles.fill(pool, 0, 50_000);
      BackupInfo first = pool.backups().make(files().target());
      BackupFiles.fill(pool, 50_000, 50_010);
      BackupInfo second = pool.backups().make(files().target());
      assertThat(second.number()).isEqualTo(2);
      assertThat(second.addedBytes()).isLessThan(first.bytes() / 10);
      assertThat(second.bytes()).isGreaterThan(first.bytes());
      assertThat(second.sequence()).isGreaterThan(first.sequence());
    }
    assertThat(files().restored("restored")).hasSize(50_010);
    assertThat(
            StoreBackups.restore(
                files().target(), 1, parent.resolve("first"), BackupOptions.defaults()))
        .isEqualTo(StoreBackups.list(files().target()).get(0));
    try (Rockpool pool = Rockpool.open(parent.resolve("first"))) {
      assertThat(BackupFiles.map(pool)).hasSize(50_000);
    }
  }

  @Test
  void aRestoredStoreIsBackedUpToTheSameTarget() {
    try (Rockpool pool = Rockpool.open(files().store())) {
      BackupFiles.fill(pool, 0, 100);
      pool.backups().make(files().target());
    }
    Path copy = parent.resolve("copy");
    StoreBackups.restore(files().target(), copy);
    try (Rockpool pool = Rockpool.open(copy)) {
      BackupFiles.fill(pool, 100, 200);
      pool.backups().make(files().target());
    }
    assertThat(files().restored("restored")).hasSize(200);
  }

  @Test
  void onlyTheNewestAreKept() throws IOException {
    try (Rockpool pool = Rockpool.open(files().store())) {
      for (int round = 0; round < 6; round++) {
        BackupFiles.fill(pool, 0, 100 + round);
        pool.backups().make(files().target(), BackupOptions.defaults().keep(3));
        pool.reclaim();
      }
    }
    List<BackupInfo> kept = StoreBackups.list(files().target());
    assertThat(kept).extracting(BackupInfo::number).containsExactly(4L, 5L, 6L);
    for (BackupInfo info : kept) {
      Path directory = parent.resolve("kept-" + info.number());
      StoreBackups.restore(files().target(), info.number(), directory, BackupOptions.defaults());
      try (Rockpool pool = Rockpool.open(directory)) {
        assertThat(BackupFiles.map(pool)).hasSize(100 + (int) info.number() - 1);
      }
    }
    try (Rockpool pool = Rockpool.open(files().store())) {
      BackupInfo last = pool.backups().make(files().target(), BackupOptions.defaults().keep(1));
      long bytes = 0;
      for (Path file : BackupFiles.files(files().backups().resolve("files"))) {
        bytes += Files.size(file);
      }
      assertThat(bytes).isEqualTo(last.bytes());
    }
  }

  @Test
  void aRateIsKept() {
    try (Rockpool pool = Rockpool.open(files().store())) {
      BackupFiles.fill(pool, 0, 20_000);
      BackupInfo fast = pool.backups().make(files().target());
      long rate = fast.bytes();
      long start = System.nanoTime();
      BackupTarget second = DirectoryTarget.at(parent.resolve("second"));
      pool.backups().make(second, BackupOptions.defaults().bytesPerSecond(rate));
      // Each file is read twice: for its checksum, and to copy it.
      assertThat(Duration.ofNanos(System.nanoTime() - start))
          .isGreaterThan(Duration.ofMillis(1_900));
    }
  }

  @Test
  void whatAKilledBackupLeftInTheStoreIsDeleted() throws IOException {
    files().backUpSome();
    Path left = Files.createDirectories(files().store().resolve("checkpoints/123/db"));
    Files.writeString(left.resolve("000001.sst"), "linked");
    try (Rockpool pool = Rockpool.open(files().store())) {
      assertThat(files().store().resolve("checkpoints")).doesNotExist();
      assertThat(BackupFiles.map(pool)).hasSize(100);
    }
  }

  @Test
  void aVerifiedBackupIsNoted() throws IOException {
    Path scratch = Files.createDirectories(parent.resolve("scratch"));
    FakeClock clock = new FakeClock();
    Instant second;
    try (Rockpool pool = Rockpool.at(files().store()).clock(clock).open()) {
      BackupFiles.fill(pool, 0, 100);
      assertThat(BackupFiles.verifiedBackup(pool)).isEmpty();
      BackupInfo first = pool.backups().make(files().target());
      clock.advanceMillis(Duration.ofHours(1).toMillis());
      second = pool.backups().make(files().target()).created();
      assertThat(second).isEqualTo(first.created().plus(Duration.ofHours(1)));

      assertThat(pool.backups().verify(files().target(), 1, scratch).isClean()).isTrue();
      assertThat(BackupFiles.verifiedBackup(pool)).hasValue(first.created());
      assertThat(scratch).isEmptyDirectory();
      assertThat(pool.backups().verify(files().target()).isClean()).isTrue();
      assertThat(BackupFiles.verifiedBackup(pool)).hasValue(second);
      assertThat(pool.backups().verify(files().target(), 1, scratch).isClean()).isTrue();
      assertThat(BackupFiles.verifiedBackup(pool)).hasValue(second);
      assertThatIllegalStateException()
          .isThrownBy(() -> pool.runAtomically(tx -> pool.backups().verify(files().target())));
    }
    try (Rockpool pool = Rockpool.at(files().store()).clock(clock).open()) {
      assertThat(BackupFiles.verifiedBackup(pool)).hasValue(second);
    }
    Files.writeString(files().store().resolve("verified-backup"), "12");
    try (Rockpool pool = Rockpool.at(files().store()).clock(clock).open()) {
      assertThat(BackupFiles.verifiedBackup(pool)).isEmpty();
    }
  }

  private record Shape(String name) {}

  @Test
  void theFilesBesideTheDatabaseAreThere() throws IOException {
    try (Rockpool pool = Rockpool.open(files().store())) {
      pool.cache("shapes", String.class, Object.class).put("a", new Shape("a"));
      Files.writeString(files().store().resolve(".a letter"), "Dear");
      pool.backups().make(files().target());
      pool.set("collection", String.class);
      pool.backups().make(files().target());
    }
    Path caches = parent.resolve("caches");
    StoreBackups.restore(files().target(), 1, caches, BackupOptions.defaults());
    assertThat(caches.resolve("caches-only")).exists();
    try (Rockpool pool = Rockpool.at(caches).onCorruption(OnCorruption.QUARANTINE).open()) {
      assertThat(pool.cache("shapes", String.class, Object.class).get("a"))
          .isEqualTo(new Shape("a"));
    }
    Path both = parent.resolve("both");
    StoreBackups.restore(files().target(), both);
    assertThat(both.resolve("caches-only")).doesNotExist();
    assertThat(both.resolve(".a letter")).doesNotExist();
  }

  @Test
  void backupsToTwoTargetsRunAtOnceBesideWriters() throws Exception {
    AtomicBoolean stopped = new AtomicBoolean();
    try (Rockpool pool = Rockpool.open(files().store())) {
      PersistentMap<Integer, String> map = BackupFiles.map(pool);
      Thread writer =
          new Thread(
              () -> {
                for (int key = 0; !stopped.get(); key++) {
                  map.put(key, "value " + key);
                }
              });
      writer.start();
      ExecutorService threads = Executors.newFixedThreadPool(2);
      List<Future<Integer>> backups = new ArrayList<>();
      for (String name : List.of("backups", "others")) {
        backups.add(threads.submit(() -> backUpTenTimes(pool, map, name)));
      }
      for (Future<Integer> backup : backups) {
        assertThat(backup.get()).isEqualTo(10);
      }
      stopped.set(true);
      writer.join();
      threads.shutdown();
    }
    assertThat(files().restored("restored")).isNotEmpty();
  }

  /** Each restored map has the first keys without a gap, at least those put before its backup. */
  private int backUpTenTimes(Rockpool pool, PersistentMap<Integer, String> map, String name) {
    BackupTarget target = DirectoryTarget.at(parent.resolve(name));
    int sound = 0;
    for (int round = 0; round < 10; round++) {
      long before = map.count();
      BackupInfo info = pool.backups().make(target, BackupOptions.defaults().keep(2));
      Path directory = parent.resolve(name + "-" + round);
      StoreBackups.restore(target, info.number(), directory, BackupOptions.defaults());
      try (Rockpool restored = Rockpool.open(directory)) {
        Map<Integer, String> found = new TreeMap<>(BackupFiles.map(restored));
        assertThat(found.size()).isGreaterThanOrEqualTo((int) before);
        int next = 0;
        for (int key : found.keySet()) {
          assertThat(key).isEqualTo(next++);
        }
        assertThat(restored.state().recovery().orElseThrow().clean()).isTrue();
        sound++;
      }
    }
    return sound;
  }

  @Test
  void aTargetMayReadPastTheEndOfContent() throws IOException {
    BackupTarget directory = files().target();
    BackupTarget again =
        new BackupTarget() {
          @Override
          public Closeable lock(String name) throws IOException {
            return directory.lock(name);
          }

          @Override
          public void put(String name, long bytes, InputStream content) throws IOException {
            byte[] read = content.readAllBytes();
            assertThat(content.read()).isNegative();
            directory.put(name, bytes, new ByteArrayInputStream(read));
          }

          @Override
          public InputStream get(String name) throws IOException {
            return directory.get(name);
          }

          @Override
          public Map<String, Long> list(String folder) throws IOException {
            return directory.list(folder);
          }

          @Override
          public void delete(String name) throws IOException {
            directory.delete(name);
          }
        };
    try (Rockpool pool = Rockpool.open(files().store())) {
      BackupFiles.fill(pool, 0, 100);
      pool.backups().make(again);
    }
    assertThat(files().restored("restored")).hasSize(100);
  }
}
