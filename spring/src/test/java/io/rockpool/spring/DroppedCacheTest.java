package io.rockpool.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rockpool.Rockpool;
import io.rockpool.error.StoreClosedException;
import java.net.URI;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/**
 * A cache whose name is dropped, as by another process or a server that was emptied, goes on empty:
 * an application cannot open Spring's caches again.
 */
final class DroppedCacheTest {
  private static final String KEY = "k";

  private Rockpool mine;
  private Rockpool theirs;
  private RockpoolCacheManager manager;

  @BeforeEach
  void open() {
    URI store = SuiteStores.newUri();
    mine = Rockpool.open(store);
    theirs = Rockpool.open(store);
    manager = new RockpoolCacheManager(mine);
    // Reads of memory may come before the report of the drop.
    manager.setDefaults(RockpoolCacheConfiguration.defaults().hotEntries(0));
  }

  @AfterEach
  void close() {
    manager.close();
    theirs.close();
    mine.close();
  }

  private RockpoolCache cache() {
    manager.getCache("cache");
    return manager.caches().get(0);
  }

  private static Map<String, Consumer<RockpoolCache>> uses() {
    Map<String, Consumer<RockpoolCache>> uses = new LinkedHashMap<>();
    uses.put("get", cache -> assertThat(cache.get(KEY)).isNull());
    uses.put("load", cache -> assertThat(cache.get(KEY, () -> "new")).isEqualTo("new"));
    uses.put("put", cache -> cache.put(KEY, "new"));
    uses.put("putIfAbsent", cache -> assertThat(cache.putIfAbsent(KEY, "new")).isNull());
    uses.put("evict", cache -> cache.evict(KEY));
    uses.put("evictIfPresent", cache -> assertThat(cache.evictIfPresent(KEY)).isFalse());
    uses.put("clear", RockpoolCache::clear);
    uses.put("invalidate", cache -> assertThat(cache.invalidate()).isFalse());
    uses.put("invalidateTags", cache -> cache.invalidateTags(List.of("t")));
    uses.put("retrieve", cache -> assertThat(cache.retrieve(KEY).join()).isNull());
    uses.put(
        "retrieve with a loader",
        cache ->
            assertThat(cache.retrieve(KEY, () -> CompletableFuture.completedFuture("new")).join())
                .isEqualTo("new"));
    return uses;
  }

  @TestFactory
  Stream<DynamicTest> goesOnEmpty() {
    return Stream.of(true, false)
        .flatMap(
            elsewhere ->
                uses().entrySet().stream()
                    .map(
                        use ->
                            DynamicTest.dynamicTest(
                                use.getKey() + (elsewhere ? ", dropped elsewhere" : ", dropped"),
                                () -> goesOnEmpty(use.getValue(), elsewhere ? theirs : mine))));
  }

  private void goesOnEmpty(Consumer<RockpoolCache> use, Rockpool dropping) {
    RockpoolCache cache = cache();
    cache.put(KEY, "old");
    assertThat(dropping.names().drop("cache")).isTrue();
    use.accept(cache);
    cache.put(KEY, "newest");
    assertThat(cache.get(KEY).get()).isEqualTo("newest");
    assertThat(cache.getNativeCache().isClosed()).isFalse();
  }

  @Test
  void aClosedManagerOpensNothingAgain() {
    RockpoolCache cache = cache();
    manager.close();
    assertThat(theirs.names().drop("cache")).isTrue();
    assertThatThrownBy(() -> cache.put(KEY, "v")).isInstanceOf(StoreClosedException.class);
    assertThat(theirs.names().find("cache").isPresent()).isFalse();
  }

  @Test
  void aClosedStoreOpensNothingAgain() {
    RockpoolCache cache = cache();
    mine.close();
    assertThatThrownBy(() -> cache.put(KEY, "v")).isInstanceOf(StoreClosedException.class);
  }
}
