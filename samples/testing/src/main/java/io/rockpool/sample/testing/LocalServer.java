package io.rockpool.sample.testing;

import io.rockpool.testing.tools.PostgresProcess;
import io.rockpool.testing.tools.RedisProcess;
import io.rockpool.testing.tools.Tool;
import java.io.IOException;
import java.net.URI;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * A server on loopback and a free port, with new data. It is ended by its process handle, at the
 * latest when this JVM ends in order.
 */
public final class LocalServer implements AutoCloseable {
  /** The servers that can be started. */
  public enum Kind {
    REDIS(Tool.REDIS),
    POSTGRESQL(Tool.POSTGRESQL);

    private final Tool tool;

    Kind(Tool tool) {
      this.tool = tool;
    }

    /**
     * The kind with this name, in any case.
     *
     * @throws IllegalArgumentException if there is none
     */
    public static Kind of(String name) {
      return valueOf(name.toUpperCase(Locale.ROOT));
    }

    /** The programs that it needs. */
    public Tool tool() {
      return tool;
    }
  }

  private final @Nullable RedisProcess redis;
  private final @Nullable PostgresProcess postgres;

  private LocalServer(@Nullable RedisProcess redis, @Nullable PostgresProcess postgres) {
    this.redis = redis;
    this.postgres = postgres;
  }

  /**
   * Starts a server, and returns once it answers.
   *
   * @throws IOException if it is not here or does not start
   */
  public static LocalServer start(Kind kind) throws IOException {
    if (!kind.tool().isPresent()) {
      throw new IOException("The server of " + kind + " is not here. Install it.");
    }
    return kind == Kind.REDIS
        ? new LocalServer(RedisProcess.start(), null)
        : new LocalServer(null, PostgresProcess.start());
  }

  /** The port it listens on, the same after a restart. */
  public int port() {
    if (redis != null) {
      return redis.port();
    }
    return postgres == null ? 0 : postgres.port();
  }

  /**
   * The URI of a store on it.
   *
   * @param store the name of the store: a prefix of keys, or a schema
   */
  public URI uri(String store) {
    return URI.create(
        redis != null
            ? "redis://127.0.0.1:" + port() + "?prefix=" + store
            : "postgresql://rockpool@127.0.0.1:" + port() + "/postgres?schema=" + store);
  }

  /** Kills it as {@code kill -9} does. Redis then has lost everything, PostgreSQL nothing. */
  public void kill() {
    if (redis != null) {
      redis.kill();
    }
    if (postgres != null) {
      postgres.kill();
    }
  }

  /** Starts a killed one again, on the same port. */
  public void restart() throws IOException {
    if (redis != null) {
      redis.restart();
    }
    if (postgres != null) {
      postgres.restart();
    }
  }

  /** Kills it and deletes its directory. */
  @Override
  public void close() {
    if (redis != null) {
      redis.close();
    }
    if (postgres != null) {
      postgres.close();
    }
  }
}
