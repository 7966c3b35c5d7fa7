package io.rockpool.jcache;

import static io.rockpool.store.Durability.BUFFERED;
import static io.rockpool.store.Durability.PERIODIC;
import static io.rockpool.store.Durability.SYNC;
import static org.assertj.core.api.Assertions.assertThat;

import io.rockpool.Rockpool;
import io.rockpool.engine.rocksdb.ObservedDurability;
import io.rockpool.store.Durability;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import javax.cache.Cache;
import javax.cache.CacheManager;
import org.junit.jupiter.api.Test;

/** Single writes through the specification's methods, which know no durability, may have one. */
class WriteDurabilityTest extends JCacheTest {
  private final AtomicInteger last = new AtomicInteger();

  private String next() {
    return "text " + last.incrementAndGet();
  }

  private Map<String, Runnable> writes(Cache<String, String> cache) {
    Map<String, Runnable> writes = new LinkedHashMap<>();
    writes.put("put", () -> cache.put("a", next()));
    writes.put("putAll", () -> cache.putAll(Map.of("b", next(), "c", next())));
    writes.put("putIfAbsent", () -> cache.putIfAbsent(next(), "d"));
    writes.put("getAndReplace", () -> cache.getAndReplace("a", next()));
    writes.put(
        "invoke",
        () ->
            cache.invoke(
                "a",
                (entry, arguments) -> {
                  entry.setValue(next());
                  return entry;
                }));
    writes.put("removeAll", () -> cache.removeAll(Set.of("b", "c")));
    writes.put("clear", cache::clear);
    return writes;
  }

  @Test
  void everyWriteHasTheLevelThatIsSaidAroundIt() {
    ObservedDurability observed =
        ObservedDurability.open(directory.resolve("store"), PERIODIC, InstantSource.system());
    try (CacheManager manager = managerOver(observed.engine())) {
      Rockpool pool = manager.unwrap(Rockpool.class);
      Map<Durability, Cache<String, String>> caches =
          Map.of(BUFFERED, cache(manager, BUFFERED), SYNC, cache(manager, SYNC));
      caches.forEach(
          (own, cache) ->
              writes(cache)
                  .forEach(
                      (name, write) -> {
                        assertThat(observed.of(write)).as(name).isEqualTo(own);
                        for (Durability said : Durability.values()) {
                          assertThat(observed.of(() -> pool.runWithDurability(said, write)))
                              .as("%s within %s", name, said)
                              .isEqualTo(said);
                        }
                        assertThat(observed.of(write)).as("%s afterwards", name).isEqualTo(own);
                      }));
    }
  }

  private static Cache<String, String> cache(CacheManager manager, Durability level) {
    return manager.createCache(
        "cache-" + level,
        RockpoolConfiguration.of(String.class, String.class).durability(level).warmRestart(false));
  }
}
