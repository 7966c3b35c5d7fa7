package io.rockpool.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.rockpool.Rockpool;
import io.rockpool.engine.EngineFactory;
import io.rockpool.engine.memory.MemoryEngine;
import io.rockpool.testing.ServiceVariables;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.core.env.SystemEnvironmentPropertySource;

/** Properties of engines on servers, as files and environment variables write them. */
final class EnginePropertiesTest {
  private static final String ENVIRONMENT = "systemEnvironment";
  private static final List<String> KNOWN =
      Stream.of(EngineProperties.REDIS, EngineProperties.POSTGRESQL).flatMap(List::stream).toList();

  private final Map<String, String> seen = new TreeMap<>();

  private ApplicationContextRunner runner() {
    return new ApplicationContextRunner()
        .withConfiguration(AutoConfigurations.of(RockpoolAutoConfiguration.class))
        .withBean(
            EngineFactory.class,
            () ->
                options -> {
                  seen.putAll(options.properties());
                  return MemoryEngine.builder().shared().build();
                });
  }

  private ApplicationContextRunner runner(Map<String, Object> environment) {
    return runner()
        .withInitializer(
            context ->
                context
                    .getEnvironment()
                    .getPropertySources()
                    .replace(
                        ENVIRONMENT,
                        new SystemEnvironmentPropertySource(ENVIRONMENT, environment)));
  }

  @Test
  void everyPropertyIsReadInEveryForm() {
    Map<String, UnaryOperator<String>> variables = new LinkedHashMap<>();
    variables.put("without dashes", name -> upper(name.replace("-", "")));
    variables.put("with underscores", name -> upper(name.replace('-', '_')));
    variables.forEach(
        (form, write) -> {
          Map<String, Object> environment = new TreeMap<>();
          KNOWN.forEach(name -> environment.put(write.apply(name), name));
          assertAllRead(form, runner(environment));
        });
    Map<String, UnaryOperator<String>> properties = new LinkedHashMap<>();
    properties.put("with dashes", name -> name);
    properties.put("in camel case", EnginePropertiesTest::camel);
    properties.put("of files with underscores", name -> name.replace('-', '_'));
    properties.forEach(
        (form, write) ->
            assertAllRead(
                form,
                runner()
                    .withPropertyValues(
                        KNOWN.stream()
                            .map(name -> write.apply(name) + "=" + name)
                            .toArray(String[]::new))));
  }

  private void assertAllRead(String form, ApplicationContextRunner runner) {
    seen.clear();
    runner.run(context -> assertThat(context.getBean(Rockpool.class)).as(form).isNotNull());
    assertThat(seen).as(form).containsOnlyKeys(KNOWN);
    assertThat(seen).as(form).allSatisfy((name, value) -> assertThat(value).isEqualTo(name));
  }

  private static String upper(String name) {
    return name.replace('.', '_').toUpperCase(Locale.ROOT);
  }

  private static String camel(String name) {
    return Pattern.compile("-(.)").matcher(name).replaceAll(it -> upper(it.group(1)));
  }

  /** As of Kubernetes, for services that are named as the properties. */
  @Test
  void noVariableOfAServiceIsTakenForAProperty() {
    Map<String, Object> environment = new TreeMap<>();
    KNOWN.forEach(name -> environment.putAll(ServiceVariables.of(name)));
    List.of("rockpool.redis", "rockpool.redis.master", "rockpool.postgresql")
        .forEach(name -> environment.putAll(ServiceVariables.of(name)));
    runner(environment).run(context -> assertThat(context.getBean(Rockpool.class)).isNotNull());
    assertThat(seen).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "rockpool.redis.whenawy, rockpool.redis.when-away, x",
    "rockpool.redis.tiemout, rockpool.redis.timeout, x",
    "rockpool.redis.pasword, rockpool.redis.password, ******",
    "rockpool.postgresql.scheme, rockpool.postgresql.schema, x",
    "rockpool.postgresql.poolsizes, rockpool.postgresql.pool-size, x",
    "rockpool.postgresql.something, rockpool.postgresql.schema, x",
    "rockpool.redis.prefix.more, rockpool.redis.prefix, x"
  })
  void aMisspeltPropertyIsRefusedWithTheOneThatIsMeant(String written, String meant, String shown) {
    runner()
        .withPropertyValues(written + "=x")
        .run(
            context -> {
              Throwable thrown = catchThrowable(() -> context.getBean(Rockpool.class));
              while (thrown.getCause() != null) {
                thrown = thrown.getCause();
              }
              assertThat(thrown)
                  .isInstanceOfSatisfying(
                      InvalidConfigurationPropertyValueException.class,
                      e -> {
                        assertThat(e.getName()).isEqualTo(written);
                        assertThat(e.getValue()).isEqualTo(shown);
                        assertThat(e.getReason()).contains(meant);
                      });
            });
  }

  @Test
  void thePropertiesAreThoseOfThePage() throws IOException {
    List<String> listed =
        Pattern.compile("\\| `(rockpool\\.(?:redis|postgresql)\\.[a-z-]+)` \\|")
            .matcher(Files.readString(Path.of("../docs/properties.md")))
            .results()
            .map(it -> it.group(1))
            .toList();
    assertThat(listed)
        .containsExactlyInAnyOrderElementsOf(
            Stream.concat(KNOWN.stream(), Stream.of(EngineProperties.JOIN)).toList());
  }
}
