package io.rockpool.jcache;

import static org.assertj.core.api.Assertions.assertThat;

import io.rockpool.Rockpool;
import io.rockpool.engine.Engine;
import io.rockpool.engine.Space;
import io.rockpool.engine.memory.MemoryEngine;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.stream.Stream;
import javax.cache.Cache;
import javax.cache.configuration.Factory;
import javax.cache.configuration.MutableCacheEntryListenerConfiguration;
import javax.cache.configuration.MutableConfiguration;
import javax.cache.event.CacheEntryCreatedListener;
import javax.cache.expiry.CreatedExpiryPolicy;
import javax.cache.expiry.Duration;
import javax.cache.expiry.EternalExpiryPolicy;
import javax.cache.expiry.ExpiryPolicy;
import javax.cache.expiry.ModifiedExpiryPolicy;
import javax.cache.expiry.TouchedExpiryPolicy;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What operations cost: the calls of the store they come to. */
class CostTest extends JCacheTest {
  private static final Set<String> DATA_CALLS =
      Set.of(
          "get", "getAll", "put", "delete", "putAll", "deleteAll", "transact", "scanAll", "clear");

  private final List<String> calls = new ArrayList<>();
  private final RockpoolCacheManager manager =
      new RockpoolCacheManager(
          provider,
          StoreLocation.defaultUri(),
          CostTest.class.getClassLoader(),
          new Properties(),
          ConfigurationFile.onClassPath(CostTest.class.getClassLoader()),
          Rockpool.over(counted(Engine.class, MemoryEngine.builder().build())));

  @AfterEach
  void closeManager() {
    manager.close();
  }

  /** The same thing, noting the data calls of every space that comes out of it. */
  private <T> T counted(Class<T> type, T thing) {
    Object proxy =
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (self, method, arguments) -> {
              if (type == Space.class && DATA_CALLS.contains(method.getName())) {
                calls.add(method.getName());
              }
              try {
                Object result = method.invoke(thing, arguments);
                return result instanceof Space space ? counted(Space.class, space) : result;
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
    return type.cast(proxy);
  }

  private static MutableConfiguration<String, Integer> numbers() {
    return new MutableConfiguration<String, Integer>().setTypes(String.class, Integer.class);
  }

  private List<String> callsOf(Runnable operation) {
    calls.clear();
    operation.run();
    return List.copyOf(calls);
  }

  static Stream<Factory<ExpiryPolicy>> policiesThatNeedNoRead() {
    return Stream.of(
        EternalExpiryPolicy.factoryOf(),
        ModifiedExpiryPolicy.factoryOf(Duration.ONE_HOUR),
        TouchedExpiryPolicy.factoryOf(Duration.ONE_HOUR));
  }

  @ParameterizedTest
  @MethodSource("policiesThatNeedNoRead")
  void aPutIsOneWriteAndNoRead(Factory<ExpiryPolicy> policy) {
    Cache<String, Integer> cache =
        manager.createCache(
            "c", numbers().setExpiryPolicyFactory(policy).setStatisticsEnabled(true));
    assertThat(callsOf(() -> cache.put("a", 1))).containsExactly("put");
    assertThat(callsOf(() -> cache.put("a", 2))).containsExactly("put");
    assertThat(callsOf(() -> cache.putAll(Map.of("a", 3, "b", 4)))).containsExactly("putAll");
  }

  @Test
  void aPutReadsWhereThePolicyOrAListenerMustKnow() {
    Cache<String, Integer> created =
        manager.createCache(
            "created",
            numbers().setExpiryPolicyFactory(CreatedExpiryPolicy.factoryOf(Duration.ONE_HOUR)));
    assertThat(callsOf(() -> created.put("a", 1))).containsExactly("get", "transact");

    Cache<String, Integer> watched = manager.createCache("watched", numbers());
    CacheEntryCreatedListener<String, Integer> listener = events -> {};
    watched.registerCacheEntryListener(
        new MutableCacheEntryListenerConfiguration<>(() -> listener, null, false, true));
    assertThat(callsOf(() -> watched.put("a", 1))).containsExactly("get", "transact");
  }

  @Test
  void aHitInMemoryCallsNothing() {
    Cache<String, Integer> cache = manager.createCache("c", numbers());
    assertThat(callsOf(() -> cache.get("a"))).containsExactly("get");
    cache.put("a", 1);
    assertThat(callsOf(() -> cache.get("a"))).isEmpty();
    assertThat(callsOf(() -> cache.containsKey("a"))).isEmpty();
  }

  @Test
  void bulkCallsAreBulkBelow() {
    Cache<String, Integer> cache = manager.createCache("c", numbers());
    assertThat(callsOf(() -> cache.getAll(Set.of("a", "b", "c")))).containsExactly("getAll");
    assertThat(callsOf(() -> cache.removeAll(Set.of("a", "b")))).containsExactly("deleteAll");
    assertThat(callsOf(cache::removeAll)).containsExactly("clear");
    assertThat(callsOf(cache::clear)).containsExactly("clear");
  }

  @Test
  void aConditionThatDoesNotHoldIsOneRead() {
    Cache<String, Integer> cache = manager.createCache("c", numbers());
    assertThat(callsOf(() -> cache.remove("a"))).containsExactly("get");
    assertThat(callsOf(() -> cache.replace("a", 1))).containsExactly("get");
    cache.put("a", 1);
    assertThat(callsOf(() -> cache.putIfAbsent("a", 2))).containsExactly("get");
    assertThat(callsOf(() -> cache.remove("a", 7))).containsExactly("get");
    assertThat(callsOf(() -> cache.invoke("a", (entry, arguments) -> entry.getValue())))
        .containsExactly("get");
  }
}
