package io.rockpool.postgresql;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.postgresql.PGConnection;

/**
 * Checks that connections of the application reach the database of the store. On another one, the
 * numbers of spaces are those of other names: a commit would overwrite their entries. Thread-safe.
 */
final class SameDatabase {
  private final PostgresDatabase database;

  /** The URLs of connections that reach the store. They may contain passwords. */
  private final Set<String> known = ConcurrentHashMap.newKeySet();

  SameDatabase(PostgresDatabase database) {
    this.database = database;
    known.add(database.<String>read(connection -> connection.getMetaData().getURL()));
  }

  /**
   * Checks a connection. Costs nothing for a known URL, and one more connection for a new one.
   *
   * @throws IllegalStateException if it reaches another database; nothing was changed
   */
  void check(Connection connection) throws SQLException {
    PostgresDatabase.checkBytes(connection);
    String url = connection.getMetaData().getURL();
    if (known.contains(url)) {
      return;
    }
    if (!connection.isWrapperFor(PGConnection.class) || !sharesLocks(connection)) {
      throw new IllegalStateException(
          "A transaction on a connection of another database was to join the store in the schema \""
              + database.schema()
              + "\". Nothing was changed. Use a transaction manager on the DataSource of the store,"
              + " or open the store on the DataSource of the transaction manager.");
    }
    known.add(url);
  }

  /** Whether a connection cannot have a lock that the store holds: locks belong to a database. */
  private boolean sharesLocks(Connection connection) {
    long lock = PostgresDatabase.token();
    return database.<Boolean>transaction(
        "Checking the connection of a transaction",
        own -> {
          Parameters.number(own, ServerDialect.LOCK_NUMBER, lock);
          return Parameters.number(connection, ServerDialect.CAN_LOCK_NUMBER, lock) == 0;
        });
  }
}
