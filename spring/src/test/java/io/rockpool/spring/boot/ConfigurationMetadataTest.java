package io.rockpool.spring.boot;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.context.annotation.ImportCandidates;

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
    List<String> cache =
        List.of(
            "ttl",
            "tti",
            "null-ttl",
            "soft-ttl",
            "refresh-ahead",
            "jitter",
            "warm-restart",
            "on-unencodable",
            "hot-entries",
            "hot-bytes",
            "disk-budget",
            "maximum-size",
            "durability",
            "key-prefix");
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
