package io.rockpool.jcache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rockpool.cache.CacheOptions.OnUnencodable;
import io.rockpool.cache.HotSize;
import io.rockpool.cache.PersistentCache;
import io.rockpool.jcache.internal.config.CacheSection;
import io.rockpool.jcache.internal.config.ConfigurationFile;
import io.rockpool.jcache.internal.config.FixedExpiryPolicy;
import io.rockpool.store.Durability;
import java.io.IOException;
import java.net.URI;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.BiFunction;
import javax.cache.Cache;
import javax.cache.CacheException;
import javax.cache.CacheManager;
import javax.cache.configuration.CompleteConfiguration;
import javax.cache.configuration.Factory;
import javax.cache.configuration.MutableConfiguration;
import javax.cache.event.CacheEntryCreatedListener;
import javax.cache.event.CacheEntryEvent;
import javax.cache.event.CacheEntryEventFilter;
import javax.cache.integration.CacheLoader;
import javax.cache.integration.CacheLoaderException;
import javax.cache.integration.CacheWriter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ConfigurationFileTest extends JCacheTest {
  private static final List<String> HEARD = new ArrayList<>();
  private static final List<String> WRITTEN = new ArrayList<>();

  record Order(String id, int amount) {}

  static final class Orders implements CacheLoader<String, Order> {
    @Override
    public Order load(String key) {
      return new Order(key, key.length());
    }

    @Override
    public Map<String, Order> loadAll(Iterable<? extends String> keys) {
      throw new CacheLoaderException("one by one");
    }
  }

  static final class Journal
      implements Factory<CacheWriter<Object, Object>>, CacheWriter<Object, Object> {
    private static final long serialVersionUID = 1L;

    @Override
    public CacheWriter<Object, Object> create() {
      return this;
    }

    @Override
    public void write(Cache.Entry<? extends Object, ? extends Object> entry) {
      WRITTEN.add("" + entry.getKey());
    }

    @Override
    public void writeAll(Collection<Cache.Entry<? extends Object, ? extends Object>> entries) {
      entries.forEach(this::write);
      entries.clear();
    }

    @Override
    public void delete(Object key) {}

    @Override
    public void deleteAll(Collection<?> keys) {}
  }

  static final class Ear implements CacheEntryCreatedListener<String, Order> {
    @Override
    public void onCreated(Iterable<CacheEntryEvent<? extends String, ? extends Order>> events) {
      events.forEach(it -> HEARD.add(it.getKey()));
    }
  }

  static final class NotX implements CacheEntryEventFilter<String, Order> {
    @Override
    public boolean evaluate(CacheEntryEvent<? extends String, ? extends Order> event) {
      return !event.getKey().equals("x");
    }
  }

  static final class Minutes implements BiFunction<String, Order, Duration> {
    @Override
    public Duration apply(String key, Order order) {
      return Duration.ofMinutes(order.amount());
    }
  }

  private static final String TYPES =
      "key-type = java.lang.String, value-type = \"" + Order.class.getName() + "\"";

  @ParameterizedTest
  @CsvSource({
    "500us, 1",
    "1500us, 2",
    "7, 7",
    "1s, 1000",
    "9999999999999 days, 9223372036855",
    "1e30 days, 9223372036855"
  })
  void durationsAreRoundedUpAndEndInThreeCenturies(String text, long millis) {
    Cache<?, ?> cache =
        manager("caches { c { expiry { creation = " + text + " } } }").getCache("c");
    assertThat(configurationOf(cache).getExpiryPolicyFactory().create().getExpiryForCreation())
        .isEqualTo(new javax.cache.expiry.Duration(TimeUnit.MILLISECONDS, millis));
  }

  @Test
  void aNamedCacheIsMadeWhenItIsAskedFor() {
    CacheManager manager = manager("caches { orders { " + TYPES + ", hot-size = 9 } }");
    assertThat(manager.getURI()).isEqualTo(file().toUri());
    assertThat(manager.getCacheNames()).containsExactly("orders");
    Cache<String, Order> orders = manager.getCache("orders", String.class, Order.class);
    orders.put("o-1", new Order("o-1", 1));
    assertThat(own(orders).hotSize()).contains(HotSize.entries(9));
    assertThat(manager.getCache("orders")).isSameAs(orders);
    assertThat(manager.<Object, Object>getCache("others")).isNull();

    provider.close();
    assertThat(manager().<String, Order>getCache("orders").get("o-1").amount()).isEqualTo(1);
    assertThat(own(manager().getCache("orders")).hotSize()).contains(HotSize.entries(9));
  }

  @Test
  void saysAllThatAConfigurationCan() {
    HEARD.clear();
    WRITTEN.clear();
    String here = ConfigurationFileTest.class.getName();
    Cache<String, Order> cache =
        manager(
                """
                caches {
                  "shop/orders" {
                    %1$s
                    store-by-value = false
                    read-through = true
                    loader-factory = "%2$s$Orders"
                    write-through = on
                    writer-factory = "%2$s$Journal"
                    statistics = true
                    management = yes
                    expiry { creation = 1h, update = 10 minutes, access = eternal }
                    entry-ttl = "%2$s$Minutes"
                    hot-size = 64KiB
                    durability = Sync
                    disk-budget = 2GiB
                    maximum-size = 5000
                    soft-ttl = 5m
                    refresh-ahead-factor = 0.75
                    jitter = 0.1
                    warm-restart = off
                    version = 7
                    evolve = on
                    on-unencodable = skip
                    listeners = [
                      { listener-factory = "%2$s$Ear", filter-factory = "%2$s$NotX", synchronous = true, old-value-required = true }
                    ]
                  }
                }
                """
                    .formatted(TYPES, here))
            .getCache("shop/orders");
    CompleteConfiguration<String, Order> configuration = configurationOf(cache);
    assertThat(configuration.isStoreByValue()).isFalse();
    assertThat(configuration.isReadThrough()).isTrue();
    assertThat(configuration.isWriteThrough()).isTrue();
    assertThat(configuration.isStatisticsEnabled()).isTrue();
    assertThat(configuration.isManagementEnabled()).isTrue();
    assertThat(configuration.getExpiryPolicyFactory().create())
        .isEqualTo(
            new FixedExpiryPolicy(
                millis(3_600_000), millis(600_000), javax.cache.expiry.Duration.ETERNAL));
    assertThat(configuration.getCacheEntryListenerConfigurations())
        .singleElement()
        .satisfies(it -> assertThat(it.isSynchronous()).isTrue())
        .satisfies(it -> assertThat(it.isOldValueRequired()).isTrue());
    assertThat(own(cache).hotSize()).contains(HotSize.bytes(64 << 10));
    assertThat(own(cache).durability()).contains(Durability.SYNC);
    assertThat(own(cache).diskBudgetBytes()).hasValue(2L << 30);
    assertThat(own(cache).maximumSize()).hasValue(5_000);
    assertThat(own(cache).softTtl()).contains(Duration.ofMinutes(5));
    assertThat(own(cache).refreshAheadFactor()).hasValue(0.75);
    assertThat(own(cache).jitter()).hasValue(0.1);
    assertThat(own(cache).warmRestart()).contains(false);
    assertThat(own(cache).version()).contains("7");
    assertThat(own(cache).evolve()).contains(true);
    assertThat(own(cache).onUnencodable()).contains(OnUnencodable.SKIP);

    assertThat(cache.get("four")).isEqualTo(new Order("four", 4));
    cache.put("x", new Order("x", 5));
    cache.put("y", new Order("y", 5));
    assertThat(HEARD).containsExactly("four", "y");
    assertThat(WRITTEN).containsExactly("x", "y");
    @SuppressWarnings("unchecked") // a class cannot say its type arguments
    PersistentCache<String, Order> kernel = cache.unwrap(PersistentCache.class);
    assertThat(kernel.ttl("y").orElseThrow())
        .isBetween(Duration.ofMinutes(4), Duration.ofMinutes(5));
    assertThat(kernel.ttl("four").orElseThrow()).isLessThanOrEqualTo(Duration.ofMinutes(4));
  }

  private static javax.cache.expiry.Duration millis(long millis) {
    return new javax.cache.expiry.Duration(java.util.concurrent.TimeUnit.MILLISECONDS, millis);
  }

  @Test
  void codecsAreNamedByClass() {
    CacheManager manager =
        manager(
            "caches { c { key-type = java.lang.String, value-type = java.lang.String, hot-size ="
                + " 0, value-codec = "
                + UpperCodec.class.getName()
                + " } }");
    Cache<String, String> cache = manager.getCache("c");
    cache.put("k", "loud");
    assertThat(cache.get("k")).isEqualTo("LOUD");
    provider.close();
    assertThat(provider.getCacheManager(file().toUri(), null).getCache("c").get("k"))
        .isEqualTo("LOUD");
  }

  @Test
  void expiryFromAFileComesBackWithoutIt() {
    manager("caches { c { expiry { creation = 30s, access = 5m } } }").getCache("c").put("k", 1);
    provider.close();
    assertThat(configurationOf(manager().getCache("c")).getExpiryPolicyFactory().create())
        .isEqualTo(new FixedExpiryPolicy(millis(30_000), null, millis(300_000)));
  }

  @Test
  void theDefaultHoldsWhereACacheSaysNothing() {
    CacheManager manager =
        manager(
            """
            defaults { hot-size = 1MiB, durability = buffered, expiry { creation = 1h }, statistics = true }
            caches { plain {}, few { hot-size = 3, statistics = false, expiry { access = 1m } } }
            """);
    RockpoolConfiguration<Object, Object> plain = own(manager.getCache("plain"));
    assertThat(plain.hotSize()).contains(HotSize.bytes(1 << 20));
    assertThat(plain.durability()).contains(Durability.BUFFERED);
    assertThat(plain.isStatisticsEnabled()).isTrue();
    RockpoolConfiguration<Object, Object> few = own(manager.getCache("few"));
    assertThat(few.hotSize()).contains(HotSize.entries(3));
    assertThat(few.isStatisticsEnabled()).isFalse();
    assertThat(few.getExpiryPolicyFactory().create())
        .isEqualTo(new FixedExpiryPolicy(millis(3_600_000), null, millis(60_000)));
  }

  @Test
  void createCacheTakesFromTheFileWhatItsConfigurationDoesNotSay() {
    CacheManager manager =
        manager(
            """
            defaults { hot-size = 1MiB, statistics = true, expiry { creation = 1h } }
            caches { orders { durability = sync, store-by-value = false } }
            """);
    MutableConfiguration<Object, Object> plain = new MutableConfiguration<>();
    RockpoolConfiguration<Object, Object> other = own(manager.createCache("other", plain));
    assertThat(other.hotSize()).contains(HotSize.bytes(1 << 20));
    assertThat(other.standard()).isEqualTo(plain);
    RockpoolConfiguration<Object, Object> orders =
        own(
            manager.createCache(
                "orders", RockpoolConfiguration.of(Object.class, Object.class).hotEntries(5)));
    assertThat(orders.hotSize()).contains(HotSize.entries(5));
    assertThat(orders.durability()).contains(Durability.SYNC);
    assertThat(orders.isStoreByValue()).isTrue();
  }

  @Test
  void switchesOfTheMomentHoldUnlessTheFileSaysOtherwise() {
    String lines = "caches { c { management = false } }";
    manager(lines).getCache("c");
    provider.getCacheManager(file().toUri(), null).enableStatistics("c", true);
    provider.getCacheManager(file().toUri(), null).enableManagement("c", true);
    provider.close();
    CompleteConfiguration<?, ?> found = configurationOf(manager(lines).getCache("c"));
    assertThat(found.isStatisticsEnabled()).isTrue();
    assertThat(found.isManagementEnabled()).isFalse();
  }

  @Test
  void otherTypesThanTheStoresAreRefused() {
    manager("caches { orders { " + TYPES + " } }").getCache("orders").put("k", new Order("k", 1));
    provider.close();
    assertThatThrownBy(
            () -> manager("caches { orders { key-type = java.lang.Long } }").getCache("orders"))
        .isInstanceOf(CacheException.class)
        .hasMessageContaining("java.lang.String")
        .hasMessageContaining("java.lang.Long");
  }

  @Test
  void theClassPathIsReadWithoutAFile() throws IOException {
    Path classes = Files.createDirectory(directory.resolve("classes"));
    Files.writeString(
        classes.resolve("application.conf"),
        "other = ${?nothing}\nrockpool.jcache { defaults { hot-size = 0 }, caches { a {} } }");
    Files.writeString(
        classes.resolve("more.conf"),
        "rockpool.jcache { " + store() + " caches { b { hot-size = 2 } } }");
    try (URLClassLoader loader =
        new URLClassLoader(new URL[] {classes.toUri().toURL()}, getClass().getClassLoader())) {
      CacheManager manager = provider.getCacheManager(uri(), loader);
      assertThat(manager.getCacheNames()).containsExactly("a");
      assertThat(own(manager.getCache("a")).hotSize()).contains(HotSize.entries(0));

      CacheManager more = provider.getCacheManager(URI.create("classpath:more.conf"), loader);
      assertThat(more.getCacheNames()).containsExactlyInAnyOrder("a", "b");
      assertThat(own(more.getCache("b")).hotSize()).contains(HotSize.entries(2));
      provider.close();
    }
  }

  @Test
  void systemPropertiesGoFirst() {
    String property = "rockpool.jcache.caches.c.hot-size";
    System.setProperty(property, "17");
    try {
      assertThat(own(manager("caches { c { hot-size = 3 } }").getCache("c")).hotSize())
          .contains(HotSize.entries(17));
      provider.close();
      System.setProperty(property, "lots");
      assertThatThrownBy(this::manager)
          .isInstanceOf(CacheException.class)
          .hasMessageContaining("system properties: hot-size of cache \"c\" is \"lots\"");
    } finally {
      System.clearProperty(property);
    }
  }

  @Test
  void systemPropertiesMayNameTheDefaultDirectory() {
    System.setProperty("rockpool.jcache.directory", directory.resolve("store").toString());
    try {
      assertThat(provider.getDefaultURI()).isEqualTo(uri());
    } finally {
      System.clearProperty("rockpool.jcache.directory");
    }
  }

  @Test
  void theReferenceHasEverySettingAndAllOfItIsRight() throws IOException {
    String reference;
    try (var in = getClass().getResourceAsStream("/reference.conf")) {
      reference = new String(in.readAllBytes(), java.nio.charset.StandardCharsets.UTF_8);
    }
    StringBuilder settings = new StringBuilder();
    reference
        .lines()
        .map(String::strip)
        .map(line -> line.replaceFirst("^# ", ""))
        .filter(line -> line.matches("[a-z0-9.-]+ [={].*|[]{}]"))
        .forEach(line -> settings.append(line).append('\n'));
    Path file = file();
    Files.writeString(file, settings.toString().replace("hot-size = 32MiB", ""));
    CacheSection section =
        ConfigurationFile.of(file.toUri(), getClass().getClassLoader()).cache("orders");
    assertThat(section).isNotNull();
    for (String key : CacheSection.KEYS) {
      assertThat(settings).contains(key + " ");
    }
    for (String key : CacheSection.WRITE_BEHIND_KEYS) {
      assertThat(settings).contains(key + " ");
    }
    for (String key : CacheSection.EXPIRY_KEYS) {
      assertThat(settings).contains(key + " ");
    }
    for (String key : CacheSection.LISTENER_KEYS) {
      assertThat(settings).contains(key + " ");
    }
  }
}
