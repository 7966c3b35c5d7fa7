package io.rockpool.redis;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class HandshakeTest {
  @ParameterizedTest
  @ValueSource(strings = {"6.2.14", "6.0.9", "5.0.0", "2.8.24"})
  void anOldServerIsRefusedByItsVersion(String version) {
    assertThatThrownBy(() -> Handshake.checkVersion("host:6379", info(version)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("host:6379 is Redis " + version + ", and Rockpool needs Redis 7.0");
  }

  @ParameterizedTest
  @ValueSource(strings = {"7.0.0", "7.2.4", "8.0.3", "255.255.255", "unstable"})
  void aNewServerIsAccepted(String version) {
    assertThatCode(() -> Handshake.checkVersion("host:6379", info(version)))
        .doesNotThrowAnyException();
  }

  private static String info(String version) {
    return "# Server\r\nredis_version:" + version + "\r\nredis_git_sha1:00000000\r\n";
  }
}
