package io.rockpool.engine.rocksdb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.rockpool.engine.Expiry;
import io.rockpool.engine.Layout;
import io.rockpool.engine.Space;
import io.rockpool.engine.SpaceSpec;
import io.rockpool.internal.rocksdb.natives.ColumnFamily;
import io.rockpool.internal.rocksdb.natives.Database;
import io.rockpool.store.StoreStatistics;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
final class StoreStatisticsTest {
  private static final int MEMORY_BYTES = 8 << 20;

  @TempDir private Path directory;

  @Test
  void whatIsWrittenIsSeenInMemoryThenInFiles() {
    RocksDbOptions options = RocksDbOptions.builder().memoryBudgetBytes(MEMORY_BYTES).build();
    RocksDbEngine engine = RocksDbEngine.open(directory, options);
    try (engine) {
      StoreStatistics empty = engine.statistics();
      assertThat(empty.cacheCapacityBytes()).isEqualTo(MEMORY_BYTES);
      assertThat(empty.writesStopped()).isFalse();
      assertThat(empty.writeStops()).isZero();
      assertThat(empty.backgroundErrors()).isZero();
      assertThat(empty.snapshots()).isZero();

      Space space = engine.create(new SpaceSpec("rows", Layout.ROWS, Map.of()));
      byte[] value = new byte[100_000];
      new Random(1).nextBytes(value);
      space.put(new byte[] {1}, new byte[] {1}, value, Expiry.NEVER);
      StoreStatistics written = engine.statistics();
      assertThat(written.memtableBytes()).isGreaterThan(empty.memtableBytes() + value.length - 1);
      assertThat(written.logBytes()).isGreaterThan(empty.logBytes() + value.length - 1);

      try (var snapshot = space.snapshot()) {
        assertThat(engine.statistics().snapshots()).isEqualTo(1);
      }
      Database database = engine.internals().database();
      database.flush(List.of(ColumnFamily.ROWS), /* waits= */ false);
      while (database.measures().isBeingWritten(ColumnFamily.ROWS)
          || engine.statistics().fileBytes() < value.length) {
        Thread.onSpinWait();
      }
      assertThat(engine.statistics().memtableBytes()).isLessThan(written.memtableBytes());
    }
    assertThatIllegalStateException().isThrownBy(engine::statistics);
  }
}
