package io.rockpool.postgresql;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import com.zaxxer.hikari.SQLExceptionOverride;
import io.rockpool.engine.EngineFactory;
import io.rockpool.error.ServerUnavailableException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.Properties;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.postgresql.Driver;
import org.postgresql.PGProperty;

/** Opens engines with a pool of their own, which closes with them. */
final class OwnPool {
  private static final int DEFAULT_SIZE = 10;

  /**
   * How long the server may take for a statement, unless the URL says otherwise. Only a
   * verification takes longer, and lifts it.
   */
  private static final String ANSWER_SECONDS = "60";

  /** How long a call waits for a connection while the server is away, or all are in use. */
  private static final long CONNECTION_MILLIS = TimeUnit.SECONDS.toMillis(10);

  /** How long the first connection may take; the pool tries again. */
  private static final String LOGIN_SECONDS = "10";

  /** Closes connections to a primary that is one no more; the next one may find the new one. */
  private static final class Demotion implements SQLExceptionOverride {
    @java.lang.Override
    public Override adjudicate(SQLException e) {
      return SqlErrors.isReadOnly(e) ? Override.MUST_EVICT : Override.CONTINUE_EVICT;
    }
  }

  private OwnPool() {}

  static PostgresEngine open(String url, PostgresOptions options) {
    Integer size = options.poolSize();
    if (size != null && size < 2) {
      throw new IllegalArgumentException(
          "The pool-size is "
              + size
              + ", and a store at a URI has a pool of its own with two connections or more. Give a"
              + " number of connections, such as 10.");
    }
    checkAccepted(url, options.schema());
    HikariConfig config = new HikariConfig();
    config.setJdbcUrl(url);
    config.setMaximumPoolSize(size == null ? DEFAULT_SIZE : size);
    config.setConnectionTimeout(CONNECTION_MILLIS);
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
      if (config.getCredentialsProvider() == null) {
        // The application may change its password, or make one for each connection.
        config.setCredentialsProvider(application::getCredentials);
      }
      if (size != null) {
        config.setMaximumPoolSize(size);
      }
      return open(config, PostgresOptions.of(opening).schema(options.schema()));
    };
  }

  private static PostgresEngine open(HikariConfig config, PostgresOptions options) {
    config.setPoolName("rockpool-" + options.schema());
    config.setInitializationFailTimeout(-1);
    // Connections that no call needs are closed: other stores and programs may need them.
    config.setMinimumIdle(1);
    // The feed keeps its connection, which is no leak.
    config.setLeakDetectionThreshold(0);
    if (config.getExceptionOverride() == null && config.getExceptionOverrideClassName() == null) {
      config.setExceptionOverride(new Demotion());
    }
    // Parameters of the URL override these.
    Properties settings = config.getDataSourceProperties();
    settings.putIfAbsent(PGProperty.SOCKET_TIMEOUT.getName(), ANSWER_SECONDS);
    settings.putIfAbsent(PGProperty.APPLICATION_NAME.getName(), "rockpool");
    settings.putIfAbsent(PGProperty.TCP_KEEP_ALIVE.getName(), "true");
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

  /** Fails at once if the server refuses the role or has no such database: a pool would wait. */
  private static void checkAccepted(String url, String schema) {
    Properties limits = new Properties();
    limits.setProperty(PGProperty.LOGIN_TIMEOUT.getName(), LOGIN_SECONDS);
    limits.setProperty(PGProperty.SOCKET_TIMEOUT.getName(), LOGIN_SECONDS);
    try (Connection connection = DriverManager.getConnection(url, limits)) {
      // The pool makes its own.
    } catch (SQLException e) {
      if (SqlErrors.isRefusal(e)) {
        throw new ServerUnavailableException(
            "Opening the schema \""
                + schema
                + "\" failed: PostgreSQL"
                + at(Driver.parseURL(url, null))
                + " reported "
                + SqlErrors.message(e)
                + ". Nothing was changed. Check the database, user and password of the URI.",
            e);
      }
    }
  }

  private static String at(@Nullable Properties parsed) {
    return parsed == null
        ? ""
        : " at "
            + PGProperty.PG_HOST.getOrDefault(parsed)
            + ":"
            + PGProperty.PG_PORT.getOrDefault(parsed)
            + ", database \""
            + PGProperty.PG_DBNAME.getOrDefault(parsed)
            + "\",";
  }
}
