package io.rockpool.postgresql;

import io.rockpool.testing.tools.PostgresStandbys;
import java.io.IOException;

/** Servers that follow others. */
final class StandbyServer {
  private StandbyServer() {}

  /** Starts a server that follows another one, which the caller deletes. */
  static PostgresServer of(PostgresServer primary) throws IOException {
    return new PostgresServer(PostgresStandbys.start(primary.process(), PostgresServer.settings()));
  }
}
