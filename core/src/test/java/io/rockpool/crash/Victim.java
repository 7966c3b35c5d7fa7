package io.rockpool.crash;

import io.rockpool.Rockpool;
import io.rockpool.store.Durability;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * The process that is killed: opens the store, and does steps in several threads until it is told
 * to close it. It says what it has done, a line each: the number of a thread whose step has
 * returned, or one of the words below.
 */
final class Victim {
  static final int THREADS = 3;

  static final String OPEN = "open";
  static final String AT_WORK = "at work";
  static final String SWEEPING = "sweeping";
  static final String CROWDED = "crowded";
  static final String EVICTED = "evicted";
  static final String CLOSING = "closing";
  static final String FAILED = "failed";

  /** Instead of a time after which it closes the store. */
  static final long NEVER_CLOSES = -1;

  /** Little, so that files are written and merged within a second. */
  static final long MEMORY_BYTES = 16L << 20;

  private static final long LOG_ONLY_MEMORY_BYTES = 512L << 20;

  private final Rockpool pool;
  private final PrintStream said = new PrintStream(System.out, true);
  private final CountDownLatch atWork = new CountDownLatch(THREADS);
  private volatile boolean closing;

  private Victim(Rockpool pool) {
    this.pool = pool;
  }

  /**
   * What a victim is started with.
   *
   * @param logOnly whether it neither clears nor drops, for which the log is forced, and has memory
   *     enough to write no files but the log
   * @param reclaims whether it crowds a cache and reclaims, again and again
   * @param crowdRound with which round it begins to crowd
   * @param closesAfterMillis how long after its first steps it closes the store
   * @param startMillis what its store's clock says first
   */
  record Orders(
      Path directory,
      Durability durability,
      boolean logOnly,
      boolean reclaims,
      int crowdRound,
      long closesAfterMillis,
      long startMillis,
      long seed) {
    /** By which the store's clock is the system's. */
    static final long SYSTEM_CLOCK = 0;

    Object[] arguments() {
      return new Object[] {
        directory, durability, logOnly, reclaims, crowdRound, closesAfterMillis, startMillis, seed
      };
    }

    static Orders of(String[] arguments) {
      return new Orders(
          Path.of(arguments[0]),
          Durability.valueOf(arguments[1]),
          Boolean.parseBoolean(arguments[2]),
          Boolean.parseBoolean(arguments[3]),
          Integer.parseInt(arguments[4]),
          Long.parseLong(arguments[5]),
          Long.parseLong(arguments[6]),
          Long.parseLong(arguments[7]));
    }

    InstantSource clock() {
      if (startMillis == SYSTEM_CLOCK) {
        return InstantSource.system();
      }
      long ahead = startMillis - System.currentTimeMillis();
      return () -> Instant.ofEpochMilli(System.currentTimeMillis() + ahead);
    }
  }

  public static void main(String[] arguments) throws InterruptedException {
    Orders orders = Orders.of(arguments);
    Victim victim =
        new Victim(
            Rockpool.at(orders.directory)
                .durability(orders.durability)
                .clock(orders.clock())
                .memoryBytes(orders.logOnly ? LOG_ONLY_MEMORY_BYTES : MEMORY_BYTES)
                .open());
    victim.said.println(OPEN);
    for (int thread = 0; thread < THREADS; thread++) {
      int number = thread;
      new Thread(() -> victim.work(number, orders)).start();
    }
    if (orders.reclaims) {
      new Thread(() -> victim.reclaim(orders.crowdRound)).start();
    }
    // The first steps take long, since all they use has to be loaded.
    victim.atWork.await();
    victim.said.println(AT_WORK);
    if (orders.closesAfterMillis != NEVER_CLOSES) {
      TimeUnit.MILLISECONDS.sleep(orders.closesAfterMillis);
      victim.close();
    }
  }

  /** The seed of a step: those of one thread in one process are numbered from 0 on. */
  static long stepSeed(long seed, int thread, long step) {
    return (seed * THREADS + thread) * 0x9E37_79B9_7F4A_7C15L + step;
  }

  private void work(int thread, Orders orders) {
    Steps steps = new Steps(new Home(pool, thread), !orders.logOnly);
    untilClosed(
        step -> {
          long stepSeed = stepSeed(orders.seed, thread, step);
          if (Steps.sweeps(stepSeed)) {
            said.println(SWEEPING);
          }
          steps.run(stepSeed);
          said.println(thread);
          if (step == 0) {
            atWork.countDown();
          }
        });
  }

  private void reclaim(int crowdRound) {
    Crowd crowd = new Crowd(pool);
    untilClosed(
        time -> {
          crowd.put(crowdRound + (int) time);
          said.println(CROWDED);
          said.println(SWEEPING);
          long before = crowd.evictions();
          pool.reclaim();
          if (crowd.evictions() > before) {
            said.println(EVICTED);
          }
        });
  }

  private interface Work {
    void run(long number);
  }

  private void untilClosed(Work work) {
    try {
      for (long number = 0; ; number++) {
        work.run(number);
      }
    } catch (Throwable e) {
      if (!closing || !(e instanceof IllegalStateException)) {
        e.printStackTrace();
        said.println(FAILED);
      }
    }
  }

  private void close() {
    closing = true;
    said.println(CLOSING);
    pool.close();
  }
}
