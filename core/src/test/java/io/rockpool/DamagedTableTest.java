package io.rockpool;

import static org.assertj.core.api.Assertions.assertThat;

import io.rockpool.backup.DirectoryTarget;
import io.rockpool.cache.PersistentCache;
import io.rockpool.error.CorruptStoreException;
import io.rockpool.store.Finding;
import io.rockpool.store.FindingKind;
import io.rockpool.testing.Slow;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A byte of a table was flipped. Compactions that read it make RocksDB refuse all writes; the store
 * goes on, keeps the readable records of the table, and names what is lost.
 */
@Slow
@Timeout(180)
final class DamagedTableTest extends DamagedTableSetup {
  /** More than the records of a block of 4 KiB. */
  private static final int MAX_LOST = 400;

  private void assertUsable(Rockpool pool, int number) {
    for (String name : new String[] {"hurt", "sound", "new-" + number}) {
      map(pool, name).put(RECORDS + number, "new");
      assertThat(map(pool, name)).containsEntry(RECORDS + number, "new");
    }
    assertThat(map(pool, "sound").get(RECORDS / 2)).isEqualTo("value " + RECORDS / 2);
    assertThat(map(pool, "sound").values().stream().count()).isEqualTo(RECORDS + number + 1);
    long left = map(pool, "hurt").values().stream().count();
    assertThat(left).isBetween((long) RECORDS - MAX_LOST, (long) RECORDS + number);
    assertThat(map(pool, "hurt").entrySet())
        .allMatch(
            entry ->
                entry
                    .getValue()
                    .equals(entry.getKey() < RECORDS ? "value " + entry.getKey() : "new"));
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void readableRecordsAreKeptAndLostOnesAreNamed(boolean below) throws Exception {
    damage(below);
    for (int opening = 0; opening < 4; opening++) {
      try (Rockpool pool = Rockpool.open(store())) {
        if (opening == 0) {
          mend(pool);
        }
        assertUsable(pool, opening);
        pool.reclaim();
        compact(pool);
        assertThat(pool.state().statistics().orElseThrow().backgroundErrors()).isZero();
        assertThat(pool.verify().findings())
            .singleElement()
            .satisfies(
                lost -> {
                  assertThat(lost.kind()).isEqualTo(FindingKind.LOST_RECORDS);
                  assertThat(lost.space()).isEqualTo("hurt");
                  assertThat(lost.detail()).contains(".sst");
                });
        assertThat(pool.state().statistics().orElseThrow().damagedFiles()).isEqualTo(1);
        assertThat(map(pool, "hurt").size())
            .isEqualTo((int) map(pool, "hurt").values().stream().count());
      }
    }
    try (Rockpool pool = Rockpool.open(store())) {
      pool.names().drop("hurt");
      pool.reclaim();
      assertThat(pool.verify().isClean()).isTrue();
      while (Files.exists(store().resolve("damaged"))) {
        Thread.sleep(10);
      }
      assertThat(pool.state().statistics().orElseThrow().damagedFiles()).isZero();
    }
  }

  @Test
  void severalDamagedBlocksAndTablesAreMended() throws Exception {
    damage(false);
    Path first = largestTable();
    flip(first, 2);
    try (Rockpool pool = Rockpool.open(store())) {
      mend(pool);
      pool.reclaim();
      assertThat(pool.verify().findings())
          .extracting(Finding::kind)
          .containsOnly(FindingKind.LOST_RECORDS);
      assertThat(pool.verify().findings()).extracting(Finding::space).contains("hurt", "sound");
      compact(pool);
    }
    flip(largestTable(), 1);
    try (Rockpool pool = Rockpool.open(store())) {
      mend(pool);
      pool.reclaim();
      assertThat(map(pool, "hurt").size())
          .isEqualTo((int) map(pool, "hurt").values().stream().count());
    }
  }

  /** What a kill leaves before and after each step is completed by the next opening. */
  @Test
  void anInterruptedMendIsCompleted() throws Exception {
    damage(true);
    Path table = largestTable();
    Path leftCopy = table.resolveSibling(table.getFileName() + ".mended");
    Files.write(leftCopy, new byte[100]);
    String line = "ROWS " + table.getFileName() + "\n";
    Files.writeString(store().resolve("damaged"), line);
    byte[] damaged = Files.readAllBytes(table);
    try (Rockpool pool = Rockpool.open(store())) {
      while (!isMended()) {
        Thread.sleep(10);
      }
      assertUsable(pool, 0);
    }
    assertThat(leftCopy).doesNotExist();
    String noted = Files.readString(store().resolve("damaged"));
    assertThat(noted).contains("mended ", "lost ROWS ");
    String lost = noted.lines().filter(one -> one.startsWith("lost")).toList().get(0) + "\n";
    // Before the table was replaced, and after that.
    for (boolean isReplaced : new boolean[] {false, true}) {
      byte[] now = Files.readAllBytes(table);
      Files.writeString(store().resolve("damaged"), line + lost);
      if (!isReplaced) {
        Files.write(table, damaged);
      }
      try (Rockpool pool = Rockpool.open(store())) {
        while (!isMended()) {
          Thread.sleep(10);
        }
        assertUsable(pool, isReplaced ? 2 : 1);
      }
      assertThat(Files.readAllBytes(table)).isEqualTo(now);
    }
    try (Rockpool pool = Rockpool.open(store())) {
      compact(pool);
      pool.reclaim();
      assertThat(pool.verify().findings())
          .extracting(Finding::kind)
          .containsExactly(FindingKind.LOST_RECORDS);
    }
  }

  /** Salvage lists what was lost before, until the name is dropped. */
  @Test
  void salvageListsWhatWasLostBefore() throws Exception {
    damage(true);
    try (Rockpool pool = Rockpool.open(store())) {
      mend(pool);
      compact(pool);
    }
    assertThat(StoreSalvage.copy(store(), parent.resolve("salvaged")).lost())
        .singleElement()
        .satisfies(lost -> assertThat(lost.name()).isEqualTo("hurt"));
    try (Rockpool pool = Rockpool.open(store())) {
      pool.names().drop("hurt");
    }
    assertThat(StoreSalvage.copy(store(), parent.resolve("again")).lost()).isEmpty();
  }

  /** The name is dropped before a compaction has met its damage. */
  @Test
  void aDropBeforeTheDamageIsMetEndsIt() throws Exception {
    damage(false);
    try (Rockpool pool = Rockpool.open(store())) {
      pool.names().drop("hurt");
      boolean isReclaimed = false;
      while (!isReclaimed) {
        try {
          pool.reclaim();
          isReclaimed = pool.verify().isClean();
        } catch (CorruptStoreException e) {
          assertThat(e).hasMessageContaining(".sst");
        }
      }
      assertThat(map(pool, "sound").values().stream().count()).isEqualTo(RECORDS);
      compact(pool);
    }
  }

  /** A backup of such a store restores it with its list of lost records, and can be compacted. */
  @Test
  void aBackupKeepsWhatIsKnown() throws Exception {
    damage(true);
    DirectoryTarget target = DirectoryTarget.at(parent.resolve("backups"));
    try (Rockpool pool = Rockpool.open(store())) {
      mend(pool);
      assertUsable(pool, 0);
      pool.backups().make(target);
    }
    StoreBackups.restore(target, parent.resolve("restored"));
    try (Rockpool pool = Rockpool.open(parent.resolve("restored"))) {
      assertUsable(pool, 0);
      compact(pool);
      pool.reclaim();
      assertThat(pool.state().statistics().orElseThrow().backgroundErrors()).isZero();
      assertThat(pool.verify().findings())
          .extracting(Finding::kind)
          .containsExactly(FindingKind.LOST_RECORDS);
    }
  }

  /** An entry of a cache that was removed is not back: the caches evict between the lost keys. */
  @Test
  void cachesEvictBetweenTheLostKeys() throws Exception {
    try (Rockpool pool = Rockpool.open(store())) {
      PersistentCache<Integer, String> cache = pool.cache("c", Integer.class, String.class);
      for (int i = 0; i < RECORDS; i++) {
        cache.put(i, "old value " + i);
      }
      compact(pool);
      for (int i = 0; i < RECORDS; i++) {
        cache.put(i, "value " + i);
      }
      pool.backups().make(DirectoryTarget.at(parent.resolve("backups")));
    }
    try (Stream<Path> files = Files.list(store().resolve("db"))) {
      List<Path> tables =
          files
              .filter(file -> file.toString().endsWith(".sst"))
              .filter(file -> file.toFile().length() > RECORDS)
              .sorted()
              .toList();
      flip(tables.get(tables.size() - 1), 1);
    }
    try (Rockpool pool = Rockpool.open(store())) {
      mend(pool);
      while (Files.readString(store().resolve("damaged")).contains("lost")) {
        Thread.sleep(10);
      }
      PersistentCache<Integer, String> cache = pool.cache("c", Integer.class, String.class);
      int missing = 0;
      for (int i = 0; i < RECORDS; i++) {
        String value = cache.get(i);
        missing += value == null ? 1 : 0;
        assertThat(value).isIn(null, "value " + i);
      }
      assertThat(missing).isBetween(1, MAX_LOST);
      assertThat(pool.verify().isClean()).isTrue();
    }
  }
}
