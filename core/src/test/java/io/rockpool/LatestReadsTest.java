package io.rockpool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rockpool.cache.CacheOptions;
import io.rockpool.cache.PersistentCache;
import io.rockpool.codec.TypeRef;
import io.rockpool.engine.memory.MemoryEngine;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.Timeout;

/** Two stores over one engine's data, whose reports wait: only latest reads see every write. */
@Timeout(60)
final class LatestReadsTest extends TwoHandles {
  private static final String KEY = "k";
  private static final String OLD = "old";
  private static final String NEW = "new";

  LatestReadsTest() {
    super(MemoryEngine.builder());
  }

  private static PersistentCache<String, String> cache(Rockpool pool) {
    return pool.cache("cache", String.class, String.class);
  }

  /** Fills my memory, and lets the reports of their writes wait. */
  private PersistentCache<String, String> stale(Consumer<PersistentCache<String, String>> write) {
    PersistentCache<String, String> cache = cache(mine);
    theirs.cache("cache", String.class, String.class).put(KEY, OLD, Set.of("tag"));
    here.settle();
    assertThat(cache.get(KEY)).isEqualTo(OLD);
    assertThat(cache.hotSize()).isEqualTo(1);
    here.delay();
    write.accept(cache(theirs));
    return cache;
  }

  /** Each way to read one entry; absent is null. */
  private static Map<String, Function<PersistentCache<String, String>, Object>> reads() {
    Map<String, Function<PersistentCache<String, String>, Object>> reads = new LinkedHashMap<>();
    reads.put("get", cache -> cache.get(KEY));
    reads.put("getAll", cache -> cache.getAll(List.of(KEY)).get(KEY));
    reads.put("asMap", cache -> cache.asMap().get(KEY));
    reads.put(
        "a scan",
        cache -> {
          List<String> found = new ArrayList<>();
          cache.forEach(entry -> found.add(entry.getValue()));
          return found.isEmpty() ? null : found.get(0);
        });
    return reads;
  }

  @TestFactory
  Stream<DynamicTest> aLatestReadSeesAPut() {
    return each(cache -> cache.put(KEY, NEW), NEW);
  }

  @TestFactory
  Stream<DynamicTest> aLatestReadSeesARemoval() {
    return each(cache -> cache.invalidate(KEY), null);
  }

  @TestFactory
  Stream<DynamicTest> aLatestReadSeesAClear() {
    return each(PersistentCache::clear, null);
  }

  @TestFactory
  Stream<DynamicTest> aLatestReadSeesAnInvalidatedTag() {
    return each(cache -> cache.invalidateTag("tag"), null);
  }

  private Stream<DynamicTest> each(Consumer<PersistentCache<String, String>> write, String after) {
    return reads().entrySet().stream()
        .map(
            read ->
                DynamicTest.dynamicTest(
                    read.getKey(),
                    () -> {
                      PersistentCache<String, String> cache = stale(write);
                      if (!read.getKey().equals("a scan")) {
                        assertThat(read.getValue().apply(cache)).isEqualTo(OLD);
                      }
                      assertThat(mine.<Object>withLatestReads(() -> read.getValue().apply(cache)))
                          .isEqualTo(after);
                      here.deliver();
                      here.settle();
                      assertThat(cache.get(KEY)).isEqualTo(after);
                    }));
  }

  @Test
  void readsWithoutTheValueAreLatestToo() {
    PersistentCache<String, String> cache = stale(other -> other.invalidate(KEY));
    assertThat(cache.containsKey(KEY)).isTrue();
    assertThat(cache.ttl(KEY)).isPresent();
    assertThat(cache.tags(KEY)).containsExactly("tag");
    mine.runWithLatestReads(
        () -> {
          assertThat(cache.containsKey(KEY)).isFalse();
          assertThat(cache.ttl(KEY)).isEmpty();
          assertThat(cache.tags(KEY)).isEmpty();
          assertThat(cache.get(KEY, key -> "loaded")).isEqualTo("loaded");
        });
    assertThat(cache(theirs).get(KEY)).isEqualTo("loaded");
  }

  /** What a latest read has returned, no later read of any kind goes behind. */
  @Test
  void laterReadsDoNotGoBack() {
    PersistentCache<String, String> cache = stale(other -> other.put(KEY, NEW));
    assertThat(mine.<String>withLatestReads(() -> cache.get(KEY))).isEqualTo(NEW);
    assertThat(cache.get(KEY)).isEqualTo(NEW);
    assertThat(cache.getAll(List.of(KEY))).containsEntry(KEY, NEW);
    assertThat(cache.get(KEY, key -> "loaded")).isEqualTo(NEW);
  }

  @Test
  void mutableValuesThatAreSharedAreLatest() {
    CacheOptions<String, List<Integer>> shared =
        CacheOptions.<String, List<Integer>>defaults().sharesValues(true);
    TypeRefs types = new TypeRefs();
    PersistentCache<String, List<Integer>> cache =
        mine.cache("lists", types.key, types.value, o -> shared);
    PersistentCache<String, List<Integer>> other =
        theirs.cache("lists", types.key, types.value, o -> shared);
    other.put(KEY, new ArrayList<>(List.of(1)));
    here.settle();
    assertThat(cache.get(KEY)).containsExactly(1);
    here.delay();
    other.put(KEY, new ArrayList<>(List.of(2)));
    assertThat(mine.<List<Integer>>withLatestReads(() -> cache.get(KEY))).containsExactly(2);
    assertThat(cache.get(KEY)).containsExactly(2);
  }

  private static final class TypeRefs {
    final TypeRef<String> key = TypeRef.of(String.class);
    final TypeRef<List<Integer>> value = new TypeRef<>() {};
  }

  @Test
  void theScopeIsThatOfOneThreadAndStoreAndEnds() {
    PersistentCache<String, String> cache = stale(other -> other.put(KEY, NEW));
    theirs.runWithLatestReads(() -> assertThat(cache.get(KEY)).isEqualTo(OLD));
    mine.runWithLatestReads(
        () ->
            assertThat(CompletableFuture.supplyAsync(() -> cache.get(KEY)).join()).isEqualTo(OLD));
    assertThatThrownBy(
            () ->
                mine.runWithLatestReads(
                    () -> {
                      throw new IllegalStateException("of the test");
                    }))
        .hasMessage("of the test");
    assertThat(cache.get(KEY)).isEqualTo(OLD);
    mine.runWithLatestReads(
        () -> {
          theirs.runWithLatestReads(() -> assertThat(cache.get(KEY)).isEqualTo(NEW));
          assertThat(cache.get(KEY)).isEqualTo(NEW);
        });
  }

  @Test
  void aLostFeedChangesNothing() {
    PersistentCache<String, String> cache = stale(other -> other.put(KEY, NEW));
    here.lose();
    assertThat(mine.<String>withLatestReads(() -> cache.get(KEY))).isEqualTo(NEW);
    assertThat(mine.<Boolean>withLatestReads(() -> cache.expireAfter(KEY, Duration.ofHours(1))))
        .isTrue();
  }
}
