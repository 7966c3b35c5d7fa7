package io.rockpool.internal.rocksdb.upkeep;

import static org.assertj.core.api.Assertions.assertThat;

import io.rockpool.Rockpool;
import io.rockpool.cache.PersistentCache;
import io.rockpool.change.ChangeFeed;
import io.rockpool.change.ChangeOptions;
import io.rockpool.engine.rocksdb.RocksDbEngine;
import io.rockpool.engine.rocksdb.RocksDbOptions;
import io.rockpool.error.StoreFullException;
import io.rockpool.queue.PersistentQueue;
import io.rockpool.structure.PersistentMap;
import io.rockpool.testing.Slow;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntConsumer;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Writers that write faster than entries are evicted do not take a store far beyond its budget. */
@Slow
@Timeout(120)
final class BudgetUnderLoadTest {
  private static final long BUDGET = 8L << 20;

  /** The least that is possible. */
  private static final long STORE_BUDGET = 16L << 20;

  private static final int WRITERS = 3;
  private static final int VALUE_BYTES = 2_000;
  private static final int BULK = 10_000;

  /** What the writers offer, many times the budget. */
  private static final long OFFERED_BYTES = 160L << 20;

  private static final long MAX_NANOS = TimeUnit.SECONDS.toNanos(4);

  /** What is measured later: changes in the write buffer, and a part of each writer's bulk. */
  private static final long ON_THE_WAY_BYTES = 2 << 20;

  @TempDir Path directory;

  /** A way to fill a store. */
  enum Load {
    PUTS_IN_A_CACHE_WITH_A_BUDGET(false) {
      @Override
      IntConsumer on(Rockpool pool) {
        PersistentCache<Integer, byte[]> cache = cache(pool, BUDGET);
        return i -> cache.put(i, value(i));
      }
    },
    BULKS_IN_A_CACHE_WITH_A_BUDGET(false) {
      @Override
      IntConsumer on(Rockpool pool) {
        return bulks(cache(pool, BUDGET));
      }
    },
    PUTS_IN_A_CACHE(true) {
      @Override
      IntConsumer on(Rockpool pool) {
        PersistentCache<Integer, byte[]> cache = cache(pool, 0);
        return i -> cache.put(i, value(i));
      }
    },
    BULKS_IN_A_CACHE(true) {
      @Override
      IntConsumer on(Rockpool pool) {
        return bulks(cache(pool, 0));
      }
    },
    TRANSACTIONS(true) {
      @Override
      IntConsumer on(Rockpool pool) {
        PersistentCache<Integer, byte[]> cache = cache(pool, 0);
        return i ->
            pool.atomically(
                transaction -> {
                  cache.put(i, value(i));
                  cache.put(-1 - i, value(i));
                  return i;
                });
      }
    },
    A_MAP(true) {
      @Override
      IntConsumer on(Rockpool pool) {
        PersistentMap<Integer, byte[]> map = pool.map("map", Integer.class, byte[].class);
        return i -> map.put(i, value(i));
      }
    },
    A_FEED(true) {
      @Override
      IntConsumer on(Rockpool pool) {
        PersistentMap<Integer, byte[]> map =
            pool.map(
                "map",
                Integer.class,
                byte[].class,
                o -> o.changes(ChangeOptions.keep(Duration.ofDays(1))));
        return i -> map.put(i % 100, value(i));
      }
    },
    A_QUEUE(true) {
      @Override
      IntConsumer on(Rockpool pool) {
        PersistentQueue<byte[]> queue = pool.queue("queue", byte[].class);
        return i -> queue.send(value(i));
      }
    },
    DEAD_LETTERS(true) {
      @Override
      IntConsumer on(Rockpool pool) {
        PersistentQueue<byte[]> queue =
            pool.queue("queue", byte[].class, o -> o.maxDeliveries(1).deadLetters("dead"));
        return i -> {
          queue.send(value(i));
          queue.receive().ifPresent(delivery -> delivery.reject("bad"));
        };
      }
    };

    /** Whether the budget is the store's. */
    private final boolean ofStore;

    Load(boolean ofStore) {
      this.ofStore = ofStore;
    }

    boolean isOfCaches() {
      return compareTo(A_MAP) < 0;
    }

    /** Returns what writes the value of a number. */
    abstract IntConsumer on(Rockpool pool);

    private static PersistentCache<Integer, byte[]> cache(Rockpool pool, long budget) {
      return pool.cache(
          "cache",
          Integer.class,
          byte[].class,
          o -> budget == 0 ? o.hotEntries(0) : o.hotEntries(0).diskBudgetBytes(budget));
    }

    private static IntConsumer bulks(PersistentCache<Integer, byte[]> cache) {
      return i -> {
        if (i % BULK == 0) {
          Map<Integer, byte[]> bulk = new HashMap<>();
          for (int key = i; key < i + BULK; key++) {
            bulk.put(key, value(key));
          }
          cache.putAll(bulk);
        }
      };
    }

    static byte[] value(int i) {
      byte[] value = new byte[VALUE_BYTES];
      new Random(i).nextBytes(value);
      return value;
    }
  }

  @ParameterizedTest
  @EnumSource
  void dataExceedsTheBudgetByHalfAtMost(Load load) throws Exception {
    long budget = load.ofStore ? STORE_BUDGET : BUDGET;
    RocksDbOptions.Builder options = RocksDbOptions.builder();
    if (load.ofStore) {
      options.diskBudgetBytes(budget);
    }
    RocksDbEngine engine = RocksDbEngine.open(directory, options.build());
    try (Rockpool pool = Rockpool.at(o -> engine).open()) {
      Writers writers = new Writers(load.on(pool));
      long mostBytes = 0;
      while (writers.areRunning()) {
        mostBytes = Math.max(mostBytes, dataBytes(engine));
        Thread.sleep(10);
      }
      writers.end();
      assertThat(mostBytes).as("%s", writers).isLessThan(budget + budget / 2 + ON_THE_WAY_BYTES);
      assertThat(mostBytes).as("%s", writers).isGreaterThan(budget / 4 * 3);
      if (load.isOfCaches()) {
        assertThat(writers.refused).hasValue(0);
      } else {
        assertThat(writers.refused).hasPositiveValue();
      }
      assertThat(pool.verify().isClean()).isTrue();
    }
  }

  @Test
  void aFeedKeepsLittleMoreThanItsBound() throws Exception {
    try (Rockpool pool = Rockpool.open(directory)) {
      PersistentMap<Integer, byte[]> map =
          pool.map(
              "map",
              Integer.class,
              byte[].class,
              o -> o.changes(ChangeOptions.keep(Duration.ofDays(1)).maxBytes(BUDGET)));
      ChangeFeed<Integer, byte[]> feed = pool.changes("map", Integer.class, byte[].class);
      Writers writers = new Writers(i -> map.put(i % 100, Load.value(i)));
      long mostBytes = 0;
      while (writers.areRunning()) {
        long oldest = feed.oldest();
        mostBytes = Math.max(mostBytes, (feed.next() - oldest) * VALUE_BYTES);
        Thread.sleep(10);
      }
      writers.end();
      assertThat(mostBytes).isBetween(BUDGET / 2, BUDGET + BUDGET / 2);
    }
  }

  /** Threads that write until they have offered enough. */
  private static final class Writers {
    private final ExecutorService threads = Executors.newFixedThreadPool(WRITERS);
    private final AtomicInteger next = new AtomicInteger();
    private final AtomicInteger written = new AtomicInteger();
    private final AtomicInteger refused = new AtomicInteger();
    private final long startNanos = System.nanoTime();
    private final List<Future<?>> running;

    Writers(IntConsumer write) {
      running =
          IntStream.range(0, WRITERS)
              .<Future<?>>mapToObj(writer -> threads.submit(() -> run(write)))
              .toList();
      threads.shutdown();
    }

    private void run(IntConsumer write) {
      int i = next.getAndIncrement();
      while (i < OFFERED_BYTES / VALUE_BYTES && System.nanoTime() - startNanos < MAX_NANOS) {
        try {
          write.accept(i);
          written.incrementAndGet();
        } catch (StoreFullException e) {
          refused.incrementAndGet();
        }
        i = next.getAndIncrement();
      }
    }

    boolean areRunning() {
      return !running.stream().allMatch(Future::isDone);
    }

    /** Throws what a writer has thrown. */
    void end() throws Exception {
      for (Future<?> each : running) {
        each.get();
      }
    }

    @Override
    public String toString() {
      return written + " writes, " + refused + " refused";
    }
  }

  private static long dataBytes(RocksDbEngine engine) {
    return engine.list("").stream()
        .mapToLong(space -> engine.diskBytes(space.name()).orElse(0))
        .sum();
  }
}
