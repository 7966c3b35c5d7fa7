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

/** Creates the schema of a store and its functions, and checks its version. */
final class PostgresSchema {
  /** The version of the tables that this engine reads and writes. */
  static final int VERSION = 1;

  private static final String TABLES = "schema-" + VERSION + ".sql";
  private static final String FUNCTIONS = "functions-" + VERSION + ".sql";

  /** One of the functions. */
  private static final String RENEW = "$.renew_space_$(bigint, bigint, boolean, bigint, bigint)";

  private PostgresSchema() {}

  /**
   * Creates the tables and functions unless they exist. Of several processes one creates them.
   *
   * @throws ServerUnavailableException if the schema has another version, hides rows, or takes no
   *     writes
   */
  static void prepare(PostgresDatabase database) {
    try {
      database.<Boolean>transaction(
          "Opening the schema \"" + database.schema() + "\"",
          connection -> {
            checkDriver(connection);
            // First: a default of the session may fix the snapshot before the lock is there.
            Parameters.update(connection, "SET TRANSACTION ISOLATION LEVEL READ COMMITTED");
            ServerDialect.check(connection);
            String table = database.schema() + ".store";
            // Taken for each opening: without it two creators meet errors of the system's catalogs.
            Parameters.number(connection, ServerDialect.LOCK, "rockpool " + table);
            boolean isNew = !exists(connection, "to_regclass", database.sql("$.store"));
            if (isNew) {
              createTables(connection, database);
            }
            checkRowSecurity(connection, database);
            check(
                database,
                Parameters.number(connection, database.sql("SELECT version FROM $.store")));
            // Also those of a schema that has got another name; the others stay for the old name.
            if (!exists(connection, "to_regprocedure", database.sql(RENEW))) {
              run(connection, database, FUNCTIONS);
            }
            if (!isNew
                && Parameters.number(connection, database.sql(ServerDialect.IS_OF_OTHER_SERVER))
                    > 0) {
              forgetOtherServer(connection, database);
            }
            return true;
          });
    } catch (OutcomeUnknownException e) {
      throw new ServerUnavailableException(
          "Opening the schema \""
              + database.schema()
              + "\" failed: the connection to PostgreSQL was lost"
              + (e.getCause() instanceof SQLException lost ? lost(lost) : ". Open it again."),
          e);
    }
  }

  /** Why the connection was lost, and what to do. */
  private static String lost(SQLException e) {
    return ", with "
        + SqlErrors.message(e)
        + (String.valueOf(e.getMessage()).contains("statement pooling")
            ? ". The pooler is in statement mode, which has no transactions; use its session or"
                + " transaction mode."
            : ". Open it again.");
  }

  /**
   * Takes two connections at once. The feed keeps one as long as the store is open, so calls would
   * never get that of a pool of one.
   *
   * @return whether a pooler gives each transaction another session, as far as can be seen
   * @throws ServerUnavailableException also if such a pooler does not know the prepared statements
   *     that the driver names; later, they would fail at random
   */
  static boolean checkPool(PostgresDatabase database) {
    try (Connection first = database.connect();
        Connection second = second(database)) {
      return PostgresDatabase.<Boolean>run(
          first,
          one -> PostgresDatabase.run(second, other -> SharedSessions.areBehind(one, other)));
    } catch (SQLException e) {
      if (SqlErrors.isOfOtherSession(e)) {
        throw new ServerUnavailableException(
            "Opening the schema \""
                + database.schema()
                + "\" failed: PostgreSQL reported "
                + SqlErrors.message(e)
                + ". "
                + SqlErrors.advice(e),
            e);
      }
      throw PostgresDatabase.failure("Opening the schema \"" + database.schema() + '"', e);
    }
  }

  private static Connection second(PostgresDatabase database) {
    try {
      return database.connect();
    } catch (SQLException e) {
      throw new ServerUnavailableException(
          "Opening the schema \""
              + database.schema()
              + "\" failed: the pool gave no second connection beside the first, and reported "
              + SqlErrors.message(e)
              + ". The feed of changes keeps one, and each call takes another. "
              + (SqlErrors.isOutOfConnections(e)
                  ? SqlErrors.advice(e)
                  : "Give the pool two connections more than threads that use the store."),
          e);
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
  private static void forgetOtherServer(Connection connection, PostgresDatabase database)
      throws SQLException {
    for (String statement : ServerDialect.FORGET_OTHER_SERVER) {
      Parameters.update(connection, database.sql(statement));
    }
  }

  /** Whether the server finds something by its name. */
  private static boolean exists(Connection connection, String find, String name)
      throws SQLException {
    return Parameters.number(
            connection, "SELECT CASE WHEN " + find + "(?) IS NULL THEN 0 ELSE 1 END", name)
        > 0;
  }

  private static void createTables(Connection connection, PostgresDatabase database)
      throws SQLException {
    // Needs a right on the database even if the schema exists, so only then.
    if (!exists(connection, "to_regnamespace", database.quotedSchema())) {
      try (Statement statement = connection.createStatement()) {
        statement.execute("CREATE SCHEMA " + database.quotedSchema());
      }
    }
    run(connection, database, TABLES);
  }

  private static void run(Connection connection, PostgresDatabase database, String resource)
      throws SQLException {
    try (Statement statement = connection.createStatement()) {
      for (String part : read(resource).split(";;", -1)) {
        statement.execute(database.sql(part));
      }
    }
  }

  private static String read(String resource) {
    try (InputStream stream = PostgresSchema.class.getResourceAsStream(resource)) {
      if (stream == null) {
        throw new ServerUnavailableException(
            "The resource " + resource + " is missing; use the whole jar of rockpool-postgresql.",
            null);
      }
      return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new ServerUnavailableException("The resource " + resource + " cannot be read.", e);
    }
  }

  /** Rows that the server hides from the role would look absent. */
  private static void checkRowSecurity(Connection connection, PostgresDatabase database)
      throws SQLException {
    String tables =
        Parameters.text(connection, ServerDialect.ROW_SECURITY, database.quotedSchema());
    if (tables != null) {
      throw new ServerUnavailableException(
          "Tables of the schema \""
              + database.schema()
              + "\" have row level security: "
              + tables
              + ". It hides rows from the role of the store, so their keys would look absent. Run"
              + " ALTER TABLE ... DISABLE ROW LEVEL SECURITY for each of them, or give the role the"
              + " attribute BYPASSRLS.",
          null);
    }
  }

  private static void check(PostgresDatabase database, long version) {
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
