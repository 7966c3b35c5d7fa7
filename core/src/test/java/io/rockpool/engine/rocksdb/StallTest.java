package io.rockpool.engine.rocksdb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rockpool.engine.Expiry;
import io.rockpool.engine.Layout;
import io.rockpool.engine.Space;
import io.rockpool.engine.SpaceSpec;
import io.rockpool.error.StalledWriteException;
import io.rockpool.store.Durability;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.rocksdb.RocksDB;

/**
 * A write that hangs inside RocksDB, which really stops writes while its memory is full and nothing
 * empties it.
 */
@Timeout(120)
final class StallTest {
  private static final byte[] ROW = {1};
  private static final int PUTS = 100_000;

  /** No look takes so long. */
  private static final long FOR_EVER_NANOS = Duration.ofSeconds(10).toNanos();

  @TempDir Path directory;

  @Test
  void othersAreRefusedUntilTheStuckWriteEnds() throws Exception {
    RocksDbOptions options =
        RocksDbOptions.builder()
            .memoryBudgetBytes(8 << 20)
            .stallLimit(Duration.ofMillis(200))
            .syncPeriod(Duration.ofHours(1))
            .build();
    try (RocksDbEngine engine = RocksDbEngine.open(directory, options)) {
      Space space = engine.create(new SpaceSpec("rows", Layout.ROWS, Map.of()));
      RocksDB db = engine.internals().database().nativeDatabase();
      Queue<byte[]> written = new ConcurrentLinkedQueue<>();
      db.pauseBackgroundWork();
      Thread stuck = new Thread(() -> writeUntilRefused(space, 0, written));
      stuck.start();
      Thread waiting = new Thread(() -> writeUntilRefused(space, 1, written));
      waiting.start();

      // One of the two gets stuck inside, the other behind the row's lock; that one is refused and
      // ends.
      while (stuck.isAlive() && waiting.isAlive()) {
        Thread.onSpinWait();
      }
      assertThatThrownBy(() -> space.put(new byte[] {2}, ROW, ROW, Expiry.NEVER))
          .isInstanceOf(StalledWriteException.class)
          .hasMessageContaining("stuck");
      assertThatThrownBy(engine::flush).isInstanceOf(StalledWriteException.class);
      assertThat(space.get(ROW, written.element())).isNotNull();
      assertThat(engine.statistics().writesStopped()).isTrue();
      assertThat(engine.statistics().writeStops()).isPositive();

      db.continueBackgroundWork();
      stuck.interrupt();
      waiting.interrupt();
      stuck.join();
      waiting.join();
      space.put(new byte[] {2}, ROW, ROW, Expiry.NEVER);
      assertThat(written).allSatisfy(key -> assertThat(space.get(ROW, key)).isNotNull());
    }
  }

  /** Also not where one who was stuck comes out just as that is noticed. */
  @Test
  void noOneIsRefusedForEverByALookThatComesTooLate() throws Exception {
    RocksDbOptions options =
        RocksDbOptions.builder()
            .durability(Durability.BUFFERED)
            .syncPeriod(Duration.ofHours(1))
            .stallLimit(Duration.ofHours(1))
            .build();
    try (RocksDbEngine engine = RocksDbEngine.open(directory, options)) {
      Space space = engine.create(new SpaceSpec("entries", Layout.ENTRIES, Map.of()));
      AtomicBoolean done = new AtomicBoolean();
      Thread watching =
          new Thread(
              () -> {
                while (!done.get()) {
                  engine.internals().writePath().stalls().watch(); // as if each took long
                }
              });
      watching.start();
      try {
        long lastNanos = System.nanoTime();
        for (int puts = 0; puts < PUTS; ) {
          try {
            space.put(ROW, Space.NO_SORT_KEY, ROW, Expiry.NEVER);
            puts++;
            lastNanos = System.nanoTime();
          } catch (StalledWriteException e) {
            assertThat(System.nanoTime() - lastNanos).as("%s", e).isLessThan(FOR_EVER_NANOS);
          }
        }
      } finally {
        done.set(true);
        watching.join();
      }
    }
  }

  private static void writeUntilRefused(Space space, long first, Queue<byte[]> written) {
    try {
      for (long number = first; !Thread.currentThread().isInterrupted(); number += 2) {
        byte[] key = ByteBuffer.allocate(Long.BYTES).putLong(number).array();
        space.transact(
            ROW,
            row -> {
              row.put(key, new byte[64 << 10], Expiry.NEVER);
              return row;
            });
        written.add(key);
      }
    } catch (StalledWriteException e) {
      assertThat(e).hasMessageContaining("refused before it began");
    }
  }
}
