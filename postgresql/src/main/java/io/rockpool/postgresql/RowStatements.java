package io.rockpool.postgresql;

import io.rockpool.engine.Direction;
import io.rockpool.engine.Expiry;
import io.rockpool.engine.RecordKey;
import io.rockpool.engine.RowRecord;
import io.rockpool.engine.SortRange;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The statements on rows of many records. Every write sets another revision in the head of its row.
 * It locks the head before it touches records, so writers of a row follow one another.
 */
final class RowStatements extends RecordStatements {
  /** So many records may be of any size. Their lengths would take the server 30 µs to add up. */
  private static final int FEW_RECORDS = 4;

  private static final String HEADS =
      ", h AS (INSERT INTO $.heads (generation, hash_key, revision, count)"
          + " SELECT s.generation, k.h, ?, 0 FROM s, (SELECT DISTINCT h FROM i ORDER BY h) k"
          + " ON CONFLICT (generation, hash_key) DO UPDATE SET revision = excluded.revision"
          + " RETURNING hash_key)";

  /** Ends an insertion of records that may exist. */
  static final String REPLACE =
      " ON CONFLICT (generation, hash_key, sort_key) DO UPDATE"
          + " SET expiry = excluded.expiry, counted = excluded.counted, value = excluded.value";

  private final String get;
  private final String getAll;
  private final String count;
  private final String scanFew;
  private final String scanForward;
  private final String scanBackward;
  private final String scanAll;
  private final String splits;
  private final String fenceOld;
  private final String fenceNew;
  private final String found;
  private final String counted;
  private final String putAll;
  private final String deleteAll;
  private final String readRow;
  private final String readForward;
  private final String readBackward;
  private final RowCommit commit;

  RowStatements(PostgresDatabase database) {
    super(
        database,
        "write_record",
        "heads AS t (generation, hash_key, revision, count) SELECT s.generation, ?, ?, 0 FROM s"
            + " ON CONFLICT (generation, hash_key) DO UPDATE SET revision = t.revision");
    get =
        database.sql(
            "SELECT r.value, r.expiry FROM $.spaces s LEFT JOIN $.records r"
                + " ON r.generation = s.generation AND r.hash_key = ? AND r.sort_key = ?"
                + " AND r.expiry > ? WHERE s.id = ? AND s.expires > ?");
    getAll =
        database.sql(
            "SELECT k.n, r.value, r.expiry FROM $.spaces s"
                + " CROSS JOIN unnest(?::bytea[], ?::bytea[]) WITH ORDINALITY AS k(h, s, n)"
                + " LEFT JOIN LATERAL (SELECT r.value, r.expiry FROM $.records r"
                + " WHERE r.generation = s.generation AND r.hash_key = k.h AND r.sort_key = k.s"
                + " AND r.expiry > ? LIMIT 1) r ON true WHERE s.id = ? AND s.expires > ?");
    count =
        database.sql(
            "SELECT coalesce(h.count, 0) FROM $.spaces s LEFT JOIN $.heads h"
                + " ON h.generation = s.generation AND h.hash_key = ?"
                + " WHERE s.id = ? AND s.expires > ?");
    String lateral =
        "SELECT r.hash_key, r.sort_key, r.value, r.expiry FROM $.spaces s LEFT JOIN LATERAL ";
    String ofRow = " AND r.expiry > ? AND r.hash_key = ? AND ";
    scanFew =
        database.sql(
            lateral + "(SELECT * FROM $.records r WHERE r.generation = s.generation" + ofRow);
    scanForward = database.sql(lateral + page("records", "r.sort_key ASC") + ofRow);
    scanBackward = database.sql(lateral + page("records", "r.sort_key DESC") + ofRow);
    scanAll =
        database.sql(lateral + page("records", "r.hash_key, r.sort_key") + " AND r.expiry > ?");
    fenceOld =
        database.sql(
            "UPDATE $.heads SET revision = ? WHERE generation = ? AND hash_key = ? AND revision ="
                + " ?");
    fenceNew =
        database.sql(
            "INSERT INTO $.heads (generation, hash_key, revision, count)"
                + " VALUES (?, ?, ?, 0) ON CONFLICT DO NOTHING");
    found =
        database.sql(
            "SELECT coalesce((SELECT revision FROM $.heads WHERE generation = ? AND hash_key = ?),"
                + " 0)");
    counted =
        database.sql(
            "SELECT count(*) FROM $.spaces s JOIN $.heads r ON r.generation = s.generation"
                + " WHERE s.id = ? AND r.hash_key = ANY(?::bytea[]) AND r.revision = ?");
    splits = database.sql(splits("records", "r.hash_key, r.sort_key", "r.hash_key, r.sort_key"));
    putAll =
        database.sql(
            CURRENT
                + ", i AS (SELECT * FROM unnest(?::bytea[], ?::bytea[], ?::bytea[], ?::bigint[])"
                + " AS i(h, k, v, e))"
                + HEADS
                + ", p AS (INSERT INTO $.records"
                + " (generation, hash_key, sort_key, expiry, counted, value)"
                + " SELECT s.generation, i.h, i.k, i.e, false, i.v"
                + " FROM s, i, (SELECT count(*) FROM h) locked ORDER BY i.h, i.k"
                + REPLACE
                + ")"
                + CHANGED.formatted("hash_key FROM h")
                + " SELECT count(*) FROM s");
    deleteAll =
        database.sql(
            CURRENT
                + ", i AS (SELECT * FROM unnest(?::bytea[], ?::bytea[]) AS i(h, k))"
                + HEADS
                + ", d AS (DELETE FROM $.records r USING s, i, (SELECT count(*) FROM h) locked"
                + " WHERE r.generation = s.generation AND r.hash_key = i.h AND r.sort_key = i.k)"
                + CHANGED.formatted("hash_key FROM h")
                + " SELECT count(*) FROM s");
    String row =
        "SELECT s.generation, h.revision, h.count, r.sort_key, r.value, r.expiry"
            + " FROM $.spaces s LEFT JOIN $.heads h"
            + " ON h.generation = s.generation AND h.hash_key = ? LEFT JOIN LATERAL ";
    String records = " AND r.hash_key = ? AND r.expiry > ? AND ";
    readRow =
        database.sql(
            row + "(SELECT * FROM $.records r WHERE r.generation = s.generation" + records);
    readForward = database.sql(row + page("records", "r.sort_key ASC") + records);
    readBackward = database.sql(row + page("records", "r.sort_key DESC") + records);
    commit = new RowCommit(database);
  }

  @Override
  @Nullable KeptRecord get(Connection connection, Scope at, byte[] hashKey, byte[] sortKey)
      throws SQLException {
    try (PreparedStatement statement =
            Parameters.prepare(
                connection, get, hashKey, sortKey, at.nowMillis(), at.space(), at.nowMillis());
        ResultSet result = statement.executeQuery()) {
      if (!result.next()) {
        throw new NoGeneration();
      }
      byte[] value = result.getBytes(1);
      return value == null ? null : new KeptRecord(sortKey, value, result.getLong(2));
    }
  }

  @Override
  List<@Nullable RowRecord> getAll(Connection connection, Scope at, List<RecordKey> keys)
      throws SQLException {
    return byKeys(
        connection,
        keys,
        getAll,
        Parameters.bytes(keys, RecordKey::hashKey),
        Parameters.bytes(keys, RecordKey::sortKey),
        at.nowMillis(),
        at.space(),
        at.nowMillis());
  }

  @Override
  long count(Connection connection, Scope at, byte[] hashKey) throws SQLException {
    try (PreparedStatement statement =
            Parameters.prepare(connection, count, hashKey, at.space(), at.nowMillis());
        ResultSet result = statement.executeQuery()) {
      if (!result.next()) {
        throw new NoGeneration();
      }
      return result.getLong(1);
    }
  }

  @Override
  List<RowRecord> scan(
      Connection connection,
      Scope at,
      byte[] hashKey,
      SortRange range,
      Direction direction,
      int limit)
      throws SQLException {
    RowQuery query = RowQuery.range(range, direction, limit);
    List<Object> parameters = new ArrayList<>();
    parameters.add(at.nowMillis());
    parameters.add(hashKey);
    parameters.addAll(query.parameters());
    if (limit <= FEW_RECORDS) {
      return ofSpace(connection, scanFew + query.condition() + ")", parameters, at);
    }
    String scan = direction == Direction.FORWARD ? scanForward : scanBackward;
    return ofSpace(connection, scan + query.condition() + PAGE_END, parameters, at);
  }

  private static List<RowRecord> ofSpace(
      Connection connection, String sql, List<Object> parameters, Scope at) throws SQLException {
    parameters.add(at.space());
    parameters.add(at.nowMillis());
    return page(connection, sql + " r ON true WHERE s.id = ? AND s.expires > ?", parameters);
  }

  @Override
  List<RowRecord> scanAll(
      Connection connection,
      Scope at,
      @Nullable RecordKey after,
      @Nullable RecordKey upTo,
      int limit)
      throws SQLException {
    List<Object> parameters = new ArrayList<>();
    parameters.add(at.nowMillis());
    String sql = scanAll;
    if (after != null) {
      sql += " AND (r.hash_key, r.sort_key) > (?, ?)";
      parameters.add(after.hashKey());
      parameters.add(after.sortKey());
    }
    if (upTo != null) {
      sql += " AND (r.hash_key, r.sort_key) <= (?, ?)";
      parameters.add(upTo.hashKey());
      parameters.add(upTo.sortKey());
    }
    parameters.add(limit);
    return ofSpace(
        connection,
        Parameters.withHiddenLimit(sql + " ORDER BY r.hash_key, r.sort_key LIMIT ?") + PAGE_END,
        parameters,
        at);
  }

  @Override
  List<RecordKey> splits(Connection connection, Scope at, int parts, int limit)
      throws SQLException {
    return splits(connection, splits, at, parts, limit);
  }

  @Override
  void putAll(Connection connection, Scope at, List<RowRecord> records, long token)
      throws SQLException {
    run(
        connection,
        putAll,
        at.space(),
        at.nowMillis(),
        Parameters.bytes(records, RowRecord::hashKey),
        Parameters.bytes(records, RowRecord::sortKey),
        Parameters.bytes(records, RowRecord::value),
        Parameters.numbers(records, record -> Expiry.normalize(record.expiryMillis())),
        token,
        at.origin(),
        at.space());
  }

  @Override
  void deleteAll(Connection connection, Scope at, List<RecordKey> keys, long token)
      throws SQLException {
    run(
        connection,
        deleteAll,
        at.space(),
        at.nowMillis(),
        Parameters.bytes(keys, RecordKey::hashKey),
        Parameters.bytes(keys, RecordKey::sortKey),
        token,
        at.origin(),
        at.space());
  }

  @Override
  RowSource reads(Connections connections, Scope at, byte[] hashKey) {
    return new PostgresRowReads(this, connections, at.space(), hashKey, at.nowMillis());
  }

  /** Reads the head of a row and some of its records. */
  PostgresRowReads.Page read(
      Connection connection, long space, long nowMillis, byte[] hashKey, RowQuery query)
      throws SQLException {
    List<Object> parameters = new ArrayList<>();
    parameters.add(hashKey);
    parameters.add(hashKey);
    parameters.add(query.isExpiredShown() ? -1L : nowMillis);
    parameters.addAll(query.parameters());
    parameters.add(space);
    parameters.add(nowMillis);
    String begin =
        query.page() == null
            ? readRow
            : query.page() == Direction.FORWARD ? readForward : readBackward;
    String sql = begin + query.condition() + ") r ON true WHERE s.id = ? AND s.expires > ?";
    try (PreparedStatement statement = Parameters.prepare(connection, sql, parameters.toArray());
        ResultSet result = statement.executeQuery()) {
      if (!result.next()) {
        throw new NoGeneration();
      }
      long generation = result.getLong(1);
      long found = result.getLong(2);
      Long revision = result.wasNull() ? null : found;
      long count = result.getLong(3);
      List<KeptRecord> records = new ArrayList<>();
      do {
        byte[] sortKey = result.getBytes(4);
        if (sortKey != null) {
          records.add(new KeptRecord(sortKey, result.getBytes(5), result.getLong(6)));
        }
      } while (result.next());
      return new PostgresRowReads.Page(generation, revision, count, records);
    }
  }

  @Override
  boolean commit(Connection connection, Scope at, PostgresRow row, long token) throws SQLException {
    return commit.run(connection, at, row, token);
  }

  @Override
  WriteOutcome settle(Connection connection, PostgresRow row, long token, Settlement settlement)
      throws SQLException {
    return settle(connection, row, token, settlement, new Fences(fenceOld, fenceNew, found));
  }

  @Override
  long countWith(Connection connection, Scope at, byte[][] hashKeys, long token)
      throws SQLException {
    return Parameters.number(connection, counted, at.space(), hashKeys, token);
  }
}
