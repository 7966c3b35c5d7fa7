package io.rockpool.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.rockpool.Rockpool;
import io.rockpool.cache.PersistentCache;
import io.rockpool.testing.Rounds;
import io.rockpool.testing.Slow;
import io.rockpool.testing.tools.Needs;
import io.rockpool.testing.tools.Tool;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Two stores write growing numbers and read from two replicas, which stall, fall behind, lose their
 * master, and restart empty. No read of a store returns less than an operation of that store that
 * had ended before it.
 */
@Slow
@Timeout(600)
@Needs(Tool.REDIS)
final class ReplicaReadsModelTest {
  private static final int KEYS = 24;
  private static final String QUERY = "?read-from=replica&timeout=10s&feed-timeout=10s";

  private final long seed = System.nanoTime();
  private final AtomicBoolean ending = new AtomicBoolean();
  private final AtomicReference<Throwable> wrong = new AtomicReference<>();
  private final List<Thread> threads = new ArrayList<>();

  /** A store, and the highest number of each key that an ended operation has written or read. */
  private final class Store {
    private final PersistentCache<Integer, Long> cache;
    private final AtomicLongArray seen = new AtomicLongArray(KEYS);

    Store(Rockpool pool) {
      cache = pool.cache("c", Integer.class, Long.class, options -> options.hotEntries(0));
    }

    private void seen(int key, long value) {
      long unused = seen.accumulateAndGet(key, value, Math::max);
    }

    private void check(int key, long before, Long read, String operation) {
      if (read == null ? before > 0 : read < before) {
        throw new AssertionError(
            operation + " of " + key + " returned " + read + " after " + before + ", seed " + seed);
      }
      seen(key, read == null ? 0 : read);
    }

    /** One operation; puts and increments are of keys that only this thread writes. */
    void step(Random random, int writer) {
      int any = random.nextInt(KEYS);
      int own = random.nextInt(KEYS / 4) * 4 + writer;
      long before = seen.get(any);
      switch (random.nextInt(12)) {
        case 0 -> {
          long value = seen.get(own) + 1;
          cache.put(own, value);
          seen(own, value);
        }
        case 1 -> {
          Long value = cache.compute(own, (key, old) -> old == null ? 1 : old + 1);
          check(own, seen.get(own), value, "compute");
        }
        case 2 -> check(any, before, cache.asMap().get(any), "asMap().get");
        case 3 -> check(any, before, cache.get(any, key -> null), "get with a loader");
        case 4, 5 -> {
          Map<Integer, Long> found = cache.getAll(List.of(any, own));
          check(any, before, found.get(any), "getAll");
        }
        default -> check(any, before, cache.get(any), "get");
      }
      LockSupport.parkNanos(random.nextInt(300_000));
    }
  }

  private void work(Store store, int writer, long threadSeed) {
    Random random = new Random(threadSeed);
    Thread thread =
        new Thread(
            () -> {
              try {
                while (!ending.get()) {
                  store.step(random, writer);
                }
              } catch (Throwable e) {
                wrong.compareAndSet(null, e);
              }
            });
    threads.add(thread);
    thread.start();
  }

  @Test
  void noReadOfAStoreGoesBackwards() throws Exception {
    try (RedisServer master = RedisServer.start("--repl-diskless-sync-delay", "0");
        StallingProxy link = new StallingProxy(master.port());
        RedisServer far = master.startReplica(link.port());
        RedisServer near = master.startReplica();
        Rockpool mine = Rockpool.open(master.uri(QUERY));
        Rockpool theirs = Rockpool.open(master.uri(QUERY))) {
      List<Store> stores = List.of(new Store(mine), new Store(theirs));
      for (int writer = 0; writer < 4; writer++) {
        work(stores.get(writer / 2), writer, seed + writer);
      }
      Random random = new Random(seed);
      try {
        for (int round = 0; round < Rounds.of(6, 60) && wrong.get() == null; round++) {
          disturb(random.nextInt(6), link, far, near);
          rest(300);
        }
      } finally {
        ending.set(true);
        for (Thread thread : threads) {
          thread.join();
        }
      }
      assertThat(wrong.get()).isNull();
      assertThat(mine.state().server().orElseThrow().replicaReads()).isPositive();
      assertThat(theirs.state().server().orElseThrow().replicaReads()).isPositive();
    }
  }

  private static void disturb(int kind, StallingProxy link, RedisServer far, RedisServer near)
      throws Exception {
    switch (kind) {
      case 0, 1 -> {
        link.stall(true);
        rest(700);
        link.stall(false);
      }
      case 2 -> {
        near.signal("STOP");
        rest(400);
        near.signal("CONT");
      }
      case 3 -> {
        near.kill();
        near.restart();
      }
      case 4 -> {
        String unused = far.command("CLIENT", "KILL", "TYPE", "normal", "SKIPME", "yes");
      }
      default -> {
        assertThat(far.command("REPLICAOF", "127.0.0.1", "1")).isEqualTo("OK");
        rest(400);
        assertThat(far.command("REPLICAOF", "127.0.0.1", "" + link.port())).isEqualTo("OK");
      }
    }
  }

  private static void rest(long millis) throws InterruptedException {
    TimeUnit.MILLISECONDS.sleep(millis);
  }
}
