package io.rockpool.engine.rocksdb;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.rockpool.engine.Engine;
import io.rockpool.engine.Layout;
import io.rockpool.engine.Space;
import io.rockpool.engine.SpaceSpec;
import io.rockpool.internal.rocksdb.natives.BufferPool;
import io.rockpool.internal.rocksdb.natives.NativeLibrary;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.rocksdb.PerfLevel;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;

/** What a thread's first operation tells RocksDB of it. */
class ThreadCountsTest {
  private static final byte[] KEY = "key".getBytes(UTF_8);

  @TempDir private Path directory;
  private final ExecutorService freshThread = Executors.newSingleThreadExecutor();
  private RocksDB other;

  @BeforeEach
  void openAnother() throws RocksDBException {
    NativeLibrary.load(Path.of("target", "native"));
    other = RocksDB.open(directory.resolve("other").toString());
  }

  @AfterEach
  void close() {
    freshThread.shutdown();
    other.close();
  }

  @Test
  void aThreadThatDoesNotCareIsNotCounted() throws Exception {
    assertThat(levelAfter(() -> null)).isEqualTo(PerfLevel.DISABLE);
  }

  @Test
  void whoAskedForMoreKeepsIt() throws Exception {
    Callable<Void> asks =
        () -> {
          other.setPerfLevel(PerfLevel.ENABLE_TIME);
          return null;
        };
    assertThat(levelAfter(asks)).isEqualTo(PerfLevel.ENABLE_TIME);
  }

  private PerfLevel levelAfter(Callable<Void> first) throws Exception {
    return freshThread
        .submit(
            () -> {
              assertThat(other.getPerfLevel()).isEqualTo(PerfLevel.ENABLE_COUNT);
              first.call();
              try (Engine engine =
                  RocksDbEngine.open(
                      directory.resolve("store"), RocksDbOptions.builder().build())) {
                Space space = engine.create(new SpaceSpec("space", Layout.ENTRIES, Map.of()));
                space.get(KEY, Space.NO_SORT_KEY);
                return other.getPerfLevel();
              }
            })
        .get();
  }

  @Test
  void onlyAThreadThatHadNotTheBuffersLastIsNew() throws Exception {
    List<String> newcomers = new ArrayList<>();
    BufferPool pool = new BufferPool(() -> newcomers.add(Thread.currentThread().getName()));
    for (int i = 0; i < 3; i++) {
      pool.give(pool.take());
    }
    assertThat(newcomers).containsExactly(Thread.currentThread().getName());
    freshThread.submit(() -> pool.give(pool.take())).get();
    assertThat(newcomers).hasSize(2);
  }
}
