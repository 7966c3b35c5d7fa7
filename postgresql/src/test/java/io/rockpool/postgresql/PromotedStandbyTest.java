package io.rockpool.postgresql;

import static org.assertj.core.api.Assertions.assertThat;

import io.rockpool.Rockpool;
import io.rockpool.cache.PersistentCache;
import io.rockpool.error.OutcomeUnknownException;
import io.rockpool.error.ServerUnavailableException;
import io.rockpool.structure.PersistentDeque;
import io.rockpool.structure.PersistentMap;
import io.rockpool.testing.FaultLog;
import io.rockpool.testing.Rounds;
import io.rockpool.testing.Threads;
import io.rockpool.testing.tools.Needs;
import io.rockpool.testing.tools.Tool;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * The primary is killed under load, and its synchronous standby is promoted. Two stores follow it,
 * by a URI with both hosts: nothing that was acknowledged is lost, nothing is made twice, and
 * memory shows nothing old.
 */
@Needs({Tool.POSTGRESQL, Tool.PG_BASEBACKUP})
final class PromotedStandbyTest {
  private static final int ROUNDS = Rounds.of(1, 20);
  private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(60);
  private static final int ACCOUNTS = 8;
  private static final long BALANCE = 100;
  private static final int HOT_KEYS = 20;
  private static final int OPERATIONS = 300;

  private PostgresServer primary;
  private PostgresServer standby;
  private final List<Rockpool> stores = new ArrayList<>();
  private final Map<String, Long> acknowledged = new ConcurrentHashMap<>();
  private final AtomicLong increments = new AtomicLong();
  private final AtomicLong added = new AtomicLong();
  private final AtomicLong unknown = new AtomicLong();
  private final AtomicLong operations = new AtomicLong();
  private volatile boolean done;

  private void startServers() throws Exception {
    primary = PostgresServer.startNew();
    standby = StandbyServer.of(primary);
    // On the primary alone: once promoted, the standby has no other server to wait for.
    primary.execute("ALTER SYSTEM SET synchronous_standby_names = '*'");
    primary.execute("SELECT pg_reload_conf()");
    await(
        () ->
            primary.number("SELECT count(*) FROM pg_stat_replication WHERE sync_state = 'sync'")
                == 1);
    URI uri =
        URI.create(
            "postgresql://rockpool@127.0.0.1:%s,127.0.0.1:%s/postgres?targetServerType=primary"
                .formatted(primary.port(), standby.port()));
    stores.add(Rockpool.at(uri).open());
    stores.add(Rockpool.at(uri).open());
  }

  @AfterEach
  void end() {
    done = true;
    stores.forEach(Rockpool::close);
    stores.clear();
    if (standby != null) {
      standby.delete();
    }
    if (primary != null) {
      primary.delete();
    }
  }

  private static void await(BooleanSupplier condition) throws InterruptedException {
    long end = System.nanoTime() + PATIENCE_NANOS;
    while (!condition.getAsBoolean() && System.nanoTime() < end) {
      Thread.sleep(5);
    }
    assertThat(condition.getAsBoolean()).isTrue();
  }

  @Test
  @Timeout(900)
  void nothingIsLostOrMadeTwice() throws Exception {
    long all = 0;
    for (int round = ROUNDS; round > 0; round--) {
      startServers();
      run();
      end();
      all += operations.get();
      acknowledged.clear();
      List.of(increments, added, unknown, operations).forEach(number -> number.set(0));
    }
    FaultLog.write(
        FaultLog.Kind.SERVER,
        "A PostgreSQL primary is killed, and its synchronous standby promoted",
        ROUNDS,
        "",
        FaultLog.number(all) + " operations of two stores",
        "nothing");
  }

  private void run() throws Exception {
    done = false;
    PersistentMap<String, Long> accounts = stores.get(0).map("bank", String.class, Long.class);
    for (int i = 0; i < ACCOUNTS; i++) {
      accounts.put("account " + i, BALANCE);
    }
    List<Threads.Running<Boolean>> threads = new ArrayList<>();
    for (int i = 0; i < stores.size(); i++) {
      Work work = new Work(stores.get(i), i);
      threads.add(Threads.start(() -> work.repeat(work::puts)));
      threads.add(Threads.start(() -> work.repeat(work::increments)));
      threads.add(Threads.start(() -> work.repeat(work::transfers)));
      threads.add(Threads.start(() -> work.repeat(work::additions)));
    }
    await(() -> operations.get() > OPERATIONS);
    Thread.sleep(ThreadLocalRandom.current().nextInt(300));
    primary.kill();
    Thread.sleep(ThreadLocalRandom.current().nextInt(300));
    standby.promote();
    long before = operations.get();
    await(() -> operations.get() > before + OPERATIONS);
    done = true;
    for (Threads.Running<Boolean> thread : threads) {
      assertThat(thread.result()).isTrue();
    }
    check();
  }

  /** The operations of one store. Each thread runs one of them. */
  private final class Work {
    private final Rockpool pool;
    private final PersistentMap<String, Long> bank;
    private final PersistentMap<String, Long> sums;
    private final PersistentDeque<Long> deque;
    private final PersistentCache<String, Long> cache;
    private final int store;
    private long number;

    Work(Rockpool pool, int store) {
      this.pool = pool;
      this.store = store;
      bank = pool.map("bank", String.class, Long.class);
      sums = pool.map("sums", String.class, Long.class);
      deque = pool.deque("deque", Long.class);
      cache = pool.cache("cache", String.class, Long.class);
    }

    boolean repeat(Runnable operation) {
      while (!done) {
        try {
          operation.run();
          operations.incrementAndGet();
        } catch (ServerUnavailableException e) {
          // Nothing was changed.
        }
      }
      return true;
    }

    /** Each key is put by one store, with growing values. */
    void puts() {
      String key = store + "-" + ThreadLocalRandom.current().nextInt(HOT_KEYS);
      long value = ++number;
      try {
        cache.put(key, value);
        acknowledged.put(key, value);
      } catch (OutcomeUnknownException e) {
        // It may be there, or not.
      }
      Long other = cache.get((1 - store) + key.substring(1));
      assertThat(other == null || other > 0).isTrue();
    }

    void increments() {
      try {
        long unused = sums.merge("sum", 1L, Long::sum);
        increments.incrementAndGet();
      } catch (OutcomeUnknownException e) {
        unknown.incrementAndGet();
      }
    }

    void additions() {
      try {
        deque.addLast(1L);
        added.incrementAndGet();
      } catch (OutcomeUnknownException e) {
        unknown.incrementAndGet();
      }
    }

    void transfers() {
      ThreadLocalRandom random = ThreadLocalRandom.current();
      String from = "account " + random.nextInt(ACCOUNTS);
      String to = "account " + random.nextInt(ACCOUNTS);
      if (!from.equals(to)) {
        try {
          pool.runAtomically(
              tx -> {
                bank.merge(from, -1L, Long::sum);
                bank.merge(to, 1L, Long::sum);
                sums.merge("transfers", 1L, Long::sum);
              });
          acknowledged.merge("transfers", 1L, Long::sum);
        } catch (OutcomeUnknownException e) {
          unknown.incrementAndGet();
        }
      }
    }
  }

  private void check() throws InterruptedException {
    for (Rockpool pool : stores) {
      PersistentMap<String, Long> sums = pool.map("sums", String.class, Long.class);
      PersistentMap<String, Long> bank = pool.map("bank", String.class, Long.class);
      PersistentDeque<Long> deque = pool.deque("deque", Long.class);
      PersistentCache<String, Long> cache = pool.cache("cache", String.class, Long.class);
      assertThat(bank.values().stream().mapToLong(Long::longValue).sum())
          .isEqualTo(ACCOUNTS * BALANCE);
      long possible = unknown.get();
      assertThat(sums.get("sum")).isBetween(increments.get(), increments.get() + possible);
      assertThat((long) deque.size()).isBetween(added.get(), added.get() + possible);
      long transfers = acknowledged.getOrDefault("transfers", 0L);
      assertThat(sums.getOrDefault("transfers", 0L)).isBetween(transfers, transfers + possible);
      for (int store = 0; store < stores.size(); store++) {
        for (int i = 0; i < HOT_KEYS; i++) {
          String key = store + "-" + i;
          Long expected = acknowledged.get(key);
          await(
              () -> {
                Long found = cache.get(key);
                return expected == null || (found != null && found >= expected);
              });
        }
      }
    }
    System.out.printf(
        "increments %d, additions %d, transfers %s, unknown %d, operations %d%n",
        increments.get(),
        added.get(),
        acknowledged.get("transfers"),
        unknown.get(),
        operations.get());
  }
}
