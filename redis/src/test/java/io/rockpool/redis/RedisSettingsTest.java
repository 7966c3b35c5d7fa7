package io.rockpool.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rockpool.engine.EngineOptions;
import java.net.URI;
import java.time.InstantSource;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What is misspelt would otherwise have no effect: another prefix shares other caches. */
final class RedisSettingsTest {
  private static RedisSettings settings(String uri, Map<String, String> properties) {
    return RedisSettings.of(
        URI.create(uri), new EngineOptions(InstantSource.system(), null, properties));
  }

  @Test
  void anUnknownOptionIsRefused() {
    assertThatThrownBy(() -> settings("redis://localhost?prefx=shop", Map.of()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContainingAll("\"prefx\"", "prefix", "read-from", "ca-certificate");
    assertThatThrownBy(
            () -> settings("redis://localhost", Map.of("rockpool.redis.Timeout", "500ms")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("\"Timeout\"");
  }

  @Test
  void otherPropertiesAreNotItsOwn() {
    assertThat(
            settings(
                    "redis://localhost?ca-certificate=ca.pem",
                    Map.of("rockpool.directory", "d", "rockpool.redis.prefix", "shop"))
                .prefix())
        .isEqualTo("shop");
  }
}
