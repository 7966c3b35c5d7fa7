package io.rockpool.crash;

import static org.assertj.core.api.Assertions.assertThat;

import io.rockpool.Rockpool;
import io.rockpool.cache.PersistentCache;
import io.rockpool.structure.PersistentCounter;
import io.rockpool.structure.PersistentMap;
import io.rockpool.structure.PersistentTable;
import java.util.List;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Threads that count in a store, so that any state of it shows whether it is one that the store had
 * at some moment. A step of a thread is a transaction over several structures, and then a put into
 * a cache. With each step it writes how far all threads were known to be before.
 */
final class Counting {
  static final int THREADS = 3;

  /** So many steps of a thread are kept. */
  private static final int WINDOW = 50;

  private static final String PADDING = "x".repeat(1_000);

  private final Rockpool pool;
  private final PersistentMap<Integer, Long> steps;
  private final PersistentMap<Integer, String> known;
  private final PersistentTable<Integer, Long, String> table;
  private final PersistentCounter total;
  private final PersistentCache<String, Long> cache;
  private final AtomicLongArray acknowledged = new AtomicLongArray(THREADS);

  /** Finds what is in the store. */
  Counting(Rockpool pool) {
    this.pool = pool;
    this.steps = pool.map("steps", Integer.class, Long.class);
    this.known = pool.map("known", Integer.class, String.class);
    this.table = pool.table("table", Integer.class, Long.class, String.class);
    this.total = pool.counter("total");
    this.cache = pool.cache("cache", String.class, Long.class);
    for (int thread = 0; thread < THREADS; thread++) {
      acknowledged.set(thread, steps.getOrDefault(thread, 0L));
    }
  }

  /** Completes the steps that a killed process has begun. */
  void resume() {
    for (int thread = 0; thread < THREADS; thread++) {
      long step = acknowledged.get(thread);
      if (step > 0) {
        cache.put(key(thread, step), step);
      }
    }
  }

  /** How many steps of each thread were acknowledged. */
  String acknowledged() {
    return IntStream.range(0, THREADS)
        .mapToObj(thread -> Long.toString(acknowledged.get(thread)))
        .collect(Collectors.joining(","));
  }

  static List<Long> parse(String counts) {
    return List.of(counts.split(",", -1)).stream().map(Long::valueOf).toList();
  }

  void step(int thread) {
    long step = acknowledged.get(thread) + 1;
    String before = acknowledged();
    pool.runAtomically(
        tx -> {
          steps.put(thread, step);
          known.put(thread, before);
          table.put(thread, step % WINDOW, step + PADDING);
          total.incrementAndGet();
        });
    acknowledged.set(thread, step);
    cache.put(key(thread, step), step);
  }

  private static String key(int thread, long step) {
    return thread + "-" + step % WINDOW;
  }

  /**
   * Checks that the store is in a state that it had at some moment.
   *
   * @param least what was acknowledged before
   * @param most what was acknowledged after it
   */
  void check(List<Long> least, List<Long> most) {
    long sum = 0;
    for (int thread = 0; thread < THREADS; thread++) {
      long step = acknowledged.get(thread);
      sum += step;
      assertThat(step).isBetween(least.get(thread), most.get(thread) + 1);
      List<Long> others = step == 0 ? least : parse(known.get(thread));
      for (int other = 0; other < THREADS; other++) {
        assertThat(acknowledged.get(other)).isGreaterThanOrEqualTo(others.get(other));
      }
      assertThat(table.count(thread)).isEqualTo(Math.min(step, WINDOW));
      for (long one = Math.max(1, step - WINDOW + 1); one <= step; one++) {
        assertThat(table.get(thread, one % WINDOW)).isEqualTo(one + PADDING);
        Long cached = cache.get(key(thread, one));
        if (one < step) {
          assertThat(cached).isEqualTo(one);
        } else {
          assertThat(cached).isIn(null, one - WINDOW, one);
        }
      }
    }
    assertThat(total.get()).isEqualTo(sum);
  }
}
