package io.rockpool;

import static org.assertj.core.api.Assertions.assertThat;

import io.rockpool.backup.DirectoryTarget;
import io.rockpool.error.CorruptStoreException;
import io.rockpool.internal.access.Internals;
import io.rockpool.internal.engine.EngineUpkeep;
import io.rockpool.structure.PersistentMap;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;

/** A store with a flipped byte in its largest table. */
abstract class DamagedTableSetup {
  static final int RECORDS = 5_000;

  @TempDir Path parent;

  final Path store() {
    return parent.resolve("store");
  }

  static PersistentMap<Integer, String> map(Rockpool pool, String name) {
    return pool.map(name, Integer.class, String.class);
  }

  static void compact(Rockpool pool) {
    EngineUpkeep.of(Internals.store(pool).engine()).compact();
  }

  /**
   * Makes a store with two maps, and flips a byte among the records of the first.
   *
   * @param below whether its table is below level 0
   */
  final void damage(boolean below) throws IOException {
    try (Rockpool pool = Rockpool.open(store())) {
      for (String name : new String[] {"hurt", "sound"}) {
        for (int i = 0; i < RECORDS; i++) {
          map(pool, name).put(i, "value " + i);
        }
      }
      if (below) {
        compact(pool);
      }
      pool.backups().make(DirectoryTarget.at(parent.resolve("backups")));
    }
    flip(largestTable(), 1);
  }

  final Path largestTable() throws IOException {
    try (Stream<Path> files = Files.list(store().resolve("db"))) {
      return files
          .filter(file -> file.toString().endsWith(".sst"))
          .max(Comparator.comparingLong(file -> file.toFile().length()))
          .orElseThrow();
    }
  }

  /** Flips a byte at so many thirds of the file. */
  static void flip(Path file, int thirds) throws IOException {
    flip(file, thirds * Files.size(file) / 3);
  }

  static void flip(Path file, long at) throws IOException {
    try (RandomAccessFile bytes = new RandomAccessFile(file.toFile(), "rw")) {
      bytes.seek(at);
      int old = bytes.read();
      bytes.seek(at);
      bytes.write(old ^ 1);
    }
  }

  /** Compacts, and waits until the damage that this has met is mended. */
  final void mend(Rockpool pool) throws InterruptedException, IOException {
    try {
      compact(pool);
    } catch (CorruptStoreException e) {
      assertThat(e).hasMessageContaining(".sst");
    }
    while (!isMended() || pool.state().statistics().orElseThrow().backgroundErrors() > 0) {
      Thread.sleep(10);
    }
  }

  /** Whether damage was met, and no table is set aside. */
  final boolean isMended() throws IOException {
    Path damaged = store().resolve("damaged");
    return Files.exists(damaged)
        && Files.readAllLines(damaged).stream()
            .allMatch(line -> line.startsWith("lost ") || line.startsWith("mended "));
  }
}
