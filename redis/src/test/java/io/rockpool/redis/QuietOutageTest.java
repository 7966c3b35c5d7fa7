package io.rockpool.redis;

import io.rockpool.Rockpool;
import io.rockpool.engine.QuietOutageContract;
import io.rockpool.testing.Slow;
import io.rockpool.testing.tools.Needs;
import io.rockpool.testing.tools.Tool;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** The log while a Redis server is stopped, which keeps its entries. */
@Slow
@Needs(Tool.REDIS)
final class QuietOutageTest extends QuietOutageContract {
  private RedisServer server;

  @BeforeEach
  void start() throws Exception {
    server = RedisServer.start();
  }

  @AfterEach
  void stop() {
    server.close();
  }

  @Override
  protected Rockpool open() {
    return Rockpool.open(server.uri("?timeout=1s&feed-timeout=1s"));
  }

  @Override
  protected void away(boolean away) {
    server.signal(away ? "STOP" : "CONT");
  }

  @Override
  protected boolean hasCollections() {
    return false;
  }
}
