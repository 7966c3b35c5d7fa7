package io.rockpool.benchmarks;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;

/**
 * {@link CollectionPeer#SQLITE}: a table of messages with the time from which each is visible. Its
 * log is written ahead, and synchronized at checkpoints only.
 */
final class SqliteCollections implements PeerCollections {
  private static final long VISIBILITY_MILLIS = 30_000;

  private final Connection connection;
  private final PreparedStatement insert;
  private final PreparedStatement claim;
  private final PreparedStatement delete;

  SqliteCollections(Path directory) {
    try {
      connection = DriverManager.getConnection("jdbc:sqlite:" + directory.resolve("queue.db"));
      try (Statement statement = connection.createStatement()) {
        statement.execute("PRAGMA journal_mode = WAL");
        statement.execute("PRAGMA synchronous = NORMAL");
        statement.execute(
            "CREATE TABLE IF NOT EXISTS message (id INTEGER PRIMARY KEY AUTOINCREMENT,"
                + " visible INTEGER NOT NULL, deliveries INTEGER NOT NULL, body BLOB NOT NULL)");
        statement.execute("CREATE INDEX IF NOT EXISTS ready ON message (visible, id)");
      }
      insert =
          connection.prepareStatement(
              "INSERT INTO message (visible, deliveries, body) VALUES (?, 0, ?)");
      claim =
          connection.prepareStatement(
              "UPDATE message SET visible = ?, deliveries = deliveries + 1 WHERE id IN"
                  + " (SELECT id FROM message WHERE visible <= ? ORDER BY visible, id LIMIT ?)"
                  + " RETURNING id, body");
      delete = connection.prepareStatement("DELETE FROM message WHERE id = ?");
    } catch (SQLException e) {
      throw new IllegalStateException("The table of messages could not be opened.", e);
    }
  }

  /** Runs changes in one transaction. */
  private interface Changes {
    void run() throws SQLException;
  }

  private void inOneTransaction(Changes changes) {
    try {
      connection.setAutoCommit(false);
      changes.run();
      connection.commit();
    } catch (SQLException e) {
      throw new IllegalStateException("A transaction of SQLite failed.", e);
    }
  }

  @Override
  public Messages messages() {
    return new Messages() {
      @Override
      public void send(List<byte[]> messages) {
        inOneTransaction(() -> insert(messages));
      }

      @Override
      public int handle(int max) {
        List<Long> ids = new ArrayList<>();
        inOneTransaction(() -> claim(max, ids));
        inOneTransaction(() -> delete(ids));
        return ids.size();
      }
    };
  }

  private void insert(List<byte[]> messages) throws SQLException {
    long now = System.currentTimeMillis();
    for (byte[] message : messages) {
      insert.setLong(1, now);
      insert.setBytes(2, message);
      insert.executeUpdate();
    }
  }

  private void claim(int max, List<Long> ids) throws SQLException {
    long now = System.currentTimeMillis();
    claim.setLong(1, now + VISIBILITY_MILLIS);
    claim.setLong(2, now);
    claim.setInt(3, max);
    try (ResultSet claimed = claim.executeQuery()) {
      while (claimed.next()) {
        ids.add(claimed.getLong(1));
        claimed.getBytes(2);
      }
    }
  }

  private void delete(List<Long> ids) throws SQLException {
    for (long id : ids) {
      delete.setLong(1, id);
      delete.executeUpdate();
    }
  }

  @Override
  public void close() {
    try {
      connection.close();
    } catch (SQLException e) {
      throw new IllegalStateException("The table of messages could not be closed.", e);
    }
  }
}
