package io.rockpool.postgresql;

import io.rockpool.engine.Direction;
import io.rockpool.engine.Expiry;
import io.rockpool.engine.Layout;
import io.rockpool.engine.RecordKey;
import io.rockpool.engine.RecordWrite;
import io.rockpool.engine.RowRecord;
import io.rockpool.engine.SortRange;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The statements on the records of one layout. Each finds the generation of its space by itself,
 * and throws {@link NoGeneration} if there is none at {@code nowMillis}.
 */
abstract class RecordStatements {
  /** The generation of a space that has not expired: two parameters, the space and the time. */
  static final String CURRENT =
      "WITH s AS (SELECT generation FROM $.spaces WHERE id = ? AND expires > ?)";

  /** Adds a change of each row of {@code %s}: two parameters, the origin and the space. */
  static final String CHANGED =
      ", c AS (INSERT INTO $.changes (origin, space, kind, hash_key) SELECT ?, ?, 0, %s)";

  /** How many bytes of values a page has at most, but for its last value. */
  static final long PAGE_BYTES = 1 << 20;

  private final String write;
  private final String lock;

  /**
   * Prepares what both layouts have.
   *
   * @param function the function that runs a {@link RecordWrite}
   * @param place inserts the row of a key with a revision, and ends with SET
   */
  RecordStatements(PostgresDatabase database, String function, String place) {
    lock =
        database.sql(
            "WITH s AS (SELECT p.generation FROM $.spaces p, ("
                + ServerDialect.IDLE_SHORTLY
                + ") l WHERE p.id = ? AND p.expires > ? FOR SHARE OF p) INSERT INTO $."
                + place
                + " WHERE false");
    write =
        database.sql(
            "SELECT made, old_value, old_expiry FROM $."
                + function
                + "_$(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");
  }

  /** The statements of a layout. */
  static RecordStatements of(Layout layout, PostgresDatabase database) {
    return layout == Layout.ROWS ? new RowStatements(database) : new EntryStatements(database);
  }

  /**
   * Begins the records of a page, which ends behind the value that fills it. Conditions, the same
   * order and a limit follow. The server knows the length of a value without reading it.
   *
   * @param order the order of the records
   */
  static String page(String table, String order) {
    return "(SELECT * FROM (SELECT r.*, sum(octet_length(r.value)) OVER (ORDER BY "
        + order
        + " ROWS UNBOUNDED PRECEDING) - octet_length(r.value) AS bytes_before FROM $."
        + table
        + " r WHERE r.generation = s.generation";
  }

  /** Ends what {@link #page} has begun. */
  static final String PAGE_END = ") r WHERE r.bytes_before < " + PAGE_BYTES + ")";

  /** Where and when a statement runs, and on whose behalf. */
  record Scope(long space, long nowMillis, long origin) {}

  abstract @Nullable KeptRecord get(Connection connection, Scope at, byte[] hashKey, byte[] sortKey)
      throws SQLException;

  /** The records of {@code keys}, each at the index of its key; null if absent. */
  abstract List<@Nullable RowRecord> getAll(Connection connection, Scope at, List<RecordKey> keys)
      throws SQLException;

  abstract long count(Connection connection, Scope at, byte[] hashKey) throws SQLException;

  abstract List<RowRecord> scan(
      Connection connection,
      Scope at,
      byte[] hashKey,
      SortRange range,
      Direction direction,
      int limit)
      throws SQLException;

  /** The first {@code limit} records of all rows behind {@code after}, up to {@code upTo}. */
  abstract List<RowRecord> scanAll(
      Connection connection,
      Scope at,
      @Nullable RecordKey after,
      @Nullable RecordKey upTo,
      int limit)
      throws SQLException;

  /**
   * Keys that divide the first {@code limit} records, expired ones included, into equal parts: the
   * last key of each part but the last one.
   */
  abstract List<RecordKey> splits(Connection connection, Scope at, int parts, int limit)
      throws SQLException;

  /** Puts records, which are sorted and have no duplicates. */
  abstract void putAll(Connection connection, Scope at, List<RowRecord> records, long token)
      throws SQLException;

  /** As {@link #putAll}, for several callers: fails instead of waiting long for a lock. */
  void putTogether(Connection connection, Scope at, List<RowRecord> records, long token)
      throws SQLException {
    throw new IllegalStateException("Only entries are put together.");
  }

  /** Deletes records. */
  abstract void deleteAll(Connection connection, Scope at, List<RecordKey> keys, long token)
      throws SQLException;

  /**
   * Locks a row until the end of the transaction. An absent row gets a head or an expired entry.
   * Also locks the space against a clear or drop: what the transaction writes after one would never
   * be deleted.
   */
  final void lock(Connection connection, Scope at, byte[] hashKey) throws SQLException {
    Parameters.update(connection, lock, at.space, at.nowMillis, hashKey, PostgresDatabase.token());
  }

  /** The row as one run of a transaction reads it. */
  abstract RowSource reads(Connections connections, Scope at, byte[] hashKey);

  /** Applies the changes of a run in one statement, if the row is as the run has read it. */
  abstract boolean commit(Connection connection, Scope at, PostgresRow row, long token)
      throws SQLException;

  /**
   * What became of a commit whose connection was lost. If it was not made, this prevents it.
   *
   * @param token the revision that the commit sets
   */
  abstract WriteOutcome settle(
      Connection connection, PostgresRow row, long token, Settlement settlement)
      throws SQLException;

  /**
   * The statements of {@link #settle}.
   *
   * @param old replaces the revision that a commit expects
   * @param absent takes the place of a row that a commit would insert
   * @param found reads the revision, 0 for none
   */
  record Fences(String old, String absent, String found) {}

  static WriteOutcome settle(
      Connection connection, PostgresRow row, long token, Settlement settlement, Fences fences)
      throws SQLException {
    Long revision = row.source().revision();
    long generation = row.source().generation();
    long fence = settlement.fence();
    // If the commit still runs, this waits for its end; if it comes later, it finds the fence.
    if (revision == null) {
      Parameters.update(connection, fences.absent, generation, row.hashKey(), fence);
    } else {
      Parameters.update(connection, fences.old, fence, generation, row.hashKey(), revision);
    }
    long found = Parameters.number(connection, fences.found, generation, row.hashKey());
    return settlement.of(found, token);
  }

  /** How many of the rows have the revision {@code token}. */
  abstract long countWith(Connection connection, Scope at, byte[][] hashKeys, long token)
      throws SQLException;

  /** What {@link #write} found. */
  record Before(@Nullable RowRecord record) {}

  /** Runs a {@link RecordWrite} in one statement. */
  final Before write(Connection connection, Scope at, byte[] hashKey, RecordWrite write, long token)
      throws SQLException {
    RowRecord expected = write.expected();
    try (PreparedStatement statement =
            Parameters.prepare(
                connection,
                this.write,
                at.space,
                at.nowMillis,
                hashKey,
                write.sortKey(),
                write.value(),
                Expiry.normalize(write.expiryMillis()),
                write.isCounted(),
                write.isConditional(),
                expected == null ? null : expected.value(),
                expected == null ? 0L : expected.expiryMillis(),
                token,
                at.origin);
        ResultSet result = statement.executeQuery()) {
      result.next();
      if (result.getInt(1) < 0) {
        throw new NoGeneration();
      }
      byte[] value = result.getBytes(2);
      return new Before(
          value == null
              ? null
              : new RowRecord(hashKey, write.sortKey().clone(), value, result.getLong(3)));
    }
  }

  /** Runs a statement that returns how many generations it found. */
  static void run(Connection connection, String sql, @Nullable Object... parameters)
      throws SQLException {
    if (Parameters.number(connection, sql, parameters) == 0) {
      throw new NoGeneration();
    }
  }

  /** Runs a statement that changes a row at least, unless there is no generation. */
  static void change(Connection connection, String sql, @Nullable Object... parameters)
      throws SQLException {
    if (Parameters.update(connection, sql, parameters) == 0) {
      throw new NoGeneration();
    }
  }

  /** Reads records by key; the statement returns the number of the key, value and expiry. */
  static List<@Nullable RowRecord> byKeys(
      Connection connection, List<RecordKey> keys, String sql, @Nullable Object... parameters)
      throws SQLException {
    List<@Nullable RowRecord> found = new ArrayList<>(Collections.nCopies(keys.size(), null));
    try (PreparedStatement statement = Parameters.prepare(connection, sql, parameters);
        ResultSet result = statement.executeQuery()) {
      boolean any = false;
      while (result.next()) {
        any = true;
        byte[] value = result.getBytes(2);
        if (value != null) {
          int index = (int) result.getLong(1) - 1;
          RecordKey key = keys.get(index);
          found.set(index, new RowRecord(key.hashKey(), key.sortKey(), value, result.getLong(3)));
        }
      }
      if (!any) {
        throw new NoGeneration();
      }
    }
    return found;
  }

  /**
   * The statement of {@link #splits}. Of the records {@code 1..n}, it returns the last one at or
   * before each multiple of {@code n / parts}.
   *
   * @param keys the hash key and the sort key, the latter named {@code sort_key}
   * @param order the order of the records
   */
  static String splits(String table, String keys, String order) {
    return "SELECT hash_key, sort_key FROM (SELECT hash_key, sort_key, row_number() OVER"
        + " (ORDER BY hash_key, sort_key) AS i, count(*) OVER () AS n, ?::bigint AS parts FROM"
        + " (SELECT "
        + keys
        + " FROM $.spaces s JOIN $."
        + table
        + " r ON r.generation = s.generation WHERE s.id = ? AND s.expires > ? ORDER BY "
        + order
        + " LIMIT ?) k) k WHERE i < n AND i * least(parts, n) / n > (i - 1) * least(parts, n) / n"
        + " ORDER BY i";
  }

  /** Reads keys by the statement of {@link #splits(String, String, String)}. */
  static List<RecordKey> splits(Connection connection, String sql, Scope at, int parts, int limit)
      throws SQLException {
    List<RecordKey> keys = new ArrayList<>();
    try (PreparedStatement statement =
            Parameters.prepare(connection, sql, parts, at.space, at.nowMillis, limit);
        ResultSet result = statement.executeQuery()) {
      while (result.next()) {
        keys.add(new RecordKey(result.getBytes(1), result.getBytes(2)));
      }
    }
    return keys;
  }

  /** Reads a page; the statement returns hash key, sort key, value and expiry, or one null row. */
  static List<RowRecord> page(Connection connection, String sql, List<Object> parameters)
      throws SQLException {
    List<RowRecord> page = new ArrayList<>();
    try (PreparedStatement statement = Parameters.prepare(connection, sql, parameters.toArray());
        ResultSet result = statement.executeQuery()) {
      boolean any = false;
      while (result.next()) {
        any = true;
        byte[] hashKey = result.getBytes(1);
        if (hashKey != null) {
          page.add(
              new RowRecord(hashKey, result.getBytes(2), result.getBytes(3), result.getLong(4)));
        }
      }
      if (!any) {
        throw new NoGeneration();
      }
    }
    return page;
  }
}
