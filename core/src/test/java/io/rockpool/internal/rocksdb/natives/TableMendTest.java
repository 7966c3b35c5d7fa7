package io.rockpool.internal.rocksdb.natives;

import static org.assertj.core.api.Assertions.assertThat;

import io.rockpool.Rockpool;
import io.rockpool.internal.access.Internals;
import io.rockpool.internal.engine.EngineUpkeep;
import io.rockpool.structure.PersistentMap;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Comparator;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.rocksdb.Options;
import org.rocksdb.ReadOptions;
import org.rocksdb.SstFileReader;
import org.rocksdb.SstFileReaderIterator;

/** Bytes are flipped everywhere in a table; a mended copy has all records but those of a block. */
final class TableMendTest {
  private static final int RECORDS = 3_000;
  private static final int FLIPS = 60;

  @TempDir Path parent;

  @Test
  void aMendedTableHasAllRecordsButThoseOfTheDamagedBlock() throws Exception {
    Path sound = table();
    NavigableMap<byte[], byte[]> all = records(sound);
    assertThat(all).hasSizeGreaterThanOrEqualTo(RECORDS);
    byte[] bytes = Files.readAllBytes(sound);
    int mended = 0;
    for (int flip = 0; flip < FLIPS; flip++) {
      Path table = parent.resolve("table.sst");
      Path copy = parent.resolve("table.sst.mended");
      byte[] damaged = bytes.clone();
      damaged[(int) ((long) flip * bytes.length / FLIPS)] ^= (byte) (1 << (flip % Byte.SIZE));
      Files.write(table, damaged);
      TableMend mend = TableMend.prepare(table, () -> false);
      if (mend == null) {
        assertThat(copy).doesNotExist();
        assertThat(Files.readAllBytes(table)).isEqualTo(damaged);
        continue;
      }
      mend.complete();
      assertThat(copy).doesNotExist();
      assertThat(TableCondition.checksumProblem(table)).isNull();
      NavigableMap<byte[], byte[]> left = records(table);
      if (mend.condition().problem() != null) {
        mended++;
        assertThat(all.size() - left.size()).isBetween(1, 400);
        assertThat(mend.condition().lost()).isEqualTo(all.size() - left.size());
      }
      all.forEach(
          (key, value) -> {
            if (left.containsKey(key)) {
              assertThat(left.get(key)).isEqualTo(value);
            } else {
              assertThat(mend.condition().damaged()).anyMatch(stretch -> stretch.contains(key));
            }
          });
    }
    assertThat(mended).isGreaterThan(FLIPS / 2);
  }

  @Test
  void aMendEndsWhenTheStoreIsClosed() throws Exception {
    Path table = table();
    byte[] bytes = Files.readAllBytes(table);
    bytes[bytes.length / 3] ^= 1;
    Files.write(table, bytes);
    assertThat(TableMend.prepare(table, () -> true)).isNull();
    assertThat(Files.readAllBytes(table)).isEqualTo(bytes);
  }

  /** The table of a map in a closed store. */
  private Path table() throws Exception {
    Path store = parent.resolve("store");
    try (Rockpool pool = Rockpool.open(store)) {
      PersistentMap<Integer, String> map = pool.map("map", Integer.class, String.class);
      for (int i = 0; i < RECORDS; i++) {
        map.put(i, "value " + i);
      }
      EngineUpkeep.of(Internals.store(pool).engine()).compact();
    }
    try (Stream<Path> files = Files.list(store.resolve("db"))) {
      return files
          .filter(file -> file.toString().endsWith(".sst"))
          .max(Comparator.comparingLong(file -> file.toFile().length()))
          .orElseThrow();
    }
  }

  private static NavigableMap<byte[], byte[]> records(Path table) throws Exception {
    NavigableMap<byte[], byte[]> records = new TreeMap<>(Arrays::compareUnsigned);
    try (Options options = new Options();
        SstFileReader reader = new SstFileReader(options);
        ReadOptions reads = new ReadOptions().setTotalOrderSeek(true)) {
      reader.open(table.toString());
      try (SstFileReaderIterator found = reader.newIterator(reads)) {
        for (found.seekToFirst(); found.isValid(); found.next()) {
          records.put(found.key(), found.value());
        }
        found.status();
      }
    }
    return records;
  }
}
