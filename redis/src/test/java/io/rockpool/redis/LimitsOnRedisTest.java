package io.rockpool.redis;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rockpool.Rockpool;
import io.rockpool.cache.CacheOptions;
import io.rockpool.testing.tools.Needs;
import io.rockpool.testing.tools.Tool;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Limits that a server does not enforce are logged when the cache is opened. */
@Needs(Tool.REDIS)
final class LimitsOnRedisTest {
  private final PrintStream standardError = System.err;
  private final ByteArrayOutputStream log = new ByteArrayOutputStream();

  @BeforeEach
  void catchLog() {
    System.setErr(new PrintStream(log, true, UTF_8));
  }

  @AfterEach
  void letLogGo() {
    System.setErr(standardError);
  }

  private List<String> warnings() {
    return log.toString(UTF_8).lines().filter(line -> line.contains("does not enforce")).toList();
  }

  private static CacheOptions<String, Long> options() {
    return CacheOptions.defaults();
  }

  @Test
  void aLimitWithoutEffectIsLoggedOnce() throws Exception {
    try (RedisServer server = RedisServer.start();
        Rockpool pool = Rockpool.open(server.uri("?timeout=10s"))) {
      pool.cache("free", String.class, Long.class, o -> options());
      assertThat(warnings()).isEmpty();
      pool.cache("small", String.class, Long.class, o -> options().maximumSize(10));
      pool.cache("small", String.class, Long.class, o -> options().maximumSize(10));
      assertThat(warnings())
          .singleElement()
          .asString()
          .contains("\"small\"", "maximumSize", "TTL")
          .doesNotContain("diskBudget");
    }
  }

  @Test
  void tagsAreRefusedByTheirName() throws Exception {
    try (RedisServer server = RedisServer.start();
        Rockpool pool = Rockpool.open(server.uri("?timeout=10s"))) {
      assertThatThrownBy(
              () ->
                  pool.cache(
                      "tagged",
                      String.class,
                      Long.class,
                      o -> options().tags((k, v) -> Set.of("t"))))
          .isInstanceOf(UnsupportedOperationException.class)
          .hasMessageContainingAll("\"tagged\"", "cannot have tags", "PostgreSQL");
      assertThat(pool.names().find("tagged").isPresent()).isFalse();
    }
  }
}
