package io.rockpool.internal.rocksdb.natives;

import static org.assertj.core.api.Assertions.assertThat;

import io.rockpool.engine.Engine;
import io.rockpool.engine.rocksdb.EngineInternals;
import io.rockpool.engine.rocksdb.RocksDbEngine;
import io.rockpool.engine.rocksdb.RocksDbOptions;
import io.rockpool.internal.format.CountFormat;
import java.nio.file.Path;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.rocksdb.RocksDBException;
import org.rocksdb.WriteBatch;

/** A batch is byte for byte what RocksDB itself would have made. */
final class BatchTest {
  private static final int[] LENGTHS = {0, 1, 127, 128, 300, 16_383, 16_384, 70_000};

  @TempDir Path directory;

  @Test
  void isWhatRocksDbMakes() throws RocksDBException {
    try (Engine engine = RocksDbEngine.open(directory, RocksDbOptions.defaults());
        WriteBatch expected = new WriteBatch()) {
      Database database = EngineInternals.of((RocksDbEngine) engine).database();
      Batch batch = new Batch(database.familyIds(), 0);
      assertThat(batch.toBytes()).isEqualTo(expected.data());
      Random random = new Random(1);
      for (int keyLength : LENGTHS) {
        for (int valueLength : LENGTHS) {
          byte[] key = new byte[keyLength];
          byte[] value = new byte[valueLength];
          random.nextBytes(key);
          random.nextBytes(value);
          batch.put(ColumnFamily.ROWS, key, value);
          expected.put(database.handle(ColumnFamily.ROWS), key, value);
        }
        byte[] key = new byte[keyLength];
        batch.delete(ColumnFamily.ENTRIES, key);
        expected.delete(database.handle(ColumnFamily.ENTRIES), key);
        batch.addToCount(key, -keyLength);
        expected.merge(database.handle(ColumnFamily.COUNTS), key, CountFormat.encode(-keyLength));
      }
      assertThat(batch.toBytes()).isEqualTo(expected.data());
    }
  }

  /** What is expected is a guess from above: 16,400 changes of a row with a long key, say. */
  @Test
  void expectsMoreThanAnArrayHolds() {
    int[] familyIds = new int[ColumnFamily.values().length];
    Batch batch = new Batch(familyIds, 16_400L * (64 + 2 * (64 << 10)));
    batch.put(ColumnFamily.ROWS, new byte[1], new byte[1]);
    assertThat(batch.toBytes()).hasSize(12 + 6);
    assertThat(new Batch(familyIds, Long.MAX_VALUE).isEmpty()).isTrue();
  }
}
