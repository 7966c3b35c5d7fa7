package io.rockpool.testing;

import io.rockpool.Rockpool;
import io.rockpool.engine.Engine;
import io.rockpool.engine.memory.MemoryEngine;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
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
  Function<InstantSource, Engine> newStore();

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

  /** Opens two handles of an empty store on the server; in memory if there is none. */
  static List<Engine> openTwice(FakeClock clock) {
    Function<InstantSource, Engine> server = provided().map(TestServer::newStore).orElse(null);
    if (server != null) {
      return List.of(server.apply(clock), server.apply(clock));
    }
    MemoryEngine engine = MemoryEngine.builder().clock(clock).shared().build();
    return List.of(engine, engine.openAnother());
  }

  /** Opens an empty store on the server, by the system's clock; in a directory if there is none. */
  static Rockpool openOr(Path directory) {
    return provided()
        .map(server -> Rockpool.at(o -> server.newStore().apply(InstantSource.system())).open())
        .orElseGet(() -> Rockpool.open(directory));
  }
}
