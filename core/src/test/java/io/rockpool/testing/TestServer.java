package io.rockpool.testing;

import io.rockpool.engine.Engine;
import io.rockpool.engine.memory.MemoryEngine;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.function.Function;

/**
 * A server on which the suites of this module run in place of engines in memory. The tests of
 * another module provide one as a service; here there is none.
 */
public interface TestServer {
  /**
   * Makes an empty store.
   *
   * @return opens a handle of its data, by the clock
   */
  Function<FakeClock, Engine> newStore();

  /** The server that is provided. */
  static Optional<TestServer> provided() {
    return ServiceLoader.load(TestServer.class).findFirst();
  }

  /** Opens an empty store on the server; in memory if there is none. */
  static Engine open(FakeClock clock) {
    return provided()
        .map(server -> server.newStore().apply(clock))
        .orElseGet(() -> MemoryEngine.builder().clock(clock).build());
  }
}
