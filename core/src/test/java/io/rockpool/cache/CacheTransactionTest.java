package io.rockpool.cache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Caches in transactions over several of them. */
@Timeout(60)
class CacheTransactionTest extends OnEverySetup {
  private static final int THREADS = 8;
  private static final int ROUNDS = 200;
  private static final int ACCOUNTS = 4;
  private static final long BALANCE = 1_000;

  private PersistentCache<Integer, Long> one;
  private PersistentCache<Integer, Long> other;

  @BeforeEach
  void open() {
    one = pool.cache("one", Integer.class, Long.class, o -> setup.options());
    other = pool.cache("other", Integer.class, Long.class, o -> setup.options());
  }

  private static <R> @Nullable R inAnotherThread(Supplier<@Nullable R> work) {
    AtomicReference<@Nullable R> result = new AtomicReference<>();
    AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
    Thread thread = new Thread(() -> result.set(work.get()));
    thread.setUncaughtExceptionHandler((where, e) -> failure.set(e));
    thread.start();
    try {
      thread.join();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
    assertThat(failure.get()).isNull();
    return result.get();
  }

  private static void warmUp(PersistentCache<Integer, Long> cache, int key) {
    for (int i = 0; i < 3; i++) {
      cache.get(key);
    }
  }

  @Test
  void itSeesItsOwnWritesAndOthersSeeThemAfterwards() {
    one.put(1, 10L);
    one.put(2, 20L);
    warmUp(one, 1);
    warmUp(one, 2);
    String result =
        pool.atomically(
            tx -> {
              one.put(1, 11L);
              one.remove(2);
              other.put(1, 12L);
              assertThat(one.get(1)).isEqualTo(11);
              assertThat(one.get(2)).isNull();
              assertThat(one.containsKey(2)).isFalse();
              assertThat(one.ttl(2)).isEmpty();
              assertThat(other.get(1)).isEqualTo(12);
              assertThat(one.getAll(List.of(1, 2, 3))).isEqualTo(Map.of(1, 11L));
              assertThat(inAnotherThread(() -> one.get(1))).isEqualTo(10);
              assertThat(inAnotherThread(() -> one.get(2))).isEqualTo(20);
              assertThat(inAnotherThread(() -> other.get(1))).isNull();
              return "done";
            });
    assertThat(result).isEqualTo("done");
    for (int i = 0; i < 3; i++) {
      assertThat(one.get(1)).isEqualTo(11);
      assertThat(one.get(2)).isNull();
      assertThat(other.get(1)).isEqualTo(12);
    }
  }

  @Test
  void afterARollbackEverythingIsAsItWas() {
    one.put(1, 10L);
    one.put(2, 20L);
    warmUp(one, 1);
    warmUp(one, 2);
    List<Runnable> writes =
        List.of(
            () -> one.put(1, 11L),
            () -> one.put(1, 11L, Duration.ofMillis(5)),
            () -> one.putAll(Map.of(1, 11L, 2, 21L, 3, 31L)),
            () -> one.invalidate(1),
            () -> one.invalidateAll(List.of(1, 2)),
            () -> one.getAndPut(2, 21L),
            () -> one.compute(1, (key, value) -> null),
            () -> one.merge(1, 5L, Long::sum),
            () -> one.expireAfter(1, Duration.ofMillis(5)),
            () -> one.get(3, key -> 31L),
            () -> other.put(1, 12L));
    for (Runnable write : writes) {
      assertThatThrownBy(
              () ->
                  pool.atomically(
                      tx -> {
                        write.run();
                        one.get(1);
                        one.get(3);
                        throw new IllegalArgumentException("no");
                      }))
          .isInstanceOf(IllegalArgumentException.class);
      for (int i = 0; i < 3; i++) {
        assertThat(one.get(1)).isEqualTo(10);
        assertThat(one.get(2)).isEqualTo(20);
        assertThat(one.get(3)).isNull();
        assertThat(other.get(1)).isNull();
      }
      assertThat(one.ttl(1)).contains(CacheExpiry.FOREVER);
    }
  }

  @Test
  void conditionalWritesJoin() {
    pool.<@Nullable Object>atomically(
        tx -> {
          assertThat(one.putIfAbsent(1, 1L)).isNull();
          assertThat(one.putIfAbsent(1, 2L)).isEqualTo(1);
          assertThat(one.replace(1, 1L, 3L)).isTrue();
          assertThat(one.compute(1, (key, value) -> value == null ? 0 : value + 1)).isEqualTo(4);
          assertThat(one.getAndRemove(1)).isEqualTo(4);
          assertThat(one.remove(1)).isFalse();
          assertThat(one.get(1, key -> 5L)).isEqualTo(5);
          assertThat(one.get(1)).isEqualTo(5);
          return null;
        });
    assertThat(one.get(1)).isEqualTo(5);
  }

  @Test
  void whatConcernsAllEntriesIsRefused() {
    one.put(1, 1L);
    pool.<@Nullable Object>atomically(
        tx -> {
          assertThatThrownBy(one::clear).isInstanceOf(IllegalStateException.class);
          assertThatThrownBy(() -> one.iterator().hasNext())
              .isInstanceOf(IllegalStateException.class);
          assertThat(one.get(1)).isEqualTo(1);
          return null;
        });
    assertThat(one.get(1)).isEqualTo(1);
  }

  @Test
  void actionsRunAfterTheCommit() {
    List<String> done = new ArrayList<>();
    pool.<@Nullable Object>atomically(
        tx -> {
          one.put(1, 1L);
          tx.afterCommit(() -> done.add("commit " + one.get(1)));
          return null;
        });
    assertThatThrownBy(
            () ->
                pool.atomically(
                    tx -> {
                      tx.afterCommit(() -> done.add("never"));
                      throw new IllegalArgumentException("no");
                    }))
        .isInstanceOf(IllegalArgumentException.class);
    assertThat(done).containsExactly("commit 1");
  }

  /** A load of another thread is not waited for: it may wait for what the transaction holds. */
  @Test
  void aLoadInATransactionIsItsOwn() throws Exception {
    assertLoadsAlone(() -> one.get(1, key -> 2L));
  }

  @Test
  void aLoadOfManyInATransactionIsItsOwn() throws Exception {
    assertLoadsAlone(() -> one.getAll(List.of(1), keys -> Map.of(1, 2L)).get(1));
  }

  private void assertLoadsAlone(Supplier<@Nullable Long> load) throws Exception {
    CyclicBarrier loading = new CyclicBarrier(2);
    ExecutorService executor = Executors.newSingleThreadExecutor();
    try {
      Future<@Nullable Long> outside =
          executor.submit(
              () ->
                  one.get(
                      1,
                      key -> {
                        await(loading);
                        await(loading);
                        return 1L;
                      }));
      await(loading);
      Long inside = pool.<@Nullable Long>atomically(tx -> load.get());
      assertThat(inside).isEqualTo(2);
      await(loading);
      assertThat(outside.get()).isEqualTo(2);
    } finally {
      executor.shutdownNow();
    }
  }

  private static void await(CyclicBarrier barrier) {
    try {
      barrier.await();
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  /** Transfers between caches, while others read in and outside of transactions. */
  @Test
  void nobodySeesAHalfAndMemoryAgreesWithTheDisk() throws Exception {
    List<PersistentCache<Integer, Long>> bank = List.of(one, other);
    bank.forEach(
        cache -> {
          for (int account = 0; account < ACCOUNTS; account++) {
            cache.put(account, BALANCE);
          }
        });
    long expected = 2 * ACCOUNTS * BALANCE;
    AtomicBoolean done = new AtomicBoolean();
    ExecutorService executor = Executors.newFixedThreadPool(THREADS);
    try {
      List<Future<?>> running = new ArrayList<>();
      for (int thread = 0; thread < THREADS; thread++) {
        int number = thread;
        running.add(
            executor.submit(
                () -> {
                  for (int i = 0; number < 5 ? i < ROUNDS : !done.get(); i++) {
                    if (number < 4) {
                      transfer(bank.get(i % 2), bank.get(number % 2), i, number, i % 7 == 0);
                    } else if (number == 4) {
                      assertThat(pool.<Long>atomically(tx -> sum(bank))).isEqualTo(expected);
                    } else {
                      sum(bank); // warms the hot tiers
                    }
                  }
                  return null;
                }));
      }
      for (int thread = 0; thread < 5; thread++) {
        running.get(thread).get();
      }
      done.set(true);
      for (Future<?> one : running) {
        one.get();
      }
    } finally {
      executor.shutdownNow();
    }
    assertThat(sum(bank)).isEqualTo(expected);
    assertThat(pool.<Long>atomically(tx -> sum(bank))).isEqualTo(expected);
  }

  private void transfer(
      PersistentCache<Integer, Long> from,
      PersistentCache<Integer, Long> to,
      int step,
      int thread,
      boolean fails) {
    try {
      pool.<@Nullable Object>atomically(
          tx -> {
            from.compute(step % ACCOUNTS, (key, value) -> value == null ? null : value - 1);
            Long there = to.get((step + thread) % ACCOUNTS);
            to.put((step + thread) % ACCOUNTS, there == null ? 0 : there + 1);
            if (fails) {
              throw new IllegalArgumentException("no");
            }
            return null;
          });
      assertThat(fails).isFalse();
    } catch (IllegalArgumentException e) {
      assertThat(fails).isTrue();
    }
  }

  private static long sum(List<PersistentCache<Integer, Long>> bank) {
    long sum = 0;
    for (PersistentCache<Integer, Long> cache : bank) {
      for (int account = 0; account < ACCOUNTS; account++) {
        Long balance = cache.get(account);
        sum += balance == null ? 0 : balance;
      }
    }
    return sum;
  }
}
