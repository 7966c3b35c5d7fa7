package io.rockpool;

import static org.assertj.core.api.Assertions.assertThat;

import io.rockpool.cache.PersistentCache;
import io.rockpool.structure.PersistentMap;
import io.rockpool.structure.PersistentSet;
import io.rockpool.structure.PersistentSortedMap;
import io.rockpool.structure.PersistentTable;
import io.rockpool.structure.PersistentValue;
import io.rockpool.testing.TestServer;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Function;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Threads wait for a lease of some milliseconds to end, by putting their own if there is none: one
 * of them gets it, and its value is there.
 */
@Timeout(120)
final class LeaseRaceTest {
  private static final int THREADS = 6;
  private static final int ROUNDS = 40;
  private static final Duration SHORT = Duration.ofMillis(2);
  private static final Duration LONG = Duration.ofHours(1);
  private static final String KEY = "lease";

  @TempDir Path directory;

  /** Tries to put a value where there is none; returns whether it did. */
  private interface Attempt {
    boolean put(String owner);
  }

  /** How a lease is taken, and who has it; of a set, only whether anyone has. */
  private record Lease(Runnable old, Attempt attempt, Function<String, Boolean> has) {}

  /** What keeps the lease. */
  enum Kind {
    MAP {
      @Override
      Lease lease(Rockpool pool) {
        PersistentMap<String, String> map = pool.map("map", String.class, String.class);
        return new Lease(
            () -> map.put(KEY, "old", SHORT),
            owner -> map.putIfAbsent(KEY, owner, LONG) == null,
            owner -> owner.equals(map.get(KEY)));
      }
    },
    SORTED_MAP {
      @Override
      Lease lease(Rockpool pool) {
        PersistentSortedMap<String, String> map =
            pool.sortedMap("sorted", String.class, String.class);
        return new Lease(
            () -> map.put(KEY, "old", SHORT),
            owner -> map.computeIfAbsent(KEY, key -> owner).equals(owner),
            owner -> owner.equals(map.get(KEY)));
      }
    },
    TABLE {
      @Override
      Lease lease(Rockpool pool) {
        PersistentTable<String, String, String> table =
            pool.table("table", String.class, String.class, String.class);
        return new Lease(
            () -> table.put("row", KEY, "old", SHORT),
            owner -> table.putIfAbsent("row", KEY, owner, LONG) == null,
            owner -> owner.equals(table.get("row", KEY)));
      }
    },
    SET {
      @Override
      Lease lease(Rockpool pool) {
        PersistentSet<String> set = pool.set("set", String.class);
        return new Lease(
            () -> {
              set.remove(KEY);
              assertThat(set.add(KEY, SHORT)).isTrue();
            },
            owner -> set.add(KEY),
            owner -> set.contains(KEY));
      }
    },
    VALUE {
      @Override
      Lease lease(Rockpool pool) {
        PersistentValue<String> value = pool.value("value", String.class);
        return new Lease(
            () -> value.set("old", SHORT),
            owner -> value.setIfAbsent(owner, LONG),
            owner -> owner.equals(value.get()));
      }
    },
    CACHE {
      @Override
      Lease lease(Rockpool pool) {
        PersistentCache<String, String> cache =
            pool.cache("cache", String.class, String.class, o -> o.hotEntries(100));
        return new Lease(
            () -> cache.put(KEY, "old", SHORT),
            owner -> cache.putIfAbsent(KEY, owner, LONG) == null,
            owner -> owner.equals(cache.get(KEY)));
      }
    };

    abstract Lease lease(Rockpool pool);
  }

  @ParameterizedTest
  @EnumSource
  void onDisk(Kind kind) throws Exception {
    try (Rockpool pool = Rockpool.open(directory)) {
      oneOfAllGetsIt(kind.lease(pool));
    }
  }

  @ParameterizedTest
  @EnumSource
  void inMemoryOrOnAServer(Kind kind) throws Exception {
    try (Rockpool pool =
        TestServer.provided()
            .map(server -> Rockpool.at(o -> server.newStore().apply(InstantSource.system())).open())
            .orElseGet(Rockpool::inMemory)) {
      oneOfAllGetsIt(kind.lease(pool));
    }
  }

  private static void oneOfAllGetsIt(Lease lease) throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(THREADS);
    try {
      for (int round = 0; round < ROUNDS; round++) {
        lease.old().run();
        assertThat(winners(threads, lease, round)).as("round %d", round).hasSize(1);
      }
    } finally {
      threads.shutdownNow();
    }
  }

  /** All threads try until one has it, and twice after that. */
  private static List<String> winners(ExecutorService threads, Lease lease, int round)
      throws Exception {
    CountDownLatch won = new CountDownLatch(1);
    List<Future<String>> tries = new ArrayList<>();
    for (int thread = 0; thread < THREADS; thread++) {
      String owner = round + "-" + thread;
      tries.add(
          threads.submit(
              () -> {
                for (int after = 0; after < 2; after += won.getCount() == 0 ? 1 : 0) {
                  if (lease.attempt().put(owner)) {
                    won.countDown();
                    assertThat(lease.has().apply(owner)).as(owner).isTrue();
                    return owner;
                  }
                }
                return "";
              }));
    }
    List<String> winners = new ArrayList<>();
    for (Future<String> each : tries) {
      String winner = each.get();
      if (!winner.isEmpty()) {
        winners.add(winner);
      }
    }
    return winners;
  }
}
