package io.rockpool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rockpool.engine.rocksdb.RocksDbEngine;
import io.rockpool.engine.rocksdb.RocksDbOptions;
import io.rockpool.error.CorruptStoreException;
import io.rockpool.store.Durability;
import io.rockpool.structure.Snapshot;
import io.rockpool.testing.Slow;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * What is written and read, on any name, while RocksDB refuses writes because it has met a damaged
 * table: it waits until the database was opened again.
 */
@Slow
@Timeout(120)
final class DamagedTableWritesTest extends DamagedTableSetup {
  private static final int THREADS = 3;
  private static final int MOST_LOOKS = 2_000;
  private static final String[] NAMES = {"hurt", "sound", "another"};

  /** Ways to write a key, larger than what only the journal takes. */
  private enum Write {
    OF_100_KB {
      @Override
      void put(Rockpool pool, String name, int key) {
        map(pool, name).put(key, value(key, 100_000));
      }
    },
    OF_1_MB {
      @Override
      void put(Rockpool pool, String name, int key) {
        map(pool, name).put(key, value(key, 1_000_000));
      }
    },
    BULK {
      @Override
      void put(Rockpool pool, String name, int key) {
        Map<Integer, String> all = new HashMap<>();
        for (int i = 0; i < 3_000; i++) {
          all.put(-1 - i, "bulk");
        }
        all.put(key, value(key, 10));
        map(pool, name).putAll(all);
      }
    },
    ROW_TRANSACTION {
      @Override
      void put(Rockpool pool, String name, int key) {
        map(pool, name).merge(key, value(key, 20_000), (old, added) -> added);
      }
    },
    TRANSACTION {
      @Override
      void put(Rockpool pool, String name, int key) {
        pool.runAtomically(
            transaction -> {
              map(pool, name).put(-1, "bulk");
              map(pool, name).put(key, value(key, 20_000));
            });
      }
    },
    SYNC {
      @Override
      void put(Rockpool pool, String name, int key) {
        pool.runWithDurability(Durability.SYNC, () -> map(pool, name).put(key, value(key, 10)));
      }
    },
    REMOVAL {
      @Override
      void put(Rockpool pool, String name, int key) {
        map(pool, name).put(-2, "bulk");
        map(pool, name).putIfAbsent(key, value(key, 20_000));
        map(pool, name).remove(-2);
      }
    },
    WITH_NEW_NAME {
      @Override
      void put(Rockpool pool, String name, int key) {
        map(pool, name).put(key, value(key, 10));
        map(pool, name + " " + key).put(key, "bulk");
        pool.names().drop(name + " " + key);
      }
    },
    WITH_READS {
      @Override
      void put(Rockpool pool, String name, int key) {
        map(pool, name).put(key, value(key, 10));
        if (!name.equals("hurt")) {
          assertThat(map(pool, name).keySet()).contains(key);
        }
        assertThat(map(pool, "sound")).containsEntry(1, "value 1");
      }
    };

    abstract void put(Rockpool pool, String name, int key);
  }

  private static String value(int key, int length) {
    return key + "x".repeat(length);
  }

  /** What several threads write to a store until told to stop. */
  private static final class Writers {
    private final Map<String, Queue<Integer>> written = new ConcurrentHashMap<>();
    private final Queue<Throwable> failures = new ConcurrentLinkedQueue<>();
    private final List<Thread> threads = new ArrayList<>();
    private volatile boolean ends;

    void start(Rockpool pool, Write write) {
      for (String name : NAMES) {
        written.put(name, new ConcurrentLinkedQueue<>());
        map(pool, name).put(-1, "bulk"); // a transaction cannot open it
      }
      for (int number = 1; number <= THREADS; number++) {
        int first = number * 1_000_000;
        threads.add(new Thread(() -> run(pool, write, first)));
      }
      threads.forEach(Thread::start);
    }

    private void run(Rockpool pool, Write write, int first) {
      try {
        for (int key = first; !ends && failures.isEmpty(); key++) {
          for (String name : NAMES) {
            put(pool, write, name, key);
          }
        }
      } catch (RuntimeException | Error e) {
        failures.add(e);
      }
    }

    private void put(Rockpool pool, Write write, String name, int key) {
      try {
        write.put(pool, name, key);
        written.get(name).add(key);
      } catch (CorruptStoreException e) {
        // A call that reads the damaged block of this name fails, until it is mended.
        if (!name.equals("hurt") || e.getMessage().contains("Try again")) {
          throw e;
        }
      }
    }

    /** Ends the threads once each name has been written to, which a mended one can be. */
    void end() throws InterruptedException {
      for (int i = 0; i < MOST_LOOKS && failures.isEmpty() && isAnyUnwritten(); i++) {
        Thread.sleep(10);
      }
      ends = true;
      for (Thread thread : threads) {
        thread.join();
      }
      assertThat(failures).isEmpty();
      assertThat(written).allSatisfy((name, keys) -> assertThat(keys).isNotEmpty());
    }

    private boolean isAnyUnwritten() {
      return written.values().stream().anyMatch(Queue::isEmpty);
    }

    void assertStored(Rockpool pool) {
      written.forEach(
          (name, keys) ->
              keys.forEach(
                  key -> assertThat(map(pool, name).get(key)).startsWith(String.valueOf(key))));
    }
  }

  @ParameterizedTest
  @EnumSource(Write.class)
  void writesOfAllNamesGoOn(Write write) throws Exception {
    damage(false);
    Writers writers = new Writers();
    try (Rockpool pool = Rockpool.open(store())) {
      writers.start(pool, write);
      try {
        mend(pool);
      } finally {
        writers.end();
      }
      writers.assertStored(pool);
    }
    try (Rockpool pool = Rockpool.open(store())) {
      writers.assertStored(pool);
      for (int i = 0; i < RECORDS; i++) {
        assertThat(map(pool, "sound").get(i)).isEqualTo("value " + i);
      }
    }
  }

  /** While a snapshot is open the database cannot be opened again. The write says what to do. */
  @Test
  void aWriteWaitsForAnOpenSnapshot() throws Exception {
    damage(false);
    RocksDbOptions options = RocksDbOptions.builder().stallLimit(Duration.ofSeconds(1)).build();
    try (Rockpool pool = Rockpool.at(o -> RocksDbEngine.open(store(), options)).open()) {
      try (Snapshot<?> held = map(pool, "sound").snapshot()) {
        assertThat(held).isNotNull();
        assertThatThrownBy(() -> compact(pool)).isInstanceOf(CorruptStoreException.class);
        assertThatThrownBy(() -> Write.OF_100_KB.put(pool, "sound", -1))
            .isInstanceOf(CorruptStoreException.class)
            .hasMessageContainingAll("Nothing was written", ".sst", "Try again");
        Thread.currentThread().interrupt();
        assertThatThrownBy(() -> Write.OF_100_KB.put(pool, "sound", -1))
            .isInstanceOf(CorruptStoreException.class);
        assertThat(Thread.interrupted()).isTrue();
      }
      Write.OF_100_KB.put(pool, "sound", -1);
      assertThat(map(pool, "sound").get(-1)).isEqualTo(value(-1, 100_000));
    }
  }
}
