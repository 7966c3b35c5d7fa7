package io.rockpool.jcache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rockpool.Rockpool;
import io.rockpool.cache.PersistentCache;
import io.rockpool.engine.memory.MemoryEngine;
import io.rockpool.error.NameConflictException;
import io.rockpool.store.VerifyOptions;
import io.rockpool.testing.FakeClock;
import io.rockpool.testing.Slow;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import javax.cache.Cache;
import javax.cache.CacheException;
import javax.cache.CacheManager;
import javax.cache.Caching;
import javax.cache.configuration.CompleteConfiguration;
import javax.cache.configuration.Factory;
import javax.cache.configuration.MutableConfiguration;
import javax.cache.expiry.AccessedExpiryPolicy;
import javax.cache.expiry.CreatedExpiryPolicy;
import javax.cache.expiry.Duration;
import javax.cache.expiry.EternalExpiryPolicy;
import javax.cache.expiry.ExpiryPolicy;
import javax.cache.expiry.ModifiedExpiryPolicy;
import javax.cache.expiry.TouchedExpiryPolicy;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

@Slow
class RestartTest extends JCacheTest {
  record Order(String id, int amount) {}

  private static MutableConfiguration<String, Order> orders() {
    return new MutableConfiguration<String, Order>().setTypes(String.class, Order.class);
  }

  @Test
  void getCacheFindsEntriesAndConfiguration() {
    MutableConfiguration<String, Order> configuration =
        orders()
            .setExpiryPolicyFactory(ModifiedExpiryPolicy.factoryOf(Duration.ONE_HOUR))
            .setStatisticsEnabled(true);
    manager().createCache("orders", configuration).put("o-1", new Order("o-1", 12));

    Cache<String, Order> found = restarted().getCache("orders", String.class, Order.class);
    assertThat(found.get("o-1")).isEqualTo(new Order("o-1", 12));
    assertThat(configurationOf(found)).isEqualTo(configuration);
    assertThat(manager().getCacheNames()).containsExactly("orders");
    assertThat(restarted().<String, Order>getCache("orders").get("o-1").amount()).isEqualTo(12);
  }

  @Test
  @SuppressWarnings("unchecked") // a class cannot say its type arguments
  void theStoresOwnCacheGivesAnEntryItsTtl() {
    FakeClock clock = new FakeClock();
    try (CacheManager timed = managerOver(MemoryEngine.builder().clock(clock).build())) {
      Cache<String, Order> orders = timed.createCache("orders", orders());
      PersistentCache<String, Order> kernel = orders.unwrap(PersistentCache.class);
      Order order = new Order("o-1", 12);
      kernel.put("short", order, java.time.Duration.ofSeconds(1));
      orders.put("cut", order);
      assertThat(kernel.expireAfter("cut", java.time.Duration.ofSeconds(2))).isTrue();
      orders.put("eternal", order);
      assertThat(orders.get("short")).isEqualTo(order);
      clock.advanceMillis(1_000);
      assertThat(orders.get("short")).isNull();
      assertThat(orders.get("cut")).isEqualTo(order);
      clock.advanceMillis(1_000);
      assertThat(orders).singleElement().extracting(Cache.Entry::getKey).isEqualTo("eternal");
    }
  }

  @Test
  void cachesAndCollectionsShareADirectory() {
    CacheManager manager = manager();
    Rockpool pool = manager.unwrap(Rockpool.class);
    manager.createCache("orders", orders()).put("o-1", new Order("o-1", 12));
    pool.map("stock", String.class, Integer.class).put("item", 3);

    manager = restarted();
    pool = manager.unwrap(Rockpool.class);
    assertThat(manager.getCacheNames()).containsExactly("orders");
    assertThat(manager.getCache("orders", String.class, Order.class).get("o-1").amount())
        .isEqualTo(12);
    assertThat(pool.map("stock", String.class, Integer.class)).isEqualTo(Map.of("item", 3));
    CacheManager again = manager;
    assertThatThrownBy(() -> again.createCache("stock", orders()))
        .isInstanceOf(CacheException.class)
        .hasCauseInstanceOf(NameConflictException.class);
    manager.destroyCache("stock");
    manager.destroyCache("orders");
    assertThat(pool.map("stock", String.class, Integer.class)).isEqualTo(Map.of("item", 3));

    assertThat(restarted().getCacheNames()).isEmpty();
    assertThat(
            manager().unwrap(Rockpool.class).map("stock", String.class, Integer.class).get("item"))
        .isEqualTo(3);
  }

  @Test
  void createCacheKeepsTheEntriesAndTakesTheNewConfiguration() {
    manager().createCache("orders", orders()).put("o-1", new Order("o-1", 12));
    Factory<ExpiryPolicy> hour = TouchedExpiryPolicy.factoryOf(Duration.ONE_HOUR);
    Cache<String, Order> created =
        restarted().createCache("orders", orders().setExpiryPolicyFactory(hour));
    assertThat(created.get("o-1")).isEqualTo(new Order("o-1", 12));
    Cache<String, Order> found = restarted().getCache("orders");
    assertThat(configurationOf(found).getExpiryPolicyFactory()).isEqualTo(hour);
  }

  @Test
  void createCacheOfAnOpenCacheIsRefused() {
    manager().createCache("orders", orders());
    assertThatThrownBy(() -> manager().createCache("orders", orders()))
        .isInstanceOf(CacheException.class)
        .hasMessageContaining("\"orders\"");
  }

  @Test
  void aClosedCacheCanBeOpenedAgainWithAnotherPolicy() {
    Cache<String, Order> first = manager().createCache("orders", orders());
    first.put("o-1", new Order("o-1", 12));
    first.close();
    assertThatThrownBy(() -> first.get("o-1")).isInstanceOf(IllegalStateException.class);
    Factory<ExpiryPolicy> hour = TouchedExpiryPolicy.factoryOf(Duration.ONE_HOUR);
    Cache<String, Order> second =
        manager().createCache("orders", orders().setExpiryPolicyFactory(hour));
    assertThat(second.get("o-1")).isEqualTo(new Order("o-1", 12));
  }

  @Test
  void otherTypesAreRefusedAndNothingIsLost() {
    manager().createCache("orders", orders()).put("o-1", new Order("o-1", 12));
    CacheManager manager = restarted();
    assertThatThrownBy(
            () ->
                manager.createCache(
                    "orders",
                    new MutableConfiguration<String, String>()
                        .setTypes(String.class, String.class)))
        .isInstanceOf(CacheException.class)
        .hasCauseInstanceOf(NameConflictException.class)
        .hasMessageContaining(Order.class.getName());
    assertThatThrownBy(() -> manager.getCache("orders", String.class, String.class))
        .isInstanceOf(ClassCastException.class);
    assertThat(manager.getCache("orders", String.class, Order.class).containsKey("o-1")).isTrue();
  }

  @Test
  void destroyCacheRemovesForGood() {
    manager().createCache("orders", orders()).put("o-1", new Order("o-1", 12));
    restarted().destroyCache("orders");
    assertThat(manager().getCacheNames()).isEmpty();
    assertThat(manager().<Object, Object>getCache("orders")).isNull();
    assertThat(restarted().createCache("orders", orders()).containsKey("o-1")).isFalse();
  }

  @Test
  void whatIsNoJCacheIsLeftAlone() {
    Rockpool pool = manager().unwrap(Rockpool.class);
    PersistentCache<String, Order> direct = pool.cache("direct", String.class, Order.class);
    direct.put("a", new Order("a", 1));
    assertThat(manager().<Object, Object>getCache("direct")).isNull();
    assertThat(manager().getCacheNames()).isEmpty();
    manager().destroyCache("direct");
    assertThat(direct.get("a")).isNotNull();

    Cache<String, Order> adopted = manager().createCache("direct", orders());
    assertThat(adopted.get("a")).isEqualTo(new Order("a", 1));
    adopted.put("a", new Order("a", 2));
    assertThat(direct.get("a")).isEqualTo(new Order("a", 2));
  }

  static Stream<Factory<ExpiryPolicy>> builtInPolicies() {
    Duration day = new Duration(TimeUnit.DAYS, 7);
    return Stream.of(
        EternalExpiryPolicy.factoryOf(),
        CreatedExpiryPolicy.factoryOf(day),
        CreatedExpiryPolicy.factoryOf(Duration.ETERNAL),
        ModifiedExpiryPolicy.factoryOf(Duration.ZERO),
        AccessedExpiryPolicy.factoryOf(new Duration(TimeUnit.MILLISECONDS, 1)),
        TouchedExpiryPolicy.factoryOf(day));
  }

  @ParameterizedTest
  @MethodSource("builtInPolicies")
  void builtInPoliciesComeBack(Factory<ExpiryPolicy> policy) {
    manager().createCache("orders", orders().setExpiryPolicyFactory(policy));
    Cache<String, Order> found = restarted().getCache("orders");
    CompleteConfiguration<?, ?> configuration = configurationOf(found);
    assertThat(configuration.getExpiryPolicyFactory().create()).isEqualTo(policy.create());
  }

  @Test
  void codeDoesNotComeBackAndTheErrorSaysWhatToDo() {
    MutableConfiguration<String, Order> configuration =
        orders().setExpiryPolicyFactory(OwnPolicy::new);
    manager().createCache("orders", configuration).put("o-1", new Order("o-1", 12));
    CacheManager manager = restarted();
    assertThat(manager.getCacheNames()).containsExactly("orders");
    assertThatThrownBy(() -> manager.getCache("orders"))
        .isInstanceOf(CacheException.class)
        .hasMessageContaining(OwnPolicy.class.getName())
        .hasMessageContaining("Call createCache with the configuration again");
    assertThat(manager.createCache("orders", configuration).get("o-1").amount()).isEqualTo(12);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "/", "a//b", "100%", "tab\there", "Zürich/😀", "a.b(int[], String)"})
  void anyNameIsACache(String name) {
    manager().createCache(name, orders().setManagementEnabled(true)).put("k", new Order("k", 1));
    CacheManager manager = restarted();
    assertThat(manager.getCacheNames()).containsExactly(name);
    Cache<String, Order> found = manager.getCache(name);
    assertThat(found.getName()).isEqualTo(name);
    assertThat(found.get("k").amount()).isEqualTo(1);
    manager.destroyCache(name);
    assertThat(manager.getCacheNames()).isEmpty();
  }

  @Test
  void nothingAcknowledgedIsLostWhenTheProcessIsKilled() throws Exception {
    Process writer =
        new ProcessBuilder(
                List.of(
                    Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                    "-cp",
                    System.getProperty("java.class.path"),
                    EndlessWriter.class.getName(),
                    uri().toString()))
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start();
    int acknowledged = 0;
    try (DataInputStream in = new DataInputStream(writer.getInputStream())) {
      while (acknowledged < 500) {
        acknowledged = in.readInt();
      }
      // Process.destroyForcibly would also close the pipe, and what is still in it with that.
      writer.toHandle().destroyForcibly();
      while (true) {
        acknowledged = in.readInt();
      }
    } catch (EOFException end) {
      assertThat(writer.waitFor(30, TimeUnit.SECONDS)).isTrue();
    } finally {
      writer.destroyForcibly();
    }
    Cache<Integer, String> found = manager().getCache("written", Integer.class, String.class);
    for (int i = 0; i <= acknowledged; i++) {
      assertThat(found.get(i)).isEqualTo("value " + i);
    }
    Rockpool pool = manager().unwrap(Rockpool.class);
    assertThat(pool.verify(VerifyOptions.defaults().decodeValues(true)).isClean()).isTrue();
  }

  /** The child: an application that knows nothing but JSR-107, and writes until it is killed. */
  static final class EndlessWriter {
    private EndlessWriter() {}

    public static void main(String[] arguments) throws IOException {
      Cache<Integer, String> cache =
          Caching.getCachingProvider()
              .getCacheManager(URI.create(arguments[0]), null)
              .createCache(
                  "written",
                  new MutableConfiguration<Integer, String>()
                      .setTypes(Integer.class, String.class));
      DataOutputStream acknowledgements = new DataOutputStream(System.out);
      for (int i = 0; ; i++) {
        cache.put(i, "value " + i);
        acknowledgements.writeInt(i);
        acknowledgements.flush();
      }
    }
  }
}
