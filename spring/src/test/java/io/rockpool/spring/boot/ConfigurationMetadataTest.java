package io.rockpool.spring.boot;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.rockpool.cache.CacheOption;
import io.rockpool.cache.CacheSettings;
import io.rockpool.cache.OptionValues;
import io.rockpool.cache.WriteBehindOptions;
import io.rockpool.spring.RockpoolCacheConfiguration;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.context.annotation.ImportCandidates;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;

/** What editors and Boot read about this library. */
final class ConfigurationMetadataTest {
  @Test
  void editorsKnowTheProperties() throws IOException {
    String metadata = text("META-INF/spring-configuration-metadata.json");
    List<String> own =
        List.of(
            "directory",
            "lock-wait",
            "when-locked",
            "memory",
            "heap-budget",
            "durability",
            "disk-budget",
            "free-space-floor",
            "allow",
            "strict",
            "caches");
    List<String> cache = new ArrayList<>(List.of("ttl", "tti", "null-ttl", "key-prefix"));
    CacheSettings.OPTIONS.forEach(option -> cache.add(option.key()));
    WriteBehindOptions.OPTIONS.forEach(option -> cache.add("write-behind." + option.key()));
    Stream.concat(own.stream(), cache.stream().map(name -> "defaults." + name))
        .forEach(
            name ->
                assertThat(metadata)
                    .containsPattern(
                        "\"name\": \"rockpool\\."
                            + name
                            + "\",\\s+\"type\": [^}]+\"description\""));
    assertThat(metadata)
        .contains("\"defaultValue\": \"rockpool-data\"")
        .contains("\"name\": \"rockpool.caches.keys\"")
        .contains("\"value\": \"periodic\"")
        .contains("\"name\": \"management.endpoint.rockpool.access\"")
        .contains("\"name\": \"management.endpoint.rockpool.show-values\"");
  }

  @Test
  void everyOptionOfACacheIsAProperty() {
    Map<String, String> properties = new HashMap<>();
    OptionValues all = OptionValues.NONE;
    for (CacheOption<?> option : CacheSettings.OPTIONS) {
      all = withExample(all, option, "rockpool.defaults.", properties);
    }
    assertThat(bound(properties).defaults().configuration())
        .isEqualTo(RockpoolCacheConfiguration.defaults().setAll(all));
  }

  @Test
  void everyOptionOfWritingBehindIsAProperty() {
    Map<String, String> properties =
        new HashMap<>(
            Map.of(
                "rockpool.caches.orders.write-behind.writer", "writer",
                "rockpool.caches.orders.write-behind.batch-size", "3"));
    OptionValues all = OptionValues.NONE;
    for (CacheOption<?> option : WriteBehindOptions.OPTIONS) {
      all = withExample(all, option, "rockpool.defaults.write-behind.", properties);
    }
    RockpoolProperties bound = bound(properties);
    assertThat(bound.writeBehind(bound.caches().get("orders").writeBehind()))
        .isEqualTo(WriteBehindOptions.of(all).batchSize(3));
  }

  private static RockpoolProperties bound(Map<String, String> properties) {
    return new Binder(new MapConfigurationPropertySource(properties))
        .bindOrCreate(RockpoolProperties.PREFIX, RockpoolProperties.class);
  }

  private static <T> OptionValues withExample(
      OptionValues values, CacheOption<T> option, String prefix, Map<String, String> properties) {
    String text =
        switch (option.kind()) {
          case NUMBER, BYTES -> "7";
          case HOT_SIZE -> "7B";
          case FRACTION -> "0.25";
          case DURATION -> "PT7S";
          case FLAG -> "false";
          case CHOICE -> option.format(option.type().getEnumConstants()[0]);
          case TEXT -> "text";
          case CODE -> throw new AssertionError(option + " has no text");
        };
    properties.put(prefix + option.key(), text);
    return values.with(option, option.parse(text));
  }

  @Test
  void bootFindsTheAutoConfigurations() {
    assertThat(
            ImportCandidates.load(AutoConfiguration.class, getClass().getClassLoader())
                .getCandidates())
        .contains(
            RockpoolAutoConfiguration.class.getName(),
            RockpoolCacheAutoConfiguration.class.getName(),
            RockpoolCacheMetricsAutoConfiguration.class.getName(),
            RockpoolEndpointAutoConfiguration.class.getName(),
            RockpoolHealthAutoConfiguration.class.getName(),
            RockpoolMetricsAutoConfiguration.class.getName());
  }

  private static String text(String resource) throws IOException {
    try (InputStream in =
        ConfigurationMetadataTest.class.getClassLoader().getResourceAsStream(resource)) {
      return new String(in.readAllBytes(), UTF_8);
    }
  }
}
