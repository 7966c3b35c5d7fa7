package io.rockpool.engine.rocksdb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rockpool.Rockpool;
import io.rockpool.StoreBackups;
import io.rockpool.StoreSalvage;
import io.rockpool.backup.BackupTarget;
import io.rockpool.backup.DirectoryTarget;
import io.rockpool.error.FormatVersionException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A newer library has written what this one does not know into a store of this format. */
final class FeatureWordsTest {
  private static final String FORMAT = "Rockpool store\nformat 1\n";
  private static final String TO_READ = "readable by pages since 0.7.1\n";
  private static final String TO_WRITE = "writable by feeds-2 since 0.8.0\n";

  @TempDir private Path parent;

  private Path create() {
    Path store = parent.resolve("store");
    try (Rockpool pool = Rockpool.open(store)) {
      pool.map("map", String.class, String.class).put("key", "value");
    }
    return store;
  }

  private static void mark(Path store, String marker) throws IOException {
    Files.writeString(store.resolve("ROCKPOOL"), marker);
  }

  @Test
  void unknownWordsAreRefusedWithTheVersion() throws IOException {
    Path store = create();
    for (String line : List.of(TO_READ, TO_WRITE, TO_READ + TO_WRITE, "something else\n")) {
      mark(store, FORMAT + line);
      Map<String, String> before = content(store);
      assertThatThrownBy(() -> Rockpool.open(store))
          .isInstanceOf(FormatVersionException.class)
          .hasMessageContaining(
              line.startsWith("w") ? "0.8.0" : line.startsWith("r") ? "0.7.1" : "something");
      assertThat(content(store)).isEqualTo(before);
    }
    mark(store, FORMAT);
    try (Rockpool pool = Rockpool.open(store)) {
      assertThat(pool.map("map", String.class, String.class)).containsEntry("key", "value");
    }
  }

  @Test
  void copiesToReadNeedTheWordsOfReadersOnly() throws IOException {
    Path store = create();
    mark(store, FORMAT + TO_READ + TO_WRITE);
    assertThatThrownBy(() -> Rockpool.at(store).openCopy())
        .isInstanceOf(FormatVersionException.class)
        .hasMessageContaining("0.7.1")
        .hasMessageNotContaining("0.8.0");
    mark(store, FORMAT + TO_WRITE);
    try (Rockpool pool = Rockpool.at(store).openCopy()) {
      assertThat(pool.map("map", String.class, String.class)).containsEntry("key", "value");
    }
  }

  @Test
  void backupsKeepTheWords() throws IOException {
    Path store = create();
    BackupTarget target = DirectoryTarget.at(parent.resolve("backups"));
    try (Rockpool pool = Rockpool.open(store)) {
      mark(store, FORMAT + TO_WRITE); // as another library would before it wrote the feature
      pool.backups().make(target);
    }
    Path restored = parent.resolve("restored");
    StoreBackups.restore(target, restored);
    assertThatThrownBy(() -> Rockpool.open(restored))
        .isInstanceOf(FormatVersionException.class)
        .hasMessageContaining("0.8.0");
  }

  @Test
  void salvageRefusesWhatItCannotRead() throws IOException {
    Path store = create();
    mark(store, FORMAT + TO_READ);
    assertThatThrownBy(() -> StoreSalvage.copy(store, parent.resolve("out")))
        .isInstanceOf(FormatVersionException.class)
        .hasMessageContaining("0.7.1");
    mark(store, FORMAT + TO_WRITE);
    assertThat(StoreSalvage.copy(store, parent.resolve("out")).isComplete()).isTrue();
  }

  /** An earlier Rockpool must be able to read the tables, whatever RocksDB writes by default. */
  @Test
  void filesOfRocksDbHaveAFixedFormat() throws IOException {
    Path store = create();
    String options;
    try (Stream<Path> files = Files.list(store.resolve("db"))) {
      Path newest =
          files
              .filter(file -> file.getFileName().toString().startsWith("OPTIONS-"))
              .max(Comparator.naturalOrder())
              .orElseThrow();
      options = Files.readString(newest);
    }
    assertThat(options.lines().map(String::strip).filter(it -> it.startsWith("format_version=")))
        .isNotEmpty()
        .containsOnly("format_version=7");
    assertThat(options.lines().map(String::strip).filter(it -> it.startsWith("checksum=")))
        .isNotEmpty()
        .containsOnly("checksum=kXXH3");
    assertThat(options.lines().map(String::strip).filter(it -> it.startsWith("compression=")))
        .isNotEmpty()
        .containsOnly("compression=kLZ4Compression");
  }

  private static Map<String, String> content(Path directory) throws IOException {
    Map<String, String> content = new TreeMap<>();
    try (Stream<Path> files = Files.walk(directory)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        if (!file.endsWith("lock")) {
          content.put(file.toString(), Files.size(file) + " " + Files.getLastModifiedTime(file));
        }
      }
    }
    return content;
  }
}
