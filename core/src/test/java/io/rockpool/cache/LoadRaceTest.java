package io.rockpool.cache;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.rockpool.Rockpool;
import io.rockpool.codec.TypeRef;
import io.rockpool.error.UnencodableValueException;
import io.rockpool.internal.access.Decision;
import io.rockpool.internal.access.Internals;
import io.rockpool.testing.FakeClock;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Date;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Loads that fail, wait for each other, or run while something ends. */
@Timeout(60)
final class LoadRaceTest {
  private static final Set<Thread.State> WAITING =
      EnumSet.of(Thread.State.WAITING, Thread.State.TIMED_WAITING);

  @TempDir Path directory;
  private final List<Thread> threads = new ArrayList<>();
  private Rockpool pool;
  private PersistentCache<String, Integer> cache;
  private PersistentCache<String, Integer> other;

  @BeforeEach
  void open() {
    pool = CacheSetup.ROCKSDB_ROOMY.open(directory, new FakeClock());
    cache = pool.cache("one", String.class, Integer.class);
    other = pool.cache("other", String.class, Integer.class);
  }

  @AfterEach
  void close() throws InterruptedException {
    for (Thread thread : threads) {
      thread.join(30_000);
      assertThat(thread.isAlive()).isFalse();
    }
    pool.close();
  }

  private <T extends @Nullable Object> Future<T> start(Supplier<T> work) {
    FutureTask<T> task = new FutureTask<>(work::get);
    Thread thread = new Thread(task);
    threads.add(thread);
    thread.start();
    return task;
  }

  private static <T extends @Nullable Object> T get(Future<T> future) {
    try {
      return future.get(30, SECONDS);
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  private static void await(CountDownLatch latch) {
    try {
      assertThat(latch.await(30, SECONDS)).isTrue();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private void awaitThatTheLastThreadWaits() {
    Thread thread = threads.get(threads.size() - 1);
    long until = System.nanoTime() + SECONDS.toNanos(30);
    while (!WAITING.contains(thread.getState())) {
      assertThat(System.nanoTime()).isLessThan(until);
      Thread.onSpinWait();
    }
  }

  @Test
  @SuppressWarnings("JavaUtilDate") // a type of which some instances cannot be encoded
  void aKeyThatCannotBeEncodedLeavesNoLoadBehind() {
    PersistentCache<Date, Integer> dates = pool.cache("dates", Date.class, Integer.class);
    Date first = new Date(1);
    Date last = new Date(2);
    Date unencodable = new Date(3) {};
    assertThatThrownBy(() -> dates.getAll(List.of(first, unencodable, last), keys -> Map.of()))
        .isInstanceOf(UnencodableValueException.class);
    assertThat(get(start(() -> dates.get(first, key -> 1)))).isEqualTo(1);
    assertThat(get(start(() -> dates.get(last, key -> 2)))).isEqualTo(2);
  }

  @Test
  void aKeyThatComesTwiceIsLoadedOnce() {
    List<Object> asked = new ArrayList<>();
    assertThat(
            cache.getAll(
                List.of("x", "x", "y"),
                keys -> {
                  asked.addAll(keys);
                  return Map.of("x", 1, "y", 2);
                }))
        .isEqualTo(Map.of("x", 1, "y", 2));
    assertThat(asked).containsExactly("x", "y");
    assertThat(cache.getAll(List.of("x", "y"))).isEqualTo(Map.of("x", 1, "y", 2));
    pool.atomically(
        tx -> {
          assertThat(cache.getAll(List.of("z", "z"), keys -> Map.of("z", 3)))
              .isEqualTo(Map.of("z", 3));
          return true;
        });
    assertThat(cache.get("z")).isEqualTo(3);
  }

  @Test
  void keysWithEqualBytesAreLoadedOnce() {
    PersistentCache<byte[], Integer> bytes = pool.cache("bytes", byte[].class, Integer.class);
    byte[] one = {1};
    byte[] same = {1};
    Map<byte[], Integer> loaded =
        bytes.getAll(
            List.of(one, same),
            keys -> {
              assertThat(keys).hasSize(1);
              return Map.of(keys.iterator().next(), 1);
            });
    assertThat(loaded).hasSize(2).containsEntry(one, 1).containsEntry(same, 1);
  }

  static List<Throwable> failures() {
    return List.of(
        new IOException("checked"),
        new AssertionError("an error"),
        new IllegalArgumentException("unchecked"),
        new CompletionException("a completion", new IOException("within")),
        new CancellationException("cancelled"));
  }

  @ParameterizedTest
  @MethodSource("failures")
  void whoWaitsForALoadIsThrownWhatItsLoaderThrew(Throwable failure) {
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch goOn = new CountDownLatch(1);
    Function<String, Integer> failing =
        key -> {
          begun.countDown();
          await(goOn);
          throw LoadRaceTest.<RuntimeException>sneaky(failure);
        };
    Future<Throwable> loading = start(() -> catchThrowable(() -> cache.get("a", failing::apply)));
    await(begun);
    Future<Throwable> waiting = start(() -> catchThrowable(() -> cache.get("a", key -> 2)));
    awaitThatTheLastThreadWaits();
    Future<Throwable> waitingForAll =
        start(() -> catchThrowable(() -> cache.getAll(List.of("a"), keys -> Map.of())));
    awaitThatTheLastThreadWaits();
    goOn.countDown();
    Throwable thrown = get(loading);
    if (failure instanceof IOException) {
      assertThat(thrown).isExactlyInstanceOf(CompletionException.class).hasCause(failure);
    } else {
      assertThat(thrown).isSameAs(failure);
    }
    assertThat(get(waiting)).isSameAs(thrown);
    assertThat(get(waitingForAll)).isSameAs(thrown);
  }

  @Test
  void loadersMayThrowCheckedExceptions() {
    IOException checked = new IOException("checked");
    assertThatThrownBy(
            () ->
                cache.get(
                    "a",
                    key -> {
                      throw checked;
                    }))
        .isExactlyInstanceOf(CompletionException.class)
        .hasCause(checked);
    assertThatThrownBy(
            () ->
                cache.getAll(
                    List.of("a"),
                    keys -> {
                      throw checked;
                    }))
        .isExactlyInstanceOf(CompletionException.class)
        .hasCause(checked);
    assertThatThrownBy(
            () ->
                cache.get(
                    "a",
                    key -> {
                      throw new InterruptedException();
                    }))
        .hasCauseInstanceOf(InterruptedException.class);
    assertThat(Thread.interrupted()).isTrue();
    assertThat(cache.get("a", key -> 1)).isEqualTo(1);
  }

  @Test
  void aValueCanBeReadAndLoadedAsynchronously() {
    CompletableFuture<Integer> later = new CompletableFuture<>();
    CompletableFuture<Integer> first = cache.getAsync("a", key -> later, Runnable::run);
    CompletableFuture<Integer> second =
        cache.getAsync("a", key -> CompletableFuture.completedFuture(2), Runnable::run);
    assertThat(first).isNotDone();
    later.complete(1);
    assertThat(first).isCompletedWithValue(1);
    assertThat(second).isCompletedWithValue(1);
    assertThat(
            cache.getAsync(
                "a",
                key -> {
                  throw new AssertionError("There is a value.");
                },
                Runnable::run))
        .isCompletedWithValue(1);
    assertThat(cache.get("a")).isEqualTo(1);
  }

  @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"}) // for the compiler alone
  private static <E extends Throwable> E sneaky(Throwable failure) throws E {
    throw (E) failure;
  }

  private static void await(CyclicBarrier barrier) {
    try {
      barrier.await(30, SECONDS);
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void loadersThatWaitForEachOtherAreRefused() {
    for (int many = 2; many <= 4; many++) {
      int size = many;
      CyclicBarrier all = new CyclicBarrier(size);
      List<Future<Throwable>> failures = new ArrayList<>();
      for (int i = 0; i < size; i++) {
        int number = i;
        Function<String, Integer> loader =
            key -> {
              await(all);
              return cacheOf(number + 1, size).get("k" + (number + 1) % size, next -> -1);
            };
        failures.add(
            start(
                () ->
                    catchThrowable(() -> cacheOf(number, size).get("k" + number, loader::apply))));
      }
      for (Future<Throwable> failure : failures) {
        assertThat(get(failure))
            .isInstanceOf(IllegalStateException.class)
            .hasMessageContaining("Recursive load");
      }
      assertThat(cache.get("k0", key -> 5)).as("nothing is left of it").isEqualTo(5);
      cache.clear();
    }
  }

  private PersistentCache<String, Integer> cacheOf(int number, int size) {
    return number % size % 2 == 0 ? cache : other;
  }

  @Test
  void loadersThatWaitInALineAreNotRefused() {
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch goOn = new CountDownLatch(1);
    Future<Integer> last =
        start(
            () ->
                other.get(
                    "b",
                    key -> {
                      begun.countDown();
                      await(goOn);
                      return 1;
                    }));
    await(begun);
    Future<Integer> first = start(() -> cache.get("a", key -> other.get("b", missed -> -1) + 1));
    awaitThatTheLastThreadWaits();
    goOn.countDown();
    assertThat(get(last)).isEqualTo(1);
    assertThat(get(first)).isEqualTo(2);
  }

  @Test
  void aLoaderThatAsksForItsOwnKeyIsRefusedInATransactionToo() {
    Function<String, Integer> recursive = key -> cache.get(key, again -> 1);
    assertThatThrownBy(() -> cache.get("a", recursive::apply))
        .hasMessageContaining("Recursive load");
    assertThatThrownBy(() -> pool.atomically(tx -> cache.get("a", recursive::apply)))
        .hasMessageContaining("Recursive load");
    assertThatThrownBy(
            () -> cache.get("a", key -> pool.atomically(tx -> cache.get(key, again -> 1))))
        .hasMessageContaining("Recursive load");
    assertThat(cache.get("a")).isNull();
    pool.<@Nullable Object>atomically(
        tx -> {
          assertThat(cache.get("a", key -> null)).isNull();
          return cache.get("a", key -> 1);
        });
    assertThat(cache.get("a")).isEqualTo(1);
  }

  @Test
  void aFunctionThatWritesItsOwnKeyIsRefused() {
    int[] writes = new int[1];
    Function<PersistentCache<String, Integer>, Integer> write =
        handle -> {
          handle.put("a", writes[0]++);
          return 0;
        };
    PersistentCache<String, Integer> own =
        Internals.store(pool)
            .caches()
            .openOwn(
                "one",
                TypeRef.of(String.class),
                TypeRef.of(Integer.class),
                CacheOptions.defaults());
    List<Runnable> recursive =
        List.of(
            () -> cache.compute("a", (key, there) -> write.apply(cache)),
            () -> cache.compute("a", (key, there) -> write.apply(own)),
            () -> cache.merge("a", 1, (one, two) -> write.apply(cache)),
            () -> Internals.cache(cache).decide("a", there -> Decision.put(write.apply(cache))),
            () ->
                Internals.cache(cache)
                    .decideAll(List.of("b", "a"), (key, there) -> Decision.put(write.apply(cache))),
            () ->
                cache.compute(
                    "a", (key, there) -> cache.compute(key, (k, it) -> write.apply(cache))),
            () ->
                cache.compute(
                    "a",
                    (key, there) -> {
                      cache.put(key, writes[0]++);
                      cache.invalidate(key);
                      Internals.cache(cache)
                          .decideAll(List.of(key, "c"), (k, it) -> Decision.put(writes[0]++));
                      return 0;
                    }),
            () -> pool.atomically(tx -> cache.compute("a", (key, there) -> write.apply(cache))));
    for (Runnable each : recursive) {
      cache.put("a", -1);
      assertThatThrownBy(each::run)
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("Recursive update");
      assertThat(cache.compute("a", (key, there) -> 5)).as("nothing is left of it").isEqualTo(5);
    }
  }

  @Test
  void aFunctionMayWriteOtherKeysAndReadItsOwn() {
    assertThat(
            cache.compute(
                "a",
                (key, there) -> {
                  other.put(key, 1);
                  cache.put("b", 2);
                  return cache.get(key) == null ? other.get(key) : -1;
                }))
        .isEqualTo(1);
    assertThat(cache.compute("a", (key, there) -> there == 1 ? putAndGet(key) : there + 10))
        .as("a function that writes its key once is asked again")
        .isEqualTo(17);
  }

  private int putAndGet(String key) {
    cache.put(key, 7);
    return 0;
  }

  /** The load ends after the removal has read that there is nothing. */
  @Test
  void aLoadIsRemovedThatWasStoredWhileItsRemovalWasDecided() {
    for (boolean many : new boolean[] {false, true}) {
      CountDownLatch begun = new CountDownLatch(1);
      CountDownLatch goOn = new CountDownLatch(1);
      Future<Integer> load =
          start(
              () ->
                  cache.get(
                      "a",
                      key -> {
                        begun.countDown();
                        await(goOn);
                        return 1;
                      }));
      await(begun);
      Supplier<Decision<Integer>> decision =
          () -> {
            goOn.countDown();
            get(load);
            return Decision.remove();
          };
      boolean removed =
          many
              ? !Internals.cache(cache)
                  .decideAll(List.of("a", "b"), (key, there) -> decision.get())
                  .isEmpty()
              : Internals.cache(cache).decide("a", there -> decision.get());
      assertThat(get(load)).isEqualTo(1);
      assertThat(removed).isTrue();
      assertThat(cache.get("a")).isNull();
    }
  }

  @Test
  void aRemovalWaitsForATransactionThatHasLoaded() {
    CountDownLatch loaded = new CountDownLatch(1);
    CountDownLatch goOn = new CountDownLatch(1);
    Future<Integer> transaction =
        start(
            () ->
                pool.atomically(
                    tx -> {
                      int value = cache.get("a", key -> 1);
                      loaded.countDown();
                      await(goOn);
                      return value;
                    }));
    await(loaded);
    Future<Boolean> removal = start(() -> cache.remove("a"));
    awaitThatTheLastThreadWaits();
    goOn.countDown();
    assertThat(get(transaction)).isEqualTo(1);
    assertThat(get(removal)).isTrue();
    assertThat(cache.get("a")).isNull();
  }

  @Test
  void whatALoaderRemovesInATransactionIsNotStored() {
    int value =
        pool.atomically(
            tx ->
                cache.get(
                    "a",
                    key -> {
                      cache.remove(key);
                      return 1;
                    }));
    assertThat(value).isEqualTo(1);
    assertThat(cache.get("a")).isNull();
  }

  /** What ends while a load runs. */
  @SuppressWarnings("ImmutableEnumChecker") // functions
  enum End {
    CACHE {
      @Override
      void happen(Rockpool pool, PersistentCache<?, ?> cache) {
        cache.close();
      }
    },
    NAME {
      @Override
      void happen(Rockpool pool, PersistentCache<?, ?> cache) {
        pool.drop(cache.name());
      }
    },
    STORE {
      @Override
      void happen(Rockpool pool, PersistentCache<?, ?> cache) {
        pool.close();
      }
    };

    abstract void happen(Rockpool pool, PersistentCache<?, ?> cache);
  }

  @ParameterizedTest
  @EnumSource
  void whatIsLoadedWhileTheCacheClosesIsItsCallers(End end) {
    CountDownLatch begun = new CountDownLatch(3);
    CountDownLatch goOn = new CountDownLatch(1);
    Function<String, Integer> held =
        key -> {
          begun.countDown();
          await(goOn);
          return 1;
        };
    CompletableFuture<Integer> later = new CompletableFuture<>();
    Future<Integer> load = start(() -> cache.get("a", held::apply));
    Future<Map<String, Integer>> loadAll =
        start(() -> cache.getAll(List.of("b", "c"), keys -> Map.of("b", held.apply("b"))));
    CompletableFuture<Integer> loadAsync =
        Internals.cache(cache)
            .loadAsync(
                "d",
                key -> {
                  begun.countDown();
                  return later;
                },
                Runnable::run);
    await(begun);
    Future<Integer> waiting = start(() -> cache.get("a", key -> 2));
    awaitThatTheLastThreadWaits();
    end.happen(pool, cache);
    goOn.countDown();
    later.complete(4);
    assertThat(get(load)).isEqualTo(1);
    assertThat(get(waiting)).isEqualTo(1);
    assertThat(get(loadAll)).isEqualTo(Map.of("b", 1));
    assertThat(get(loadAsync)).isEqualTo(4);
  }

  @Test
  void aLoadOfAClosedCacheIsSupersededByRemovalsToo() {
    PersistentCache<String, Integer> own =
        Internals.store(pool)
            .caches()
            .openOwn(
                "one",
                TypeRef.of(String.class),
                TypeRef.of(Integer.class),
                CacheOptions.defaults());
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch goOn = new CountDownLatch(1);
    Future<Integer> load =
        start(
            () ->
                own.get(
                    "a",
                    key -> {
                      begun.countDown();
                      await(goOn);
                      return 1;
                    }));
    await(begun);
    own.close();
    assertThat(cache.remove("a")).isFalse();
    goOn.countDown();
    assertThat(get(load)).isEqualTo(1);
    assertThat(cache.get("a")).isNull();
  }
}
