package io.rockpool.postgresql;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.rockpool.engine.EngineFactory;
import org.jspecify.annotations.Nullable;

/** Opens engines with a pool of their own, which closes with them. */
final class OwnPool {
  private static final int DEFAULT_SIZE = 10;

  private OwnPool() {}

  static PostgresEngine open(String url, PostgresOptions options) {
    HikariConfig config = new HikariConfig();
    config.setJdbcUrl(url);
    Integer size = options.poolSize();
    if (size != null && size == 0) {
      throw new IllegalArgumentException(
          "The pool-size is 0, and a store at a URI has a pool of its own. Give a number of"
              + " connections, such as 10.");
    }
    config.setMaximumPoolSize(size == null ? DEFAULT_SIZE : size);
    return open(config, options);
  }

  /**
   * Opens stores with pools like the application's. A thread in a transaction has a connection of
   * the application; threads that all wait for a second one of the same pool wait for each other.
   *
   * @param size the size of the pool; null for the application's
   */
  static EngineFactory beside(
      HikariDataSource application, @Nullable Integer size, PostgresOptions options) {
    return opening -> {
      HikariConfig config = new HikariConfig();
      application.copyStateTo(config);
      if (size != null) {
        config.setMaximumPoolSize(size);
      }
      // Connections that no call needs are closed: the application's are usually enough.
      config.setMinimumIdle(1);
      return open(config, PostgresOptions.of(opening).schema(options.schema()));
    };
  }

  private static PostgresEngine open(HikariConfig config, PostgresOptions options) {
    config.setPoolName("rockpool-" + options.schema());
    config.setInitializationFailTimeout(-1);
    HikariDataSource pool = new HikariDataSource(config);
    boolean opened = false;
    try {
      PostgresEngine engine = new PostgresEngine(pool, pool, options);
      opened = true;
      return engine;
    } finally {
      if (!opened) {
        pool.close();
      }
    }
  }
}
