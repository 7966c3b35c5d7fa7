package io.rockpool.postgresql;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The statement that commits a transaction on a row of many records. It changes the head only if
 * the revision is the one that was read, and the records only if it has changed the head. It has
 * only the parts that the changes need: a single record without arrays takes a fourth less of the
 * server's time.
 */
final class RowCommit {
  private final String updateHead;
  private final String insertHead;
  private final String putOne;
  private final String putAll;
  private final String deleteAll;
  private final String changed;

  RowCommit(PostgresDatabase database) {
    String counted =
        " - (SELECT count(*) FROM $.records r WHERE r.generation = ? AND r.hash_key = ?"
            + " AND r.sort_key = ANY(?::bytea[]) AND r.counted)";
    String current = " FROM $.spaces s WHERE s.id = ? AND s.expires > ? AND s.generation = ?";
    String found = " RETURNING h.generation, h.hash_key)";
    updateHead =
        database.sql(
            "WITH h AS (UPDATE $.heads h SET revision = ?, count = h.count + ?"
                + counted
                + current
                + " AND h.generation = s.generation AND h.hash_key = ? AND h.revision = ?"
                + found);
    insertHead =
        database.sql(
            "WITH h AS (INSERT INTO $.heads AS h (revision, count, generation, hash_key)"
                + " SELECT ?::bigint, ?::bigint"
                + counted
                + ", s.generation, ?::bytea"
                + current
                + " ON CONFLICT DO NOTHING"
                + found);
    String put =
        ", p AS (INSERT INTO $.records"
            + " (generation, hash_key, sort_key, expiry, counted, value)"
            + " SELECT h.generation, h.hash_key, ";
    putOne = database.sql(put + "?, ?, ?, ? FROM h" + RowStatements.REPLACE + ")");
    putAll =
        database.sql(
            put
                + "i.k, i.e, i.c, i.v"
                + " FROM h, unnest(?::bytea[], ?::bigint[], ?::boolean[], ?::bytea[])"
                + " AS i(k, e, c, v)"
                + RowStatements.REPLACE
                + ")");
    deleteAll =
        database.sql(
            ", d AS (DELETE FROM $.records r WHERE r.generation = (SELECT generation FROM h)"
                + " AND r.hash_key = (SELECT hash_key FROM h)"
                + " AND r.sort_key = ANY(?::bytea[]))");
    changed =
        database.sql(
            " INSERT INTO $.changes (origin, space, kind, hash_key)"
                + " SELECT ?, ?, 0, hash_key FROM h");
  }

  /** Returns whether the row was as the transaction has read it, and so the changes were made. */
  boolean run(Connection connection, RecordStatements.Scope at, PostgresRow row, long token)
      throws SQLException {
    Long revision = row.source().revision();
    List<RowChange> puts = new ArrayList<>();
    List<RowChange> deletes = new ArrayList<>();
    row.changes().forEach(change -> (change.value() == null ? deletes : puts).add(change));
    List<@Nullable Object> parameters = new ArrayList<>();
    StringBuilder sql = new StringBuilder(revision == null ? insertHead : updateHead);
    addHead(parameters, at, row, token, revision);
    if (puts.size() == 1) {
      RowChange put = puts.get(0);
      sql.append(putOne);
      parameters.addAll(
          Arrays.asList(put.sortKey(), put.expiryMillis(), put.isCounted(), put.value()));
    } else if (!puts.isEmpty()) {
      sql.append(putAll);
      parameters.add(Parameters.bytes(puts, RowChange::sortKey));
      parameters.add(Parameters.numbers(puts, RowChange::expiryMillis));
      parameters.add(Parameters.booleans(puts, RowChange::isCounted));
      parameters.add(Parameters.bytes(puts, RowChange::value));
    }
    if (!deletes.isEmpty()) {
      sql.append(deleteAll);
      parameters.add(Parameters.bytes(deletes, RowChange::sortKey));
    }
    sql.append(changed);
    parameters.add(at.origin());
    parameters.add(at.space());
    return Parameters.update(connection, sql.toString(), parameters.toArray()) == 1;
  }

  private static void addHead(
      List<@Nullable Object> parameters,
      RecordStatements.Scope at,
      PostgresRow row,
      long token,
      @Nullable Long revision) {
    long generation = row.source().generation();
    byte[] hashKey = row.hashKey();
    parameters.add(token);
    parameters.add(row.changes().stream().filter(RowChange::isCounted).count());
    parameters.add(generation);
    parameters.add(hashKey);
    parameters.add(Parameters.bytes(row.changes(), RowChange::sortKey));
    if (revision == null) {
      parameters.add(hashKey);
    }
    parameters.add(at.space());
    parameters.add(at.nowMillis());
    parameters.add(generation);
    if (revision != null) {
      parameters.add(hashKey);
      parameters.add(revision);
    }
  }
}
