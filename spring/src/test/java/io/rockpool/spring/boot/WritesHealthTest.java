package io.rockpool.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.rockpool.Rockpool;
import io.rockpool.engine.rocksdb.RocksDbEngine;
import io.rockpool.engine.rocksdb.RocksDbOptions;
import io.rockpool.error.StoreFullException;
import io.rockpool.store.DiskState;
import io.rockpool.structure.PersistentMap;
import io.rockpool.testing.Slow;
import io.rockpool.testing.Tmpfs;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.health.contributor.Status;

/** The state that a check of health finds is what a write meets, and it recovers with writes. */
@Slow
@Timeout(120)
final class WritesHealthTest {
  private static final long LIMIT_NANOS = TimeUnit.SECONDS.toNanos(60);
  private static final long BUDGET = 16L << 20;
  private static final Duration SOON = Duration.ofMillis(20);
  private static final int VALUE_BYTES = 4_000;

  @TempDir private Path parent;
  private final Random random = new Random(7);
  private int keys;

  /** Why a store refuses writes, how it comes about, and how it ends. */
  private enum Cause {
    FULL_DISK(Status.DOWN) {
      @Override
      void begin(WritesHealthTest test) throws IOException {
        byte[] block = new byte[4 << 10];
        try (OutputStream out = Files.newOutputStream(test.ballast())) {
          while (true) {
            out.write(block);
          }
        } catch (IOException full) {
          assertThat(full).hasMessageContaining("No space left");
        }
      }

      @Override
      void end(WritesHealthTest test, Rockpool pool) throws IOException {
        Files.delete(test.ballast());
      }
    },
    FREE_SPACE_FLOOR(Status.DOWN) {
      @Override
      RocksDbOptions.Builder options(RocksDbOptions.Builder options) {
        return options.freeSpaceFloorBytes(8L << 20);
      }

      @Override
      void begin(WritesHealthTest test) throws IOException {
        byte[] block = new byte[64 << 10];
        try (OutputStream out = Files.newOutputStream(test.ballast())) {
          while (Files.getFileStore(test.disk()).getUsableSpace() > 3 << 20) {
            out.write(block);
          }
        }
      }

      @Override
      void end(WritesHealthTest test, Rockpool pool) throws IOException {
        Files.delete(test.ballast());
      }
    },
    BUDGET_USED_UP(Status.OUT_OF_SERVICE) {
      @Override
      RocksDbOptions.Builder options(RocksDbOptions.Builder options) {
        return options.diskBudgetBytes(BUDGET);
      }

      @Override
      int mebibytes() {
        return 160;
      }

      @Override
      void begin(WritesHealthTest test) {
        Map<Integer, byte[]> much = test.values((int) (2 * BUDGET / VALUE_BYTES));
        Throwable refusedMidway = catchThrowable(() -> test.map.putAll(much));
        assertThat(refusedMidway == null || refusedMidway instanceof StoreFullException).isTrue();
      }

      @Override
      void keepOn(WritesHealthTest test) {
        begin(test);
      }

      @Override
      void end(WritesHealthTest test, Rockpool pool) {
        test.map.clear();
        pool.reclaim();
      }
    },
    MOVED_DIRECTORY(Status.DOWN) {
      @Override
      void begin(WritesHealthTest test) throws IOException {
        Files.move(test.store(), test.moved());
      }

      @Override
      void end(WritesHealthTest test, Rockpool pool) throws IOException {
        Files.move(test.moved(), test.store());
      }
    };

    final String expected;

    Cause(Status expected) {
      this.expected = expected.getCode();
    }

    RocksDbOptions.Builder options(RocksDbOptions.Builder options) {
      return options;
    }

    int mebibytes() {
      return 24;
    }

    abstract void begin(WritesHealthTest test) throws IOException;

    /** Holds the cause up; compactions may have made room. */
    void keepOn(WritesHealthTest test) {}

    abstract void end(WritesHealthTest test, Rockpool pool) throws IOException;
  }

  @SuppressWarnings("NullAway.Init")
  private PersistentMap<Integer, byte[]> map;

  private Path disk() {
    return parent.resolve("disk");
  }

  private Path store() {
    return disk().resolve("store");
  }

  private Path moved() {
    return disk().resolve("moved");
  }

  private Path ballast() {
    return disk().resolve("ballast");
  }

  private Map<Integer, byte[]> values(int count) {
    Map<Integer, byte[]> values = new HashMap<>();
    for (int i = 0; i < count; i++) {
      byte[] value = new byte[VALUE_BYTES];
      random.nextBytes(value);
      values.put(keys++, value);
    }
    return values;
  }

  @ParameterizedTest
  @EnumSource
  void healthIsWhatWritesWouldMeet(Cause cause) throws Exception {
    try (Tmpfs unused = Tmpfs.mount(disk(), cause.mebibytes());
        Rockpool pool =
            Rockpool.at(
                    o ->
                        RocksDbEngine.open(
                            store(),
                            cause
                                .options(
                                    RocksDbOptions.builder()
                                        .memoryBudgetBytes(8 << 20)
                                        .reclaimPeriod(SOON))
                                .build()))
                .open()) {
      HealthIndicator indicator = new RockpoolHealthIndicator(() -> pool);
      map = pool.map("map", Integer.class, byte[].class);
      map.put(-1, new byte[VALUE_BYTES]);
      assertThat(indicator.health().getStatus()).isEqualTo(Status.UP);

      cause.begin(this);
      Throwable met = await(this::write, Objects::nonNull);
      Health bad =
          await(indicator::health, health -> health.getStatus().getCode().equals(cause.expected));
      assertThat(bad.getDetails().toString())
          .contains(Objects.requireNonNull(met).getClass().getName());
      if (met instanceof StoreFullException) {
        DiskState state =
            await(
                () -> {
                  cause.keepOn(this);
                  return pool.state().disk();
                },
                DiskState::refusing);
        assertThat(state.refusing()).isTrue();
        assertThat(state.refusingEntries()).isEqualTo(cause.expected.equals("DOWN"));
      }

      cause.end(this, pool);
      assertThat(await(this::write, Objects::isNull)).isNull();
      Health good = await(indicator::health, health -> health.getStatus().equals(Status.UP));
      assertThat(good.getDetails()).doesNotContainKey("error");
      assertThat(pool.state().disk().refusing()).isFalse();
    }
  }

  private @Nullable Throwable write() {
    return catchThrowable(() -> map.put(-2, new byte[VALUE_BYTES]));
  }

  private static <T extends @Nullable Object> T await(Supplier<T> found, Predicate<T> condition) {
    long start = System.nanoTime();
    while (true) {
      T now = found.get();
      if (condition.test(now)) {
        return now;
      }
      assertThat(System.nanoTime() - start).as("still %s", now).isLessThan(LIMIT_NANOS);
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20));
    }
  }
}
