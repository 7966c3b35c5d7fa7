package io.rockpool.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.rockpool.Rockpool;
import io.rockpool.spring.queue.ListenerOptions;
import io.rockpool.testing.ServiceVariables;
import io.rockpool.testing.Slow;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.context.properties.ConfigurationPropertiesBindException;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.cache.CacheManager;
import org.springframework.cache.annotation.EnableCaching;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.SystemEnvironmentPropertySource;

/** Kubernetes names variables after a service; none of them stops an application. */
@Slow
@Timeout(120)
final class ServiceVariablesTest {
  private static final String ENVIRONMENT = "systemEnvironment";

  /** An application with caches. */
  @Configuration(proxyBeanMethods = false)
  @EnableCaching
  static class Application {}

  private static WebApplicationContextRunner runner(Map<String, Object> environment) {
    return new WebApplicationContextRunner()
        .withConfiguration(
            AutoConfigurations.of(
                RockpoolAutoConfiguration.class,
                RockpoolCacheAutoConfiguration.class,
                RockpoolQueueAutoConfiguration.class,
                RockpoolIdempotencyAutoConfiguration.class,
                RockpoolTransactionAutoConfiguration.class,
                RockpoolEndpointAutoConfiguration.class))
        .withUserConfiguration(Application.class)
        .withPropertyValues("rockpool.directory=temporary", "spring.cache.type=rockpool")
        .withInitializer(
            context ->
                context
                    .getEnvironment()
                    .getPropertySources()
                    .replace(
                        ENVIRONMENT,
                        new SystemEnvironmentPropertySource(ENVIRONMENT, environment)));
  }

  /** Each property, and each level above one. */
  static List<String> names() throws IOException {
    TreeSet<String> names = new TreeSet<>();
    Pattern.compile("\\| `((?:rockpool|management\\.endpoint\\.rockpool)\\.[a-z.-]+)` \\|")
        .matcher(Files.readString(Path.of("../docs/properties.md")))
        .results()
        .map(it -> it.group(1))
        .forEach(
            property -> {
              for (String at = property; at.contains("."); at = above(at)) {
                names.add(at);
              }
            });
    for (String map : List.of("rockpool.caches", "rockpool.queues")) {
      assertThat(names).contains(map);
      names.addAll(List.of(map + ".orders", map + ".orders.max-size", map + ".orders.ttl"));
    }
    names.add("rockpool");
    return List.copyOf(names);
  }

  private static String above(String name) {
    return name.substring(0, name.lastIndexOf('.'));
  }

  @ParameterizedTest
  @MethodSource("names")
  void aServiceWithTheNameOf(String property) {
    assertStarts(ServiceVariables.of(property));
  }

  @Test
  void servicesWithTheNamesOfAll() throws IOException {
    Map<String, Object> variables = new TreeMap<>();
    names().forEach(property -> variables.putAll(ServiceVariables.of(property)));
    variables.put("ROCKPOOL_CACHES_ORDERS_TTL", "7s");
    variables.put("ROCKPOOL_QUEUES_ORDERS_MAXSIZE", "7");
    variables.put("ROCKPOOL_ALLOW_0_", "com.example");
    assertStarts(variables);
    runner(variables)
        .run(
            context -> {
              RockpoolProperties properties = context.getBean(RockpoolProperties.class);
              assertThat(properties.caches()).containsOnlyKeys("orders");
              assertThat(properties.caches().get("orders").ttl()).hasSeconds(7);
              assertThat(properties.allow()).containsExactly("com.example");
              assertThat(context.getBean(RockpoolQueueProperties.class).queues())
                  .containsOnlyKeys("orders");
            });
  }

  private static void assertStarts(Map<String, Object> variables) {
    runner(variables)
        .run(
            context -> {
              assertThat(context).hasNotFailed();
              assertThat(context.getBean(Rockpool.class)).isNotNull();
              assertThat(context.getBean(CacheManager.class).getCache("orders")).isNotNull();
              assertThat(context.getBean(ListenerOptions.class)).isNotNull();
            });
  }

  /** What an application's own file says is still refused. */
  @ParameterizedTest
  @ValueSource(strings = {"rockpool.caches.orders=7s", "rockpool.queues.orders=7"})
  void aTextForAGroupIsRefused(String property) {
    runner(Map.of())
        .withPropertyValues(property)
        .run(
            context ->
                assertThat(
                        catchThrowable(
                            () -> {
                              context.getBean(Rockpool.class);
                              context.getBean(ListenerOptions.class);
                            }))
                    .hasStackTraceContaining(
                        ConfigurationPropertiesBindException.class.getSimpleName())
                    .hasStackTraceContaining(property.substring(0, property.indexOf('='))));
  }
}
