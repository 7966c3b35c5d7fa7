package io.rockpool.backup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rockpool.Rockpool;
import io.rockpool.StoreBackups;
import io.rockpool.error.CorruptStoreException;
import io.rockpool.error.ForeignDirectoryException;
import io.rockpool.error.StoreIoException;
import io.rockpool.error.StoreLockedException;
import io.rockpool.structure.PersistentMap;
import io.rockpool.testing.Threads;
import java.io.ByteArrayInputStream;
import java.io.Closeable;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What every {@link BackupTarget} does, by itself and with the backups of a store. */
public abstract class BackupTargetContract {
  private static final List<String> FOLDERS = List.of("backups/", "files/", "log/");

  @TempDir protected Path parent;

  /** Another object for the same place each time, which the test closes if it must be. */
  protected abstract BackupTarget target() throws IOException;

  /** The length of an object that this kind of target stores in another way than a small one. */
  protected int largeBytes() {
    return 1 << 20;
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static void put(BackupTarget target, String name, byte[] content) throws IOException {
    target.put(name, content.length, new ByteArrayInputStream(content));
  }

  private static byte[] get(BackupTarget target, String name) throws IOException {
    try (InputStream in = target.get(name)) {
      return in.readAllBytes();
    }
  }

  @Test
  void objectsAreStoredReplacedListedAndDeleted() throws IOException {
    BackupTarget target = target();
    byte[] large = new byte[largeBytes()];
    new Random(1).nextBytes(large);
    try (Closeable lock = target.lock(BackupTarget.BACKUPS)) {
      assertThat(target.list("files/")).isEmpty();
      put(target, "files/a", bytes("one"));
      put(target, "files/b", bytes(""));
      put(target, "files/c", large);
      put(target, "backups/d", bytes("other"));
      put(target, "files/a", bytes("four"));
      assertThat(target.list("files/"))
          .containsExactlyInAnyOrderEntriesOf(
              Map.of("files/a", 4L, "files/b", 0L, "files/c", (long) large.length));
      assertThat(get(target, "files/a")).isEqualTo(bytes("four"));
      assertThat(get(target, "files/b")).isEmpty();
      assertThat(get(target(), "files/c")).isEqualTo(large);
      target.delete("files/a");
      target.delete("files/a");
      assertThatThrownBy(() -> get(target, "files/a"))
          .isInstanceOfAny(NoSuchFileException.class, FileNotFoundException.class);
      assertThat(target.list("files/")).containsOnlyKeys("files/b", "files/c");
      assertThat(target.list("backups/")).containsOnlyKeys("backups/d");
    }
  }

  @Test
  void moreObjectsThanOnePageAreListed() throws IOException {
    BackupTarget target = target();
    try (Closeable lock = target.lock(BackupTarget.LOG)) {
      IntStream.range(0, 1_100)
          .parallel()
          .forEach(
              number -> {
                try {
                  put(target, "log/" + number, bytes("x"));
                } catch (IOException e) {
                  throw new UncheckedIOException(e);
                }
              });
    }
    assertThat(target().list("log/")).hasSize(1_100);
  }

  private static final class FailingInput extends InputStream {
    @Override
    public int read() {
      throw new IllegalStateException("at the end");
    }

    @Override
    public int read(byte[] target, int offset, int max) {
      throw new IllegalStateException("at the end");
    }
  }

  @Test
  void contentThatFailsStoresNothing() throws IOException {
    BackupTarget target = target();
    for (int length : new int[] {10, largeBytes()}) {
      try (Closeable lock = target.lock(BackupTarget.BACKUPS)) {
        put(target, "files/a", bytes("before"));
        for (String name : List.of("files/a", "files/b")) {
          InputStream failing =
              new SequenceInputStream(
                  new ByteArrayInputStream(new byte[length]), new FailingInput());
          assertThatThrownBy(() -> target.put(name, length, failing))
              .satisfies(e -> assertThat(e.toString()).contains("at the end"));
        }
        assertThat(target.list("files/")).containsOnlyKeys("files/a");
        assertThat(get(target, "files/a")).isEqualTo(bytes("before"));
      }
    }
  }

  @Test
  void eachLockIsHeldOnce() throws IOException {
    for (int round = 0; round < 3; round++) {
      BackupTarget target = target();
      try (Closeable backups = target.lock(BackupTarget.BACKUPS);
          Closeable log = target().lock(BackupTarget.LOG)) {
        for (String name : List.of(BackupTarget.BACKUPS, BackupTarget.LOG)) {
          assertThatExceptionOfType(StoreLockedException.class).isThrownBy(() -> target.lock(name));
          assertThatExceptionOfType(StoreLockedException.class)
              .isThrownBy(() -> target().lock(name));
        }
      }
    }
  }

  @Test
  void aPlaceWithoutBackupsIsNamed() throws IOException {
    BackupTarget target = target();
    assertThatExceptionOfType(StoreIoException.class)
        .isThrownBy(() -> StoreBackups.list(target))
        .withMessageContaining("There are no backups in " + target);
  }

  /** Otherwise the newest backup would be of any store, and one's retention delete the other's. */
  @Test
  void anotherStoreIsRefusedUntilItTakesTheTargetOver() throws IOException {
    BackupTarget target = target();
    Path store = parent.resolve("store");
    Path other = parent.resolve("other");
    try (Rockpool pool = Rockpool.open(store)) {
      map(pool).put(1, "first");
      pool.backups().make(target);
    }
    try (Rockpool pool = Rockpool.open(other)) {
      map(pool).put(1, "other");
      assertThatExceptionOfType(ForeignDirectoryException.class)
          .isThrownBy(() -> pool.backups().make(target, BackupOptions.defaults().keep(1)))
          .withMessageContaining(store.toString())
          .withMessageContaining(other.toString())
          .withMessageContaining("takeOver");
      assertThatExceptionOfType(ForeignDirectoryException.class)
          .isThrownBy(() -> pool.backups().ship(target, ShippingOptions.defaults()));
      assertThat(StoreBackups.list(target)).extracting(BackupInfo::number).containsExactly(1L);
      pool.backups().make(target, BackupOptions.defaults().takeOver(true));
      pool.backups().make(target);
      pool.backups().ship(target, ShippingOptions.defaults()).close();
    }
    try (Rockpool pool = Rockpool.open(store)) {
      assertThatExceptionOfType(ForeignDirectoryException.class)
          .isThrownBy(() -> pool.backups().make(target));
      BackupOptions options = BackupOptions.defaults().takeOver(true);
      pool.backups().ship(target, ShippingOptions.defaults().backups(options)).close();
    }
    StoreBackups.restore(target, parent.resolve("restored"));
    try (Rockpool pool = Rockpool.open(parent.resolve("restored"))) {
      assertThat(map(pool)).containsEntry(1, "first");
    }
  }

  /** A restored store and a moved one are the same store. */
  @Test
  void aStoreGoesOnWithItsTargetAfterARestore() throws IOException {
    BackupTarget target = target();
    Path store = parent.resolve("store");
    for (int round = 0; round < 3; round++) {
      try (Rockpool pool = Rockpool.open(store)) {
        map(pool).put(round, "value");
        pool.backups().make(target);
      }
      try (Rockpool copy = Rockpool.at(store).openCopy()) {
        copy.backups().make(target);
      }
      Path restored = parent.resolve("restored-" + round);
      StoreBackups.restore(target, restored);
      store = Files.move(restored, parent.resolve("moved-" + round));
    }
    assertThat(StoreBackups.list(target)).hasSize(6);
  }

  private static PersistentMap<Integer, String> map(Rockpool pool) {
    return pool.map("map", Integer.class, String.class);
  }

  /** Between the list and the look at a backup, the retention of another process may delete it. */
  @Test
  void backupsAreListedWhileOldOnesAreDeleted() throws Exception {
    BackupTarget target = target();
    try (Rockpool pool = Rockpool.open(parent.resolve("store"))) {
      pool.backups().make(target);
      Threads.Running<Boolean> backups =
          Threads.start(
              () -> {
                for (int key = 0; key < 40; key++) {
                  map(pool).put(key, "value");
                  pool.backups().make(target, BackupOptions.defaults().keep(2));
                }
                return true;
              });
      BackupTarget reader = target();
      while (backups.isRunning()) {
        assertThat(StoreBackups.list(reader)).isNotEmpty();
      }
      assertThat(backups.result()).isTrue();
      assertThat(StoreBackups.list(reader))
          .extracting(BackupInfo::number)
          .containsExactly(40L, 41L);
    }
  }

  @Test
  void backupsAreMadeKeptVerifiedRestoredAndOpened() throws IOException {
    BackupTarget target = target();
    try (Rockpool pool = Rockpool.open(parent.resolve("store"))) {
      for (int number = 0; number < 4; number++) {
        for (int key = 0; key < 100; key++) {
          map(pool).put(number * 100 + key, "value " + key);
        }
        pool.backups().make(target, BackupOptions.defaults().keep(2));
      }
      assertThat(StoreBackups.list(target)).extracting(BackupInfo::number).containsExactly(3L, 4L);
      assertThat(pool.backups().make(target).addedBytes()).isLessThan(10_000);
      assertThat(pool.backups().verify(target).isClean()).isTrue();
      assertThat(pool.state().statistics().orElseThrow().verifiedBackup()).isPresent();
    }
    Path restored = parent.resolve("restored");
    StoreBackups.restore(target(), restored);
    try (Rockpool pool = Rockpool.open(restored)) {
      assertThat(map(pool)).hasSize(400);
      assertThat(pool.verify().isClean()).isTrue();
    }
    try (Rockpool past = StoreBackups.open(target)) {
      assertThat(map(past)).hasSize(400);
    }
    StoreBackups.restore(target, 3, parent.resolve("third"), BackupOptions.defaults());
    try (Rockpool pool = Rockpool.open(parent.resolve("third"))) {
      assertThat(map(pool)).hasSize(300);
    }
  }

  @Test
  void pointsInTimeAreRestored() throws Exception {
    BackupTarget target = target();
    List<Instant> moments = new ArrayList<>();
    try (Rockpool pool = Rockpool.open(parent.resolve("store"))) {
      var shipping =
          pool.backups().ship(target, ShippingOptions.defaults().interval(Duration.ofMillis(300)));
      for (int step = 0; step < 4; step++) {
        map(pool).put(step, "value");
        Thread.sleep(1_200);
        moments.add(Instant.now());
      }
      pool.backups().make(target);
      while (shipping.until().isBefore(moments.get(3))) {
        Thread.sleep(50);
      }
    }
    for (int step = 0; step < 4; step++) {
      try (Rockpool past = StoreBackups.open(target, moments.get(step))) {
        assertThat(map(past)).hasSize(step + 1);
      }
    }
    assertThat(StoreBackups.restorableTimes(target)).isNotEmpty();
    // Each flipped byte of a segment that the last moment needs is found.
    BackupTarget changing = target();
    int found = 0;
    try (Closeable lock = changing.lock(BackupTarget.LOG)) {
      for (String name : changing.list("log/").keySet()) {
        byte[] content = get(changing, name);
        byte[] damaged = content.clone();
        damaged[new Random(name.hashCode()).nextInt(damaged.length)] ^= 1;
        put(changing, name, damaged);
        try (Rockpool past = StoreBackups.open(target, moments.get(2))) {
          assertThat(map(past)).hasSize(3); // this segment is not needed
        } catch (CorruptStoreException e) {
          assertThat(e).hasMessageContaining(name);
          found++;
        }
        put(changing, name, content);
      }
    }
    assertThat(found).isPositive();
  }

  @Test
  void eachDamagedOrMissingObjectIsFound() throws IOException {
    BackupTarget target = target();
    try (Rockpool pool = Rockpool.open(parent.resolve("store"))) {
      for (int key = 0; key < 100; key++) {
        map(pool).put(key, "value " + key);
      }
      pool.backups().make(target);
    }
    BackupTarget changing = target();
    try (Closeable lock = changing.lock(BackupTarget.BACKUPS)) {
      for (String folder : FOLDERS) {
        for (String name : changing.list(folder).keySet()) {
          byte[] content = get(changing, name);
          if (content.length > 0) {
            byte[] damaged = content.clone();
            damaged[new Random(name.hashCode()).nextInt(damaged.length)] ^= 1;
            put(changing, name, damaged);
            assertNotRestored();
          }
          changing.delete(name);
          assertNotRestored();
          put(changing, name, content);
        }
      }
    }
    StoreBackups.restore(target, parent.resolve("undamaged"));
  }

  private void assertNotRestored() throws IOException {
    BackupTarget target = target();
    Path directory = parent.resolve("damaged");
    assertThatThrownBy(() -> StoreBackups.restore(target, directory))
        .isInstanceOfAny(CorruptStoreException.class, StoreIoException.class);
    assertThat(directory).doesNotExist();
  }
}
