package io.rockpool.cache;

import static org.assertj.core.api.Assertions.assertThat;

import io.rockpool.Rockpool;
import io.rockpool.codec.Codec;
import io.rockpool.codec.TypeRef;
import io.rockpool.engine.memory.MemoryEngine;
import io.rockpool.internal.access.Decision;
import io.rockpool.internal.access.Internals;
import io.rockpool.testing.SourceLoader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** One cache, open through two class loaders, and keys that one of them cannot decode. */
class TwoLoadersTest {
  private static final String OLDER = "public enum Main { RED }";
  private static final String NEWER = "public enum Main { RED, BLUE }";
  private static final Duration HOUR = Duration.ofHours(1);

  private final HookedEngine engine = new HookedEngine(MemoryEngine.open());
  private final Rockpool pool = Rockpool.at(o -> engine.hooked()).open();

  @AfterEach
  void close() {
    pool.close();
  }

  private PersistentCache<Object, Long> open(SourceLoader loader) {
    return Internals.store(pool)
        .caches()
        .openOwn(
            "colours",
            TypeRef.of(loader.main()),
            TypeRef.of(Long.class),
            CacheOptions.<Object, Long>defaults().classLoader(loader).hotEntries(100));
  }

  private static Object constant(SourceLoader loader, int number) {
    return loader.main().getEnumConstants()[number];
  }

  private interface Operation {
    void on(PersistentCache<Object, Long> cache, Object key);
  }

  @Test
  void aKeyThatOneCannotDecodeIsAbsentThereAndWorksElsewhere() {
    SourceLoader olderLoader = new SourceLoader(OLDER);
    SourceLoader newerLoader = new SourceLoader(NEWER);
    PersistentCache<Object, Long> older = open(olderLoader);
    PersistentCache<Object, Long> newer = open(newerLoader);
    Object red = constant(olderLoader, 0);
    Object newRed = constant(newerLoader, 0);
    Object blue = constant(newerLoader, 1);
    older.put(red, 1L);
    List<Operation> puts =
        List.of(
            (it, key) -> it.put(key, 2L),
            (it, key) -> it.putAll(Map.of(key, 2L, newRed, 1L)),
            (it, key) -> it.putIfAbsent(key, 2L),
            (it, key) ->
                Internals.cache(it).decideAll(List.of(key, newRed), (k, there) -> Decision.put(2L)),
            (it, key) -> pool.atomically(tx -> it.getAndPut(key, 2L)),
            (it, key) -> it.get(key, k -> 2L));
    List<Operation> removals =
        List.of(
            (it, key) -> assertThat(it.remove(key)).isTrue(),
            (it, key) -> it.invalidate(key),
            (it, key) -> it.invalidateAll(List.of(key, newRed)),
            (it, key) ->
                Internals.cache(it).decideAll(List.of(key), (k, there) -> Decision.remove()),
            (it, key) -> pool.atomically(tx -> it.remove(key)),
            (it, key) -> it.expireAfter(key, Duration.ZERO));
    for (int i = 0; i < puts.size(); i++) {
      puts.get(i).on(newer, blue);
      assertThat(newer.get(blue)).isEqualTo(2);
      older.put(red, 3L);
      long undecodable = older.statistics().undecodable();
      List<Object> seen = new ArrayList<>();
      older.forEach(entry -> seen.add(entry.getKey()));
      assertThat(seen).containsExactly(red);
      assertThat(older.statistics().undecodable()).isEqualTo(undecodable + 1);
      assertThat(newer.get(newRed)).isEqualTo(3);
      removals.get(i).on(newer, blue);
      assertThat(newer.get(blue)).isNull();
      assertThat(newer.containsKey(blue)).isFalse();
    }
    assertNoWriteRuns(older);
  }

  @Test
  void whatOneCannotDecodeIsEvictedAndCleared() {
    PersistentCache<Object, Long> older = open(new SourceLoader(OLDER));
    SourceLoader newerLoader = new SourceLoader(NEWER);
    PersistentCache<Object, Long> newer = open(newerLoader);
    Object blue = constant(newerLoader, 1);
    newer.put(blue, 2L);
    byte[] bytes = newer.entries.format.key(blue).bytes();
    assertThat(older.entries.shared.evict(List.of(bytes), true)).isEqualTo(1);
    assertThat(newer.get(blue)).isNull();
    newer.put(blue, 2L, HOUR);
    older.clear();
    assertThat(newer.get(blue)).isNull();
    assertNoWriteRuns(older);
  }

  @Test
  void whereTheCodecOfAnotherFailsItForgetsEverything() {
    AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
    PersistentCache<String, Long> failing = open(new FailingCodec(failure));
    PersistentCache<String, Long> cache = open(new FailingCodec(new AtomicReference<>()));
    for (Throwable thrown :
        List.of(
            new IllegalStateException("broken"),
            new NoClassDefFoundError(),
            new StackOverflowError())) {
      failing.put("a", 1L);
      failing.put("b", 1L);
      assertThat(failing.hotSize()).isEqualTo(2);
      failure.set(thrown);
      cache.put("a", 2L);
      cache.putAll(Map.of("a", 2L, "c", 2L));
      assertThat(cache.remove("c")).isTrue();
      pool.atomically(tx -> cache.getAndPut("a", 3L));
      failure.set(null);
      assertThat(failing.hotSize()).isZero();
      assertThat(failing.get("a")).isEqualTo(3);
      assertThat(failing.get("b")).isEqualTo(1);
    }
    assertNoWriteRuns(cache);
  }

  private PersistentCache<String, Long> open(Codec<String> keys) {
    return Internals.store(pool)
        .caches()
        .openOwn(
            "names",
            TypeRef.of(String.class),
            TypeRef.of(Long.class),
            CacheOptions.<String, Long>defaults().keyCodec(keys).hotEntries(100));
  }

  private static void assertNoWriteRuns(PersistentCache<?, ?> cache) {
    long[] tickets = cache.entries.shared.tickets();
    assertThat(IntStream.range(0, tickets.length).filter(i -> tickets[i] < 0)).isEmpty();
  }

  /** Throws on decoding while told so. */
  private record FailingCodec(AtomicReference<@Nullable Throwable> failure)
      implements Codec<String> {
    @Override
    public String id() {
      return "failing";
    }

    @Override
    public byte[] encode(String key) {
      return key.getBytes(StandardCharsets.UTF_8);
    }

    @Override
    public String decode(byte[] bytes, int offset, int length) {
      Throwable thrown = failure.get();
      if (thrown instanceof Error error) {
        throw error;
      }
      if (thrown != null) {
        throw (RuntimeException) thrown;
      }
      return new String(bytes, offset, length, StandardCharsets.UTF_8);
    }

    @Override
    public boolean immutable() {
      return true;
    }
  }
}
