package io.rockpool.redis.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.rockpool.Rockpool;
import io.rockpool.error.ServerUnavailableException;
import io.rockpool.redis.RedisServers;
import io.rockpool.spring.boot.RockpoolAutoConfiguration;
import io.rockpool.spring.boot.RockpoolCacheAutoConfiguration;
import io.rockpool.spring.boot.RockpoolHealthIndicator;
import io.rockpool.spring.metrics.RockpoolStoreMetrics;
import io.rockpool.store.ServerState;
import io.rockpool.testing.ServiceVariables;
import io.rockpool.testing.Slow;
import io.rockpool.testing.tools.Needs;
import io.rockpool.testing.tools.Tool;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.ssl.SslAutoConfiguration;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.boot.data.redis.autoconfigure.DataRedisConnectionDetails;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.Status;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.cache.annotation.CacheEvict;
import org.springframework.cache.annotation.Cacheable;
import org.springframework.cache.annotation.EnableCaching;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.SystemEnvironmentPropertySource;

/** Applications of Spring Boot whose caches are on the server of its connection details. */
@Slow
@Timeout(120)
@Needs(Tool.REDIS)
final class BootOnRedisTest {
  private RedisServers server;

  @BeforeEach
  void start() throws Exception {
    server = RedisServers.start();
  }

  @AfterEach
  void stop() {
    if (server != null) {
      server.close();
    }
  }

  /** A service whose method is cached. */
  static class Prices {
    private final AtomicInteger calls = new AtomicInteger();

    @Cacheable("prices")
    public int price(String item) {
      return calls.incrementAndGet();
    }

    @Cacheable(cacheNames = "prices", sync = true)
    public int synced(String item) {
      return calls.incrementAndGet();
    }

    @CacheEvict("prices")
    public void changed(String item) {}
  }

  @Configuration(proxyBeanMethods = false)
  @EnableCaching
  static class Application {
    @Bean
    Prices prices() {
      return new Prices();
    }
  }

  private static ApplicationContextRunner runner() {
    return new ApplicationContextRunner()
        .withConfiguration(
            AutoConfigurations.of(
                SslAutoConfiguration.class,
                DataRedisAutoConfiguration.class,
                RockpoolRedisAutoConfiguration.class,
                RockpoolAutoConfiguration.class,
                RockpoolCacheAutoConfiguration.class))
        .withUserConfiguration(Application.class)
        .withPropertyValues("rockpool.engine=redis", "spring.cache.type=rockpool");
  }

  private String[] place() {
    return new String[] {
      "spring.data.redis.host=127.0.0.1", "spring.data.redis.port=" + server.port()
    };
  }

  @Test
  void theServerIsThatOfBootsProperties() {
    runner()
        .withPropertyValues(place())
        .withPropertyValues(
            "spring.data.redis.client-name=shop-1",
            "spring.data.redis.timeout=7s",
            "rockpool.redis.prefix=shop")
        .run(
            context -> {
              Prices prices = context.getBean(Prices.class);
              assertThat(prices.price("a")).isEqualTo(1);
              assertThat(prices.price("a")).isEqualTo(1);
              assertThat(server.command("CLIENT", "LIST")).contains("name=shop-1");
              assertThat(server.command("--scan", "--pattern", "shop:*:e*")).isNotEmpty();
            });
  }

  /** As those that Kubernetes sets for a service named as an option. */
  @Test
  void environmentVariablesAreOptionsOrForeign() {
    Map<String, Object> variables = ServiceVariables.of("rockpool.redis");
    RockpoolRedisAutoConfiguration.NAMES.forEach(
        name -> variables.putAll(ServiceVariables.of("rockpool.redis." + name)));
    variables.put("ROCKPOOL_REDIS_PREFIX", "shop");
    variables.put("ROCKPOOL_REDIS_CLIENT_NAME", "shop-2");
    variables.put("ROCKPOOL_REDIS_WHENAWAY", "miss");
    runner()
        .withPropertyValues(place())
        .withInitializer(
            context ->
                context
                    .getEnvironment()
                    .getPropertySources()
                    .replace(
                        "systemEnvironment",
                        new SystemEnvironmentPropertySource("systemEnvironment", variables)))
        .run(
            context -> {
              assertThat(context.getBean(Prices.class).price("a")).isEqualTo(1);
              assertThat(server.command("CLIENT", "LIST")).contains("name=shop-2");
              assertThat(server.command("--scan", "--pattern", "shop:*:e*")).isNotEmpty();
            });
  }

  @Test
  void aTimeoutOfBootThatIsOutOfRangeIsNamed() {
    runner()
        .withPropertyValues(place())
        .withPropertyValues("spring.data.redis.timeout=0")
        .run(
            context ->
                assertThatThrownBy(() -> context.getBean(Rockpool.class))
                    .hasRootCauseInstanceOf(InvalidConfigurationPropertyValueException.class)
                    .hasStackTraceContaining("spring.data.redis.timeout"));
  }

  /** Both lists of the options are the page's; {@code RedisPropertiesPageTest} checks that. */
  @Test
  void theOptionsAreThoseOfThePage() throws IOException {
    assertThat(
            Pattern.compile("\\| `rockpool\\.redis\\.([a-z-]+)` \\|")
                .matcher(Files.readString(Path.of("../docs/properties.md")))
                .results()
                .map(it -> it.group(1)))
        .containsExactlyInAnyOrderElementsOf(RockpoolRedisAutoConfiguration.NAMES);
  }

  @Test
  void aServiceConnectionGoesBeforeProperties() {
    runner()
        .withPropertyValues("spring.data.redis.port=1")
        .withBean(DataRedisConnectionDetails.class, this::details)
        .run(context -> assertThat(context.getBean(Prices.class).price("a")).isEqualTo(1));
  }

  private DataRedisConnectionDetails details() {
    return new DataRedisConnectionDetails() {
      @Override
      public Standalone getStandalone() {
        return Standalone.of("127.0.0.1", server.port());
      }
    };
  }

  @Test
  void passwordsAndDatabasesAreThoseOfTheUrl() {
    assertThat(server.command("ACL", "SETUSER", "app", "on", ">s:1", "~*", "&*", "+@all"))
        .isEqualTo("OK");
    String url = "spring.data.redis.url=redis://app:PASSWORD@127.0.0.1:" + server.port() + "/3";
    runner()
        .withPropertyValues(url.replace("PASSWORD", "s%3A1"))
        .run(
            context -> {
              assertThat(context.getBean(Prices.class).price("a")).isEqualTo(1);
              assertThat(server.command("-n", "3", "--scan", "--pattern", "*:e*")).isNotEmpty();
            });
    runner()
        .withPropertyValues(url.replace("PASSWORD", "wrong"))
        .run(
            context ->
                assertThatThrownBy(() -> context.getBean(Rockpool.class))
                    .hasRootCauseInstanceOf(io.lettuce.core.RedisCommandExecutionException.class)
                    .hasStackTraceContaining("WRONGPASS"));
  }

  @Test
  void sentinelsAndClustersAreUnderstood() {
    runner()
        .withPropertyValues(
            "spring.data.redis.sentinel.master=shop",
            "spring.data.redis.sentinel.nodes=127.0.0.1:1,127.0.0.1:2")
        .run(
            context ->
                assertThatThrownBy(() -> context.getBean(Rockpool.class))
                    .hasStackTraceContaining("shop of the sentinels 127.0.0.1:1,127.0.0.1:2"));
    runner()
        .withPropertyValues("spring.data.redis.cluster.nodes=127.0.0.1:1,127.0.0.1:2")
        .run(
            context ->
                assertThatThrownBy(() -> context.getBean(Rockpool.class))
                    .hasStackTraceContaining("The Redis cluster at 127.0.0.1:1,127.0.0.1:2"));
  }

  @Test
  void methodsAnswerWhileTheServerIsAway() {
    MeterRegistry meters = new SimpleMeterRegistry();
    runner()
        .withPropertyValues(place())
        .withPropertyValues(
            "rockpool.redis.when-away=miss",
            "rockpool.redis.timeout=2s",
            "rockpool.redis.feed-timeout=2s")
        .run(
            context -> {
              Rockpool pool = context.getBean(Rockpool.class);
              new RockpoolStoreMetrics(() -> pool, List.of()).bindTo(meters);
              RockpoolHealthIndicator indicator = new RockpoolHealthIndicator(() -> pool);
              Prices prices = context.getBean(Prices.class);
              assertThat(prices.price("a")).isEqualTo(1);
              assertThat(indicator.health().getStatus()).isEqualTo(Status.UP);
              server.signal("STOP");
              RedisServers.await(() -> !pool.state().server().orElseThrow().connected());
              RedisServers.await(() -> prices.price("a") > 1); // no longer from memory
              int called = prices.price("a");
              assertThat(prices.price("a")).isEqualTo(called + 1);
              assertThat(prices.synced("b")).isEqualTo(called + 2);
              assertThatThrownBy(() -> prices.changed("a"))
                  .isInstanceOf(ServerUnavailableException.class);
              Health health = indicator.health();
              assertThat(health.getStatus()).isEqualTo(RockpoolHealthIndicator.DEGRADED);
              assertThat(health.getDetails()).containsEntry("connected", false);
              assertThat(meters.get("rockpool.server.breaker").gauge().value()).isEqualTo(2);
              assertThat(meters.get("rockpool.server.connected").gauge().value()).isZero();
              assertThat(meters.get("rockpool.server.puts.dropped").functionCounter().count())
                  .isGreaterThanOrEqualTo(3);
              server.signal("CONT");
              RedisServers.await(
                  () ->
                      pool.state().server().orElseThrow().breaker() == ServerState.Breaker.CLOSED);
              assertThat(prices.price("a")).isEqualTo(called + 3);
              assertThat(prices.price("a")).isEqualTo(called + 3);
              RedisServers.await(() -> indicator.health().getStatus().equals(Status.UP));
            });
  }

  @Test
  void withoutTheOptionAServerThatIsAwayIsAnError() {
    runner()
        .withPropertyValues(place())
        .withPropertyValues("rockpool.redis.timeout=2s", "rockpool.redis.feed-timeout=2s")
        .run(
            context -> {
              Rockpool pool = context.getBean(Rockpool.class);
              Prices prices = context.getBean(Prices.class);
              assertThat(prices.price("a")).isEqualTo(1);
              server.signal("STOP");
              RedisServers.await(() -> !pool.state().server().orElseThrow().connected());
              assertThatThrownBy(() -> prices.price("not in memory"))
                  .isInstanceOf(ServerUnavailableException.class);
              assertThat(new RockpoolHealthIndicator(() -> pool).health().getStatus())
                  .isEqualTo(Status.DOWN);
              server.signal("CONT");
              RedisServers.await(() -> pool.state().server().orElseThrow().connected());
              assertThat(prices.price("a")).isEqualTo(1);
            });
  }
}
