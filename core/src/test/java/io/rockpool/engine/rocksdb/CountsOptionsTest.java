package io.rockpool.engine.rocksdb;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CountsOptionsTest {
  @TempDir Path directory;

  /** RocksDB writes down the options that it took. */
  @Test
  void additionsNeverPileUp() throws IOException {
    Path store = directory.resolve("store");
    RocksDbEngine.open(store, RocksDbOptions.defaults()).close();
    try (Stream<Path> files = Files.list(store.resolve("db"))) {
      Path options =
          files
              .filter(file -> file.getFileName().toString().startsWith("OPTIONS-"))
              .findAny()
              .orElseThrow();
      String counts =
          Files.readString(options).split("\\[CFOptions \"counts\"\\]", 2)[1].split("\\[", 2)[0];
      assertThat(counts)
          .contains("strict_max_successive_merges=true")
          .contains("max_successive_merges=64");
    }
  }
}
