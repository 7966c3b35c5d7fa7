package io.rockpool.cache;

import static org.assertj.core.api.Assertions.assertThat;

import io.rockpool.Rockpool;
import io.rockpool.codec.TypeRef;
import io.rockpool.engine.memory.MemoryEngine;
import io.rockpool.engine.rocksdb.RocksDbEngine;
import io.rockpool.engine.rocksdb.RocksDbOptions;
import io.rockpool.internal.access.Decision;
import io.rockpool.internal.access.Internals;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * As soon as one read can return what a write has written, every read does: through every handle of
 * the cache, whether it asks the hot tier or the disk.
 */
@ParameterizedClass
@ValueSource(booleans = {true, false})
class MonotonicReadsTest {
  private static final Duration HOUR = Duration.ofHours(1);
  private static final String KEY = "k";
  private static final Long OLD = 1L;
  private static final Long NEW = 2L;

  @Parameter boolean onDisk;
  @TempDir Path directory;
  private HookedEngine engine;
  private Rockpool pool;
  private PersistentCache<String, Long> cache;
  private PersistentCache<String, Long> other;

  @BeforeEach
  void open() {
    engine =
        new HookedEngine(
            onDisk
                ? RocksDbEngine.open(directory, RocksDbOptions.defaults())
                : MemoryEngine.open());
    pool = Rockpool.at(o -> engine.hooked()).open();
    cache = open(CacheOptions.<String, Long>defaults().hotEntries(100));
    other = open(CacheOptions.<String, Long>defaults().hotBytes(1 << 20));
  }

  private PersistentCache<String, Long> open(CacheOptions<String, Long> options) {
    return Internals.store(pool)
        .caches()
        .openOwn("c", TypeRef.of(String.class), TypeRef.of(Long.class), options);
  }

  @AfterEach
  void close() {
    pool.close();
  }

  /** A write of {@link #NEW} over {@link #OLD}, or a removal. */
  private interface Write {
    void run(PersistentCache<String, Long> cache);
  }

  private Map<String, Write> writes() {
    Map<String, Write> writes = new LinkedHashMap<>();
    writes.put("put", it -> it.put(KEY, NEW));
    writes.put("put with a TTL", it -> it.put(KEY, NEW, HOUR));
    writes.put("putAll", it -> it.putAll(Map.of(KEY, NEW, "a", 3L)));
    writes.put("getAndPut", it -> it.getAndPut(KEY, NEW));
    writes.put("replace", it -> it.replace(KEY, NEW));
    writes.put("replace if equal", it -> it.replace(KEY, OLD, NEW));
    writes.put("compute", it -> it.compute(KEY, (key, there) -> NEW));
    writes.put("merge", it -> it.merge(KEY, 1L, Long::sum));
    writes.put("decide", it -> Internals.cache(it).decide(KEY, there -> Decision.put(NEW)));
    writes.put(
        "decideAll",
        it -> Internals.cache(it).decideAll(List.of(KEY, "a"), (key, there) -> Decision.put(NEW)));
    return writes;
  }

  private Map<String, Write> removals() {
    Map<String, Write> removals = new LinkedHashMap<>();
    removals.put("remove", it -> it.remove(KEY));
    removals.put("remove if equal", it -> it.remove(KEY, OLD));
    removals.put("getAndRemove", it -> it.getAndRemove(KEY));
    removals.put("invalidate", it -> it.invalidate(KEY));
    removals.put("invalidateAll", it -> it.invalidateAll(List.of(KEY, "a")));
    removals.put("compute", it -> it.compute(KEY, (key, there) -> null));
    removals.put("decide", it -> Internals.cache(it).decide(KEY, there -> Decision.remove()));
    removals.put("put with no TTL", it -> it.put(KEY, NEW, Duration.ZERO));
    removals.put("expireAfter", it -> it.expireAfter(KEY, Duration.ZERO));
    return removals;
  }

  private static Map<String, Function<PersistentCache<String, Long>, @Nullable Long>> reads() {
    Map<String, Function<PersistentCache<String, Long>, @Nullable Long>> reads =
        new LinkedHashMap<>();
    reads.put("iterator", MonotonicReadsTest::scan);
    reads.put("decide", MonotonicReadsTest::decide);
    reads.put("decideAll", MonotonicReadsTest::decideAll);
    reads.put("get", it -> it.get(KEY));
    reads.put("getAll", it -> it.getAll(List.of(KEY)).get(KEY));
    reads.put("get with a loader", it -> it.get(KEY, key -> null));
    reads.put("computeIfPresent", it -> it.computeIfPresent(KEY, (key, there) -> there));
    return reads;
  }

  private static @Nullable Long scan(PersistentCache<String, Long> cache) {
    for (Map.Entry<String, Long> entry : cache) {
      if (entry.getKey().equals(KEY)) {
        return entry.getValue();
      }
    }
    return null;
  }

  private static @Nullable Long decide(PersistentCache<String, Long> cache) {
    Long[] seen = new Long[1];
    Internals.cache(cache)
        .decide(
            KEY,
            there -> {
              seen[0] = there;
              return Decision.keep();
            });
    return seen[0];
  }

  private static @Nullable Long decideAll(PersistentCache<String, Long> cache) {
    Long[] seen = new Long[1];
    Internals.cache(cache)
        .decideAll(
            List.of(KEY),
            (key, there) -> {
              seen[0] = there;
              return Decision.keep();
            });
    return seen[0];
  }

  private static void assertReads(
      String when, PersistentCache<String, Long> from, @Nullable Long expected) {
    reads()
        .forEach(
            (name, read) ->
                assertThat(read.apply(from)).as("%s, %s", name, when).isEqualTo(expected));
    assertThat(from.containsKey(KEY)).as("containsKey, %s", when).isEqualTo(expected != null);
    assertThat(from.ttl(KEY).isPresent()).as("ttl, %s", when).isEqualTo(expected != null);
  }

  /** Runs a write with the old value in memory, and reads by every way while it is half done. */
  private void check(String name, Runnable write, @Nullable Long expected) {
    cache.put(KEY, OLD);
    assertThat(other.get(KEY)).isEqualTo(OLD);
    assertThat(other.get(KEY)).isEqualTo(OLD);
    assertThat(cache.entries.isHot(cache.entries.format.key(KEY).bytes())).isTrue();
    List<String> half = new ArrayList<>();
    engine.duringWrite(
        () -> {
          assertReads("during " + name, cache, expected);
          assertReads("through the other handle during " + name, other, expected);
          half.add(name);
        },
        write);
    assertThat(half).as(name).isNotEmpty();
    assertReads("after " + name, cache, expected);
    assertReads("through the other handle after " + name, other, expected);
  }

  @Test
  void noReadReturnsTheOldValueOnceAnotherReturnsTheNew() {
    writes().forEach((name, write) -> check(name, () -> write.run(cache), NEW));
    writes().forEach((name, write) -> check("other's " + name, () -> write.run(other), NEW));
  }

  @Test
  void noReadReturnsAnEntryOnceAnotherMissesIt() {
    removals().forEach((name, write) -> check(name, () -> write.run(cache), null));
    removals().forEach((name, write) -> check("other's " + name, () -> write.run(other), null));
    check("clear", () -> cache.clear(), null);
  }

  @Test
  void theSameHoldsBetweenACommitAndTheEndOfItsTransaction() {
    writes().forEach((name, write) -> check("tx " + name, () -> inTransaction(write), NEW));
    removals().forEach((name, write) -> check("tx " + name, () -> inTransaction(write), null));
  }

  private void inTransaction(Write write) {
    pool.atomically(
        tx -> {
          write.run(cache);
          return null;
        });
  }

  @Test
  void anIteratorReturnsNothingOlderThanWhatWasReadSinceItsPageWas() {
    for (int i = 0; i < 10; i++) {
      cache.put("k" + i, OLD);
    }
    Iterator<Map.Entry<String, Long>> all = cache.iterator();
    String first = all.next().getKey();
    for (int i = 0; i < 10; i += 2) {
      other.put("k" + i, NEW);
      cache.invalidate("k" + (i + 1));
    }
    Map<String, Long> rest = new HashMap<>();
    all.forEachRemaining(entry -> rest.put(entry.getKey(), entry.getValue()));
    assertThat(rest).doesNotContainKey(first).hasSizeGreaterThanOrEqualTo(4);
    assertThat(rest.values()).containsOnly(NEW);
  }
}
