package io.rockpool.cache;

import static java.util.stream.Collectors.toMap;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.rockpool.Rockpool;
import io.rockpool.codec.TypeRef;
import io.rockpool.error.UnencodableValueException;
import io.rockpool.internal.access.Decision;
import io.rockpool.internal.access.Internals;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Loads that fail, are waited for, or run while something ends. */
@Timeout(60)
final class LoadRaceTest extends LoadThreads {
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

  @Test
  void aWriteSupersedesTheLoadsOfAllTransactionsThatStillRun() {
    SpaceLoads space = new SpaceLoads(Internals.store(pool).engine(), false);
    Loads loads = space.open();
    EntryKey key = EntryKey.of("a", new byte[] {1}, true);
    List<Loads.Load> all = new CopyOnWriteArrayList<>();
    List<CountDownLatch> ends = new ArrayList<>();
    List<Future<Boolean>> transactions = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      CountDownLatch begun = new CountDownLatch(1);
      CountDownLatch end = new CountDownLatch(1);
      ends.add(end);
      transactions.add(start(() -> loadInTransaction(loads, key, all, begun, end)));
      await(begun);
    }
    ends.get(1).countDown();
    assertThat(get(transactions.get(1))).isTrue();
    assertThat(space.isLoading(key)).isTrue();
    assertThat(space.isLoading(EntryKey.of("b", new byte[] {2}, true))).isFalse();
    assertThat(all).extracting(Loads.Load::isSuperseded).containsExactly(false, false, false);
    space.supersedeElsewhere(key);
    assertThat(all).extracting(Loads.Load::isSuperseded).containsExactly(true, false, true);
    assertThat(all).extracting(Loads.Load::isSupersededHere).containsOnly(false);
    assertThat(space.supersede(key)).isTrue();
    assertThat(all).extracting(Loads.Load::isSupersededHere).containsExactly(true, false, true);
    ends.forEach(CountDownLatch::countDown);
    assertThat(transactions).allSatisfy(transaction -> assertThat(get(transaction)).isTrue());
    assertThat(space.isLoading(key)).isFalse();
    assertThat(space.supersede(key)).isFalse();
  }

  private boolean loadInTransaction(
      Loads loads, EntryKey key, List<Loads.Load> all, CountDownLatch begun, CountDownLatch end) {
    return pool.atomically(
        tx -> {
          for (int i = 0; i < 2; i++) { // the second time, the thread forgets the first load
            Loads.Load load = new Loads.Load(0);
            assertThat(loads.join(key, load)).isNull();
            load.complete(null);
            if (i == 1) {
              all.add(load);
            }
          }
          begun.countDown();
          await(end);
          return true;
        });
  }

  /** Takes minutes if each load or removal looks at all loads of the transaction. */
  @Test
  @Timeout(20)
  void manyLoadsInATransactionDelayNoOperation() {
    int count = 40_000;
    Map<String, Integer> some = numbers(0, count / 2);
    Map<String, Integer> more = numbers(count / 2, count);
    pool.runAtomically(
        tx -> {
          some.forEach(
              (key, number) -> assertThat(cache.get(key, any -> number)).isEqualTo(number));
          assertThat(cache.getAll(more.keySet(), keys -> more)).isEqualTo(more);
          get(
              start(
                  () -> {
                    for (int i = 0; i < count / 4; i++) {
                      assertThat(cache.remove("absent " + i)).isFalse();
                    }
                    return true;
                  }));
        });
    assertThat(cache.getAll(some.keySet())).isEqualTo(some);
    assertThat(cache.getAll(more.keySet())).isEqualTo(more);
  }

  private static Map<String, Integer> numbers(int from, int to) {
    return IntStream.range(from, to)
        .boxed()
        .collect(toMap(number -> "k" + number, number -> number));
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
        pool.names().drop(cache.name());
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
    if (end == End.CACHE) {
      assertThat(pool.cache(cache.name(), String.class, Integer.class).iterator()).isExhausted();
    }
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
