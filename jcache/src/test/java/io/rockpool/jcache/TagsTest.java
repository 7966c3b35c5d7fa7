package io.rockpool.jcache;

import static org.assertj.core.api.Assertions.assertThat;

import io.rockpool.cache.PersistentCache;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import javax.cache.Cache;
import javax.cache.CacheManager;
import javax.cache.Caching;
import javax.cache.configuration.FactoryBuilder;
import javax.cache.configuration.MutableCacheEntryListenerConfiguration;
import javax.cache.event.CacheEntryEvent;
import javax.cache.event.CacheEntryRemovedListener;
import javax.cache.integration.CacheLoader;
import javax.cache.processor.EntryProcessor;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tags of a JCache's entries. */
class TagsTest {
  private static final List<String> REMOVED = new ArrayList<>();

  @TempDir Path directory;
  private CacheManager manager;
  private Cache<String, String> cache;

  /** Loads values with the tag "loaded". */
  public static final class Loader implements CacheLoader<String, String> {
    @Override
    public String load(String key) {
      return key.startsWith("l") ? "v loaded" : null;
    }

    @Override
    public Map<String, String> loadAll(Iterable<? extends String> keys) {
      return Map.of();
    }
  }

  /** Notes what was removed. */
  public static final class Removals implements CacheEntryRemovedListener<String, String> {
    @Override
    public void onRemoved(Iterable<CacheEntryEvent<? extends String, ? extends String>> events) {
      events.forEach(event -> REMOVED.add(event.getKey()));
    }
  }

  @BeforeEach
  void open() {
    REMOVED.clear();
    manager =
        Caching.getCachingProvider("io.rockpool.jcache.RockpoolCachingProvider")
            .getCacheManager(URI.create("rockpool:" + directory), getClass().getClassLoader());
    cache =
        manager.createCache(
            "c",
            RockpoolConfiguration.of(String.class, String.class)
                .tags((key, value) -> Set.of(value.split(" ")))
                .loader(FactoryBuilder.factoryOf(Loader.class))
                .readThrough(true)
                .listener(
                    new MutableCacheEntryListenerConfiguration<>(
                        FactoryBuilder.factoryOf(Removals.class), null, true, true)));
  }

  @AfterEach
  void close() {
    manager.getCachingProvider().close();
  }

  @Test
  void everyOperationSetsTagsAndSeesInvalidations() {
    EntryProcessor<String, String, String> sets =
        (entry, arguments) -> {
          entry.setValue("v t6");
          return "set";
        };
    EntryProcessor<String, String, String> reads =
        (entry, arguments) -> String.valueOf(entry.exists());
    cache.put("a", "v t1");
    cache.putAll(Map.of("b", "v t2", "c", "v t2"));
    cache.putIfAbsent("d", "v t3");
    cache.getAndPut("e", "v t4");
    cache.put("f", "v");
    cache.replace("f", "v t5");
    cache.invoke("g", sets);
    assertThat(cache.get("l")).isEqualTo("v loaded");
    PersistentCache<?, ?> kernel = cache.unwrap(PersistentCache.class);
    String[] keys = {"a", "b", "c", "d", "e", "f", "g", "l"};
    assertThat(names()).containsExactlyInAnyOrder(keys);
    kernel.invalidateTags(List.of("t1", "t2", "t3", "t4", "t5", "t6", "loaded"));
    assertThat(names()).isEmpty();
    Arrays.stream(keys).forEach(key -> assertThat(cache.containsKey(key)).isFalse());
    assertThat(cache.getAll(Set.of("a", "b"))).isEmpty();
    assertThat(cache.invoke("c", reads)).isEqualTo("false");
    assertThat(cache.replace("d", "x")).isFalse();
    assertThat(cache.getAndRemove("e")).isNull();
    assertThat(cache.remove("f")).isFalse();
    assertThat(cache.putIfAbsent("g", "new")).isTrue();
    assertThat(REMOVED).isEmpty();
  }

  private List<String> names() {
    List<String> names = new ArrayList<>();
    cache.forEach(entry -> names.add(entry.getKey()));
    return names;
  }
}
