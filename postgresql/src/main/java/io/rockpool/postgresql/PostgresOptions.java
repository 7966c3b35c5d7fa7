package io.rockpool.postgresql;

import io.rockpool.engine.EngineOptions;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Options of a {@link PostgresEngine}. Immutable. */
public final class PostgresOptions {
  /** The schema unless another is set. */
  public static final String DEFAULT_SCHEMA = "rockpool";

  /** The longest name that PostgreSQL does not cut off. */
  private static final int MAX_SCHEMA_BYTES = 63;

  private static final Duration DEFAULT_POLL = Duration.ofMillis(500);

  private final String schema;
  private final @Nullable InstantSource clock;
  private final Duration poll;

  private PostgresOptions(String schema, @Nullable InstantSource clock, Duration poll) {
    this.schema = schema;
    this.clock = clock;
    this.poll = poll;
  }

  /** {@return the defaults} */
  public static PostgresOptions defaults() {
    return new PostgresOptions(DEFAULT_SCHEMA, null, DEFAULT_POLL);
  }

  /** The defaults, with the clock of a builder unless that is the system's. */
  static PostgresOptions of(EngineOptions options) {
    return options.clock() == InstantSource.system()
        ? defaults()
        : defaults().clock(options.clock());
  }

  /**
   * Sets the schema that holds the store. Each schema is a store of its own. It is created if it
   * does not exist; nothing else belongs in it.
   *
   * @param schema lower case letters, digits and {@code _}, at most 63; starts with a letter
   * @return the options with it
   * @throws IllegalArgumentException for another name
   */
  public PostgresOptions schema(String schema) {
    if (!schema.matches("[a-z][a-z0-9_]*") || schema.length() > MAX_SCHEMA_BYTES) {
      throw new IllegalArgumentException(
          "The schema was set to \""
              + schema
              + "\"; use up to "
              + MAX_SCHEMA_BYTES
              + " of a-z, 0-9 and _, with a letter first.");
    }
    return new PostgresOptions(schema, clock, poll);
  }

  /**
   * Sets the clock by which records expire, for tests. All handles of a store need the same one;
   * the default is the server's, which they share.
   *
   * @param clock the clock
   * @return the options with it
   */
  public PostgresOptions clock(InstantSource clock) {
    return new PostgresOptions(schema, Objects.requireNonNull(clock, "clock"), poll);
  }

  /**
   * Sets how often a handle looks for changes of other handles if no notification arrives. The
   * default is 500 ms.
   *
   * @param poll the time between two looks
   * @return the options with it
   * @throws IllegalArgumentException if it is below 1 ms
   */
  public PostgresOptions poll(Duration poll) {
    if (poll.toMillis() < 1) {
      throw new IllegalArgumentException("A poll every " + poll + " was set; use 1 ms or more.");
    }
    return new PostgresOptions(schema, clock, poll);
  }

  String schema() {
    return schema;
  }

  @Nullable InstantSource clock() {
    return clock;
  }

  Duration poll() {
    return poll;
  }
}
