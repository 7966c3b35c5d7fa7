package io.rockpool.jcache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rockpool.engine.memory.MemoryEngine;
import io.rockpool.error.StoreClosedException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import javax.cache.Cache;
import javax.cache.CacheManager;
import javax.cache.configuration.CacheEntryListenerConfiguration;
import javax.cache.configuration.Factory;
import javax.cache.configuration.MutableCacheEntryListenerConfiguration;
import javax.cache.configuration.MutableConfiguration;
import javax.cache.event.CacheEntryCreatedListener;
import javax.cache.event.CacheEntryEvent;
import javax.cache.event.CacheEntryEventFilter;
import javax.cache.expiry.Duration;
import javax.cache.expiry.ExpiryPolicy;
import javax.cache.expiry.TouchedExpiryPolicy;
import javax.cache.integration.CacheLoader;
import javax.cache.integration.CacheWriter;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What the application gave a cache is closed with it: once, in order, whoever throws. */
class ClosingTest extends JCacheTest {
  private static final String[] ALL_CLOSED = {"filter", "listener", "writer", "loader", "policy"};

  private final List<String> closed = new ArrayList<>();
  private final CacheManager manager = managerOver(MemoryEngine.builder().build());
  private String failing = "";

  @AfterEach
  void closeManager() {
    manager.close();
  }

  /** Something to close that notes it. */
  private abstract class Part implements AutoCloseable {
    private final String name;

    Part(String name) {
      this.name = name;
    }

    @Override
    public void close() {
      closed.add(name);
      if (failing.equals(name)) {
        throw new IllegalStateException(name);
      }
      if (failing.equals("all, badly")) {
        throw new StackOverflowError(name);
      }
    }
  }

  private final class Policy extends Part implements ExpiryPolicy {
    Policy() {
      super("policy");
    }

    @Override
    public Duration getExpiryForCreation() {
      return Duration.ETERNAL;
    }

    @Override
    public Duration getExpiryForAccess() {
      return null;
    }

    @Override
    public Duration getExpiryForUpdate() {
      return null;
    }
  }

  private class Loader extends Part implements CacheLoader<String, String> {
    Loader() {
      super("loader");
    }

    @Override
    public String load(String key) {
      return key;
    }

    @Override
    public Map<String, String> loadAll(Iterable<? extends String> keys) {
      return Map.of();
    }
  }

  private final class Writer extends Part implements CacheWriter<String, String> {
    Writer() {
      super("writer");
    }

    @Override
    public void write(Cache.Entry<? extends String, ? extends String> entry) {}

    @Override
    public void writeAll(Collection<Cache.Entry<? extends String, ? extends String>> entries) {}

    @Override
    public void delete(Object key) {}

    @Override
    public void deleteAll(Collection<?> keys) {}
  }

  private final class Listener extends Part implements CacheEntryCreatedListener<String, String> {
    Listener() {
      super("listener");
    }

    @Override
    public void onCreated(Iterable<CacheEntryEvent<? extends String, ? extends String>> events) {
      assertThat(closed).as("told before anything is closed").isEmpty();
    }
  }

  private final class Filter extends Part implements CacheEntryEventFilter<String, String> {
    Filter() {
      super("filter");
    }

    @Override
    public boolean evaluate(CacheEntryEvent<? extends String, ? extends String> event) {
      return true;
    }
  }

  private CacheEntryListenerConfiguration<String, String> listener(boolean synchronous) {
    return new MutableCacheEntryListenerConfiguration<>(
        Listener::new, Filter::new, false, synchronous);
  }

  private MutableConfiguration<String, String> configuration() {
    return new MutableConfiguration<String, String>()
        .setTypes(String.class, String.class)
        .setExpiryPolicyFactory(Policy::new)
        .setCacheLoaderFactory(Loader::new)
        .setCacheWriterFactory(Writer::new)
        .setWriteThrough(true)
        .addCacheEntryListenerConfiguration(listener(false));
  }

  /** The ways to close a cache. */
  enum Way {
    CLOSE {
      @Override
      void close(CacheManager manager, Cache<?, ?> cache) {
        cache.close();
      }
    },
    DESTROY {
      @Override
      void close(CacheManager manager, Cache<?, ?> cache) {
        manager.destroyCache(cache.getName());
      }
    },
    CLOSE_MANAGER {
      @Override
      void close(CacheManager manager, Cache<?, ?> cache) {
        manager.close();
      }
    };

    abstract void close(CacheManager manager, Cache<?, ?> cache);
  }

  @ParameterizedTest
  @EnumSource
  void theLastToComeIsClosedFirstAndEachOnce(Way way) {
    Cache<String, String> cache = manager.createCache("c", configuration());
    cache.put("k", "v");
    way.close(manager, cache);
    assertThat(closed).containsExactly(ALL_CLOSED);
    cache.close();
    manager.close();
    assertThat(closed).as("once").containsExactly(ALL_CLOSED);
    assertThat(cache.isClosed()).isTrue();
    assertThatThrownBy(() -> cache.get("k"))
        .isInstanceOf(StoreClosedException.class)
        .hasMessageContaining("\"c\" is closed");
    assertThatThrownBy(() -> manager.getCache("c")).isInstanceOf(StoreClosedException.class);
  }

  @Test
  void whoeverThrows() {
    for (String one : ALL_CLOSED) {
      failing = one;
      closed.clear();
      manager.createCache("c", configuration()).close();
      assertThat(closed).containsExactly(ALL_CLOSED);
    }
    failing = "all, badly";
    closed.clear();
    manager.createCache("c", configuration()).close();
    assertThat(closed).containsExactly(ALL_CLOSED);
  }

  @Test
  void aListenerThatLeavesIsClosedThen() {
    Cache<String, String> cache =
        manager.createCache(
            "c", new MutableConfiguration<String, String>().setTypes(String.class, String.class));
    CacheEntryListenerConfiguration<String, String> listener = listener(true);
    cache.registerCacheEntryListener(listener);
    cache.put("k", "v");
    cache.deregisterCacheEntryListener(listener);
    assertThat(closed).containsExactly("filter", "listener");
    cache.close();
    assertThat(closed).containsExactly("filter", "listener");
  }

  /** Loads, writes and listens. */
  private final class Everything extends Part
      implements CacheEntryCreatedListener<String, String>, CacheEntryEventFilter<String, String> {
    Everything() {
      super("everything");
    }

    @Override
    public void onCreated(Iterable<CacheEntryEvent<? extends String, ? extends String>> events) {
      assertThat(closed).isEmpty();
    }

    @Override
    public boolean evaluate(CacheEntryEvent<? extends String, ? extends String> event) {
      return true;
    }
  }

  @Test
  void onePartInManyRolesIsClosedWithTheLast() {
    Everything one = new Everything();
    CacheEntryListenerConfiguration<String, String> listener =
        new MutableCacheEntryListenerConfiguration<>(() -> one, () -> one, false, true);
    Cache<String, String> cache =
        manager.createCache(
            "c",
            new MutableConfiguration<String, String>()
                .setTypes(String.class, String.class)
                .addCacheEntryListenerConfiguration(
                    new MutableCacheEntryListenerConfiguration<>(() -> one, null, true, true)));
    cache.registerCacheEntryListener(listener);
    cache.deregisterCacheEntryListener(listener);
    cache.put("k", "v");
    assertThat(closed).isEmpty();
    cache.close();
    assertThat(closed).containsExactly("everything");
  }

  @Test
  void aListenerWhoseFilterCannotBeMadeIsClosedAndMayComeAgain() {
    Cache<String, String> cache =
        manager.createCache(
            "c", new MutableConfiguration<String, String>().setTypes(String.class, String.class));
    AtomicInteger times = new AtomicInteger();
    Factory<CacheEntryEventFilter<String, String>> filters =
        () -> {
          if (times.getAndIncrement() == 0) {
            throw new StackOverflowError("no filter");
          }
          return new Filter();
        };
    CacheEntryListenerConfiguration<String, String> listener =
        new MutableCacheEntryListenerConfiguration<>(Listener::new, filters, false, true);
    assertThatThrownBy(() -> cache.registerCacheEntryListener(listener)).hasMessage("no filter");
    assertThat(closed).containsExactly("listener");
    assertThat(configurationOf(cache).getCacheEntryListenerConfigurations()).isEmpty();
    closed.clear();
    cache.registerCacheEntryListener(listener);
    cache.put("k", "v");
    cache.close();
    assertThat(closed).containsExactly("filter", "listener");
  }

  @Test
  void aListenerThatComesWhileTheCacheClosesIsClosedToo() {
    Cache<String, String> cache =
        manager.createCache(
            "c", new MutableConfiguration<String, String>().setTypes(String.class, String.class));
    CacheEntryListenerConfiguration<String, String> late =
        new MutableCacheEntryListenerConfiguration<>(
            () -> {
              cache.close();
              return new Listener();
            },
            null,
            false,
            true);
    assertThatThrownBy(() -> cache.registerCacheEntryListener(late))
        .isInstanceOf(IllegalStateException.class);
    assertThat(closed).containsExactly("listener");
  }

  @Test
  void oneCacheThatCannotBeClosedKeepsNoOtherOpen() {
    AtomicBoolean full = new AtomicBoolean();
    RockpoolJCacheManager failing =
        managerOver(Failing.writes(MemoryEngine.builder().build(), full::get));
    for (String name : new String[] {"a", "b"}) {
      Cache<String, String> cache =
          failing.createCache(
              name,
              new MutableConfiguration<String, String>()
                  .setTypes(String.class, String.class)
                  .setExpiryPolicyFactory(TouchedExpiryPolicy.factoryOf(Duration.ONE_HOUR))
                  .setStatisticsEnabled(true)
                  .setCacheWriterFactory(Writer::new));
      cache.put("k", "v");
      cache.get("k");
    }
    Cache<?, ?> first = failing.getCache("a", String.class, String.class);
    Cache<?, ?> second = failing.getCache("b", String.class, String.class);
    full.set(true);
    failing.close();
    assertThat(closed).containsExactly("writer", "writer");
    assertThat(first.isClosed()).isTrue();
    assertThat(second.isClosed()).isTrue();
    assertThat(statistics(first)).isEmpty();
    assertThat(statistics(second)).isEmpty();
    assertThat(failing.isClosed()).isTrue();
  }

  @Test
  void aCacheMayBeOpenedAgainWhileItsPartsAreClosed() {
    MutableConfiguration<String, String> counted =
        new MutableConfiguration<String, String>()
            .setTypes(String.class, String.class)
            .setStatisticsEnabled(true);
    List<Cache<String, String>> again = new ArrayList<>();
    Loader reopening =
        new Loader() {
          @Override
          public void close() {
            again.add(manager.createCache("c", counted));
          }
        };
    MutableConfiguration<String, String> configuration =
        new MutableConfiguration<>(counted).setCacheLoaderFactory(() -> reopening);
    Cache<String, String> cache = manager.createCache("c", configuration);
    cache.put("k", "v");
    cache.close();
    assertThat(again.get(0).get("k")).isEqualTo("v");
    assertThat(statistics(again.get(0)).orElseThrow().getCacheHits()).isEqualTo(1);
    assertThat(manager.getCache("c", String.class, String.class)).isSameAs(again.get(0));
  }

  @Test
  void anIteratorEndsWithItsCache() {
    Cache<String, String> cache =
        manager.createCache(
            "c", new MutableConfiguration<String, String>().setTypes(String.class, String.class));
    cache.putAll(Map.of("a", "1", "b", "2"));
    Iterator<Cache.Entry<String, String>> entries = cache.iterator();
    entries.next();
    cache.close();
    assertThatThrownBy(entries::hasNext).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(entries::next).isInstanceOf(IllegalStateException.class);
  }

  @Test
  void onePartInTwoRolesIsClosedOnce() {
    Listener one = new Listener();
    MutableConfiguration<String, String> configuration =
        new MutableConfiguration<String, String>().setTypes(String.class, String.class);
    for (boolean oldValues : new boolean[] {false, true}) {
      configuration.addCacheEntryListenerConfiguration(
          new MutableCacheEntryListenerConfiguration<>(() -> one, null, oldValues, false));
    }
    manager.createCache("c", configuration).close();
    assertThat(closed).containsExactly("listener");
  }

  @Test
  void whatWasMadeBeforeAFactoryFailedIsClosed() {
    MutableConfiguration<String, String> configuration =
        configuration()
            .setCacheWriterFactory(
                () -> {
                  throw new IllegalStateException("no writer");
                });
    assertThatThrownBy(() -> manager.createCache("c", configuration)).hasMessage("no writer");
    assertThat(closed).containsExactly("loader", "policy");
    assertThat(manager.getCacheNames()).isEmpty();
  }

  @Test
  void aFactoryThatFailsLeavesTheStoredConfiguration() {
    manager
        .createCache(
            "c", new MutableConfiguration<String, String>().setTypes(String.class, String.class))
        .put("k", "v");
    manager.getCache("c", String.class, String.class).close();
    for (Throwable failure :
        new Throwable[] {new IllegalStateException("no"), new StackOverflowError("no")}) {
      MutableConfiguration<String, String> configuration =
          configuration().setCacheWriterFactory(() -> Failing.sneaky(failure));
      assertThatThrownBy(() -> manager.createCache("c", configuration)).isSameAs(failure);
      assertThat(closed).containsExactly("loader", "policy");
      closed.clear();
      Cache<String, String> stored = manager.getCache("c", String.class, String.class);
      assertThat(stored.get("k")).isEqualTo("v");
      stored.close();
    }
  }

  @Test
  void aFactoryMayWaitForWhoOpensAnotherCache() throws Exception {
    MutableConfiguration<String, String> plain =
        new MutableConfiguration<String, String>().setTypes(String.class, String.class);
    MutableConfiguration<String, String> waiting =
        configuration()
            .setCacheWriterFactory(
                () -> {
                  CompletableFuture.runAsync(() -> manager.createCache("other", plain))
                      .orTimeout(10, TimeUnit.SECONDS)
                      .join();
                  return new Writer();
                });
    manager.createCache("c", waiting).close();
    assertThat(manager.getCache("other", String.class, String.class)).isNotNull();
  }
}
