package io.rockpool.engine.rocksdb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rockpool.engine.Layout;
import io.rockpool.engine.SpaceSpec;
import io.rockpool.error.CorruptStoreException;
import io.rockpool.error.RockpoolException;
import io.rockpool.error.StoreLockedException;
import io.rockpool.internal.rocksdb.files.StoreDirectory;
import io.rockpool.store.OnCorruption;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** An opening that fails leaves no thread, no open file and no lock. */
@EnabledOnOs(OS.LINUX)
final class FailedOpeningTest {
  @TempDir Path parent;

  private Path directory;

  @BeforeEach
  void create() throws IOException {
    directory = parent.toRealPath().resolve("store");
    try (RocksDbEngine engine = open(OnCorruption.FAIL)) {
      engine.create(new SpaceSpec("map", Layout.ROWS, Map.of()));
    }
  }

  /** Those of other tests that ran in this process. */
  private final Set<Thread> before = Thread.getAllStackTraces().keySet();

  private RocksDbEngine open(OnCorruption action) {
    return RocksDbEngine.open(
        directory,
        RocksDbOptions.builder().memoryBudgetBytes(16L << 20).onCorruption(action).build());
  }

  /** The files of the store that this process has open. */
  private List<Path> openFiles() throws IOException {
    try (Stream<Path> open = Files.list(Path.of("/proc/self/fd"))) {
      return open.map(FailedOpeningTest::target)
          .filter(path -> path.startsWith(directory))
          .toList();
    }
  }

  private static Path target(Path descriptor) {
    try {
      return Files.readSymbolicLink(descriptor);
    } catch (IOException e) {
      return descriptor; // closed meanwhile
    }
  }

  private void assertNothingLeft() throws IOException {
    assertThat(openFiles()).isEmpty();
    Set<Thread> left = new HashSet<>(Thread.getAllStackTraces().keySet());
    left.removeAll(before);
    assertThat(left)
        .extracting(Thread::getName)
        .noneMatch(name -> name.startsWith("rockpool-") && name.endsWith(" store"));
  }

  private void assertOpens() {
    try (RocksDbEngine engine = open(OnCorruption.FAIL)) {
      assertThat(engine.describe("map")).isNotNull();
    }
  }

  @Test
  void whereAnotherClassLoaderHasItOneFileIsKeptHoweverOftenItIsTried() throws IOException {
    // The Java virtual machine refuses a second lock of one process, whichever loader has the
    // first.
    try (FileChannel other =
            FileChannel.open(directory.resolve(StoreDirectory.LOCK), StandardOpenOption.WRITE);
        var held = other.lock()) {
      assertThat(held.isValid()).isTrue();
      for (int i = 0; i < 5; i++) {
        assertThatThrownBy(() -> open(OnCorruption.FAIL)).isInstanceOf(StoreLockedException.class);
      }
      assertThat(openFiles()).as("its own and one to look by").hasSize(2);
      assertThat(held.isValid()).isTrue();
    }
    assertOpens();
    assertNothingLeft();
  }

  @Test
  void whereTheRecoveryPointCannotBeRead() throws IOException {
    Path recovery = directory.resolve(StoreDirectory.RECOVERY);
    byte[] kept = Files.readAllBytes(recovery);
    Files.delete(recovery);
    Files.createDirectory(recovery);
    assertThatThrownBy(() -> open(OnCorruption.FAIL)).isInstanceOf(RockpoolException.class);
    assertNothingLeft();
    Files.delete(recovery);
    Files.write(recovery, kept);
    assertOpens();
  }

  @Test
  void whereTheDatabaseIsDamaged() throws IOException {
    Path current = directory.resolve(StoreDirectory.DATABASE).resolve("CURRENT");
    byte[] kept = Files.readAllBytes(current);
    Files.writeString(current, "MANIFEST-nothing\n");
    assertThatThrownBy(() -> open(OnCorruption.FAIL)).isInstanceOf(CorruptStoreException.class);
    assertNothingLeft();
    Files.write(current, kept);
    assertOpens();
  }

  @Test
  void whereItsOptionsDoNotFitWhatItHolds() throws IOException {
    assertThatThrownBy(() -> open(OnCorruption.QUARANTINE))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("\"map\"");
    assertNothingLeft();
    assertOpens();
  }
}
