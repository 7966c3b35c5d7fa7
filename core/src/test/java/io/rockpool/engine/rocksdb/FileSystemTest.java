package io.rockpool.engine.rocksdb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rockpool.Rockpool;
import io.rockpool.engine.Expiry;
import io.rockpool.engine.Layout;
import io.rockpool.engine.Space;
import io.rockpool.engine.SpaceSpec;
import io.rockpool.error.CorruptStoreException;
import io.rockpool.error.RockpoolException;
import io.rockpool.error.StoreFullException;
import io.rockpool.error.StoreIoException;
import io.rockpool.store.OnCorruption;
import io.rockpool.testing.NotEncrypted;
import io.rockpool.testing.Slow;
import io.rockpool.testing.Tmpfs;
import io.rockpool.testing.tools.Needs;
import io.rockpool.testing.tools.Tool;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The file system under a store is full, read-only, or gone. */
@Slow
@Timeout(120)
@NotEncrypted("opens stores over engines that it closes")
final class FileSystemTest {
  private static final byte[] ROW = {1};
  private static final int MEBIBYTES = 64;
  private static final RocksDbOptions OPTIONS =
      RocksDbOptions.builder().memoryBudgetBytes(16 << 20).syncPeriod(Duration.ofMillis(5)).build();

  @TempDir Path parent;
  private final Random random = new Random(1);

  private static Space rows(RocksDbEngine engine) {
    Space there = engine.open("rows");
    return there == null ? engine.create(new SpaceSpec("rows", Layout.ROWS, Map.of())) : there;
  }

  private static byte[] key(int number) {
    return ByteBuffer.allocate(Integer.BYTES).putInt(number).array();
  }

  /** A value that does not get smaller, and tells its number. */
  private byte[] value(int number) {
    byte[] value = new byte[8 << 10];
    random.nextBytes(value);
    ByteBuffer.wrap(value).putInt(number);
    return value;
  }

  private void put(Space space, int number) {
    byte[] value = value(number);
    space.transact(
        ROW,
        row -> {
          row.putCounted(key(number), value, Expiry.NEVER);
          return row;
        });
  }

  /** Puts numbers from one on until a put is refused; returns the first that was. */
  private int putUntilRefused(Space space, int from) {
    for (int number = from; ; number++) {
      try {
        put(space, number);
      } catch (RockpoolException e) {
        assertThat(e)
            .isInstanceOf(StoreFullException.class)
            .hasMessageMatching("(?si).*make space.*");
        return number;
      }
    }
  }

  private static void assertThere(Space space, int count) {
    for (int number = 0; number < count; number++) {
      int expected = number;
      assertThat(
              space.<Integer>get(
                  ROW,
                  key(number),
                  (bytes, offset, length, expiry) -> ByteBuffer.wrap(bytes, offset, 4).getInt()))
          .isEqualTo(expected);
    }
    assertThat(space.get(ROW, key(count))).isNull();
    assertThat(space.count(ROW)).isEqualTo(count);
  }

  private static void assertClean(RocksDbEngine engine) {
    String report = Rockpool.at(o -> engine).open().verify().toString();
    assertThat(report).contains("nothing wrong");
  }

  private static void closeQuietly(RocksDbEngine engine) {
    try {
      engine.close();
    } catch (StoreFullException | StoreIoException e) {
      assertThat(e).hasMessageContaining(" the store at ");
    }
  }

  @Test
  @Needs(Tool.MOUNTS)
  void afterAFullDiskTheStoreOpensWithAllThatWasStored() throws Exception {
    try (Tmpfs disk = Tmpfs.mount(parent.resolve("disk"), MEBIBYTES)) {
      Path store = disk.directory().resolve("store");
      RocksDbEngine engine = RocksDbEngine.open(store, OPTIONS);
      Space space = rows(engine);
      int stored = putUntilRefused(space, 0);
      assertThere(space, stored);
      closeQuietly(engine);
      disk.resize(4 * MEBIBYTES);
      try (RocksDbEngine again = RocksDbEngine.open(store, OPTIONS)) {
        assertThat(again.recoveryReport().changesLost()).isZero();
        assertThere(rows(again), stored);
        put(rows(again), stored);
        assertClean(again);
      }
    }
  }

  private static void fill(Path file) throws IOException {
    byte[] block = new byte[64 << 10];
    try (OutputStream out = Files.newOutputStream(file)) {
      while (true) {
        out.write(block);
      }
    } catch (IOException full) {
      assertThat(full).hasMessageContaining("No space left");
    }
  }

  @Test
  @Needs(Tool.MOUNTS)
  void aFullDiskRefusesToOpen() throws Exception {
    try (Tmpfs disk = Tmpfs.mount(parent.resolve("disk"), 4)) {
      Path store = disk.directory().resolve("store");
      RocksDbEngine.open(store, OPTIONS).close();
      Path ballast = disk.directory().resolve("ballast");
      fill(ballast);
      assertThatThrownBy(() -> RocksDbEngine.open(store, OPTIONS))
          .isInstanceOf(StoreFullException.class)
          .hasMessageMatching("(?si).*make space.*");
      Files.delete(ballast);
      RocksDbEngine.open(store, OPTIONS).close();
    }
  }

  @Test
  @Needs(Tool.MOUNTS)
  void aReadOnlyFileSystemRefusesToOpenAndIsLeftAlone() throws Exception {
    try (Tmpfs disk = Tmpfs.mount(parent.resolve("disk"), MEBIBYTES)) {
      Path store = disk.directory().resolve("store");
      try (RocksDbEngine engine = RocksDbEngine.open(store, OPTIONS)) {
        put(rows(engine), 0);
      }
      disk.setReadOnly(true);
      for (Path path : List.of(store, disk.directory().resolve("new"))) {
        assertThatThrownBy(() -> RocksDbEngine.open(path, OPTIONS))
            .isInstanceOf(StoreIoException.class)
            .hasMessageContaining("Read-only file system")
            .hasMessageContaining(path.toString())
            .hasMessageContaining("permissions");
      }
      disk.setReadOnly(false);
      try (RocksDbEngine engine = RocksDbEngine.open(store, OPTIONS)) {
        assertThat(engine.recoveryReport().clean()).isTrue();
        assertThere(rows(engine), 1);
      }
    }
  }

  @Test
  @Needs(Tool.MOUNTS)
  void aDamagedStoreOnAMountPointIsLeftThereAndSaysWhatToDo() throws Exception {
    try (Tmpfs disk = Tmpfs.mount(parent.resolve("disk"), MEBIBYTES)) {
      RocksDbOptions options =
          RocksDbOptions.builder().onCorruption(OnCorruption.QUARANTINE).build();
      RocksDbEngine.open(disk.directory(), options).close();
      Path damaged = disk.directory().resolve("db/CURRENT");
      Files.writeString(damaged, "MANIFEST-999999\n");
      assertThatThrownBy(() -> RocksDbEngine.open(disk.directory(), options))
          .isInstanceOf(CorruptStoreException.class)
          .hasMessageContaining("It could not be set aside")
          .hasMessageContaining("mount point");
      assertThat(damaged).hasContent("MANIFEST-999999\n");
    }
  }

  @Test
  void aDirectoryThatIsRemovedRefusesWritesAndSaysSo() throws Exception {
    Path store = parent.resolve("store");
    RocksDbEngine engine = RocksDbEngine.open(store, OPTIONS);
    Space space = rows(engine);
    put(space, 0);
    remove(store);
    int stored = writeUntilGone(space, 1);
    assertThere(space, stored);
    assertThat(Rockpool.at(o -> engine).open().verify().toString())
        .contains("DAMAGED_FILE")
        .contains("it is missing");
    assertThatThrownBy(engine::close)
        .isInstanceOf(StoreIoException.class)
        .hasMessageContaining("moved or removed");
    RocksDbEngine.open(store, OPTIONS).close();
  }

  @Test
  void aDirectoryThatWasMovedAwayIsWrittenToWhenItIsBack() throws Exception {
    Path store = parent.resolve("store");
    try (RocksDbEngine engine = RocksDbEngine.open(store, OPTIONS)) {
      Space space = rows(engine);
      put(space, 0);
      Files.move(store, parent.resolve("elsewhere"));
      int stored = writeUntilGone(space, 1);
      Files.createDirectories(store.resolve("db"));
      Files.createFile(store.resolve("lock"));
      Thread.sleep(50); // ten looks at what is another directory
      assertThatThrownBy(() -> put(space, 9_999)).isInstanceOf(StoreIoException.class);
      remove(store);
      Files.move(parent.resolve("elsewhere"), store);
      boolean written = false;
      while (!written) {
        try {
          put(space, stored);
          written = true;
        } catch (StoreIoException e) {
          Thread.onSpinWait();
        }
      }
      assertThere(space, stored + 1);
      assertClean(engine);
    }
    try (RocksDbEngine engine = RocksDbEngine.open(store, OPTIONS)) {
      assertThat(engine.recoveryReport().clean()).isTrue();
      assertClean(engine);
    }
  }

  /** Puts numbers from one on until it is noticed; returns the first that was refused. */
  private int writeUntilGone(Space space, int from) {
    for (int number = from; ; number++) {
      try {
        put(space, number);
      } catch (StoreIoException e) {
        assertThat(e).hasMessageContaining("moved or removed").hasMessageContaining("restore");
        return number;
      }
    }
  }

  private static void remove(Path directory) throws IOException {
    try (Stream<Path> files = Files.walk(directory)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }
}
