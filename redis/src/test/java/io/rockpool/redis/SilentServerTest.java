package io.rockpool.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.rockpool.Rockpool;
import io.rockpool.cache.PersistentCache;
import io.rockpool.error.OutcomeUnknownException;
import io.rockpool.error.ServerUnavailableException;
import io.rockpool.testing.tools.Needs;
import io.rockpool.testing.tools.Tool;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A stopped server takes a write and answers nothing: the write may be made once it goes on. */
@Timeout(60)
@Needs(Tool.REDIS)
final class SilentServerTest {
  private RedisServer server;
  private Rockpool pool;
  private PersistentCache<String, Long> cache;

  @BeforeEach
  void open() throws Exception {
    server = RedisServer.start();
    pool = Rockpool.open(server.uri("?timeout=3s"));
    cache = pool.cache("cache", String.class, Long.class, o -> o.hotEntries(0));
    cache.put("key", 1L);
  }

  @AfterEach
  void close() {
    if (pool != null) {
      pool.close();
    }
    if (server != null) {
      server.close();
    }
  }

  /** What was not sent says that it was not made, and is not. */
  private void whileStopped(Runnable write) throws Exception {
    signal("STOP");
    Throwable thrown;
    try {
      thrown = catchThrowable(write::run);
    } finally {
      signal("CONT");
    }
    if (!(thrown instanceof OutcomeUnknownException)) {
      assertThat(thrown).isInstanceOf(ServerUnavailableException.class);
      assertThat(answer()).isEqualTo(1L);
    }
  }

  private @Nullable Long answer() {
    while (true) {
      try {
        return cache.get("key");
      } catch (ServerUnavailableException e) {
        // It is being connected again.
      }
    }
  }

  private void signal(String name) throws Exception {
    assertThat(new ProcessBuilder("kill", "-" + name, "" + server.pid()).start().waitFor())
        .isZero();
  }

  @Test
  void aPutWithoutAnswerIsUnknown() throws Exception {
    whileStopped(() -> cache.put("key", 2L));
  }

  @Test
  void aRemovalWithoutAnswerIsUnknown() throws Exception {
    whileStopped(() -> cache.invalidate("key"));
  }

  @Test
  void aConditionalWriteWithoutAnswerIsUnknown() throws Exception {
    whileStopped(() -> cache.replace("key", 1L, 2L));
  }
}
