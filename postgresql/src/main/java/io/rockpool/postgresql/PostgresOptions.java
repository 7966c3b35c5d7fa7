package io.rockpool.postgresql;

import io.rockpool.engine.EngineOptions;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Options of a {@link PostgresEngine}. Immutable. */
public final class PostgresOptions {
  /** The schema unless another is set. */
  public static final String DEFAULT_SCHEMA = "rockpool";

  private static final String PROPERTIES = "rockpool.postgresql.";
  private static final String SCHEMA = PROPERTIES + "schema";
  private static final String POOL_SIZE = PROPERTIES + "pool-size";

  /** The longest name that PostgreSQL does not cut off. */
  private static final int MAX_SCHEMA_BYTES = 63;

  private static final Duration MAX_POLL = Duration.ofDays(1);

  private static final Duration DEFAULT_POLL = Duration.ofMillis(500);

  private final String schema;
  private final @Nullable InstantSource clock;
  private final Duration poll;
  private final @Nullable Integer poolSize;

  private PostgresOptions(
      String schema, @Nullable InstantSource clock, Duration poll, @Nullable Integer poolSize) {
    this.schema = schema;
    this.clock = clock;
    this.poll = poll;
    this.poolSize = poolSize;
  }

  /** {@return the defaults} */
  public static PostgresOptions defaults() {
    return new PostgresOptions(DEFAULT_SCHEMA, null, DEFAULT_POLL, null);
  }

  /** The defaults, with the properties of a builder, and its clock unless that is the system's. */
  static PostgresOptions of(EngineOptions options) {
    PostgresOptions found =
        options.clock() == InstantSource.system() ? defaults() : defaults().clock(options.clock());
    for (Map.Entry<String, String> property : options.properties().entrySet()) {
      String value = property.getValue();
      if (property.getKey().equals(SCHEMA)) {
        found = found.schema(value);
      } else if (property.getKey().equals(POOL_SIZE)) {
        found = found.poolSize(value);
      } else if (property.getKey().startsWith(PROPERTIES)) {
        throw new IllegalArgumentException(
            "The engine for PostgreSQL has no property \""
                + property.getKey()
                + "\". Its properties are "
                + SCHEMA
                + " and "
                + POOL_SIZE
                + ".");
      }
    }
    return found;
  }

  private PostgresOptions poolSize(String size) {
    if (!size.matches("[0-9]{1,5}")) {
      throw new IllegalArgumentException(
          POOL_SIZE + " was set to \"" + size + "\"; give a number of connections, such as 10.");
    }
    return new PostgresOptions(schema, clock, poll, Integer.valueOf(size));
  }

  /**
   * Sets the schema that holds the store. Each schema is a store of its own. It is created if it
   * does not exist; nothing else belongs in it.
   *
   * @param schema lower case letters, digits and {@code _}, at most 63; starts with a letter, and
   *     not with {@code pg_}
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
    if (schema.startsWith("pg_") || schema.equals("information_schema")) {
      throw new IllegalArgumentException(
          "The schema was set to \""
              + schema
              + "\", which is one of PostgreSQL's own; use another name.");
    }
    return new PostgresOptions(schema, clock, poll, poolSize);
  }

  /**
   * Sets the clock by which records expire, for tests. All handles of a store need the same one;
   * the default is the server's, which they share.
   *
   * @param clock the clock
   * @return the options with it
   */
  public PostgresOptions clock(InstantSource clock) {
    return new PostgresOptions(schema, Objects.requireNonNull(clock, "clock"), poll, poolSize);
  }

  /**
   * Sets how often a handle looks for changes of other handles if no notification arrives. The
   * default is 500 ms. It looks at least once a day.
   *
   * @param poll the time between two looks
   * @return the options with it
   * @throws IllegalArgumentException if it is below 1 ms
   */
  public PostgresOptions poll(Duration poll) {
    if (poll.compareTo(Duration.ofMillis(1)) < 0) {
      throw new IllegalArgumentException("A poll every " + poll + " was set; use 1 ms or more.");
    }
    Duration atMost = poll.compareTo(MAX_POLL) > 0 ? MAX_POLL : poll;
    return new PostgresOptions(schema, clock, atMost, poolSize);
  }

  String schema() {
    return schema;
  }

  @Nullable InstantSource clock() {
    return clock;
  }

  /** The connections of a pool of its own; null for the default. */
  @Nullable Integer poolSize() {
    return poolSize;
  }

  Duration poll() {
    return poll;
  }
}
