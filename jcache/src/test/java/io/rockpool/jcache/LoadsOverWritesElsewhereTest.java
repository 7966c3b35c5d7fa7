package io.rockpool.jcache;

import static org.assertj.core.api.Assertions.assertThat;

import io.rockpool.engine.memory.MemoryEngine;
import io.rockpool.testing.HandleUnderTest;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;
import javax.cache.Cache;
import javax.cache.CacheManager;
import javax.cache.configuration.FactoryBuilder;
import javax.cache.integration.CacheLoader;
import javax.cache.integration.CompletionListenerFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Loads during which another process writes the key, before that is reported: the loaded value must
 * not be stored.
 */
@Timeout(60)
final class LoadsOverWritesElsewhereTest extends JCacheTest {
  private static final String STALE = "stale";
  private static final String NAME = "loads";

  private final HandleUnderTest here = new HandleUnderTest(MemoryEngine.builder().shared().build());
  private final HandleUnderTest there = here.another();
  private final List<Runnable> meanwhile = new ArrayList<>();
  private CacheManager myManager;
  private CacheManager theirManager;
  private Cache<String, String> mine;
  private Cache<String, String> theirs;

  /** Loads a stale value, and a fresh one where nothing happens meanwhile. */
  private final class StaleLoader implements CacheLoader<String, String> {
    @Override
    public String load(String key) {
      return loadAll(Set.of(key)).get(key);
    }

    @Override
    public Map<String, String> loadAll(Iterable<? extends String> keys) {
      String value = meanwhile.isEmpty() ? "fresh" : STALE;
      if (!meanwhile.isEmpty()) {
        meanwhile.remove(0).run();
      }
      Map<String, String> all = new HashMap<>();
      keys.forEach(key -> all.put(key, value));
      return all;
    }
  }

  private RockpoolConfiguration<String, String> configuration() {
    return RockpoolConfiguration.of(String.class, String.class)
        .loader(new FactoryBuilder.SingletonFactory<>(new StaleLoader()))
        .readThrough(true);
  }

  @BeforeEach
  void open() {
    here.delay();
    there.delay();
    myManager = managerOver(here.engine());
    theirManager = managerOver(there.engine());
    mine = myManager.createCache(NAME, configuration());
    theirs = theirManager.createCache(NAME, configuration().hotEntries(0));
  }

  @AfterEach
  void close() {
    myManager.close();
    theirManager.close();
  }

  private static Map<String, BiConsumer<Cache<String, String>, String>> writes() {
    Map<String, BiConsumer<Cache<String, String>, String>> writes = new LinkedHashMap<>();
    writes.put("put", (cache, key) -> cache.put(key, "put"));
    writes.put("remove", Cache::remove);
    writes.put("removeAll", (cache, key) -> cache.removeAll(Set.of(key)));
    writes.put("clear", (cache, key) -> cache.clear());
    return writes;
  }

  private static Map<String, BiConsumer<Cache<String, String>, String>> loads() {
    Map<String, BiConsumer<Cache<String, String>, String>> loads = new LinkedHashMap<>();
    loads.put("get", Cache::get);
    loads.put("getAll", (cache, key) -> cache.getAll(Set.of(key, key + "+")));
    loads.put("loadAll", (cache, key) -> load(cache, Set.of(key, key + "+"), false));
    loads.put("loadAll of one, replacing", (cache, key) -> load(cache, Set.of(key), true));
    loads.put("loadAll, replacing", (cache, key) -> load(cache, Set.of(key, key + "+"), true));
    loads.put("invoke", (cache, key) -> cache.invoke(key, (entry, none) -> entry.getValue()));
    loads.put(
        "invoke on a removed entry",
        (cache, key) ->
            cache.invoke(
                key,
                (entry, none) -> {
                  entry.remove();
                  return entry.getValue();
                }));
    loads.put(
        "invokeAll",
        (cache, key) -> cache.invokeAll(Set.of(key, key + "+"), (entry, none) -> entry.getValue()));
    return loads;
  }

  private static void load(Cache<String, String> cache, Set<String> keys, boolean replace) {
    CompletionListenerFuture done = new CompletionListenerFuture();
    cache.loadAll(keys, replace, done);
    try {
      done.get();
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  private void check(boolean present) {
    loads()
        .forEach(
            (how, load) ->
                writes()
                    .forEach(
                        (what, write) -> {
                          String key = how + ", " + what;
                          if (present) {
                            theirs.put(key, "old");
                          }
                          meanwhile.add(() -> write.accept(theirs, key));
                          load.accept(mine, key);
                          meanwhile.clear();
                          Map<String, String> stored = new HashMap<>();
                          theirs.forEach(entry -> stored.put(entry.getKey(), entry.getValue()));
                          assertThat(stored.get(key)).as(key).isNotEqualTo(STALE);
                          if (what.equals("put")) {
                            assertThat(stored.get(key)).as(key).isNotNull();
                          }
                        }));
  }

  @Test
  void noValueIsStoredOverAWriteElsewhere() {
    check(false);
  }

  @Test
  void noValueIsStoredOverAWriteElsewhereOfAnEntryThatIsThere() {
    check(true);
  }

  @Test
  void aLoadIsStoredWhereNothingIsWritten() {
    loads()
        .forEach(
            (how, load) -> {
              load.accept(mine, how);
              assertThat(theirs.containsKey(how)).as(how).isTrue();
            });
    theirs.put("k", "old");
    load(mine, Set.of("k", "l"), true);
    assertThat(theirs.getAll(Set.of("k", "l"))).isEqualTo(Map.of("k", "fresh", "l", "fresh"));
  }
}
