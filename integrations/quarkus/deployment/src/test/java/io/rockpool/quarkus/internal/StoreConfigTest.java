package io.rockpool.quarkus.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.quarkus.runtime.configuration.DurationConverter;
import io.quarkus.runtime.configuration.MemorySize;
import io.quarkus.runtime.configuration.MemorySizeConverter;
import io.rockpool.Rockpool;
import io.rockpool.store.Durability;
import io.smallrye.config.PropertiesConfigSource;
import io.smallrye.config.SmallRyeConfigBuilder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the properties of the store mean. */
final class StoreConfigTest {
  @TempDir private Path directory;

  private static StoreConfig config(Map<String, String> properties) {
    return new SmallRyeConfigBuilder()
        .withMapping(StoreConfig.class)
        .withConverter(MemorySize.class, 200, new MemorySizeConverter())
        .withConverter(Duration.class, 200, new DurationConverter())
        .withSources(new PropertiesConfigSource(properties, "test", 500))
        .build()
        .getConfigMapping(StoreConfig.class);
  }

  @Test
  void aDirectoryIsAnEmbeddedStore() {
    Path store = directory.resolve("store");
    StoreConfig config =
        config(
            Map.of(
                "quarkus.rockpool.directory", store.toString(),
                "quarkus.rockpool.lock-wait", "1s",
                "quarkus.rockpool.memory", "32M",
                "quarkus.rockpool.disk-budget", "1G",
                "quarkus.rockpool.durability", "sync"));
    assertThat(config.lockWait()).isEqualTo(Duration.ofSeconds(1));
    assertThat(config.memory().orElseThrow().asLongValue()).isEqualTo(32L << 20);
    assertThat(config.diskBudget().orElseThrow().asLongValue()).isEqualTo(1L << 30);
    assertThat(config.durability()).hasValue(Durability.SYNC);
    try (Rockpool pool = config.open()) {
      assertThat(pool).asString().contains(store.toString());
      assertThat(Files.exists(store)).isTrue();
    }
  }

  @Test
  void anUriIsAStoreOnAServer() {
    StoreConfig config =
        config(
            Map.of(
                "quarkus.rockpool.directory",
                directory.toString(),
                "quarkus.rockpool.uri",
                "memory://quarkus"));
    try (Rockpool pool = config.open()) {
      assertThat(pool).asString().contains("memory");
    }
    assertThat(directory).isEmptyDirectory();
  }

  @Test
  void defaultsAreThoseOfThePage() {
    StoreConfig config = config(Map.of());
    assertThat(config.directory()).isEqualTo("rockpool-data");
    assertThat(config.lockWait()).isEqualTo(Duration.ofSeconds(10));
    assertThat(config.uri()).isEmpty();
    assertThat(config.caches()).isEmpty();
  }
}
