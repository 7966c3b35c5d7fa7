package io.rockpool.redis;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rockpool.Rockpool;
import io.rockpool.error.ServerUnavailableException;
import io.rockpool.testing.tools.Needs;
import io.rockpool.testing.tools.Tool;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.net.URI;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** No connection is closed twice, which the client would log. */
@Timeout(60)
@Needs(Tool.REDIS)
final class QuietCloseTest {
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

  private void assertQuiet() {
    assertThat(log.toString(UTF_8)).doesNotContain("already closed");
  }

  private static void openAndClose(URI uri) {
    for (int i = 0; i < 10; i++) {
      try (Rockpool pool = Rockpool.open(uri)) {
        pool.cache("c", String.class, Long.class).put("k", 1L);
      }
    }
  }

  @Test
  void oneServer() throws Exception {
    try (RedisServer server = RedisServer.start()) {
      openAndClose(server.uri("?timeout=10s"));
    }
    assertQuiet();
  }

  @Test
  void aServerWithASentinelAndAReplica() throws Exception {
    try (RedisServer server = RedisServer.start();
        RedisServer replica = server.startReplica();
        RedisServer sentinel = server.startSentinel("m")) {
      assertThat(replica.port()).isPositive();
      openAndClose(
          URI.create(
              "redis-sentinel://127.0.0.1:"
                  + sentinel.port()
                  + "?master=m&timeout=10s&read-from=replica"));
    }
    assertQuiet();
  }

  @Test
  void aCluster() throws Exception {
    try (RedisServer one = RedisServer.start("--cluster-enabled", "yes");
        RedisServer two = RedisServer.start("--cluster-enabled", "yes");
        RedisServer three = RedisServer.start("--cluster-enabled", "yes")) {
      RedisServer.join(List.of(one, two, three));
      openAndClose(one.uri("?timeout=10s&cluster=true"));
    }
    assertQuiet();
  }

  @Test
  void connectionsThatAreRefusedOrLost() throws Exception {
    try (RedisServer server = RedisServer.start()) {
      String unused =
          server.command("ACL", "SETUSER", "app", "on", ">secret", "~*", "+@all", "-time");
      URI refused = URI.create("redis://app:secret@127.0.0.1:" + server.port() + "?timeout=2s");
      for (int i = 0; i < 10; i++) {
        assertThatThrownBy(() -> Rockpool.open(refused))
            .isInstanceOf(ServerUnavailableException.class);
      }
      try (Rockpool pool = Rockpool.open(server.uri("?timeout=10s"))) {
        String unusedKilled = server.command("CLIENT", "KILL", "TYPE", "normal");
        Failover.await(() -> pool.state().server().orElseThrow().connections() == 2);
      }
    }
    assertQuiet();
  }
}
