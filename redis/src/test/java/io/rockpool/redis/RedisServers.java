package io.rockpool.redis;

import java.io.IOException;
import java.util.function.BooleanSupplier;

/** A {@link RedisServer} for tests of other packages. */
public final class RedisServers implements AutoCloseable {
  private final RedisServer server;

  private RedisServers(RedisServer server) {
    this.server = server;
  }

  /** Starts a server; see {@link RedisServer#start}. */
  public static RedisServers start(String... options) throws IOException {
    return new RedisServers(RedisServer.start(options));
  }

  /** Waits until a condition holds. */
  public static void await(BooleanSupplier condition) {
    Failover.await(condition);
  }

  /** The port. */
  public int port() {
    return server.port();
  }

  /** Runs a command, as redis-cli would. */
  public String command(String... words) {
    return server.command(words);
  }

  /** Sends the process a signal, such as STOP. */
  public void signal(String name) {
    server.signal(name);
  }

  @Override
  public void close() {
    server.close();
  }
}
