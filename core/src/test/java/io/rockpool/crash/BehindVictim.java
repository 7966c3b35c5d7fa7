package io.rockpool.crash;

import io.rockpool.Rockpool;
import io.rockpool.cache.CacheOptions;
import io.rockpool.cache.PersistentCache;
import io.rockpool.cache.WriteBehindOptions;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;

/**
 * The process that is killed while it changes a cache that is written behind. It says what it is
 * about to do, {@code will KEY STATE}, and what it has done, {@code did KEY STATE}. A state is a
 * number and what follows: a value, or nothing after a removal.
 */
final class BehindVictim {
  static final int THREADS = 3;
  static final int KEYS_PER_THREAD = 12;
  static final String AT_WORK = "at work";
  static final String FAILED = "failed";
  static final String REMOVED = "removed";

  private static final WriteBehindOptions OPTIONS =
      WriteBehindOptions.defaults()
          .batchSize(8)
          .delay(Duration.ofMillis(3))
          .backoff(Duration.ofMillis(1), Duration.ofMillis(20))
          .maximumAttempts(1_000_000)
          .maximumPending(60);

  private BehindVictim() {}

  static CacheOptions<String, String> options(
      CacheOptions<String, String> options, LoggedTarget target) {
    return options.hotEntries(10).writeBehind(target, OPTIONS);
  }

  public static void main(String[] arguments) throws InterruptedException {
    long seed = Long.parseLong(arguments[2]);
    Rockpool pool = Rockpool.at(Path.of(arguments[0])).memoryBytes(Victim.MEMORY_BYTES).open();
    LoggedTarget target = new LoggedTarget(Path.of(arguments[1]), seed);
    PersistentCache<String, String> cache =
        pool.cache("c", String.class, String.class, o -> options(o, target));
    CountDownLatch atWork = new CountDownLatch(THREADS);
    for (int thread = 0; thread < THREADS; thread++) {
      int number = thread;
      new Thread(() -> work(pool, cache, number, seed, atWork)).start();
    }
    atWork.await();
    System.out.println(AT_WORK);
  }

  private static void work(
      Rockpool pool,
      PersistentCache<String, String> cache,
      int thread,
      long seed,
      CountDownLatch atWork) {
    PrintStream said = System.out;
    SplittableRandom random = new SplittableRandom(seed * THREADS + thread);
    try {
      for (int step = 0; ; step++) {
        String key = key(thread, random.nextInt(KEYS_PER_THREAD));
        String other = key(thread, random.nextInt(KEYS_PER_THREAD));
        String value = seed + "-" + step;
        switch (random.nextInt(8)) {
          case 0 -> {
            said.println("will " + key + " " + REMOVED);
            cache.remove(key);
            said.println("did " + key + " " + REMOVED);
          }
          case 1 -> {
            said.println("will " + key + " " + value + "\nwill " + other + " " + value);
            pool.atomically(
                transaction -> {
                  cache.put(key, value);
                  cache.put(other, value);
                  return value;
                });
            said.println("did " + key + " " + value + "\ndid " + other + " " + value);
          }
          default -> {
            said.println("will " + key + " " + value);
            cache.put(key, value);
            said.println("did " + key + " " + value);
          }
        }
        if (step == 0) {
          atWork.countDown();
        }
      }
    } catch (Throwable e) {
      e.printStackTrace();
      said.println(FAILED);
    }
  }

  private static String key(int thread, int number) {
    return "k" + thread + "-" + number;
  }
}
