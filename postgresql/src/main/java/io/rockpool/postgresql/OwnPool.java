package io.rockpool.postgresql;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;

/** Opens engines with a pool of ten connections that closes with them. */
final class OwnPool {
  private OwnPool() {}

  static PostgresEngine open(String url, PostgresOptions options) {
    HikariConfig config = new HikariConfig();
    config.setJdbcUrl(url);
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
