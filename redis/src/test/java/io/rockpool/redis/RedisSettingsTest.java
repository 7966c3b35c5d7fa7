package io.rockpool.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rockpool.engine.EngineOptions;
import java.net.URI;
import java.time.InstantSource;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

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
                    "rediss://localhost?ca-certificate=ca.pem",
                    Map.of("rockpool.directory", "d", "rockpool.redis.prefix", "shop"))
                .prefix())
        .isEqualTo("shop");
  }

  private static void assertRefused(String uri, Map<String, String> properties, String... words) {
    assertThatThrownBy(() -> settings(uri, properties))
        .as(uri)
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContainingAll(words);
  }

  /** {@code yes} once turned checks off. */
  @ParameterizedTest
  @ValueSource(strings = {"yes", "no", "on", "1", "flase", "TRUE", "", "true false"})
  void onlyTrueAndFalseAreTrueAndFalse(String value) {
    String encoded = value.replace(" ", "%20");
    assertRefused(
        "rediss://h?verify-peer=" + encoded, Map.of(), "verify-peer", "\"" + value + "\"", "true");
    assertRefused("redis://h?cluster=" + encoded, Map.of(), "cluster", "true", "false");
    assertRefused(
        "rediss://h", Map.of("rockpool.redis.verify-peer", value), "verify-peer", "true or false");
  }

  @Test
  void flagsAreReadAsWritten() {
    assertThat(settings("rediss://h", Map.of()).tls()).matches(RedisSettings.Tls::verifyPeer);
    assertThat(settings("rediss://h?verify-peer=true", Map.of()).tls())
        .matches(RedisSettings.Tls::verifyPeer);
    assertThat(settings("rediss://h?verify-peer=false", Map.of()).tls())
        .matches(tls -> !tls.verifyPeer());
    assertThat(settings("redis://h1,h2?cluster=true", Map.of()).cluster()).isTrue();
    assertThat(settings("redis://h?cluster=false", Map.of()).cluster()).isFalse();
    assertThat(settings("redis://h", Map.of("rockpool.redis.cluster", " true ")).cluster())
        .isTrue();
  }

  @Test
  void nothingOfTheUriIsIgnored() {
    assertRefused("redis://h?timeout", Map.of(), "\"timeout\"", "name=value");
    assertRefused("redis://h?prefix&timeout=1s", Map.of(), "\"prefix\"");
    assertRefused("redis://h?=shop", Map.of(), "\"=shop\"");
    assertRefused("redis://h?timeout=1s&prefix=a&timeout=1s", Map.of(), "\"timeout\" twice");
    assertRefused("redis://h#cluster=true", Map.of(), "#");
    assertRefused("redis://h?master=shop", Map.of(), "\"shop\"", "redis-sentinel");
    assertRefused("redis://h1,h2", Map.of(), "h1:6379,h2:6379", "cluster=true", "redis-sentinel");
    assertRefused("redis-sentinel://h?master=m&cluster=true", Map.of(), "cluster", "sentinels");
    assertRefused("redis://h/1?cluster=true", Map.of(), "database 1", "cluster");
    assertRefused("redis://h/-1", Map.of(), "\"-1\"", "number");
    assertRefused("redis://h:99999", Map.of(), "99999", "65535");
    assertThat(settings("redis://h?&timeout=1s&", Map.of()).timeout()).hasSeconds(1);
  }

  @Test
  void certificatesNeedTls() {
    assertRefused("redis://h?ca-certificate=ca.pem", Map.of(), "ca-certificate", "rediss");
    assertRefused("redis://h", Map.of("rockpool.redis.verify-peer", "true"), "rediss");
  }

  @Test
  void aUserNeedsAPassword() {
    assertRefused("redis://h?username=x", Map.of(), "\"x\"", "password");
    assertRefused("redis-sentinel://h?master=m&sentinel-username=x", Map.of(), "\"x\"");
    assertThat(settings("redis://x:y@h?username=z", Map.of()).login())
        .isEqualTo(new RedisSettings.Login("z", "y"));
    assertThat(settings("redis://h?username=x&password=", Map.of()).login())
        .isEqualTo(new RedisSettings.Login("x", ""));
  }

  @ParameterizedTest
  @ValueSource(strings = {"0ms", "0s", "PT-5S", "99999999999999m", "25h", "P2D", "500", "soon", ""})
  void durationsAreBounded(String value) {
    assertRefused("redis://h?timeout=" + value, Map.of(), "timeout", "\"" + value + "\"", "1ms");
    assertRefused("redis://h?feed-timeout=" + value, Map.of(), "feed-timeout");
  }

  @Test
  void aClientNameHasNoSpaces() {
    assertRefused("redis://h?client-name=a%20b", Map.of(), "\"a b\"", "spaces");
    assertThat(settings("redis://h?client-name=a-b:1", Map.of()).clientName()).isEqualTo("a-b:1");
  }
}
