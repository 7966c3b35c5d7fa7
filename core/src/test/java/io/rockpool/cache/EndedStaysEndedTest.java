package io.rockpool.cache;

import static org.assertj.core.api.Assertions.assertThat;

import io.rockpool.Rockpool;
import io.rockpool.engine.Engine;
import io.rockpool.engine.memory.MemoryEngine;
import io.rockpool.engine.rocksdb.RocksDbEngine;
import io.rockpool.engine.rocksdb.RocksDbOptions;
import io.rockpool.internal.access.Internals;
import io.rockpool.testing.FakeClock;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** No thread sees an entry live that another thread has seen expired. */
final class EndedStaysEndedTest {
  private static final Duration TTL = Duration.ofSeconds(10);
  private static final String KEY = "k";

  @TempDir Path directory;
  private final FakeClock clock = new FakeClock();

  /** The ways to see that there is an entry. */
  private static final Map<String, Predicate<PersistentCache<String, String>>> READS =
      Map.of(
          "get", it -> it.get(KEY) != null,
          "getAll", it -> !it.getAll(List.of(KEY)).isEmpty(),
          "containsKey", it -> it.containsKey(KEY),
          "ttl", it -> it.ttl(KEY).isPresent(),
          "iterator", it -> it.iterator().hasNext(),
          "computeIfPresent", it -> it.computeIfPresent(KEY, (key, there) -> there) != null);

  private List<HookedEngine> engines() {
    List<Engine> engines = new ArrayList<>();
    engines.add(RocksDbEngine.open(directory, RocksDbOptions.builder().clock(clock).build()));
    engines.add(MemoryEngine.builder().clock(clock).build());
    return engines.stream().map(HookedEngine::new).toList();
  }

  @Test
  void aNewDeadlineComesTooLateForAnEntryThatHasEnded() {
    for (HookedEngine engine : engines()) {
      try (Rockpool pool = Rockpool.at(o -> engine.hooked()).open()) {
        List<CacheExpiry<Object, Object>> expiries =
            List.of(CacheExpiry.afterAccess(TTL), CacheExpiry.afterWrite(TTL));
        for (CacheExpiry<Object, Object> expiry : expiries) {
          for (boolean watched : new boolean[] {false, true}) {
            String name = expiries.indexOf(expiry) + " " + watched;
            PersistentCache<String, String> cache =
                pool.cache(name, String.class, String.class, o -> o.expiry(expiry));
            if (watched) {
              Internals.cache(cache)
                  .onExpired((key, value, removal) -> {}); // which leaves the entry on disk
            }
            READS.forEach((read, sees) -> endsBeforeTheWrite(engine, cache, read, sees));
          }
        }
      }
    }
  }

  private void endsBeforeTheWrite(
      HookedEngine engine,
      PersistentCache<String, String> cache,
      String read,
      Predicate<PersistentCache<String, String>> sees) {
    cache.put(KEY, "old");
    clock.advanceMillis(TTL.toMillis() - 1);
    boolean[] moved = new boolean[1];
    engine.beforeWrite(
        () -> {
          clock.advanceMillis(1);
          assertThat(sees.test(cache)).as("%s when it ends", read).isFalse();
        },
        () -> moved[0] = cache.expireAfter(KEY, Duration.ofDays(1)));
    assertThat(moved[0]).as("expireAfter after %s", read).isFalse();
    assertThat(sees.test(cache)).as("%s after expireAfter", read).isFalse();
    assertThat(cache.get(KEY)).as("get after %s", read).isNull();
  }

  @Test
  void aReadThatKeepsAnEntryAliveLetsItGetANewDeadline() {
    for (HookedEngine engine : engines()) {
      try (Rockpool pool = Rockpool.at(o -> engine.hooked()).open()) {
        PersistentCache<String, String> cache =
            pool.cache(
                "read", String.class, String.class, o -> o.expiry(CacheExpiry.afterAccess(TTL)));
        cache.put(KEY, "old");
        clock.advanceMillis(TTL.toMillis() - 1);
        boolean[] moved = new boolean[1];
        engine.beforeWrite(
            () -> {
              assertThat(cache.get(KEY)).isEqualTo("old");
              clock.advanceMillis(1);
            },
            () -> moved[0] = cache.expireAfter(KEY, Duration.ofDays(1)));
        assertThat(moved[0]).isTrue();
        assertThat(cache.get(KEY)).isEqualTo("old");
      }
    }
  }
}
