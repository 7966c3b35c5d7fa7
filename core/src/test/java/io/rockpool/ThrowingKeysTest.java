package io.rockpool;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.rockpool.cache.CacheExpiry;
import io.rockpool.cache.CacheOptions;
import io.rockpool.cache.PersistentCache;
import io.rockpool.codec.Codecs;
import io.rockpool.codec.OrderedCodec;
import io.rockpool.codec.TypeRef;
import io.rockpool.internal.access.Internals;
import io.rockpool.store.VerifyOptions;
import io.rockpool.structure.PersistentMap;
import io.rockpool.structure.PersistentScoredSet;
import io.rockpool.structure.PersistentSet;
import io.rockpool.structure.PersistentSortedMap;
import io.rockpool.structure.PersistentTable;
import io.rockpool.testing.FakeClock;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A codec of keys, a refresh or who watches a cache throws, whatever there is to throw: the caller
 * gets it where there is one, nothing is half done, and the store goes on.
 */
@Timeout(60)
final class ThrowingKeysTest {
  @TempDir Path directory;

  static List<Throwable> throwables() {
    return ThrowingCodeTest.throwables();
  }

  record Id(String text) {}

  private static final class IdCodec implements OrderedCodec<Id> {
    @Nullable Throwable inEncode;
    @Nullable Throwable inDecode;

    @Override
    public String id() {
      return "ids";
    }

    @Override
    public byte[] encode(Id id) {
      ThrowingCodeTest.throwIfAny(inEncode);
      return id.text().getBytes(UTF_8);
    }

    @Override
    public Id decode(byte[] bytes, int offset, int length) {
      ThrowingCodeTest.throwIfAny(inDecode);
      return new Id(new String(bytes, offset, length, UTF_8));
    }

    @Override
    public int compare(Id a, Id b) {
      return a.text().compareTo(b.text());
    }

    @Override
    public boolean immutable() {
      return true;
    }
  }

  private static final Id HERE = new Id("here");
  private static final Id OTHER = new Id("other");

  /** What has keys of a user's codec. */
  private record Content(
      Rockpool pool,
      PersistentCache<Id, String> cache,
      PersistentMap<Id, String> map,
      PersistentSortedMap<Id, String> sorted,
      PersistentSet<Id> set,
      PersistentTable<Id, Id, String> table,
      PersistentScoredSet<Id> scored) {

    static Content of(Rockpool pool) {
      Content content =
          new Content(
              pool,
              pool.cache("cache", Id.class, String.class, o -> o.hotEntries(0)),
              pool.map("map", Id.class, String.class),
              pool.sortedMap("sorted", Id.class, String.class),
              pool.set("set", Id.class),
              pool.table("table", Id.class, Id.class, String.class),
              pool.scoredSet("scored", Id.class));
      content.cache.put(HERE, "1");
      content.map.put(HERE, "1");
      content.sorted.put(HERE, "1");
      content.set.add(HERE);
      content.table.put(HERE, HERE, "1");
      content.scored.add(HERE, 1);
      pool.counter("counter").set(0);
      return content;
    }

    @Override
    public String toString() {
      return List.of(
              cache.getAll(Set.of(HERE, OTHER)),
              Map.copyOf(map),
              Map.copyOf(sorted),
              Set.copyOf(set),
              Map.copyOf(table.row(HERE)),
              List.copyOf(scored))
          .toString();
    }

    Map<String, Runnable> writes() {
      Map<String, Runnable> all = new LinkedHashMap<>();
      all.put("cache put", () -> cache.put(OTHER, "2"));
      all.put("cache putAll", () -> cache.putAll(Map.of(HERE, "2", OTHER, "2")));
      all.put("cache get", () -> cache.get(HERE));
      all.put("cache load", () -> cache.get(OTHER, key -> "2"));
      all.put("cache compute", () -> cache.compute(HERE, (key, value) -> "2"));
      all.put("cache remove", () -> cache.remove(HERE));
      all.put("cache invalidate", () -> cache.invalidate(HERE));
      all.put("map put", () -> map.put(OTHER, "2"));
      all.put("map get", () -> map.get(HERE));
      all.put("map remove", () -> map.remove(HERE));
      all.put("map compute", () -> map.compute(HERE, (key, value) -> "2"));
      all.put("map putAll", () -> map.putAll(Map.of(HERE, "2", OTHER, "2")));
      all.put("sorted put", () -> sorted.put(OTHER, "2"));
      all.put("sorted tail", () -> sorted.tailMap(HERE).clear());
      all.put("set add", () -> set.add(OTHER));
      all.put("set remove", () -> set.remove(HERE));
      all.put("table put", () -> table.put(HERE, OTHER, "2"));
      all.put("table get", () -> table.get(HERE, HERE));
      all.put("scored add", () -> scored.add(OTHER, 2));
      all.put(
          "transaction",
          () ->
              pool.atomically(
                  tx -> {
                    pool.counter("counter").set(5);
                    return map.put(OTHER, "2");
                  }));
      return all;
    }

    Map<String, Runnable> reads() {
      Map<String, Runnable> all = new LinkedHashMap<>();
      all.put("cache", () -> cache.iterator().next());
      all.put("map", () -> map.forEach((key, value) -> {}));
      all.put("map's keys", () -> List.copyOf(map.keySet()));
      all.put("map's clearing by condition", () -> map.keySet().removeIf(key -> true));
      all.put("sorted", sorted::firstKey);
      all.put("sorted poll", sorted::pollFirstEntry);
      all.put("set", () -> List.copyOf(set));
      all.put("row", () -> List.copyOf(table.row(HERE).keySet()));
      all.put("scored", () -> scored.pollFirst());
      return all;
    }

    /** Another thread can change everything, which no lock keeps it from, and undo it. */
    void assertFree() throws Exception {
      CompletableFuture.runAsync(
              () -> {
                writes().forEach((name, write) -> write.run());
                cache.put(HERE, "1");
                cache.remove(OTHER);
                map.clear();
                map.put(HERE, "1");
                sorted.clear();
                sorted.put(HERE, "1");
                set.clear();
                set.add(HERE);
                table.row(HERE).clear();
                table.put(HERE, HERE, "1");
                scored.clear();
                scored.add(HERE, 1);
                pool.counter("counter").set(0);
              })
          .get(20, TimeUnit.SECONDS);
    }
  }

  @ParameterizedTest
  @MethodSource("throwables")
  void aKeyThatCannotBeEncodedOrDecodedChangesNothing(Throwable thrown) throws Exception {
    IdCodec codec = new IdCodec();
    Codecs codecs = Codecs.builder().register(Id.class, codec).build();
    try (Rockpool pool = Rockpool.at(directory).codecs(codecs).open()) {
      Content content = Content.of(pool);
      String before = content.toString();
      for (Map.Entry<String, Runnable> write : content.writes().entrySet()) {
        codec.inEncode = thrown;
        Throwable caught = catchThrowable(write.getValue()::run);
        codec.inEncode = null;
        assertThat(caught).as(write.getKey()).isSameAs(thrown);
        assertThat(content).as(write.getKey()).hasToString(before);
      }
      assertThat(pool.counter("counter").get()).isZero();
      content.assertFree();
      for (Map.Entry<String, Runnable> read : content.reads().entrySet()) {
        codec.inDecode = thrown;
        Throwable caught = catchThrowable(read.getValue()::run);
        codec.inDecode = null;
        assertThat(caught).as(read.getKey()).isSameAs(thrown);
        assertThat(content).as(read.getKey()).hasToString(before);
      }
      content.assertFree();
      assertThat(content).hasToString(before);
      assertThat(pool.verify(VerifyOptions.defaults().decodeValues(true)).isClean()).isTrue();
    }
  }

  private static CacheOptions<String, String> options(
      Function<String, String> loader, Throwable[] now) {
    return CacheOptions.<String, String>defaults()
        .expiry(CacheExpiry.afterWrite(Duration.ofHours(1)))
        .softTtl(Duration.ofMinutes(1))
        .refreshRetryPause(Duration.ofSeconds(10))
        .refreshExecutor(Runnable::run)
        .refreshLoader(
            key -> {
              ThrowingCodeTest.throwIfAny(now[0]);
              return loader.apply(key);
            });
  }

  private PersistentCache<String, String> cache(Rockpool pool, Throwable[] now) {
    return pool.cache(
        "cache",
        TypeRef.of(String.class),
        TypeRef.of(String.class),
        o -> options(key -> "fetched", now));
  }

  @ParameterizedTest
  @MethodSource("throwables")
  void aRefreshThatThrowsIsTriedAgain(Throwable thrown) {
    FakeClock clock = new FakeClock();
    Throwable[] now = {thrown};
    try (Rockpool pool = Rockpool.at(directory).clock(clock).open()) {
      PersistentCache<String, String> cache = cache(pool, now);
      cache.put("key", "1");
      clock.advanceMillis(Duration.ofMinutes(2).toMillis());
      assertThat(cache.get("key")).isEqualTo("1");
      assertThat(cache.statistics().refreshFailures()).isOne();
      now[0] = null;
      clock.advanceMillis(Duration.ofSeconds(11).toMillis());
      Internals.cache(cache)
          .onRefreshed((key, before, after, change) -> ThrowingCodeTest.throwIfAny(thrown));
      assertThat(cache.get("key")).isEqualTo("1");
      assertThat(cache.statistics().refreshFailures()).isEqualTo(2);
      assertThat(cache.get("key")).isEqualTo("1"); // the listener did not have it stored
      Internals.cache(cache).onRefreshed(null);
      clock.advanceMillis(Duration.ofSeconds(11).toMillis());
      cache.get("key");
      assertThat(cache.get("key")).isEqualTo("fetched");
      assertThat(cache.statistics().refreshFailures()).isEqualTo(2);
      assertThat(pool.verify().isClean()).isTrue();
    }
  }

  /** It must not throw; if it does, whoever met the entry hears of it, and the entry is over. */
  @ParameterizedTest
  @MethodSource("throwables")
  void whatIsToldOfExpiredEntriesThrowsAndTheyAreOver(Throwable thrown) throws Exception {
    FakeClock clock = new FakeClock();
    try (Rockpool pool = Rockpool.at(directory).clock(clock).open()) {
      PersistentCache<String, String> cache = cache(pool, new Throwable[1]);
      Internals.cache(cache)
          .onExpired((key, value, removal) -> ThrowingCodeTest.throwIfAny(thrown));
      cache.put("key", "1");
      clock.advanceMillis(Duration.ofMinutes(90).toMillis());
      assertThat(catchThrowable(() -> cache.get("key"))).isSameAs(thrown);
      assertThat(catchThrowable(() -> cache.get("key", key -> "2"))).isSameAs(thrown);
      Internals.cache(cache).onExpired(null);
      assertThat(cache.get("key")).isNull();
      CompletableFuture.runAsync(() -> cache.put("key", "3")).get(20, TimeUnit.SECONDS);
      assertThat(cache.get("key")).isEqualTo("3");
      assertThat(pool.verify().isClean()).isTrue();
    }
  }
}
