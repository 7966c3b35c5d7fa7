package io.rockpool.spring;

import static java.time.Duration.ofMillis;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.rockpool.Rockpool;
import io.rockpool.cache.BatchWriter;
import io.rockpool.cache.CacheExpiry;
import io.rockpool.cache.WriteBehindOptions;
import io.rockpool.spring.metrics.RockpoolCacheMetrics;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.cache.annotation.CacheEvict;
import org.springframework.cache.annotation.CachePut;
import org.springframework.cache.annotation.Cacheable;
import org.springframework.cache.annotation.EnableCaching;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.event.ContextClosedEvent;

/** Spring's annotations over a cache that is written behind. */
final class WriteBehindTest {
  /** The database: what the writer writes and the methods read. */
  private static final class Rows implements BatchWriter<Object, Object> {
    final Map<Object, Object> rows = new HashMap<>();
    boolean fails;

    @Override
    public synchronized void writeAll(Map<Object, Object> entries) {
      if (fails) {
        throw new IllegalStateException("refused");
      }
      rows.putAll(entries);
    }

    @Override
    public synchronized void deleteAll(Set<Object> keys) {
      if (fails) {
        throw new IllegalStateException("refused");
      }
      rows.keySet().removeAll(keys);
    }

    synchronized Object get(Object key) {
      return rows.get(key);
    }
  }

  static class Users {
    private final Rows rows;
    int calls;

    Users(Rows rows) {
      this.rows = rows;
    }

    @Cacheable("users")
    public String plain(String id) {
      calls++;
      return (String) rows.get(id);
    }

    @Cacheable(cacheNames = "users", sync = true)
    public String synced(String id) {
      calls++;
      return (String) rows.get(id);
    }

    @Cacheable("users")
    public Optional<String> optional(String id) {
      calls++;
      return Optional.ofNullable((String) rows.get(id));
    }

    @CachePut(cacheNames = "users", key = "#id")
    public String rename(String id, String name) {
      return name;
    }

    @CacheEvict("users")
    public void delete(String id) {}
  }

  @Configuration
  @EnableCaching
  static class Application {
    @Bean
    static CacheableRefresher cacheableRefresher() {
      return new CacheableRefresher();
    }

    @Bean(destroyMethod = "close")
    Rockpool rockpool() {
      return SuiteStores.openNew();
    }

    @Bean
    Rows rows() {
      return new Rows();
    }

    @Bean
    RockpoolCacheManager cacheManager(Rockpool pool, Rows rows) {
      RockpoolCacheManager manager = new RockpoolCacheManager(pool);
      manager.setCacheConfiguration(
          "users",
          RockpoolCacheConfiguration.defaults()
              .writeBehind(
                  rows,
                  WriteBehindOptions.defaults()
                      .delay(ofSeconds(60))
                      .backoff(ofMillis(1), ofMillis(5))
                      .closeTimeout(ofMillis(1))));
      return manager;
    }

    @Bean
    Users users(Rows rows) {
      return new Users(rows);
    }
  }

  private final AnnotationConfigApplicationContext context =
      new AnnotationConfigApplicationContext(Application.class);
  private final Users users = context.getBean(Users.class);
  private final Rows rows = context.getBean(Rows.class);
  private final RockpoolCache cache =
      Objects.requireNonNull(
          (RockpoolCache) context.getBean(RockpoolCacheManager.class).getCache("users"));

  @AfterEach
  void close() {
    context.close();
  }

  private String read(String id, boolean sync) {
    return sync ? users.synced(id) : users.plain(id);
  }

  private long pending() {
    return cache.getNativeCache().writeBehind().pending();
  }

  private void flush() throws InterruptedException {
    assertThat(cache.getNativeCache().writeBehind().flush(ofSeconds(20))).isTrue();
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void writesPutsAndEvictionsAndNotWhatMethodsReturn(boolean sync) throws Exception {
    rows.rows.put("a", "old");
    assertThat(read("a", sync)).isEqualTo("old");
    assertThat(read("b", sync)).isNull();
    assertThat(pending()).isZero();
    users.rename("a", "new");
    users.delete("b");
    cache.put("none", null);
    assertThat(pending()).isEqualTo(3);
    assertThat(rows.rows).isEqualTo(Map.of("a", "old"));
    flush();
    Map<Object, Object> expected = new HashMap<>(Map.of("a", "new"));
    expected.put("none", null);
    assertThat(rows.rows).isEqualTo(expected);
    assertThat(read("a", sync)).isEqualTo("new");
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void methodsDoNotBringBackWhatIsRemovedOrOlder(boolean sync) throws Exception {
    rows.rows.putAll(Map.of("a", "old", "b", "old"));
    users.delete("a");
    users.rename("b", "new");
    cache.clear();
    assertThat(read("a", sync)).isNull();
    assertThat(users.optional("a")).isEmpty();
    assertThat(read("b", sync)).isEqualTo("new");
    assertThat(pending()).isEqualTo(2);
    flush();
    assertThat(rows.rows).isEqualTo(Map.of("b", "new"));
    assertThat(read("a", sync)).isNull();
    cache.clear();
    assertThat(read("b", sync)).isEqualTo("new");
  }

  @Test
  void writesWhenTheContextBeginsToClose() {
    RockpoolCacheManager manager = context.getBean(RockpoolCacheManager.class);
    manager.setCacheConfiguration(
        "users",
        RockpoolCacheConfiguration.defaults()
            .writeBehind(rows, WriteBehindOptions.defaults().closeTimeout(ofSeconds(20))));
    users.rename("a", "new");
    context.publishEvent(new ContextClosedEvent(context));
    assertThat(rows.rows).isEqualTo(Map.of("a", "new"));
  }

  @Test
  void measuresWhatIsPending() throws Exception {
    SimpleMeterRegistry registry = new SimpleMeterRegistry();
    new RockpoolCacheMetrics(cache, Tags.empty()).bindTo(registry);
    users.rename("a", "new");
    assertThat(registry.get("cache.pending").gauge().value()).isEqualTo(1);
    assertThat(registry.get("cache.pending.size").gauge().value()).isPositive();
    assertThat(registry.get("cache.pending.age").timeGauge().value()).isNotNegative();
    assertThat(registry.get("cache.pending.dead").gauge().value()).isZero();
    rows.fails = true;
    assertThat(cache.getNativeCache().writeBehind().flush(ofMillis(200))).isFalse();
    assertThat(registry.get("cache.write.failures").functionCounter().count()).isPositive();
    rows.fails = false;
    flush();
    assertThat(registry.get("cache.pending").gauge().value()).isZero();
    assertThat(registry.get("cache.written").functionCounter().count()).isEqualTo(1);
    assertThat(rows.rows).isEqualTo(Map.of("a", "new"));
    assertThat(cache.getNativeCache().ttl("a")).contains(CacheExpiry.FOREVER);
  }
}
