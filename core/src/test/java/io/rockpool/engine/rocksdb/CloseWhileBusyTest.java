package io.rockpool.engine.rocksdb;

import static org.assertj.core.api.Assertions.assertThat;

import io.rockpool.engine.Cursor;
import io.rockpool.engine.Direction;
import io.rockpool.engine.Expiry;
import io.rockpool.engine.Layout;
import io.rockpool.engine.RecordKey;
import io.rockpool.engine.RowRecord;
import io.rockpool.engine.SortRange;
import io.rockpool.engine.Space;
import io.rockpool.engine.SpaceSnapshot;
import io.rockpool.engine.SpaceSpec;
import io.rockpool.testing.Rounds;
import io.rockpool.testing.Slow;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Closing a store that eight threads are using: each of them ends with an IllegalStateException,
 * the process lives.
 */
@Slow
@Timeout(120)
final class CloseWhileBusyTest {
  private static final int ROUNDS = Rounds.of(30, 200);
  private static final int THREADS = 8;
  private static final int MAX_OPERATIONS_BEFORE_CLOSE = 400;

  @TempDir Path directory;

  @Test
  void whoComesTooLateIsTold() throws InterruptedException {
    for (int round = 0; round < ROUNDS; round++) {
      Queue<Throwable> failures = closeWhileBusy(round);
      assertThat(failures)
          .as("round " + round)
          .hasSize(THREADS)
          .allSatisfy(
              failure ->
                  assertThat(failure)
                      .isInstanceOf(IllegalStateException.class)
                      .hasMessageContaining("closed"));
    }
  }

  private Queue<Throwable> closeWhileBusy(int round) throws InterruptedException {
    RocksDbEngine engine = RocksDbEngine.open(directory, RocksDbOptions.defaults());
    Queue<Throwable> failures = new ConcurrentLinkedQueue<>();
    CountDownLatch busy =
        new CountDownLatch(new Random(round).nextInt(MAX_OPERATIONS_BEFORE_CLOSE) + 1);
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < THREADS; i++) {
      Worker worker = new Worker(engine, i, new Random(round * 31L + i), busy);
      Thread thread = new Thread(worker);
      thread.setUncaughtExceptionHandler((where, failure) -> failures.add(failure));
      thread.start();
      threads.add(thread);
    }
    busy.await();
    engine.close();
    for (Thread thread : threads) {
      thread.join();
    }
    return failures;
  }

  /** Does one thing after the other until one fails. */
  private static final class Worker implements Runnable {
    private final RocksDbEngine engine;
    private final String own;
    private final Random random;
    private final CountDownLatch busy;

    Worker(RocksDbEngine engine, int number, Random random, CountDownLatch busy) {
      this.engine = engine;
      this.own = "own/" + number;
      this.random = random;
      this.busy = busy;
    }

    @Override
    public void run() {
      try {
        Space rows = space(own + "/rows", Layout.ROWS);
        Space entries = space(own + "/entries", Layout.ENTRIES);
        Cursor cursor = rows.scanAll(null);
        while (true) {
          cursor = step(rows, entries, cursor);
          busy.countDown();
        }
      } finally {
        while (busy.getCount() > 0) {
          busy.countDown();
        }
      }
    }

    private Space space(String name, Layout layout) {
      Space space = engine.open(name);
      return space == null ? engine.create(new SpaceSpec(name, layout, Map.of())) : space;
    }

    private Cursor step(Space rows, Space entries, Cursor cursor) {
      byte[] row = {(byte) random.nextInt(4)};
      byte[] key = {(byte) random.nextInt(16)};
      switch (random.nextInt(19)) {
        case 0, 1 -> rows.put(row, key, new byte[random.nextInt(200)], Expiry.NEVER);
        case 2 -> rows.put(row, key, new byte[10], 1_000);
        case 3 ->
            entries.put(key, Space.NO_SORT_KEY, new byte[random.nextInt(9_000)], Expiry.NEVER);
        case 4 -> rows.get(row, key);
        case 5 -> entries.get(key, Space.NO_SORT_KEY, (bytes, offset, length, expiry) -> length);
        case 6 -> rows.delete(row, key);
        case 7 -> rows.getAll(List.of(new RecordKey(row, key), new RecordKey(key, row)));
        case 8 ->
            rows.putAll(List.of(new RowRecord(row, key, key, 5), new RowRecord(key, row, key, 9)));
        case 9 ->
            rows.transact(
                row,
                tx -> {
                  tx.scan(SortRange.all(), Direction.BACKWARD, 3);
                  tx.putCounted(new byte[] {99}, row, Expiry.NEVER);
                  return tx.count();
                });
        case 10 -> rows.count(row);
        case 11 -> entries.info();
        case 12 -> engine.list("own");
        case 13 -> (random.nextBoolean() ? rows : entries).clear();
        case 14 -> {
          // Left open on purpose: closing the store must not need it closed.
          return random.nextBoolean()
              ? rows.scanAll(null)
              : rows.scan(row, SortRange.all(), Direction.BACKWARD, 100);
        }
        case 15 ->
            engine.atomically(
                () -> {
                  rows.put(row, key, key, Expiry.NEVER);
                  entries.put(key, Space.NO_SORT_KEY, row, Expiry.NEVER);
                  return rows.count(key);
                });
        case 16 -> {
          // Left open on purpose, too.
          return rows.snapshot().scanAll();
        }
        case 17 -> {
          try (SpaceSnapshot snapshot = rows.snapshot()) {
            snapshot.get(row, key);
          }
        }
        default -> {
          if (cursor.next()) {
            cursor.sortKey();
            cursor.value();
          }
        }
      }
      return cursor;
    }
  }
}
