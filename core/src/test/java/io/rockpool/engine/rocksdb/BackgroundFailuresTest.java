package io.rockpool.engine.rocksdb;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.rockpool.Rockpool;
import io.rockpool.cache.CacheExpiry;
import io.rockpool.cache.PersistentCache;
import io.rockpool.codec.Codec;
import io.rockpool.codec.Codecs;
import io.rockpool.codec.TypeRef;
import io.rockpool.engine.Space;
import io.rockpool.internal.access.Internals;
import io.rockpool.internal.engine.BackgroundThread;
import io.rockpool.internal.engine.Evictor;
import io.rockpool.internal.engine.Upkeep;
import io.rockpool.internal.rocksdb.upkeep.SyncRounds;
import io.rockpool.store.UpkeepState;
import io.rockpool.testing.FakeClock;
import io.rockpool.testing.Slow;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A background thread fails, by whatever there is to throw; it is counted, and the thread goes on.
 */
@Slow
@Timeout(60)
final class BackgroundFailuresTest {
  private static final Duration SOON = Duration.ofMillis(5);

  @TempDir Path directory;

  static Stream<Throwable> throwables() {
    return Stream.of(
        new IllegalArgumentException("injected"),
        new OutOfMemoryError("injected"),
        new NoClassDefFoundError("injected"));
  }

  private static void await(String what, BooleanSupplier condition) {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
    while (!condition.getAsBoolean()) {
      assertThat(System.nanoTime()).as("waited in vain until " + what).isLessThan(end);
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(2));
    }
  }

  private RocksDbEngine open() {
    return RocksDbEngine.open(
        directory, RocksDbOptions.builder().reclaimPeriod(SOON).syncPeriod(SOON).build());
  }

  /** An action that throws until it is told not to. */
  private static final class Throwing implements Runnable {
    final AtomicInteger calls = new AtomicInteger();
    volatile @Nullable Throwable thrown;

    Throwing(Throwable thrown) {
      this.thrown = thrown;
    }

    @Override
    public void run() {
      calls.incrementAndGet();
      Upkeep.rethrow(thrown);
    }
  }

  private static void assertGoesOn(String thread, Throwing action, Upkeep upkeep) {
    await("it failed three times", () -> action.calls.get() >= 3);
    assertThat(upkeep.state().failures()).isGreaterThanOrEqualTo(2);
    assertThat(upkeep.state().failing()).containsEntry(thread, String.valueOf(action.thrown));
    action.thrown = null;
    await("it is well", () -> upkeep.state().failing().isEmpty());
    int calls = action.calls.get();
    await("it goes on", () -> action.calls.get() > calls);
  }

  @ParameterizedTest
  @MethodSource("throwables")
  void aFailureEndsNoThread(Throwable thrown) {
    Upkeep upkeep = new Upkeep();
    Throwing action = new Throwing(thrown);
    try (BackgroundThread thread =
        new BackgroundThread("rockpool-watch test", SOON, action, upkeep)) {
      thread.start();
      assertGoesOn("rockpool-watch test", action, upkeep);
    }
  }

  @Test
  void anInterruptEndsNoThread() {
    AtomicInteger calls = new AtomicInteger();
    try (BackgroundThread thread =
        new BackgroundThread(
            "rockpool-watch test",
            SOON,
            () -> {
              calls.incrementAndGet();
              Thread.currentThread().interrupt();
            },
            new Upkeep())) {
      thread.start();
      await("it goes on", () -> calls.get() > 3);
    }
  }

  @ParameterizedTest
  @MethodSource("throwables")
  void syncingGoesOnWhateverElseOfARoundFails(Throwable thrown) {
    Throwing before = new Throwing(thrown);
    Throwing after = new Throwing(thrown);
    Throwing sync = new Throwing(thrown);
    SyncRounds rounds = new SyncRounds(SOON, before, sync, after);
    Upkeep upkeep = new Upkeep();
    for (int i = 0; i < 3; i++) {
      upkeep.run("rockpool-sync test", rounds::next);
    }
    assertThat(upkeep.state().failures()).isEqualTo(3);
    assertThat(List.of(before.calls, sync.calls, after.calls)).allMatch(calls -> calls.get() == 3);
  }

  @ParameterizedTest
  @MethodSource("throwables")
  void reclaimingGoesOn(Throwable thrown) {
    Throwing sweep = new Throwing(thrown);
    try (RocksDbEngine engine = open()) {
      // The sweeps of the layers above come once a minute; at once where someone asks for it.
      engine.whenReclaiming(
          () ->
              List.of(
                  () -> {
                    sweep.run();
                    return false;
                  }));
      assertThat(catchThrowable(engine::reclaim)).isSameAs(thrown);
      sweep.thrown = null;
      engine.reclaim();
      assertThat(sweep.calls).hasValue(2);
    }
  }

  @ParameterizedTest
  @MethodSource("throwables")
  void evictingGoesOn(Throwable thrown) {
    Throwing budgets = new Throwing(thrown);
    try (RocksDbEngine engine = open()) {
      engine.evictBy(
          new Evictor() {
            @Override
            public Map<String, Long> budgets() {
              budgets.run();
              return Map.of();
            }

            @Override
            public int evict(Space space, List<byte[]> hashKeys, boolean all) {
              return 0;
            }
          });
      assertGoesOn("rockpool-evict " + directory.getFileName(), budgets, engine.upkeep());
    }
  }

  /** Encodes text, and decodes it unless it is to throw. */
  private static final class TextCodec implements Codec<String> {
    volatile @Nullable Throwable inDecode;

    @Override
    public String id() {
      return "text";
    }

    @Override
    public byte[] encode(String value) {
      return value.getBytes(UTF_8);
    }

    @Override
    public String decode(byte[] bytes, int offset, int length) {
      Upkeep.rethrow(inDecode);
      return new String(bytes, offset, length, UTF_8);
    }

    @Override
    public boolean immutable() {
      return true;
    }
  }

  /** Keys cannot be decoded any more, as a class of theirs is missing: the budget holds. */
  @ParameterizedTest
  @MethodSource("throwables")
  void aBudgetHoldsThoughNoKeyCanBeDecoded(Throwable thrown) {
    TextCodec keys = new TextCodec();
    long budget = 4L << 20;
    Random random = new Random(1);
    try (Rockpool pool = Rockpool.at(o -> open()).open()) {
      PersistentCache<String, byte[]> cache =
          pool.cache(
              "cache",
              TypeRef.of(String.class),
              TypeRef.of(byte[].class),
              o -> o.keyCodec(keys).hotEntries(100).diskBudgetBytes(budget));
      keys.inDecode = thrown;
      for (int i = 0; i < 3_000; i++) {
        byte[] value = new byte[4_000];
        random.nextBytes(value);
        cache.put("key " + i, value);
      }
      await("it evicts", () -> cache.statistics().evictions() > 500);
      await(
          "the budget holds",
          () -> pool.names().find("cache").orElseThrow().diskBytes().orElse(0) <= budget);
      UpkeepState failing = pool.state().upkeep();
      assertThat(failing.failures()).isPositive();
      keys.inDecode = null;
      for (int i = 0; i < 1_500; i++) {
        byte[] value = new byte[4_000];
        random.nextBytes(value);
        cache.put("more " + i, value);
      }
      await("it is well again", () -> pool.state().upkeep().failing().isEmpty());
      assertThat(pool.verify().isClean()).isTrue();
    }
  }

  /**
   * Each scan for what has expired fails at one entry; the others are met, and all of them later.
   */
  @ParameterizedTest
  @MethodSource("throwables")
  void scansForWhatHasExpiredGoOn(Throwable thrown) {
    TextCodec keys = new TextCodec();
    FakeClock clock = new FakeClock();
    List<String> met = new ArrayList<>();
    try (Rockpool pool = Rockpool.at(directory).clock(clock).codecs(Codecs.defaults()).open()) {
      PersistentCache<String, String> cache =
          pool.cache(
              "cache",
              TypeRef.of(String.class),
              TypeRef.of(String.class),
              o -> o.keyCodec(keys).expiry(CacheExpiry.afterWrite(Duration.ofHours(1))));
      Internals.cache(cache)
          .onExpired(
              (key, value, removal) -> {
                if (removal.getAsBoolean()) {
                  met.add(key);
                }
              });
      cache.put("key", "value");
      clock.advanceMillis(Duration.ofMinutes(90).toMillis());
      keys.inDecode = thrown;
      pool.reclaim();
      assertThat(pool.state().upkeep().failures()).isPositive();
      assertThat(pool.state().upkeep().failing()).containsKey("rockpool-expired");
      assertThat(met).isEmpty();
      keys.inDecode = null;
      pool.reclaim();
      assertThat(met).containsExactly("key");
    }
  }
}
