package io.rockpool.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rockpool.testing.tools.Needs;
import io.rockpool.testing.tools.Tool;
import java.net.URI;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import javax.cache.Cache;
import javax.cache.CacheManager;
import javax.cache.Caching;
import javax.cache.configuration.FactoryBuilder;
import javax.cache.configuration.MutableCacheEntryListenerConfiguration;
import javax.cache.configuration.MutableConfiguration;
import javax.cache.event.CacheEntryCreatedListener;
import javax.cache.event.CacheEntryEvent;
import javax.cache.integration.CacheLoader;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** JCache while the server is away, with loaders and listeners. */
@Timeout(120)
@Needs(Tool.REDIS)
final class JCacheOnRedisTest {
  private static final List<String> CREATED = new CopyOnWriteArrayList<>();

  private RedisServer server;
  private CacheManager manager;

  /** Loads the length of the key. */
  public static final class Lengths implements CacheLoader<String, Integer> {
    @Override
    public Integer load(String key) {
      return key.length();
    }

    @Override
    public Map<String, Integer> loadAll(Iterable<? extends String> keys) {
      Map<String, Integer> loaded = new HashMap<>();
      keys.forEach(key -> loaded.put(key, key.length()));
      return loaded;
    }
  }

  /** Notes the keys of created entries. */
  public static final class Creations implements CacheEntryCreatedListener<String, Integer> {
    @Override
    public void onCreated(Iterable<CacheEntryEvent<? extends String, ? extends Integer>> created) {
      created.forEach(event -> CREATED.add(event.getKey()));
    }
  }

  @BeforeEach
  void open() throws Exception {
    CREATED.clear();
    server = RedisServer.start();
    manager =
        Caching.getCachingProvider()
            .getCacheManager(
                URI.create(
                    "rockpool+redis://127.0.0.1:"
                        + server.port()
                        + "?when-away=miss&timeout=2s&feed-timeout=2s"),
                null);
  }

  @AfterEach
  void close() {
    if (manager != null) {
      manager.close();
    }
    if (server != null) {
      server.close();
    }
  }

  private static MutableConfiguration<String, Integer> configuration() {
    return new MutableConfiguration<String, Integer>()
        .setTypes(String.class, Integer.class)
        .setStatisticsEnabled(true);
  }

  /** Reads until the server is known to be away; such reads are misses. */
  private void stop(Cache<String, Integer> cache) {
    server.signal("STOP");
    Failover.await(() -> cache.get("before") == null);
  }

  private void goOn(Cache<String, Integer> cache) {
    server.signal("CONT");
    Failover.await(
        () -> {
          try {
            cache.put("again", 1);
            return cache.containsKey("again");
          } catch (RuntimeException e) {
            return false;
          }
        });
  }

  @Test
  void aPlainCacheMissesAndDrops() {
    Cache<String, Integer> cache = manager.createCache("plain", configuration());
    cache.put("k", 1);
    cache.put("before", 1);
    stop(cache);
    assertThat(cache.get("k")).isNull();
    cache.put("k", 2);
    cache.putAll(Map.of("k", 3, "l", 3));
    assertThat(cache.getAll(Set.of("k", "l"))).isEmpty();
    for (Runnable decision :
        List.<Runnable>of(
            () -> cache.putIfAbsent("k", 2),
            () -> cache.replace("k", 1, 2),
            () -> cache.remove("k"),
            () -> cache.getAndRemove("k"),
            () -> cache.getAndPut("k", 2),
            () -> cache.invoke("k", (entry, arguments) -> entry.exists()),
            cache::clear,
            cache::removeAll)) {
      assertThatThrownBy(decision::run).hasStackTraceContaining("ServerUnavailableException");
    }
    goOn(cache);
    assertThat(cache.get("k")).isNull();
    assertThat(cache.get("l")).isNull();
  }

  @Test
  void readThroughReturnsWhatIsLoaded() {
    Cache<String, Integer> cache =
        manager.createCache(
            "loading",
            configuration()
                .setReadThrough(true)
                .setCacheLoaderFactory(FactoryBuilder.factoryOf(Lengths.class)));
    assertThat(cache.get("abc")).isEqualTo(3);
    cache.put("abcd", 1);
    server.signal("STOP");
    Failover.await(() -> cache.get("abcd") == 4);
    assertThat(cache.get("ab")).isEqualTo(2);
    assertThat(cache.getAll(Set.of("a", "abc"))).isEqualTo(Map.of("a", 1, "abc", 3));
    goOn(cache);
    assertThat(cache.get("abcd")).as("what was put before is not back").isEqualTo(4);
  }

  @Test
  void aPutThatListenersHearOfThrows() {
    Cache<String, Integer> cache = manager.createCache("heard", configuration());
    cache.registerCacheEntryListener(
        new MutableCacheEntryListenerConfiguration<>(
            FactoryBuilder.factoryOf(Creations.class), null, false, true));
    cache.put("before", 1);
    assertThat(CREATED).containsExactly("before");
    stop(cache);
    assertThatThrownBy(() -> cache.put("during", 1))
        .hasStackTraceContaining("ServerUnavailableException");
    assertThat(CREATED).containsExactly("before");
    server.signal("CONT");
    Failover.await(
        () -> {
          try {
            cache.put("after", 1);
            return true;
          } catch (RuntimeException e) {
            return false;
          }
        });
    assertThat(CREATED).containsExactly("before", "after");
    assertThat(cache.containsKey("during")).isFalse();
  }
}
