package io.rockpool.jcache;

import static org.assertj.core.api.Assertions.assertThat;

import io.rockpool.cache.CacheOptions.OnUnencodable;
import io.rockpool.codec.Codec;
import io.rockpool.engine.memory.MemoryEngine;
import io.rockpool.error.UnencodableValueException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import javax.cache.Cache;
import javax.cache.CacheManager;
import javax.cache.configuration.MutableCacheEntryListenerConfiguration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A value that cannot be encoded and is skipped removes the entry: it is no put. */
class SkippedValuesTest extends JCacheTest {
  private static final String HOPELESS = "hopeless";

  private final CacheManager manager = managerOver(MemoryEngine.open());
  private final Observer observer = new Observer();

  @AfterEach
  void closeManager() {
    manager.close();
  }

  /** Refuses {@link #HOPELESS}. */
  private static final class Refusing implements Codec<String> {
    @Override
    public String id() {
      return "refusing";
    }

    @Override
    public byte[] encode(String value) {
      if (value.equals(HOPELESS)) {
        throw new UnencodableValueException("It is hopeless.", null);
      }
      return value.getBytes(StandardCharsets.UTF_8);
    }

    @Override
    public String decode(byte[] bytes, int offset, int length) {
      return new String(bytes, offset, length, StandardCharsets.UTF_8);
    }

    @Override
    public boolean immutable() {
      return true;
    }
  }

  private Cache<String, String> cache() {
    return manager.createCache(
        "c",
        RockpoolConfiguration.of(String.class, String.class)
            .valueCodec(new Refusing())
            .onUnencodable(OnUnencodable.SKIP)
            .statistics(true));
  }

  private interface Put {
    void put(Cache<String, String> cache);
  }

  private static final Map<String, Put> PUTS =
      Map.of(
          "put", it -> it.put("k", HOPELESS),
          "putAll", it -> it.putAll(Map.of("k", HOPELESS)),
          "getAndPut", it -> it.getAndPut("k", HOPELESS),
          "replace", it -> it.replace("k", HOPELESS),
          "replaceOld", it -> it.replace("k", "old", HOPELESS),
          "getAndReplace", it -> it.getAndReplace("k", HOPELESS),
          "invoke",
              it ->
                  it.invoke(
                      "k",
                      (entry, arguments) -> {
                        entry.setValue(HOPELESS);
                        return true;
                      }));

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void areRemovals(boolean heard) {
    Cache<String, String> cache = cache();
    if (heard) {
      cache.registerCacheEntryListener(
          new MutableCacheEntryListenerConfiguration<>(() -> observer.listener, null, true, true));
    }
    RockpoolStatisticsMXBean statistics = statistics(cache).orElseThrow();
    PUTS.forEach(
        (name, put) -> {
          cache.put("k", "old");
          observer.take();
          statistics.clear();
          put.put(cache);
          assertThat(cache.containsKey("k")).as(name).isFalse();
          assertThat(statistics.getCachePuts()).as(name).isZero();
          assertThat(statistics.getCacheRemovals()).as(name).isZero();
          assertThat(observer.take()).as(name).isEqualTo(heard ? Map.of("R", 1L) : Map.of());
        });
    statistics.clear();
    assertThat(cache.putIfAbsent("k", HOPELESS)).isFalse();
    cache.put("k", HOPELESS);
    cache.putAll(Map.of("k", HOPELESS, "l", "fine"));
    assertThat(cache).extracting(Cache.Entry::getKey).isEqualTo(List.of("l"));
    assertThat(statistics.getCachePuts()).isEqualTo(1);
    assertThat(statistics.getCacheRemovals()).isZero();
    assertThat(observer.take()).isEqualTo(heard ? Map.of("C", 1L) : Map.of());
  }
}
