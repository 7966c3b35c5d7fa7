package io.rockpool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rockpool.backup.DirectoryTarget;
import io.rockpool.error.CorruptStoreException;
import io.rockpool.internal.access.Internals;
import io.rockpool.internal.engine.EngineUpkeep;
import io.rockpool.store.FindingKind;
import io.rockpool.structure.PersistentMap;
import io.rockpool.testing.NotEncrypted;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A byte of a table was flipped. Compactions that read it make RocksDB refuse all writes; the store
 * goes on without compacting that table, and names that it does not touch notice nothing.
 */
@Timeout(180)
@NotEncrypted("damages a block of plain records")
final class DamagedTableTest {
  private static final int RECORDS = 5_000;

  @TempDir Path parent;

  private Path store() {
    return parent.resolve("store");
  }

  private static PersistentMap<Integer, String> map(Rockpool pool, String name) {
    return pool.map(name, Integer.class, String.class);
  }

  /** Makes a store with two maps, and flips a byte among the records of the first. */
  private void damage() throws IOException {
    try (Rockpool pool = Rockpool.open(store())) {
      for (String name : new String[] {"hurt", "sound"}) {
        for (int i = 0; i < RECORDS; i++) {
          map(pool, name).put(i, "value " + i);
        }
      }
      pool.backup(DirectoryTarget.at(parent.resolve("backups")));
    }
    try (Stream<Path> files = Files.list(store().resolve("db"))) {
      Path largest =
          files
              .filter(file -> file.toString().endsWith(".sst"))
              .max(Comparator.comparingLong(file -> file.toFile().length()))
              .orElseThrow();
      try (RandomAccessFile bytes = new RandomAccessFile(largest.toFile(), "rw")) {
        long at = bytes.length() / 3;
        bytes.seek(at);
        int old = bytes.read();
        bytes.seek(at);
        bytes.write(old ^ 1);
      }
    }
  }

  /** Compacts until a table cannot be read; RocksDB then refuses writes. */
  private static void compact(Rockpool pool) {
    try {
      EngineUpkeep.of(Internals.store(pool).engine()).compact();
    } catch (CorruptStoreException e) {
      assertThat(e).hasMessageContaining(".sst");
    }
  }

  private void assertWritable(Rockpool pool, int number) {
    for (String name : new String[] {"hurt", "sound", "new-" + number}) {
      map(pool, name).put(RECORDS + number, "new");
      assertThat(map(pool, name)).containsEntry(RECORDS + number, "new");
    }
    assertThat(map(pool, "sound").get(RECORDS / 2)).isEqualTo("value " + RECORDS / 2);
    assertThat(map(pool, "sound").values().stream().count()).isEqualTo(RECORDS + number + 1);
  }

  private static void awaitMended(Rockpool pool, Path store) throws InterruptedException {
    while (Files.notExists(store.resolve("damaged"))
        || pool.storeStatistics().orElseThrow().backgroundErrors() > 0) {
      Thread.sleep(10);
    }
  }

  @Test
  void writesAndReadsOfSoundNamesGoOn() throws Exception {
    damage();
    for (int opening = 0; opening < 4; opening++) {
      try (Rockpool pool = Rockpool.open(store())) {
        if (opening == 0) {
          compact(pool);
          awaitMended(pool, store());
        }
        assertWritable(pool, opening);
        assertThat(pool.verify().findings())
            .extracting(finding -> finding.kind())
            .contains(FindingKind.DAMAGED_FILE);
        pool.reclaim();
        compact(pool);
        assertThat(pool.storeStatistics().orElseThrow().backgroundErrors()).isZero();
        assertThatThrownBy(() -> map(pool, "hurt").values().stream().count())
            .isInstanceOf(CorruptStoreException.class)
            .hasMessageContaining(".sst")
            .hasMessageContaining("Rockpool.salvage");
      }
    }
    assertThat(Rockpool.salvage(store(), parent.resolve("salvaged")).lost())
        .allMatch(lost -> lost.name().equals("hurt"))
        .isNotEmpty();
  }

  /** A write that comes before the store was opened again says that it will be. */
  @Test
  void aWriteThatMeetsTheDamageSaysThatItCanBeTriedAgain() throws Exception {
    damage();
    try (Rockpool pool = Rockpool.open(store())) {
      compact(pool);
      int refused = 0;
      while (Files.notExists(store().resolve("damaged"))) {
        try {
          map(pool, "sound").put(-1, "x".repeat(4_000));
        } catch (CorruptStoreException e) {
          assertThat(e).hasMessageContaining("Try again").hasMessageContaining(".sst");
          refused++;
        }
      }
      awaitMended(pool, store());
      map(pool, "sound").put(-1, "new");
      assertThat(map(pool, "sound")).containsEntry(-1, "new");
      assertThat(refused).isNotNegative();
    }
  }
}
