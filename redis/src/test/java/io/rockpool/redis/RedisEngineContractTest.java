package io.rockpool.redis;

import io.rockpool.engine.Engine;
import io.rockpool.engine.EngineContract;
import io.rockpool.engine.EngineOptions;
import io.rockpool.testing.MaySkip;
import io.rockpool.testing.Slow;
import io.rockpool.testing.tools.Needs;
import io.rockpool.testing.tools.Tool;
import java.io.IOException;
import java.net.URI;
import java.time.InstantSource;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;

/** The contract on one server. */
@Slow
@MaySkip("it has no collections, no transactions over several rows and no snapshots")
@TestInstance(Lifecycle.PER_CLASS)
@Needs(Tool.REDIS)
final class RedisEngineContractTest extends EngineContract {
  private RedisServer server;

  @BeforeAll
  void start() throws IOException {
    server = RedisServer.start();
  }

  @AfterAll
  void stop() {
    if (server != null) {
      server.close();
    }
  }

  private URI uri() {
    return server.uri("?timeout=20s&feed-timeout=20s");
  }

  @Override
  protected Engine openEngine(InstantSource clock) {
    server.empty();
    return RedisEngine.open(uri(), new EngineOptions(clock, null, Map.of()));
  }

  @Override
  protected Engine reopenEngine(Engine closed, InstantSource clock) {
    return RedisEngine.open(uri(), new EngineOptions(clock, null, Map.of()));
  }

  @Override
  protected Engine openAnother(Engine engine) {
    return RedisEngine.open(uri(), new EngineOptions(engine.clock(), null, Map.of()));
  }
}
