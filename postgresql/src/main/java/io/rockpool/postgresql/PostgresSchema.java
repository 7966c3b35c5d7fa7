package io.rockpool.postgresql;

import io.rockpool.error.OutcomeUnknownException;
import io.rockpool.error.ServerUnavailableException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import org.postgresql.PGConnection;

/** Creates the schema of a store, and checks its version. */
final class PostgresSchema {
  /** The version of the tables that this engine reads and writes. */
  static final int VERSION = 1;

  private static final String DEFINITION = "schema-" + VERSION + ".sql";

  private PostgresSchema() {}

  /**
   * Creates the tables unless they exist. Of several processes one creates them.
   *
   * @throws ServerUnavailableException if the schema has another version
   */
  static void prepare(Database database) {
    try {
      database.<Boolean>transaction(
          "Creating the schema \"" + database.schema() + "\"",
          connection -> {
            checkDriver(connection);
            // First: a default of the session may fix the snapshot before the lock is there.
            Parameters.update(connection, "SET TRANSACTION ISOLATION LEVEL READ COMMITTED");
            ServerDialect.check(connection);
            String table = database.schema() + ".store";
            // Taken for each opening: without it two creators meet errors of the system's catalogs.
            Parameters.number(connection, ServerDialect.LOCK, "rockpool " + table);
            if (Parameters.number(
                    connection,
                    "SELECT count(*) FROM (SELECT to_regclass(?) AS t) x WHERE t IS NOT NULL",
                    database.sql("$.store"))
                == 0) {
              create(connection, database);
            }
            check(
                database,
                Parameters.number(connection, database.sql("SELECT version FROM $.store")));
            if (Parameters.number(connection, database.sql(ServerDialect.IS_OF_OTHER_SERVER)) > 0) {
              forgetOtherServer(connection, database);
            }
            return true;
          });
    } catch (OutcomeUnknownException e) {
      throw new ServerUnavailableException(
          "Opening the schema \""
              + database.schema()
              + "\" failed: the connection to PostgreSQL was lost. Open it again.",
          e);
    }
  }

  /**
   * Takes two connections at once. The feed keeps one as long as the store is open, so calls would
   * never get that of a pool of one.
   */
  static void checkPool(Database database) {
    try (Connection first = database.connect()) {
      try (Connection second = database.connect()) {
        // There are two.
      } catch (SQLException e) {
        throw new ServerUnavailableException(
            "Opening the schema \""
                + database.schema()
                + "\" failed: the pool gave no second connection beside the first, and reported "
                + SqlErrors.message(e)
                + ". The feed of changes keeps one, and each call takes another. Give the pool two"
                + " connections more than threads that use the store.",
            e);
      }
    } catch (SQLException e) {
      throw Database.failure("Opening the schema \"" + database.schema() + '"', e);
    }
  }

  private static void checkDriver(Connection connection) throws SQLException {
    if (!connection.isWrapperFor(PGConnection.class)) {
      throw new ServerUnavailableException(
          "The DataSource has connections of another driver than PostgreSQL's. Give it a URL that"
              + " begins with jdbc:postgresql:, or use another engine.",
          null);
    }
  }

  /**
   * Forgets changes with numbers of transactions that this server has yet to use: the schema was
   * restored from a dump of another server.
   */
  private static void forgetOtherServer(Connection connection, Database database)
      throws SQLException {
    for (String statement : ServerDialect.FORGET_OTHER_SERVER) {
      Parameters.update(connection, database.sql(statement));
    }
  }

  private static void create(Connection connection, Database database) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute("CREATE SCHEMA IF NOT EXISTS " + database.quotedSchema());
      for (String part : definition().split(";;", -1)) {
        statement.execute(database.sql(part));
      }
    }
  }

  private static String definition() {
    try (InputStream stream = PostgresSchema.class.getResourceAsStream(DEFINITION)) {
      if (stream == null) {
        throw new ServerUnavailableException(
            "The resource " + DEFINITION + " is missing; use the whole jar of rockpool-postgresql.",
            null);
      }
      return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new ServerUnavailableException("The resource " + DEFINITION + " cannot be read.", e);
    }
  }

  private static void check(Database database, long version) {
    if (version != VERSION) {
      throw new ServerUnavailableException(
          "The schema \""
              + database.schema()
              + "\" has version "
              + version
              + ", and this Rockpool needs version "
              + VERSION
              + ". Use a Rockpool that knows it, or another schema.",
          null);
    }
  }
}
