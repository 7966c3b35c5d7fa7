package io.rockpool.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.rockpool.Rockpool;
import io.rockpool.cache.PersistentCache;
import io.rockpool.error.OutcomeUnknownException;
import io.rockpool.error.ServerUnavailableException;
import io.rockpool.testing.Slow;
import io.rockpool.testing.tools.Needs;
import io.rockpool.testing.tools.Tool;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.assertj.core.api.AbstractThrowableAssert;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A message says what a server has refused, or which option it needs. */
@Slow
@Timeout(60)
@Needs(Tool.REDIS)
final class RefusedConnectionsTest {
  private static AbstractThrowableAssert<?, ? extends Throwable> assertRefused(URI uri) {
    return assertThatThrownBy(() -> Rockpool.open(uri)).as(uri.toString());
  }

  @Test
  void aServersRefusalIsNamed() throws Exception {
    try (RedisServer server = RedisServer.start()) {
      assertRefused(server.uri("/16?timeout=10s"))
          .isInstanceOf(ServerUnavailableException.class)
          .hasMessageContainingAll("refuses", "DB index is out of range", "database")
          .hasMessageNotContaining("Start it");
      assertRefused(server.uri("?cluster=true&timeout=10s"))
          .isInstanceOf(ServerUnavailableException.class)
          .hasMessageContainingAll("cluster support disabled", "Leave out the option cluster=true")
          .cause()
          .isNotNull();
    }
    assertRefused(URI.create("redis://127.0.0.1:1?cluster=true&timeout=10s"))
        .isInstanceOf(ServerUnavailableException.class)
        .hasMessageContainingAll("The Redis cluster at 127.0.0.1:1", "Connection refused");
  }

  @Test
  void aServerWithTooManyClients() throws Exception {
    try (RedisServer server = RedisServer.start();
        Rockpool pool = Rockpool.open(server.uri("?timeout=10s"))) {
      assertThat(server.command("CONFIG", "SET", "maxclients", "1")).isEqualTo("OK");
      assertThat(pool.state().server().orElseThrow().connected()).isTrue();
      assertRefused(server.uri("?timeout=4s"))
          .isInstanceOf(ServerUnavailableException.class)
          .hasMessageContainingAll("max number of clients", "maxclients")
          .hasMessageNotContaining("password");
    }
  }

  /** What the server says after the opening, each call repeats. */
  @Test
  void callsNameWhatTheServerRefuses() throws Exception {
    try (RedisServer server = RedisServer.start();
        Rockpool pool = Rockpool.open(server.uri("?timeout=4s"))) {
      PersistentCache<String, Long> cache = pool.cache("c", String.class, Long.class);
      cache.put("k", 1L);
      assertThat(server.command("CONFIG", "SET", "requirepass", "other")).isEqualTo("OK");
      String unused = server.command("-a", "other", "CLIENT", "KILL", "TYPE", "normal");
      Failover.await(
          () -> {
            Throwable thrown = catchThrowable(() -> cache.put("k", 2L));
            return thrown instanceof ServerUnavailableException
                && thrown.getMessage().contains("refuses the connection: NOAUTH")
                && thrown.getCause() != null;
          });
    }
  }

  /** As if the first attempt took the time for loading classes on a busy machine. */
  @Test
  void aServerThatAnswersTooLateOnce() throws Exception {
    try (RedisServer server = RedisServer.start()) {
      Rockpool.open(server.uri("")).close(); // the classes are there: the pause is what takes time
      assertThat(server.command("CLIENT", "PAUSE", "3000", "ALL")).isEqualTo("OK");
      try (Rockpool pool = Rockpool.open(server.uri("?timeout=2s"))) {
        assertThat(pool.state().server().orElseThrow().connected()).isTrue();
      }
    }
  }

  /** Although another server, which is asked after it, is away. */
  @Test
  void aClusterNamesWhatAServerRefuses() throws Exception {
    try (RedisServer server =
        RedisServer.start("--cluster-enabled", "yes", "--requirepass", "other")) {
      URI uri =
          URI.create(
              "redis://:wrong@127.0.0.1:"
                  + server.port()
                  + ",127.0.0.1:"
                  + RedisServer.freePort()
                  + "?cluster=true&timeout=4s");
      assertRefused(uri)
          .isInstanceOf(ServerUnavailableException.class)
          .hasMessageContaining("refuses the connection: WRONGPASS")
          .hasMessageNotContaining("cannot be reached");
    }
  }

  /** The value is small, so no limit of the server is the cause. */
  @Test
  void aPutWhoseConnectionIsEnded() throws Exception {
    try (RedisServer server = RedisServer.start();
        Rockpool pool = Rockpool.open(server.uri("?timeout=20s"))) {
      PersistentCache<String, byte[]> values = pool.cache("c", String.class, byte[].class);
      assertThat(server.command("CLIENT", "PAUSE", "60000", "WRITE")).isEqualTo("OK");
      CompletableFuture<Void> put =
          CompletableFuture.runAsync(() -> values.put("small", new byte[100_000]));
      Failover.await(
          () -> {
            // Only while a command waits for its answer: the put must find a connection before.
            if (server.command("CLIENT", "LIST").contains("flags=b")) {
              String unused = server.command("CLIENT", "KILL", "TYPE", "normal", "SKIPME", "yes");
            }
            return put.isDone();
          });
      assertThat(server.command("CLIENT", "UNPAUSE")).isEqualTo("OK");
      assertThatThrownBy(put::join)
          .cause()
          .isInstanceOf(OutcomeUnknownException.class)
          .hasMessageContaining("was lost before the answer. Read the entry")
          .hasMessageNotContaining("proto-max-bulk-len");
    }
  }

  @Test
  void aUserThatIsSwitchedOff() throws Exception {
    try (RedisServer server = RedisServer.start()) {
      assertThat(server.command("ACL", "SETUSER", "app", "on", ">secret", "~*", "+@all"))
          .isEqualTo("OK");
      URI uri = URI.create("redis://app:secret@127.0.0.1:" + server.port() + "?timeout=2s");
      try (Rockpool pool = Rockpool.open(uri)) {
        PersistentCache<String, Long> cache = pool.cache("c", String.class, Long.class);
        assertThat(server.command("ACL", "SETUSER", "app", "off")).isEqualTo("OK");
        String unused = server.command("CLIENT", "KILL", "USER", "app");
        Failover.await(
            () ->
                catchThrowable(() -> cache.put("k", 2L)) instanceof ServerUnavailableException e
                    && e.getMessage().contains("user is disabled. Check the user"));
      }
    }
  }

  @Test
  void sentinelsThatDemandAPasswordAreNamed() throws Exception {
    try (RedisServer server = RedisServer.start();
        RedisServer sentinel = server.startSentinel("shop")) {
      URI uri = URI.create("redis-sentinel://127.0.0.1:" + sentinel.port() + "?master=");
      assertRefused(URI.create(uri + "another"))
          .isInstanceOf(ServerUnavailableException.class)
          .hasMessageContainingAll("another", "knows no master");
      assertThat(sentinel.command("ACL", "SETUSER", "default", "resetpass", ">other"))
          .isEqualTo("OK");
      // The one that is asked after it is away.
      assertRefused(URI.create((uri + "shop").replace("?", ",127.0.0.1:1?")))
          .isInstanceOf(ServerUnavailableException.class)
          .hasMessageContainingAll("NOAUTH", "sentinel-username", "sentinel-password")
          .cause()
          .isNotNull();
    }
  }

  @Test
  void aMemberOfAClusterNeedsTheOption() throws Exception {
    List<RedisServer> masters = new ArrayList<>();
    try {
      for (int i = 0; i < 3; i++) {
        masters.add(RedisServer.start("--cluster-enabled", "yes"));
      }
      RedisServer.join(masters);
      assertRefused(masters.get(0).uri("?timeout=10s"))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContainingAll("member of a cluster", "cluster=true");
    } finally {
      masters.forEach(RedisServer::close);
    }
  }

  @Test
  void aKeyInAnotherFormatIsNamedAndNoThreadStays(@TempDir Path files) throws Exception {
    Path certificate = Files.writeString(files.resolve("certificate"), "");
    Path key =
        Files.writeString(
            files.resolve("key"),
            "-----BEGIN RSA PRIVATE KEY-----\nMIIE\n-----END RSA PRIVATE KEY-----\n");
    long before = timers();
    for (int i = 0; i < 3; i++) {
      assertRefused(
              URI.create(
                  "rediss://127.0.0.1:1?client-certificate=" + certificate + "&client-key=" + key))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContainingAll("client-key", "PKCS#1", "openssl pkcs8 -topk8 -nocrypt");
    }
    Failover.await(() -> timers() <= before);
  }

  private static long timers() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getName().startsWith("lettuce-timer"))
        .count();
  }
}
