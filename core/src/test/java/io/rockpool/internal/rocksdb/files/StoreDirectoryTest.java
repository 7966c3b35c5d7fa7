package io.rockpool.internal.rocksdb.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rockpool.Rockpool;
import io.rockpool.engine.Layout;
import io.rockpool.engine.SpaceSpec;
import io.rockpool.engine.rocksdb.RocksDbEngine;
import io.rockpool.engine.rocksdb.RocksDbOptions;
import io.rockpool.error.CorruptStoreException;
import io.rockpool.error.ForeignDirectoryException;
import io.rockpool.error.FormatVersionException;
import io.rockpool.error.StoreIoException;
import io.rockpool.error.StoreLockedException;
import io.rockpool.testing.Child;
import io.rockpool.testing.NotEncrypted;
import io.rockpool.testing.StoreHolder;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@NotEncrypted("opens stores over engines that it closes")
final class StoreDirectoryTest {
  private static final FileTime LONG_AGO = FileTime.fromMillis(1_000_000_000_000L);

  @TempDir Path parent;

  private Path directory() {
    return parent.resolve("a/store");
  }

  private RocksDbEngine open() {
    return RocksDbEngine.open(directory(), RocksDbOptions.defaults());
  }

  private void create() {
    try (RocksDbEngine engine = open()) {
      engine.create(new SpaceSpec("there", Layout.ROWS, Map.of()));
    }
  }

  /** Path, time and content of everything below the directory, itself included. */
  private Map<String, String> contents() throws IOException {
    Map<String, String> contents = new TreeMap<>();
    try (Stream<Path> files = Files.walk(directory())) {
      for (Path file : files.toList()) {
        contents.put(
            file.toString(),
            Files.getLastModifiedTime(file)
                + (Files.isRegularFile(file)
                    ? Files.readString(file, StandardCharsets.ISO_8859_1)
                    : ""));
      }
    }
    return contents;
  }

  private void write(String name, String text) throws IOException {
    Files.createDirectories(directory());
    Files.writeString(directory().resolve(name), text);
    Files.setLastModifiedTime(directory(), LONG_AGO);
  }

  private void assertRefusedUntouched(Class<? extends Exception> kind, String saying)
      throws IOException {
    Map<String, String> before = contents();
    assertThatThrownBy(this::open).isInstanceOf(kind).hasMessageContaining(saying);
    assertThat(contents()).isEqualTo(before);
  }

  @Test
  void aDirectoryOfSomethingElseIsLeftUntouched() throws IOException {
    write("letter.txt", "Dear");
    assertRefusedUntouched(ForeignDirectoryException.class, "not empty");
  }

  @Test
  void aDirectoryWithAForeignLockIsLeftUntouched() throws IOException {
    write("lock", "4711");
    assertRefusedUntouched(ForeignDirectoryException.class, "not empty");
  }

  @Test
  void aHalfCreatedStoreBesideSomethingElseIsLeftUntouched() throws IOException {
    write("ROCKPOOL.creating", "Rockpool store\nformat 1\n");
    write("letter.txt", "Dear");
    assertRefusedUntouched(ForeignDirectoryException.class, "not empty");
  }

  @Test
  void aFileIsLeftUntouched() throws IOException {
    Files.createDirectories(directory().getParent());
    Files.writeString(directory(), "Dear");
    assertRefusedUntouched(ForeignDirectoryException.class, "not a directory");
  }

  @Test
  void aNewerFormatIsLeftUntouched() throws IOException {
    create();
    write("ROCKPOOL", "Rockpool store\nformat 2\nand more\n");
    assertRefusedUntouched(FormatVersionException.class, "format 2");
  }

  @Test
  void aDamagedMarkerIsLeftUntouched() throws IOException {
    create();
    write("ROCKPOOL", "Rockpool stxre\nformat 1\n");
    assertRefusedUntouched(CorruptStoreException.class, "restore");
  }

  @Test
  void aStoreThatIsNotThereIsNotCreatedUnlessAllowed() {
    RocksDbOptions options = RocksDbOptions.builder().createIfMissing(false).build();
    assertThatThrownBy(() -> RocksDbEngine.open(directory(), options))
        .isInstanceOf(StoreIoException.class)
        .hasMessageContaining("no store");
    assertThat(directory()).doesNotExist();
    create();
    RocksDbEngine.open(directory(), options).close();
  }

  @Test
  void aCreationThatWasCutShortBeginsAgain() throws IOException {
    for (List<String> left :
        List.of(
            List.of("lock"), List.of("lock", "ROCKPOOL.creating"), List.of("ROCKPOOL.creating"))) {
      for (String name : left) {
        write(name, name.equals("lock") ? "" : "Rock");
      }
      create();
      assertThat(directory().resolve("ROCKPOOL.creating")).doesNotExist();
      delete();
    }
    create();
    Files.move(directory().resolve("ROCKPOOL"), directory().resolve("ROCKPOOL.creating"));
    Files.delete(directory().resolve("db/CURRENT"));
    create();
    try (RocksDbEngine engine = open()) {
      assertThat(engine.list("")).hasSize(1);
    }
  }

  private void delete() throws IOException {
    try (Stream<Path> files = Files.walk(directory())) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }

  @Test
  void aStoreWhoseDatabaseIsGoneIsNotMadeAnew() throws IOException {
    create();
    Files.delete(directory().resolve("db/CURRENT"));
    assertThatThrownBy(this::open)
        .isInstanceOf(RuntimeException.class)
        .hasMessageContaining("Could not open");
    assertThat(directory().resolve("db/CURRENT")).doesNotExist();
  }

  @Test
  void aStoreIsOpenOnceInAProcess() {
    try (RocksDbEngine engine = open()) {
      assertThatThrownBy(this::open)
          .isInstanceOf(StoreLockedException.class)
          .hasMessageContaining("open in this process already");
      assertThat(engine.list("")).isEmpty();
    }
    open().close();
  }

  @Test
  void aStoreInUseNamesTheProcessThatUsesIt() throws Exception {
    try (Child holder = Child.start(StoreHolder.class, List.of(), directory())) {
      assertThat(holder.readLine()).contains(directory().toString());
      assertThatThrownBy(this::open)
          .isInstanceOf(StoreLockedException.class)
          .hasMessageContaining("pid " + holder.pid());
      holder.kill();
      try (RocksDbEngine engine = open()) {
        assertThat(Rockpool.at(o -> engine).open().verify().isClean()).isTrue();
      }
    }
  }

  @Test
  void onlyTheOwnerMayReadAStore() throws IOException {
    try (RocksDbEngine engine = open()) {
      engine.create(new SpaceSpec("a", Layout.ROWS, Map.of()));
      assertThat(modes(directory())).isEqualTo("rwx------");
      assertThat(modes(directory().resolve("db"))).isEqualTo("rwx------");
    }
    assertModes();
    try (RocksDbEngine engine = open()) {
      assertThat(engine.list("")).hasSize(1);
      assertModes();
    }
  }

  private void assertModes() throws IOException {
    try (Stream<Path> files = Files.walk(directory())) {
      for (Path file : files.toList()) {
        assertThat(modes(file))
            .as(file.toString())
            .isEqualTo(Files.isDirectory(file) ? "rwx------" : "rw-------");
      }
    }
  }

  private static String modes(Path path) throws IOException {
    return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
  }
}
