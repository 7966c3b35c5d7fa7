package io.rockpool.jcache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rockpool.engine.memory.MemoryEngine;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import javax.cache.Cache;
import javax.cache.CacheManager;
import javax.cache.configuration.CacheEntryListenerConfiguration;
import javax.cache.configuration.MutableCacheEntryListenerConfiguration;
import javax.cache.configuration.MutableConfiguration;
import javax.cache.event.CacheEntryCreatedListener;
import javax.cache.event.CacheEntryEvent;
import javax.cache.event.CacheEntryEventFilter;
import javax.cache.expiry.Duration;
import javax.cache.expiry.ExpiryPolicy;
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
        throw new NoClassDefFoundError(name);
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

  private final class Loader extends Part implements CacheLoader<String, String> {
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
}
