package io.rockpool.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.rockpool.Rockpool;
import io.rockpool.engine.EngineFactory;
import io.rockpool.engine.memory.MemoryEngine;
import io.rockpool.error.EngineNotFoundException;
import io.rockpool.testing.MemoryEngineProvider;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

/** Where an application's store is: in a directory, on a named server, on the engine of a bean. */
final class StorePlaceTest {
  @TempDir private Path directory;

  private ApplicationContextRunner runner() {
    return new ApplicationContextRunner()
        .withConfiguration(AutoConfigurations.of(RockpoolAutoConfiguration.class))
        .withPropertyValues("rockpool.directory=" + directory.resolve("store"));
  }

  private ApplicationContextRunner withFactory() {
    return runner()
        .withBean(EngineFactory.class, () -> options -> MemoryEngine.builder().shared().build());
  }

  @Test
  void aUriNamesTheServer() {
    String uri = "rockpool.uri=memory://" + UUID.randomUUID();
    runner()
        .withPropertyValues(uri)
        .run(
            one -> {
              one.getBean(Rockpool.class).map("m", String.class, Long.class).put("a", 1L);
              runner()
                  .withPropertyValues(uri)
                  .run(
                      other ->
                          assertThat(
                                  other
                                      .getBean(Rockpool.class)
                                      .map("m", String.class, Long.class)
                                      .get("a"))
                              .isEqualTo(1));
            });
    assertThat(directory).isEmptyDirectory();
  }

  @Test
  void aBeanOpensTheEngineUnlessTheEmbeddedOneIsAskedFor() {
    withFactory()
        .run(
            context ->
                assertThat(context.getBean(Rockpool.class)).hasToString("The memory engine"));
    withFactory()
        .withPropertyValues("rockpool.engine=embedded")
        .run(context -> assertThat(context.getBean(Rockpool.class).directory()).isPresent());
  }

  @Test
  void anEngineWithoutItsModuleIsRefusedWithTheArtifact() {
    runner()
        .withPropertyValues("rockpool.engine=postgresql")
        .run(
            context ->
                assertThat(failure(context))
                    .isInstanceOfSatisfying(
                        InvalidConfigurationPropertyValueException.class,
                        e ->
                            assertThat(e.getReason()).contains("io.rockpool:rockpool-postgresql")));
    runner()
        .withPropertyValues("rockpool.uri=postgresql://h/d")
        .run(
            context ->
                assertThat(failure(context))
                    .isInstanceOf(EngineNotFoundException.class)
                    .hasMessageContaining("io.rockpool:rockpool-postgresql"));
    runner()
        .withPropertyValues("rockpool.uri=memory://x", "rockpool.engine=embedded")
        .run(
            context ->
                assertThat(failure(context))
                    .isInstanceOf(InvalidConfigurationPropertyValueException.class));
  }

  @Test
  void anEngineAndAUriThatContradictEachOtherAreRefused() {
    runner()
        .withPropertyValues("rockpool.uri=redis://x", "rockpool.engine=postgresql")
        .run(
            context ->
                assertThat(failure(context))
                    .isInstanceOfSatisfying(
                        InvalidConfigurationPropertyValueException.class,
                        e -> {
                          assertThat(e.getName()).isEqualTo("rockpool.engine");
                          assertThat(e.getReason()).contains("rockpool.uri begins with redis");
                        }));
    for (String uri : List.of("rediss-sentinel://x?master=m", "rockpool+redis://x")) {
      runner()
          .withPropertyValues("rockpool.uri=" + uri, "rockpool.engine=redis")
          .run(context -> assertThat(failure(context)).isInstanceOf(EngineNotFoundException.class));
    }
  }

  @Test
  void theEngineAtAUriHasTheOtherProperties() {
    Map<String, String> expected =
        Map.of(
            "rockpool.redis.prefix", "shop",
            "rockpool.redis.when-away", "miss",
            "rockpool.postgresql.schema", "other",
            "rockpool.postgresql.pool-size", "3");
    String[] properties = expected.entrySet().stream().map(Object::toString).toArray(String[]::new);
    runner()
        .withPropertyValues(properties)
        .withPropertyValues(
            "rockpool.uri=memory://" + UUID.randomUUID(),
            "rockpool.postgresql.join-transactions=false")
        .run(
            context -> {
              assertThat(context.getBean(Rockpool.class)).isNotNull();
              assertThat(MemoryEngineProvider.lastOptions().properties())
                  .containsExactlyInAnyOrderEntriesOf(expected);
            });
    AtomicReference<Map<String, String>> seen = new AtomicReference<>();
    runner()
        .withPropertyValues(properties)
        .withBean(
            EngineFactory.class,
            () ->
                options -> {
                  seen.set(options.properties());
                  return MemoryEngine.builder().shared().build();
                })
        .run(context -> assertThat(context.getBean(Rockpool.class)).isNotNull());
    assertThat(seen.get()).containsExactlyInAnyOrderEntriesOf(expected);
  }

  @Test
  void whatAnEngineRefusesIsNamedAsAProperty() {
    refused(
        "The property timeout is \"abc\". Give a duration such as 500ms or 2s.",
        "rockpool.redis.timeout",
        "abc");
    refused(
        "The property timeout is \"PT0S\". Give a duration such as 500ms or 2s.",
        "spring.data.redis.timeout",
        "0");
    withFactory()
        .withPropertyValues("rockpool.disk-budget=1GB")
        .run(
            context ->
                assertThat(failure(context))
                    .isInstanceOfSatisfying(
                        InvalidConfigurationPropertyValueException.class,
                        e -> assertThat(e.getName()).isEqualTo("rockpool.disk-budget")));
  }

  @Test
  void whatTheUriSaysIsNotBlamedOnAnotherProperty() {
    String timeout = "The property timeout is \"abc\". Give a duration such as 500ms or 2s.";
    String port = "The port of the Redis server is 99999. Give 1 to 65535.";
    String host =
        "The URI of the Redis server names no host. Encode special characters of the password.";
    assertBlamed("h?timeout=abc", timeout, "rockpool.uri", "memory://h?timeout=abc");
    assertBlamed("me:pw@h:99999", port, "rockpool.uri", "memory://******@h:99999");
    assertBlamed("h?feed-timeout=2s", timeout, "rockpool.redis.timeout", "1s");
    assertBlamed(":pw@", host, "rockpool.uri", "memory://******@");
    assertBlamed("h", "The property password is short.", "rockpool.redis.password", "******");
  }

  private void assertBlamed(String uri, String message, String property, String value) {
    runner()
        .withPropertyValues(
            "rockpool.uri=memory://" + uri,
            "rockpool.redis.timeout=1s",
            "rockpool.redis.password=pw")
        .run(
            context -> {
              RuntimeException refused =
                  StorePlace.refused(
                      new IllegalArgumentException(message),
                      context.getBean(RockpoolProperties.class),
                      context.getEnvironment());
              assertThat(refused)
                  .isInstanceOfSatisfying(
                      InvalidConfigurationPropertyValueException.class,
                      e -> {
                        assertThat(e.getName()).isEqualTo(property);
                        assertThat(e.getValue()).isEqualTo(value);
                        assertThat(e.getReason()).isEqualTo(message);
                      });
            });
  }

  @Test
  void redisJoinsNoTransactions() {
    String join = "rockpool.postgresql.join-transactions";
    for (String place : List.of("rockpool.engine=redis", "rockpool.uri=redis://h")) {
      runner()
          .withPropertyValues(place, join + "=true")
          .run(
              context ->
                  assertThat(failure(context))
                      .isInstanceOfSatisfying(
                          InvalidConfigurationPropertyValueException.class,
                          e -> assertThat(e.getName()).isEqualTo(join)));
    }
    withFactory()
        .withPropertyValues(join + "=true")
        .run(context -> assertThat(context.getBean(Rockpool.class)).isNotNull());
  }

  private void refused(String message, String property, String value) {
    runner()
        .withBean(
            EngineFactory.class,
            () ->
                options -> {
                  throw new IllegalArgumentException(message);
                })
        .withPropertyValues(
            "rockpool.engine=redis", "rockpool.redis.prefix=shop", property + "=" + value)
        .run(
            context ->
                assertThat(failure(context))
                    .isInstanceOfSatisfying(
                        InvalidConfigurationPropertyValueException.class,
                        e -> {
                          assertThat(e.getName()).isEqualTo(property);
                          assertThat(e.getValue()).isEqualTo(value);
                          assertThat(e.getReason()).isEqualTo(message);
                        }));
  }

  @Test
  void redisTakesBootsOwnProperties() {
    runner()
        .withPropertyValues(
            "rockpool.engine=redis",
            "spring.data.redis.host=shop",
            "spring.data.redis.port=7000",
            "spring.data.redis.password=secret",
            "spring.data.redis.ssl.enabled=true")
        .run(
            context ->
                assertThat(failure(context))
                    .isInstanceOf(EngineNotFoundException.class)
                    .hasMessageContaining("rediss://shop:7000/0")
                    .hasMessageContaining("io.rockpool:rockpool-redis")
                    .hasMessageNotContaining("secret"));
    runner()
        .withPropertyValues("rockpool.engine=redis", "spring.data.redis.url=redis://u:p@db:1/2")
        .run(
            context ->
                assertThat(failure(context)).hasMessageContaining("The store at redis://db:1/2"));
  }

  @Test
  void sentinelsNeedBootsModuleForRedis() {
    runner()
        .withPropertyValues("rockpool.engine=redis", "spring.data.redis.sentinel.master=shop")
        .run(
            context ->
                assertThat(failure(context))
                    .isInstanceOfSatisfying(
                        InvalidConfigurationPropertyValueException.class,
                        e -> assertThat(e.getReason()).contains("spring-boot-data-redis")));
  }

  /** Why the store, which is opened on first use, cannot be opened. */
  private static Throwable failure(AssertableApplicationContext context) {
    Throwable thrown = catchThrowable(() -> context.getBean(Rockpool.class));
    while (thrown.getCause() != null) {
      thrown = thrown.getCause();
    }
    return thrown;
  }
}
