package io.rockpool.cli;

import io.rockpool.testing.tools.RedisProcess;
import java.io.IOException;
import java.net.URI;

/** A Redis server on loopback from which tests import. */
final class SourceRedis implements AutoCloseable {
  private final RedisProcess server;

  private SourceRedis(RedisProcess server) {
    this.server = server;
  }

  /** Starts a server. */
  static SourceRedis start() throws IOException {
    return new SourceRedis(RedisProcess.start());
  }

  URI uri() {
    return URI.create("redis://127.0.0.1:" + server.port());
  }

  /** Connects. */
  RedisSource connect() throws IOException {
    return new RedisSource(uri());
  }

  @Override
  public void close() {
    server.close();
  }
}
