package io.rockpool.cache;

import static org.assertj.core.api.Assertions.assertThat;

import io.rockpool.Rockpool;
import io.rockpool.codec.TypeRef;
import io.rockpool.engine.memory.MemoryEngine;
import io.rockpool.internal.access.Decision;
import io.rockpool.internal.access.Internals;
import io.rockpool.testing.FakeClock;
import io.rockpool.testing.Seeds;
import io.rockpool.testing.Slow;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * One thread writes rising versions of a few keys by every kind of write, and others read them by
 * every kind of read, through two handles: no reader sees a version after a newer one.
 */
@Slow
@Timeout(60)
class MonotonicStressTest {
  private static final int KEYS = 3;
  private static final int READERS = 3;
  private static final long RUN_NANOS = Duration.ofSeconds(1).toNanos();
  private static final Duration HOUR = Duration.ofHours(1);

  @TempDir Path directory;
  private List<PersistentCache<Integer, Long>> written;
  private List<PersistentCache<Integer, Long>> read;
  private Rockpool pool;
  private volatile boolean ended;

  static LongStream seeds() {
    return Seeds.all();
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void noReaderSeesAVersionAfterANewerOne(long seed) throws Exception {
    try (Rockpool open = CacheSetup.ROCKSDB_ROOMY.open(directory, new FakeClock())) {
      pool = open;
      written = List.of(handle(pool), handle(pool));
      read = written;
      run(seed);
    }
  }

  /** The writer is another process, as it were. */
  @ParameterizedTest
  @MethodSource("seeds")
  void noReaderSeesAVersionOfAnotherStoreAfterANewerOne(long seed) throws Exception {
    MemoryEngine engine = MemoryEngine.builder().adversary(seed).shared().build();
    try (Rockpool open = Rockpool.at(o -> engine).open();
        Rockpool readers = Rockpool.at(o -> engine.openAnother()).open()) {
      pool = open;
      written = List.of(handle(pool));
      read = List.of(handle(readers), handle(readers));
      run(seed);
    }
  }

  private void run(long seed) throws Exception {
    ExecutorService executor = Executors.newFixedThreadPool(READERS + 1);
    try {
      List<Future<Long>> readers = new ArrayList<>();
      for (int i = 0; i < READERS; i++) {
        Random random = new Random(31 * seed + i);
        readers.add(executor.submit(() -> readAll(random)));
      }
      Future<?> writer = executor.submit(() -> writeAll(new Random(seed)));
      writer.get();
      for (Future<Long> reader : readers) {
        assertThat(reader.get()).isPositive();
      }
    } finally {
      ended = true;
      executor.shutdownNow();
    }
  }

  private static PersistentCache<Integer, Long> handle(Rockpool store) {
    return Internals.store(store)
        .caches()
        .openOwn(
            "versions",
            TypeRef.of(Integer.class),
            TypeRef.of(Long.class),
            CacheOptions.<Integer, Long>defaults().hotEntries(100));
  }

  private static PersistentCache<Integer, Long> any(
      List<PersistentCache<Integer, Long>> handles, Random random) {
    return handles.get(random.nextInt(handles.size()));
  }

  private void writeAll(Random random) {
    try {
      long begun = System.nanoTime();
      for (long version = 1; System.nanoTime() - begun < RUN_NANOS; version++) {
        write(random, random.nextInt(KEYS), version);
      }
    } finally {
      ended = true;
    }
  }

  private void write(Random random, int key, long version) {
    PersistentCache<Integer, Long> cache = any(written, random);
    switch (random.nextInt(9)) {
      case 0 -> cache.put(key, version, HOUR);
      case 1 -> cache.putAll(Map.of(key, version, (key + 1) % KEYS, version));
      case 2 -> cache.getAndPut(key, version);
      case 3 -> cache.replace(key, version);
      case 4 -> cache.compute(key, (k, there) -> version);
      case 5 ->
          Internals.cache(cache).decideAll(List.of(0, 1, 2), (k, there) -> Decision.put(version));
      case 6 ->
          pool.atomically(
              tx -> {
                cache.put(key, version);
                return cache.replace((key + 1) % KEYS, version);
              });
      case 7 -> {
        cache.invalidate(key);
        cache.put(key, version);
      }
      default -> cache.put(key, version);
    }
  }

  /** Reads until all is written; returns how often a version was there. */
  private long readAll(Random random) {
    long[] newest = new long[KEYS];
    long reads = 0;
    while (!ended) {
      PersistentCache<Integer, Long> cache = any(read, random);
      int key = random.nextInt(KEYS);
      int way = random.nextInt(9);
      for (Map.Entry<Integer, Long> read : read(cache, key, way).entrySet()) {
        assertThat(read.getValue())
            .as("key %d, read by way %d", read.getKey(), way)
            .isGreaterThanOrEqualTo(newest[read.getKey()]);
        newest[read.getKey()] = read.getValue();
        reads++;
      }
    }
    return reads;
  }

  private static Map<Integer, Long> read(PersistentCache<Integer, Long> cache, int key, int way) {
    return switch (way) {
      case 0 -> cache.getAll(List.of(0, 1, 2));
      case 1 -> all(cache);
      case 2 -> one(key, decided(cache, key));
      case 3 -> one(key, cache.computeIfPresent(key, (k, there) -> there));
      case 4 -> one(key, cache.get(key, k -> null));
      case 5 -> {
        Map<Integer, Long> seen = new HashMap<>();
        Internals.cache(cache)
            .decideAll(
                List.of(0, 1, 2),
                (k, there) -> {
                  if (there != null) {
                    seen.put(k, there);
                  }
                  return Decision.keep();
                });
        yield seen;
      }
      default -> one(key, cache.get(key));
    };
  }

  private static Map<Integer, Long> all(PersistentCache<Integer, Long> cache) {
    Map<Integer, Long> all = new HashMap<>();
    cache.forEach(entry -> all.put(entry.getKey(), entry.getValue()));
    return all;
  }

  private static @Nullable Long decided(PersistentCache<Integer, Long> cache, int key) {
    Long[] seen = new Long[1];
    Internals.cache(cache)
        .decide(
            key,
            there -> {
              seen[0] = there;
              return Decision.keep();
            });
    return seen[0];
  }

  private static Map<Integer, Long> one(int key, @Nullable Long version) {
    return version == null ? Map.of() : Map.of(key, version);
  }
}
